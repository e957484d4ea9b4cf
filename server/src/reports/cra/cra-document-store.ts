/** SQL of the documents of the Cyber Resilience Act: what is known of a CVE in a product. */
import { sqlExploitable } from '../../actions/cra/cra-store.ts';
import type { Tx } from '../../db/database.ts';
import { rowByKey } from '../../db/planner-hints.ts';
import type { ApplicationId } from '../../domain/ids.ts';
import { sqlCvesOf } from '../../vulnerabilities/cves.ts';
import { sqlCwes } from '../../vulnerabilities/descriptions.ts';
import { sqlIsPresent } from '../../vulnerabilities/present.ts';

export interface KevRow {
  added_on: Date;
  vendor: string;
  product: string;
  name: string;
  ransomware: boolean;
}

export async function findKevEntry(tx: Tx, cve: string): Promise<KevRow | undefined> {
  const [row] = await tx.query<KevRow>(
    'select added_on::timestamptz as added_on, vendor, product, name, ransomware from kev where cve = $1',
    [cve],
  );
  return row;
}

export interface AffectedRow {
  full_name: string;
  title: string;
  package: string | null;
  fix_version: string | null;
  packed_state: number;
  is_present: boolean;
  introduced_at: Date;
  cvss_score: number | null;
  cvss_vector: string | null;
  cwes: string[];
  description: string | null;
}

/** The vulnerabilities of a product that have the CVE, by repository. */
export async function listAffectedVulnerabilities(
  tx: Tx,
  applicationId: ApplicationId,
  cve: string,
  limit: number,
): Promise<AffectedRow[]> {
  return tx.query<AffectedRow>(
    `select r.full_name, v.title, v.package, v.fix_version, v.packed_state, ${sqlIsPresent} as is_present,
            v.introduced_at, v.cvss_score, d.cvss_vector, ${sqlCwes} as cwes, d.description
       from ${sqlExploitable}
      cross join lateral ${rowByKey('repository r', 'v.repository_id')}
       left join vulnerability_description d on d.tenant_id = $1 and d.key = v.description_key
      where x.application_id = $2 and $3 in (select i.cve from ${sqlCvesOf} i)
      order by r.name_key, v.id limit $4`,
    [tx.tenantId, applicationId, cve, limit],
  );
}

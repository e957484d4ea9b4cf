/** SQL of one package: its versions, its advisories, and its usages. */
import type { Tx } from '../../db/database.ts';
import { rowByKey, rowsByKey } from '../../db/planner-hints.ts';
import {
  type ManifestId,
  nilId,
  type PackageId,
  type PackageVersionId,
  type ReferenceId,
  type RepositoryId,
} from '../../domain/ids.ts';
import { type Severity, sqlSeverity, sqlSeverityRank } from '../../domain/packed-state.ts';
import { sqlComparedVersions } from '../../domain/versions.ts';
import { openBySeverity, openOf, usagesOf, usagesOfVersion } from './usage-sql.ts';

export interface VersionRow {
  id: PackageVersionId;
  version: string;
  purl: string;
  licenses: string[];
  repositories: number;
  open: Partial<Record<Severity, number>>;
}

/** The versions in use, those in most repositories first. */
export async function listVersions(tx: Tx, packageId: PackageId, limit: number): Promise<VersionRow[]> {
  return tx.query<VersionRow>(
    `with used as (
       select v.id, v.version, v.purl, v.licenses, count(distinct m.repository_id)::int as repositories
         from ${usagesOf('$2::uuid')} group by 1, 2, 3, 4 order by 5 desc, 2 limit $3),
     -- A vulnerability is in the versions of its locations on active references.
     open as (
       select a.purl, ${sqlSeverity('l.packed_state')} as severity, count(distinct l.id)::int as n
         from ${rowByKey('package g', '$2::uuid')}
         cross join lateral ${openOf('g.package_key')}
         cross join lateral ${rowsByKey('vulnerability_location p', 'l.id', {
           column: 'vulnerability_id',
           next: 'reference_id',
           where: 'p.fixed_at is null and not p.suppressed',
         })}
         cross join lateral ${rowByKey('reference f', 'p.reference_id', { where: 'f.active' })}
         cross join lateral ${rowByKey('artifact a', 'p.artifact_id')}
        group by 1, 2)
     select u.id, u.version, u.purl, u.licenses, u.repositories,
            coalesce(json_object_agg(o.severity, o.n) filter (where o.n is not null), '{}') as open
       from used u left join open o on o.purl = u.purl
      group by 1, 2, 3, 4, 5 order by 5 desc, 2`,
    [tx.tenantId, packageId, limit],
  );
}

export async function isVersionOf(
  tx: Tx,
  packageId: PackageId,
  versionId: PackageVersionId,
): Promise<boolean> {
  const rows = await tx.query(
    'select 1 from package_version where tenant_id = $1 and id = $3 and package_id = $2',
    [tx.tenantId, packageId, versionId],
  );
  return rows.length > 0;
}

export interface AdvisoryRow {
  advisory: string;
  title: string;
  severity: Severity;
  /** The versions that fix it, in any repository. */
  fix_versions: string[];
  vulnerabilities: number;
}

/** The advisories of the open vulnerabilities, the most severe first. */
export async function listAdvisories(tx: Tx, packageId: PackageId, limit: number): Promise<AdvisoryRow[]> {
  return tx.query<AdvisoryRow>(
    `select coalesce(l.advisory, l.rule) as advisory, min(l.title) as title,
            (array_agg(${sqlSeverity('l.packed_state')} order by ${sqlSeverityRank('l.packed_state')} desc))[1] as severity,
            ${sqlComparedVersions('l.fix_version')} as fix_versions, count(*)::int as vulnerabilities
       from ${rowByKey('package g', '$2::uuid')} cross join lateral ${openOf('g.package_key')}
      group by 1 order by max(${sqlSeverityRank('l.packed_state')}) desc, 1 limit $3`,
    [tx.tenantId, packageId, limit],
  );
}

export interface UsageRow {
  version_id: PackageVersionId;
  version: string;
  reference_id: ReferenceId;
  full_ref: string;
  is_default: boolean;
  manifest_id: ManifestId;
  path: string;
  direct: boolean | null;
  repository_id: RepositoryId;
  full_name: string;
  open: Partial<Record<Severity, number>>;
}

export interface UsagePosition {
  versionId: PackageVersionId;
  referenceId: ReferenceId;
  manifestId: ManifestId;
}

/** The usages of a package's versions, by version, reference and manifest, after the position. */
export async function listUsages(
  tx: Tx,
  { packageId, versionId }: { packageId: PackageId; versionId: PackageVersionId | null },
  after: UsagePosition | null,
  limit: number,
): Promise<UsageRow[]> {
  const versions = `(select v.id, v.version from package_version v
      where v.tenant_id = $1 and v.package_id = $2 and ($3::uuid is null or v.id = $3)
        and v.version >= coalesce((select version from package_version where tenant_id = $1 and id = $4), '')
      order by v.version)`;
  return tx.query<UsageRow>(
    `with page as materialized (
       select v.id as version_id, v.version, m.reference_id, m.manifest_id, m.repository_id, f.full_ref, f.is_default,
              bool_or(m.direct) as direct
         from ${versions} v cross join lateral ${usagesOfVersion}
        where v.id is distinct from $4::uuid or (m.reference_id, m.manifest_id) > ($5::uuid, $6::uuid)
        group by 2, 1, 3, 4, 5, 6, 7 order by 2, 1, 3, 4 limit $7)
     select p.*, r.full_name, x.path, coalesce(o.open, '{}') as open
       from page p
       cross join lateral ${rowByKey('repository r', 'p.repository_id')}
       cross join lateral ${rowByKey('manifest x', 'p.manifest_id')}
       left join (select k.repository_id, ${openBySeverity('g.package_key', 'l.repository_id = k.repository_id')} as open
                    from (select distinct repository_id from page) k
                    cross join ${rowByKey('package g', '$2::uuid')}) o on o.repository_id = p.repository_id
      order by p.version, p.version_id, p.reference_id, p.manifest_id`,
    [
      tx.tenantId,
      packageId,
      versionId,
      after?.versionId ?? null,
      after?.referenceId ?? nilId,
      after?.manifestId ?? nilId,
      limit,
    ],
  );
}

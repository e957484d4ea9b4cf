/**
 * The EPSS band of a vulnerability: the tenth in which the highest score of its CVEs lies, from 1, or null below a
 * tenth. A list from a tenth on is read from an index of the bands. Scores change each day for nearly all CVEs, but few
 * of them pass into another band. An import and a change of CVEs write the bands of their vulnerabilities, and a load
 * of scores those of every workspace soon after it (`actions/intel/re-evaluate.ts`).
 */
import type { Tx } from '../db/database.ts';
import type { RepositoryId, VulnerabilityId } from '../domain/ids.ts';
import { sqlAllIds } from './identifiers.ts';

// The lowest score of each band. Rules of triage name tenths, and the lowest one is also that of the index epss_likely.
const lowest = 0.1;
const edges: readonly number[] = [lowest, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** Returns the band that begins with this score; null if none does. */
export function bandFrom(score: number): number | null {
  const at = edges.indexOf(score);
  return at === -1 ? null : at + 1;
}

// Scores have single precision, and so have the edges here. Filters compare in the same way.
const sqlBandOf = (score: string): string =>
  `nullif(width_bucket(${score}, '{${edges.join()}}'::real[]), 0)::smallint`;

/** SQL of a subquery: the band of the vulnerability `v`. */
export const sqlEpssBand = `(select ${sqlBandOf('max(e.score)')} from epss e
    where e.cve = any(${sqlAllIds('v')}))`;

/** Returns the bands of those of the CVEs that have one. */
export async function findEpssBands(tx: Tx, cves: string[]): Promise<Map<string, number>> {
  if (cves.length === 0) return new Map();
  const rows = await tx.query<{ cve: string; band: number }>(
    `select e.cve, ${sqlBandOf('e.score')} as band from epss e
      where e.cve = any($1::text[]) and e.score >= ${lowest}::real`,
    [cves],
  );
  return new Map(rows.map((row) => [row.cve, row.band]));
}

/** Returns true if scores or CVEs have changed, and bands of the workspace may still be the former ones. */
export async function mayHaveOldBands(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ waits: boolean }>(
    'select exists (select 1 from intel_change where tenant_id = $1) as waits',
    [tx.tenantId],
    'intel-change-waits',
  );
  return row?.waits !== false;
}

/**
 * SQL of the common table expression `likely`, which has the CVEs with at least this score: thousands, of which one
 * sorted array is found in one walk through an index.
 */
export const sqlLikely = (score: string): string =>
  `likely as materialized (select array(select cve from epss where score >= ${score}::real order by cve) as cves)`;

/** SQL of a condition: the vulnerability with this alias has one of the CVEs in `likely`. */
export function sqlIsLikely(alias: string, tenant: string): string {
  const cves = '(select cves from likely)::text[]';
  return `(${alias}.advisory = any(${cves}) or ${alias}.id = any(array(
    select c.vulnerability_id from vulnerability_cve c where c.tenant_id = ${tenant} and c.cve = any(${cves}))))`;
}

/** Lists the vulnerabilities whose band is not that of the scores now, in order of their ids. */
export async function listOldBands(tx: Tx): Promise<{ id: VulnerabilityId; repository_id: RepositoryId }[]> {
  return tx.query(
    `with ${sqlLikely(String(lowest))}
     select v.id, v.repository_id from vulnerability v
      where v.tenant_id = $1 and (v.epss_band is not null or ${sqlIsLikely('v', '$1')})
        and v.epss_band is distinct from ${sqlEpssBand}
      order by v.id`,
    [tx.tenantId],
  );
}

/** Writes the bands of these vulnerabilities. It locks them in order of their ids, like every change of them. */
export async function updateEpssBands(tx: Tx, ids: VulnerabilityId[]): Promise<void> {
  if (ids.length === 0) return;
  const values = [tx.tenantId, ids];
  await tx.query(
    'select from vulnerability where tenant_id = $1 and id = any($2::uuid[]) order by id for update',
    values,
  );
  await tx.query(
    `update vulnerability w set epss_band = n.band
       from (select v.id, v.epss_band, ${sqlEpssBand} as band from vulnerability v
              where v.tenant_id = $1 and v.id = any($2::uuid[])) n
      where w.tenant_id = $1 and w.id = n.id and n.epss_band is distinct from n.band`,
    values,
  );
}

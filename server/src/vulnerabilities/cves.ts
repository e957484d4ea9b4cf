/**
 * The CVEs of a vulnerability: its advisory, and those of the table `vulnerability_cve`, because an advisory of a
 * distribution is about several. They find the vulnerabilities of a CVE by an index.
 */
import type { Tx } from '../db/database.ts';
import { rowByKey, rowsByKey, separate } from '../db/planner-hints.ts';
import type { VulnerabilityId } from '../domain/ids.ts';
import { findEpssBands, updateEpssBands } from './epss-band-store.ts';

export function isCve(identifier: string): boolean {
  return identifier.startsWith('CVE-');
}

/** Stores the CVEs of these vulnerabilities in addition to their advisory. Their rows must be written. */
export async function insertCves(tx: Tx, ids: VulnerabilityId[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    `insert into vulnerability_cve (tenant_id, cve, vulnerability_id)
     select v.tenant_id, i.cve, v.id
       from unnest($2::uuid[]) k (id)
      cross join lateral ${rowByKey('vulnerability v', 'k.id')}
      cross join lateral unnest(v.identifiers) i (cve)
      where i.cve like 'CVE-%'
      order by i.cve collate "C", v.id
     on conflict do nothing`,
    [tx.tenantId, ids],
  );
}

/** Stores the CVEs of these vulnerabilities, whose advisory or identifiers have changed, and what follows from them. */
export async function updateCves(tx: Tx, ids: VulnerabilityId[]): Promise<void> {
  await insertCves(tx, ids);
  await updateEpssBands(tx, ids);
}

export async function deleteCves(tx: Tx, ids: VulnerabilityId[]): Promise<void> {
  await tx.query(
    'delete from vulnerability_cve where tenant_id = $1 and vulnerability_id = any($2::uuid[])',
    [tx.tenantId, ids],
  );
}

/** The facts of the feeds about CVEs. */
export interface IntelOfCves {
  /** The time when CISA's catalogue of known exploited vulnerabilities added each of the CVEs that it has. */
  exploited: ReadonlyMap<string, Date>;
  /** The EPSS band of each of the CVEs that has one. */
  bands: ReadonlyMap<string, number>;
}

export async function findIntel(tx: Tx, cves: string[]): Promise<IntelOfCves> {
  const [exploited, bands] = await Promise.all([findExploited(tx, cves), findEpssBands(tx, cves)]);
  return { exploited, bands };
}

async function findExploited(tx: Tx, cves: string[]): Promise<Map<string, Date>> {
  if (cves.length === 0) return new Map();
  const rows = await tx.query<{ cve: string; added_on: Date }>(
    'select cve, added_on::timestamptz as added_on from kev where cve = any($1::text[])',
    [cves],
  );
  return new Map(rows.map((row) => [row.cve, row.added_on]));
}

/** SQL of a subquery for `from`: the CVEs of the vulnerability `v`, as the column `cve`. */
export const sqlCvesOf = `(select v.advisory as cve union all
          select c.cve from ${rowsByKey('vulnerability_cve c', 'v.id', { column: 'vulnerability_id', next: 'cve' })})`;

/** SQL of the time when the catalogue added the first of the CVEs of the vulnerability `v`; null if it has none. */
export const sqlExploitedSince = `(select min(k.added_on)::timestamptz
    from ${sqlCvesOf} i
   cross join lateral ${separate('select k.added_on from kev k where k.cve = i.cve')} k)`;

/**
 * SQL of a query for the ids of the vulnerabilities that have one of the CVEs, each looked up. `$1` is the workspace.
 */
export function sqlWithCve(cves: string): string {
  return `select v.id from (${cves}) k (cve)
      cross join lateral ${rowsByKey('vulnerability v', 'k.cve', { column: 'advisory' })}
    union all
    select c.vulnerability_id from (${cves}) k (cve)
      cross join lateral ${rowsByKey('vulnerability_cve c', 'k.cve', { column: 'cve', next: 'vulnerability_id' })}`;
}

/** SQL of the feeds: it reads and replaces the loaded entries, and keeps the pending changes of each workspace. */
import { advisoryLocks } from '../../db/advisory-locks.ts';
import { insertRows } from '../../db/bulk.ts';
import { readClock } from '../../db/commit-watermark.ts';
import { type InstallTx, switchTenant, type Tx } from '../../db/database.ts';
import { rowByKey } from '../../db/planner-hints.ts';
import type { RepositoryId, TenantId, VulnerabilityId } from '../../domain/ids.ts';
import { sqlWithCve } from '../../vulnerabilities/cves.ts';
import type { EpssRow } from './epss.ts';
import type { KevEntry } from './kev.ts';

export type FeedName = 'kev' | 'epss' | 'osv' | 'ssvc';

export interface FeedRow {
  name: FeedName;
  version: string;
  published_at: Date;
  rows: number;
  /** The digest in hex. */
  sha256: string;
  imported_at: Date;
}

export async function listFeeds(tx: InstallTx): Promise<FeedRow[]> {
  return tx.query<FeedRow>(
    `select name, version, published_at, rows, encode(sha256, 'hex') as sha256, imported_at from intel_feed`,
  );
}

/** False until CISA's catalogue was loaded for the first time: then no vulnerability is known to be exploited by it. */
export async function isKevLoaded(tx: InstallTx): Promise<boolean> {
  const rows = await tx.query(`select 1 from intel_feed where name = 'kev'`);
  return rows.length > 0;
}

/** Waits for another import, and holds the lock until the transaction ends. */
export async function lockFeeds(tx: InstallTx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [advisoryLocks.importFeed]);
}

export async function upsertFeed(tx: InstallTx, feed: FeedRow): Promise<void> {
  await tx.query(
    `insert into intel_feed (name, version, published_at, rows, sha256, imported_at)
     values ($1, $2, $3, $4, decode($5, 'hex'), $6)
     on conflict (name) do update set version = excluded.version, published_at = excluded.published_at,
       rows = excluded.rows, sha256 = excluded.sha256, imported_at = excluded.imported_at`,
    [feed.name, feed.version, feed.published_at, feed.rows, feed.sha256, feed.imported_at],
  );
}

export interface KevDifference {
  added: string[];
  removed: string[];
  updated: string[];
}

/** Replaces the catalogue with the entries; equal rows stay untouched. */
export async function replaceKev(tx: InstallTx, entries: KevEntry[]): Promise<KevDifference> {
  const before = new Set((await tx.query<{ cve: string }>('select cve from kev')).map(({ cve }) => cve));
  const removed = await tx.query<{ cve: string }>(
    'delete from kev where cve <> all($1::text[]) returning cve',
    [entries.map((entry) => entry.cve)],
  );
  const written = await tx.query<{ cve: string }>(
    `insert into kev as k (cve, added_on, due_on, vendor, product, name, ransomware)
     select e.cve, e."addedOn", e."dueOn", e.vendor, e.product, e.name, e.ransomware
       from json_to_recordset($1::json) as e (cve text, "addedOn" date, "dueOn" date, vendor text, product text,
            name text, ransomware boolean)
     on conflict (cve) do update set added_on = excluded.added_on, due_on = excluded.due_on,
       vendor = excluded.vendor, product = excluded.product, name = excluded.name,
       ransomware = excluded.ransomware, updated_at = excluded.updated_at
      where (k.added_on, k.due_on, k.vendor, k.product, k.name, k.ransomware) is distinct from
            (excluded.added_on, excluded.due_on, excluded.vendor, excluded.product, excluded.name, excluded.ransomware)
     returning k.cve`,
    [JSON.stringify(entries)],
  );
  return {
    added: written.filter((row) => !before.has(row.cve)).map((row) => row.cve),
    removed: removed.map((row) => row.cve),
    updated: written.filter((row) => before.has(row.cve)).map((row) => row.cve),
  };
}

/** Keeps the old scores until the transaction ends. */
export async function keepEpss(tx: InstallTx): Promise<void> {
  await tx.query('create temporary table epss_before on commit drop as select cve, score from epss');
}

/**
 * Lists the CVEs whose score has crossed one of these marks, has appeared or has gone. The caller must have called
 * `keepEpss` and written the new scores.
 */
export async function listCrossed(tx: InstallTx, marks: number[]): Promise<string[]> {
  const side = (score: string): string => `coalesce(sign(${score}::text::numeric - m.mark), 9)`;
  const rows = await tx.query<{ cve: string }>(
    `select coalesce(n.cve, b.cve) as cve from epss n full join epss_before b on b.cve = n.cve
      where exists (select 1 from unnest($1::numeric[]) as m (mark)
                     where ${side('n.score')} <> ${side('b.score')})`,
    [marks],
  );
  return rows.map(({ cve }) => cve);
}

export async function deleteEpss(tx: InstallTx): Promise<void> {
  await tx.query('delete from epss');
}

export async function insertEpss(tx: InstallTx, rows: EpssRow[]): Promise<void> {
  await tx.query(
    'insert into epss (cve, score, percentile) select * from unnest($1::text[], $2::real[], $3::real[])',
    [rows.map((row) => row.cve), rows.map((row) => row.score), rows.map((row) => row.percentile)],
    'insert-epss',
  );
}

/** Writes changes for these CVEs in the workspace, as far as one of its vulnerabilities has them. */
export async function insertChangesOfKnown(tx: Tx, cves: string[]): Promise<void> {
  await tx.query(
    `insert into intel_change (tenant_id, cve, created_at)
     select distinct k.tenant_id, k.cve, $3::timestamptz
       from (select v.tenant_id, v.advisory as cve from vulnerability v
              where v.tenant_id = $1 and v.advisory = any($2::text[])
             union
             select c.tenant_id, c.cve from vulnerability_cve c
              where c.tenant_id = $1 and c.cve = any($2::text[])) k
      order by 2
     on conflict ${replaceChange}`,
    [tx.tenantId, cves, await readClock(tx)],
  );
}

/** Lists the ids of all workspaces. */
export async function listTenantIds(tx: InstallTx): Promise<TenantId[]> {
  const rows = await tx.query<{ id: TenantId }>('select id from tenant where deleted_at is null order by id');
  return rows.map((row) => row.id);
}

/**
 * The change that a load of scores writes, in place of the ids of CVEs: the bands of all vulnerabilities are compared.
 */
export const loadedScores = 'EPSS';

/** Writes changes in every workspace. The transaction belongs to the last workspace afterwards. */
export async function insertChanges(tx: InstallTx, cves: string[]): Promise<void> {
  if (cves.length === 0) return;
  for (const id of await listTenantIds(tx)) {
    await writeChanges(switchTenant(tx, id), cves);
  }
}

/** Writes changes for these CVEs in the workspace. */
export async function writeChanges(tx: Tx, cves: string[]): Promise<void> {
  const now = await readClock(tx);
  await insertRows(
    tx,
    'intel_change',
    cves.map((cve) => ({ cve, created_at: now })),
    { conflict: replaceChange },
  );
}

const replaceChange =
  '(tenant_id, cve) do update set created_at = excluded.created_at, reconciled = excluded.reconciled';

/**
 * Marks a workspace from another install for a comparison with the catalogue of this one. It needs the tenant's
 * transaction.
 */
export async function insertChangesOfMoved(tx: Tx): Promise<void> {
  await tx.query(
    `insert into intel_change (tenant_id, cve, created_at)
     select distinct c.tenant_id, c.cve, $2::timestamptz
       from (select tenant_id, advisory as cve, exploitable_at from vulnerability
              where tenant_id = $1 and advisory like 'CVE-%'
             union all
             select o.tenant_id, o.cve, v.exploitable_at from vulnerability_cve o
               join vulnerability v on v.tenant_id = $1 and v.id = o.vulnerability_id
              where o.tenant_id = $1) c
      where c.exploitable_at is not null or exists (select 1 from kev k where k.cve = c.cve)
     on conflict ${replaceChange}`,
    [tx.tenantId, await readClock(tx)],
  );
  await writeChanges(tx, [loadedScores]);
}

export interface ChangeRow {
  cve: string;
  created_at: Date;
  /** True if it was reconciled once. */
  reconciled: boolean;
}

/**
 * Lists changes that are not reconciled yet, and those that were reconciled before the watermark: an import that ran
 * then may have read the feeds before the change, and it has ended now.
 */
export async function listChanges(tx: Tx, committedBefore: Date, limit: number): Promise<ChangeRow[]> {
  return tx.query<ChangeRow>(
    `select cve, created_at, reconciled from intel_change
      where tenant_id = $1 and (not reconciled or created_at < $2) order by created_at, cve limit $3`,
    [tx.tenantId, committedBefore, limit],
  );
}

const isListed = 'c.tenant_id = $1 and c.cve = d.cve and c.created_at = d.created_at';

function listedValues(tx: Tx, changes: ChangeRow[]): unknown[] {
  return [tx.tenantId, changes.map((change) => change.cve), changes.map((change) => change.created_at)];
}

/**
 * Deletes the changes that were reconciled a second time, and gives those that were reconciled for the first time the
 * time of now: the change is visible, so a transaction that begins later reads the new feeds. The time of its row does
 * not tell it, because its transaction may have committed long after. A change that came again meanwhile stays as it
 * is.
 */
export async function finishChanges(tx: Tx, changes: ChangeRow[]): Promise<void> {
  const listed = listedValues(tx, changes);
  await tx.query(
    `delete from intel_change c using unnest($2::text[], $3::timestamptz[]) as d (cve, created_at)
      where ${isListed} and c.reconciled`,
    listed,
  );
  await tx.query(
    `update intel_change c set reconciled = true, created_at = $4
       from unnest($2::text[], $3::timestamptz[]) as d (cve, created_at)
      where ${isListed} and not c.reconciled`,
    [...listed, await readClock(tx)],
  );
}

/** Puts the changes behind the others, because not all of their vulnerabilities could be reconciled. */
export async function postponeChanges(tx: Tx, changes: ChangeRow[]): Promise<void> {
  await tx.query(
    `update intel_change c set created_at = $4 from unnest($2::text[], $3::timestamptz[]) as d (cve, created_at)
      where ${isListed}`,
    [...listedValues(tx, changes), await readClock(tx)],
  );
}

export interface ConcernedRow {
  id: VulnerabilityId;
  repository_id: RepositoryId;
}

/** Lists the vulnerabilities that have one of these CVEs, in order of their ids. */
export async function listConcerned(
  tx: Tx,
  cves: string[],
  afterId: VulnerabilityId | null,
  limit: number,
): Promise<ConcernedRow[]> {
  return tx.query<ConcernedRow>(
    `select v.id, v.repository_id
       from (select distinct id from (${sqlWithCve('select unnest($2::text[])')}) concerned
              where $3::uuid is null or id > $3 order by id limit $4) k
      cross join lateral ${rowByKey('vulnerability v', 'k.id')} order by v.id`,
    [tx.tenantId, cves, afterId, limit],
  );
}

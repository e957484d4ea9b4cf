/** Deletes old scans that prove nothing any more. */
import { type Database, importTx, type Tx } from '../db/database.ts';
import type { RepositoryId, TenantId } from '../domain/ids.ts';

/** The commits of a batch are deleted together, and a batch ends after this many scans. */
const scansAtOnce = 1000;

/**
 * Deletes completed scans from before `before`, and returns their number. No verdict may change. These scans therefore
 * stay: the newest of a reference; those that a series currently shows, and its newest complete one; the first and the
 * last one of each stored observation; failed and late scans, and the newest one that replaces a failed scan; the last
 * ones before a series was retired; those of a base commit, and the first that named that base; all others of a commit
 * of which one stays, on any reference.
 */
export async function deleteOldScans(db: Database, tenantId: TenantId, before: Date): Promise<number> {
  const repositories = await importTx(db, tenantId, (tx) =>
    tx.query<RepositoryWithOldScans>(repositoriesWithOldScans, [tenantId, before]),
  );
  let deleted = 0;
  for (const { id, teaching } of repositories) {
    const old = await importTx(db, tenantId, async (tx) => {
      const bases = (await tx.query<{ sha: string }>(basesOfRepository, [tenantId, id])).map(
        ({ sha }) => sha,
      );
      return tx.query<OldScan>(oldScansOfRepository, [tenantId, id, before, bases, teaching]);
    });
    for (const ids of batchesOfCommits(old)) {
      deleted += await importTx(db, tenantId, (tx) => deleteScans(tx, id, ids));
    }
  }
  return deleted;
}

async function deleteScans(tx: Tx, repositoryId: RepositoryId, found: string[]): Promise<number> {
  await lockAgainstReports(tx, repositoryId);
  const rows = await tx.query<{ id: string }>(stillOld, [tx.tenantId, repositoryId, found]);
  const ids = rows.map(({ id }) => id);
  await tx.query('delete from series_scan where tenant_id = $1 and scan_id = any($2::uuid[])', [
    tx.tenantId,
    ids,
  ]);
  const deleted = await tx.query(
    'delete from scan where tenant_id = $1 and id = any($2::uuid[]) returning id',
    [tx.tenantId, ids],
  );
  return deleted.length;
}

/**
 * Waits for reports that are being received or imported, and lets others wait until the transaction ends, so that none
 * comes between the check of a commit and the deletion of its scans. A new scan locks the key of its repository.
 */
async function lockAgainstReports(tx: Tx, repositoryId: RepositoryId): Promise<void> {
  await tx.query('select 1 from repository where tenant_id = $1 and id = $2 for update', [
    tx.tenantId,
    repositoryId,
  ]);
}

interface RepositoryWithOldScans {
  id: RepositoryId;
  /** The ids of its old scans that taught another name of an advisory. */
  teaching: string[];
}

interface OldScan {
  id: string;
  /** The first seven digits of the commit; null without a commit. */
  sha: string | null;
}

/** The verdict of a commit comes from all its scans, so they are deleted in one transaction. */
function* batchesOfCommits(scans: OldScan[]): Generator<string[]> {
  let batch: string[] = [];
  for (const [i, { id, sha }] of scans.entries()) {
    batch.push(id);
    if (batch.length < scansAtOnce || (sha !== null && scans[i + 1]?.sha === sha)) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const repositoriesWithOldScans = `
  select s.repository_id as id, coalesce(array_agg(distinct a.scan_id::text) filter (where a.scan_id is not null), '{}') as teaching
    from scan s left join advisory_alias a on a.tenant_id = $1 and a.scan_id = s.id
   where s.tenant_id = $1 and s.created_at < $2 and s.status = 'completed' group by s.repository_id`;

// SQL: the first seven digits of the commits that are a base in repository $2. Any of them may be abbreviated.
const basesOfRepository = `
  select left(base_sha, 7) as sha from scan where tenant_id = $1 and repository_id = $2 and base_sha is not null
  union
  select left(base_sha, 7) from reference where tenant_id = $1 and repository_id = $2 and base_sha is not null`;

// SQL: those of the scans $3 whose commit is still no base and has no other scan. A report may have come since the
// search, which has found all scans of each commit.
const stillOld = `
  with kept as (
    ${basesOfRepository}
    union
    select left(sha, 7) from scan where tenant_id = $1 and repository_id = $2 and sha is not null and id <> all($3::uuid[]))
  select id from scan
   where tenant_id = $1 and id = any($3::uuid[]) and (sha is null or left(sha, 7) not in (select sha from kept))`;

// SQL: the newest scan that replaces each failed one, by the rule of `sqlReplaces`, in one pass instead of a look at
// each pair. Scans that the rule treats alike are read from the newest report to the oldest, so all completed ones
// before a failed one are dated at least as late. A scan that counts for several kinds of failed ones is a row for each
// of them. Ids are compared as text, which has their order.
const replacing = `
  select r.id::uuid as id from (
    select a.failed_id,
           case when a.file_name is not null or a.sha = '' or a.newest[2] <> a.sha then a.newest[1]
                -- The newest one of another commit.
                else max(case when a.failed_id is null and a.newest[2] <> a.sha then least(a.id, a.newest[1]) end) over earlier
           end as id
      from (select c.*, max(array[c.id, c.sha]) filter (where c.failed_id is null) over earlier as newest
              from (select f.id::text collate "C" as id, f.id::text as failed_id, coalesce(f.sha, '') as sha, f.reference_id, f.category, f.file_name,
                           f.format, f.partial, f.scanned_at
                      from scan f
                     where f.tenant_id = $1 and f.repository_id = $2 and f.status = 'failed' and not f.dry_run
                    union all
                    select n.id::text collate "C", null, coalesce(n.sha, ''), n.reference_id, n.category, n.file_name, k.format, p.partial, n.scanned_at
                      from scan n
                     cross join unnest(array['auto', n.format]) as k (format)
                     cross join unnest(array[true, false]) as p (partial)
                     where n.tenant_id = $1 and n.repository_id = $2 and n.status = 'completed' and not n.dry_run
                       and (p.partial or not n.partial)) c
            window earlier as (partition by c.reference_id, c.category, c.file_name, c.format, c.partial
                               order by c.scanned_at desc, c.failed_id nulls first, c.id
                               rows between unbounded preceding and 1 preceding)) a
    window earlier as (partition by a.reference_id, a.category, a.file_name, a.format, a.partial
                       order by a.scanned_at desc, a.failed_id nulls first, a.id
                       rows between unbounded preceding and 1 preceding)) r
   where r.id > r.failed_id`;

const newestComplete = `
  select c.scan_id as id from scan_series t
   cross join lateral (
     select c.scan_id from series_scan c
       join scan x on x.tenant_id = $1 and x.id = c.scan_id
      where c.tenant_id = $1 and c.series_id = t.id and not x.partial and (not c.detached or c.outcome <> 'succeeded')
      order by c.seq desc limit 1) c
   where t.tenant_id = $1 and t.repository_id = $2`;

// SQL: the scans with which an observation begins or ends. Each of the two indexes has one half of the observations.
const observing = `
  select c.scan_id as id from (
    select o.series_id, o.since_seq as seq from scan_series t
      join location_observation o on o.tenant_id = $1 and o.series_id = t.id and o.until_seq is null
     where t.tenant_id = $1 and t.repository_id = $2
    union
    select o.series_id, k.seq from scan_series t
      join location_observation o on o.tenant_id = $1 and o.series_id = t.id and o.until_seq is not null
     cross join unnest(array[o.since_seq, o.until_seq]) as k (seq)
     where t.tenant_id = $1 and t.repository_id = $2) o
    join series_scan c on c.tenant_id = $1 and c.series_id = o.series_id and c.seq = o.seq`;

// SQL: the scans of repository $2 from before $3 that nothing needs, in order of commits; $4 are the bases, and $5 the
// scans that taught a name. The scans that something needs are grouped with all others instead of joined, so that the
// time grows with the number of scans and of stored observations alone, whatever the planner expects. They are not read
// if all scans of no commit are old.
const oldScansOfRepository = `
  -- All scans of the repository. A completed one from before $3 is old if its reference has a newer scan, its commit is
  -- no base, and it is not the first complete scan of the reference that names its base.
  with own as (
    select s.id, left(s.sha, 7) as sha,
           s.created_at < $3 and s.status = 'completed' and s.id::text collate "C" < max(s.id::text collate "C") over (partition by s.reference_id)
             and coalesce(left(s.sha, 7) <> all($4::text[]), true)
             and (s.base_sha is null or coalesce(s.id::text collate "C" > min(s.id::text collate "C") filter (
                   where s.status = 'completed' and not s.dry_run and not s.partial) over (partition by s.reference_id, s.base_sha), false)) as is_old
      from scan s where s.tenant_id = $1 and s.repository_id = $2),
  -- The scans of the commits of which all scans are old.
  candidate as (
    select id, sha from (
      select id, sha, bool_and(is_old) over (partition by coalesce(sha, id::text)) as may_go from own) o
     where may_go),
  needed as (select id from (
    ${replacing}
    union all ${newestComplete}
    union all ${observing}
    union all
    -- The last scan of each series, and the one whose closure is held.
    select k.id from scan_series t cross join unnest(array[t.last_scan_id, t.held_scan_id]) as k (id)
     where t.tenant_id = $1 and t.repository_id = $2
    union all
    -- The scans that failed or scanned nothing in a series, or came late, and the last ones before a series was
    -- retired.
    select c.scan_id from scan_series t
      join series_scan c on c.tenant_id = $1 and c.series_id = t.id
       and (c.outcome <> 'succeeded' or c.late or c.series_retired_at is not null)
     where t.tenant_id = $1 and t.repository_id = $2
    union all
    -- The scans with which a package came into use.
    select m.since_scan_id from scan_series t
      join manifest_package m on m.tenant_id = $1 and m.reference_id = t.reference_id and m.series_id = t.id
     where t.tenant_id = $1 and t.repository_id = $2
    union all
    -- The scans of VEX statements.
    select scan_id from vex_statement where tenant_id = $1 and repository_id = $2
    union all
    -- The scans that taught a name.
    select unnest($5::uuid[])) n (id)
     where exists (select 1 from candidate)),
  -- One row for each scan: a needed one may not go, whatever else is known about it.
  judged as (
    select id, max(sha) as sha, bool_and(may_go) as may_go
      from (select id, sha, true as may_go from candidate union all select id, null, false from needed) u
     where id is not null group by id)
  -- A commit goes only as a whole.
  select id, sha from (
    select id, sha, bool_and(may_go) over (partition by coalesce(sha, id::text)) as may_go from judged) j
   where may_go order by sha, id`;

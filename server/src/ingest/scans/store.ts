/** SQL of scans. */

import { type ChangeTx, Parameters, type Tx } from '../../db/database.ts';
import type { DueCondition } from '../../db/due-tenants.ts';
import { sqlHasPrefix } from '../../domain/commit.ts';
import { nilId, type ReferenceId, type RepositoryId, type ScanId, type UserId } from '../../domain/ids.ts';
import type { Source } from '../../domain/packed-state.ts';
import type { Verdict } from '../../domain/policy-enums.ts';
import type { ReferenceType } from '../../domain/reference-name.ts';
import type { RepositorySource } from '../../domain/repository-enums.ts';
import type { ImportCounts } from '../../domain/written-scan.ts';
import { runOutcomes } from '../../parsers/report.ts';

/** The domain `scan_status` of the database has the same values. */
export const scanStatuses = ['queued', 'running', 'completed', 'failed', 'canceled'] as const;
export type ScanStatus = (typeof scanStatuses)[number];

/**
 * SQL: true if a scan of this status waits or is running. The partial indexes `scan_oldest`, `scan_waiting` and
 * `scan_unfinished` have the same condition, so they serve such statements.
 */
export const sqlIsUnfinished = (status: string): string => `${status} in ('queued', 'running')`;

export interface ScanError {
  code: string;
  message: string;
  pointer: string | null;
  line: number | null;
}

export interface ScanRow {
  id: ScanId;
  repository_id: RepositoryId;
  repository_full_name: string;
  repository_source: RepositorySource;
  organization_full_path: string;
  reference_id: ReferenceId;
  full_ref: string;
  reference_type: ReferenceType;
  reference_sha: string | null;
  sha: string | null;
  format: string;
  category: string | null;
  /** Null means that the report itself decides. */
  source: Source | null;
  partial: boolean;
  dry_run: boolean;
  force: boolean;
  may_decide: boolean;
  may_override_policy: boolean;
  tools: string[];
  status: ScanStatus;
  verdict: Verdict | null;
  scanned_at: Date;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  counts: ImportCounts | null;
  warning_count: number;
  error: ScanError | null;
  file_name: string | null;
  base_ref: string | null;
  base_sha: string | null;
  environment: string | null;
  default_branch: string | null;
  uploaded_by: UserId | null;
  progress: ScanProgress | null;
}

/** A scan with the texts of its report, which can be long. */
export interface ScanDetailRow extends ScanRow {
  warnings: string[];
  unreadable: { pointer: string; reason: string }[];
}

/** The progress of a running scan: the step has handled `done` of `total` findings. */
export interface ScanProgress {
  step: string;
  done: number;
  total: number;
}

const columns = `s.id, s.repository_id, r.full_name as repository_full_name, r.source as repository_source,
  o.full_path as organization_full_path, s.reference_id, f.full_ref,
  f.type as reference_type, f.head_sha as reference_sha, s.sha, s.format, s.category, s.source, s.partial, s.dry_run,
  s.force, s.may_decide, s.may_override_policy, s.tools, s.status, s.verdict, s.scanned_at, s.created_at, s.started_at, s.finished_at, s.counts,
  jsonb_array_length(s.warnings) as warning_count, s.error, s.file_name, s.base_ref, s.base_sha, s.environment, s.default_branch, s.uploaded_by, s.progress`;

const joins = `join repository r on r.tenant_id = $1 and r.id = s.repository_id
  join organization o on o.tenant_id = $1 and o.id = r.organization_id
  join reference f on f.tenant_id = $1 and f.id = s.reference_id`;

export async function findScan(tx: Tx, id: ScanId): Promise<ScanRow | undefined> {
  const rows = await tx.query<ScanRow>(
    `select ${columns} from scan s ${joins} where s.tenant_id = $1 and s.id = $2`,
    [tx.tenantId, id],
  );
  return rows[0];
}

export async function findScanDetail(tx: Tx, id: ScanId): Promise<ScanDetailRow | undefined> {
  const rows = await tx.query<ScanDetailRow>(
    `select ${columns}, s.warnings, s.unreadable from scan s ${joins} where s.tenant_id = $1 and s.id = $2`,
    [tx.tenantId, id],
  );
  return rows[0];
}

/** Lists scans, oldest first. */
export async function listScansById(tx: Tx, ids: ScanId[]): Promise<ScanRow[]> {
  return tx.query<ScanRow>(
    `select ${columns} from scan s ${joins} where s.tenant_id = $1 and s.id = any($2::uuid[]) order by s.id`,
    [tx.tenantId, ids],
  );
}

export interface WatchedScan {
  id: ScanId;
  is_final: boolean;
  /** A new value means that the shown scan has changed. */
  state: string;
}

// The first covers the first pages of the list; the second is longer than any queue of unfinished scans.
const newestStates = 200;
const waitingStates = 1_000;

/** Lists the newest scans, the unfinished ones, and those with these ids. Newest first. */
export async function listScanStates(tx: Tx, ids: ScanId[]): Promise<WatchedScan[]> {
  const state = `s.id, not ${sqlIsUnfinished('s.status')} as is_final, concat_ws(' ', s.status, s.verdict, s.progress) as state`;
  return tx.query<WatchedScan>(
    `select id, is_final, state from (
       (select ${state} from scan s where s.tenant_id = $1 order by s.id desc limit ${newestStates})
       union
       (select ${state} from scan s where s.tenant_id = $1 and ${sqlIsUnfinished('s.status')}
         order by s.repository_id, s.id limit ${waitingStates})
       union
       (select ${state} from scan s where s.tenant_id = $1 and s.id = any($2::uuid[]))) as s
     order by id desc`,
    [tx.tenantId, ids],
  );
}

export interface ScanFilter {
  repositoryId: RepositoryId | null;
  referenceId: ReferenceId | null;
  /** A prefix of a commit in lower case. */
  sha: string | null;
  statuses: ScanStatus[] | null;
  tool: string | null;
}

/** Lists scans before `beforeId`, newest first. */
export async function listScans(
  tx: Tx,
  filter: ScanFilter,
  beforeId: ScanId | null,
  limit: number,
): Promise<ScanRow[]> {
  const { values, add } = new Parameters(tx.tenantId);
  const conditions = ['s.tenant_id = $1'];
  const { repositoryId, referenceId, sha, statuses, tool } = filter;
  if (beforeId !== null) conditions.push(`s.id < ${add(beforeId)}`);
  if (repositoryId !== null) conditions.push(`s.repository_id = ${add(repositoryId)}`);
  if (referenceId !== null) conditions.push(`s.reference_id = ${add(referenceId)}`);
  if (sha !== null) conditions.push(`s.sha >= ${add(sha)} and s.sha < ${add(`${sha}g`)}`);
  if (statuses !== null) conditions.push(`s.status = any(${add(statuses)}::text[])`);
  if (tool !== null) conditions.push(`${add(tool)} = any(s.tools)`);
  return tx.query<ScanRow>(
    `select ${columns} from scan s ${joins} where ${conditions.join(' and ')}
      order by s.id desc limit ${add(limit)}`,
    values,
  );
}

/** The fields of a scan by which a reference has its state. The gate reads them for each series, at each poll. */
export type StateScanRow = Pick<
  ScanRow,
  | 'id'
  | 'reference_id'
  | 'full_ref'
  | 'reference_type'
  | 'reference_sha'
  | 'category'
  | 'partial'
  | 'status'
  | 'verdict'
  | 'scanned_at'
  | 'counts'
>;

const stateColumns = `s.id, s.reference_id, f.full_ref, f.type as reference_type, f.head_sha as reference_sha, s.category,
  s.partial, s.status, s.verdict, s.scanned_at, s.counts`;

const stateJoin = 'join reference f on f.tenant_id = $1 and f.id = s.reference_id';

/** `incomplete`: some rows of the run could not be read, and it is not forced, so it closes nothing. */
export const shownOutcomes = [...runOutcomes, 'incomplete'] as const;
export type ShownOutcome = (typeof shownOutcomes)[number];

/** SQL: the `ShownOutcome`. A whole run that has succeeded, and is detached but not late, is incomplete. */
const sqlShownOutcome = (run: string, scan: string): string =>
  `case when ${run}.outcome = 'succeeded' and ${run}.detached and not ${run}.late and not ${scan}.partial
             then 'incomplete' else ${run}.outcome::text end`;

export interface SeriesScanRow extends StateScanRow {
  series_tool: string;
  series_category: string;
  /** The newest scan of the series, whatever its commit is. */
  series_last_scan_id: ScanId | null;
  /**
   * The outcome of the run in this scan. A partial run has the outcome of the whole run before it if that did not
   * succeed.
   */
  outcome: ShownOutcome;
  /** The series had a newer report already, so the scan opened, closed and reopened nothing. */
  late: boolean;
}

/** SQL: true if the two hashes name the same commit. One may be the beginning of the other. */
export const sqlSameCommit = (one: string, other: string): string =>
  `(${sqlHasPrefix(one, `left(${other}, 7)`)}
             and (starts_with(${one}, ${other}) or starts_with(${other}, ${one})))`;

/** SQL: true if the run has brought no result. A partial report without findings has, because it removes nothing. */
export const sqlIsUnsuccessful = (outcome: string, partial: string): string =>
  `(${outcome} <> 'succeeded' and not (${partial} and ${outcome} = 'scanned_nothing'))`;

/**
 * Lists the newest scan of each series of these references, or of a commit on them; they make the status. A late scan
 * counts only if the commit has no other one. If other files have shown the commit, and the newest complete run of one
 * of them did not succeed, or its newest run if all are partial, its scan comes instead, unless the newest scan is
 * forced.
 */
export async function listNewestBySeries(
  tx: Tx,
  referenceIds: ReferenceId[],
  sha: string | null,
): Promise<SeriesScanRow[]> {
  const ofCommit = (scan: string): string => `($3::text is null or ${sqlHasPrefix(`${scan}.sha`, '$3')})`;
  // The CTE is planned alone: with all tables in one search for a join order, planning took most of the time of the
  // gate.
  return tx.query(
    `with newest as materialized (
       select t.tool, t.category, t.file_name as series_file_name, t.source, t.id, t.last_scan_id, c.scan_id, c.outcome, c.late, c.sha, c.file_name, c.force,
              whole.outcome as whole_outcome
         from scan_series t
        cross join lateral (
          select c.scan_id, ${sqlShownOutcome('c', 's')} as outcome, c.seq, c.late, s.sha, s.file_name, s.force
            from series_scan c
            join scan s on s.tenant_id = $1 and s.id = c.scan_id
           where c.tenant_id = $1 and c.series_id = t.id and ${ofCommit('s')}
             and ($3::text is not null or c.scan_id = t.last_scan_id)
           order by c.late, c.seq desc limit 1) c
         left join lateral (
          select w.outcome from (
            select ${sqlShownOutcome('b', 'x')} as outcome from series_scan b
              join scan x on x.tenant_id = $1 and x.id = b.scan_id
             where b.tenant_id = $1 and b.series_id = t.id and b.seq < c.seq and not x.partial
                and (not b.late or b.outcome <> 'succeeded') and ${ofCommit('x')}
             order by b.seq desc limit 1) w
           where w.outcome <> 'succeeded') whole on true
        where t.tenant_id = $1 and t.reference_id = any($2::uuid[])),
     unsuccessful as materialized (
       select distinct on (t.id) t.id, f.scan_id, f.outcome
         from newest t
         join (
          select distinct on (n.sha, b.series_id, o.file_name) n.sha, b.series_id, o.file_name, o.partial, b.scan_id, b.outcome
            from (select distinct sha from newest where sha is not null) n
            join scan o on o.tenant_id = $1 and ${sqlSameCommit('o.sha', 'n.sha')}
            join series_scan b on b.tenant_id = $1 and b.scan_id = o.id and not b.late
           order by n.sha, b.series_id, o.file_name, o.partial, b.seq desc) f
           on f.series_id = t.id and f.sha = t.sha and f.file_name is distinct from t.file_name
        where not t.force and ${sqlIsUnsuccessful('f.outcome', 'f.partial')}
        order by t.id, f.scan_id desc)
     select ${stateColumns}, t.tool as series_tool, t.category as series_category, t.last_scan_id as series_last_scan_id, t.late,
            coalesce(u.outcome::text, case when s.partial then t.whole_outcome end, t.outcome) as outcome
       from newest t
       left join unsuccessful u on u.id = t.id
       join scan s on s.tenant_id = $1 and s.id = coalesce(u.scan_id, t.scan_id)
       ${stateJoin}
      order by t.tool, t.category, t.series_file_name, t.source, t.id`,
    [tx.tenantId, referenceIds, sha],
  );
}

/**
 * SQL: true if scan `later` of the same reference replaces the failed scan `failed`. It has the same file, category and
 * format, is not dated before the failed one, and is not partial while the failed one was complete. If the failed one
 * has a commit and no file name, any later scan of that commit may be one of another tool, so only one of another
 * commit replaces it. Dry runs do not count. `replacing` in `retention/old-scans.ts` has the same rule as windows over
 * all scans.
 */
export const sqlReplaces = (later: string, failed: string): string =>
  `(${later}.status = 'completed' and ${later}.id > ${failed}.id and not ${later}.dry_run
             and ${later}.category is not distinct from ${failed}.category
             and ${later}.file_name is not distinct from ${failed}.file_name
             and ${failed}.format in ('auto', ${later}.format)
             and (${failed}.file_name is not null or ${failed}.sha is null or ${later}.sha is distinct from ${failed}.sha)
             and ${later}.scanned_at >= ${failed}.scanned_at and (${failed}.partial or not ${later}.partial))`;

/** Lists the newest 200 scans that are unfinished, or that failed and were not replaced. Dry runs do not count. */
export async function listUnapplied(
  tx: Tx,
  referenceIds: ReferenceId[],
  sha: string | null,
): Promise<StateScanRow[]> {
  return tx.query<StateScanRow>(
    `select ${stateColumns} from scan s ${stateJoin}
      where s.tenant_id = $1 and s.reference_id = any($2::uuid[]) and s.status in ('queued', 'running', 'failed') and not s.dry_run
        and not (s.status = 'failed' and exists (
          select 1 from scan n where n.tenant_id = $1 and n.reference_id = s.reference_id and ${sqlReplaces('n', 's')}
             and ($3::text is null or ${sqlHasPrefix('n.sha', '$3')})))
        and ($3::text is null or ${sqlHasPrefix('s.sha', '$3')})
      order by s.id desc limit 200`,
    [tx.tenantId, referenceIds, sha],
  );
}

/** The first unfinished scan of a repository. No other scan of the repository may start before it. */
export interface FirstScan {
  id: ScanId;
  repository_id: RepositoryId;
  /** True if no worker holds it, and it does not pause after a failed attempt. */
  is_free: boolean;
}

// SQL: whether a scan is free. A worker without a heartbeat for $2 seconds loses its scan. After a failed attempt a
// scan waits 2, 4, 8, then 16 seconds, and a minute more after a full disk. The clock of the database alone measures
// these times: a node whose own clock is ahead must not take the scans of others for lost.
const isFree = `case s.status when 'queued' then s.attempts = 0 or s.updated_at < now() - make_interval(secs => 2 ^ s.attempts)
                              else s.updated_at < now() - make_interval(secs => $2) end`;

// The comparison of a scan with up to this many repositories takes less time than a search for an earlier scan of its
// own.
const fewRepositories = 50;

/**
 * Lists the first two scans of the workspace: at most one per repository, because the scans of a repository run in
 * their order. Free ones come before others. The index is read from the oldest scan on, without further scans of the
 * repositories that have been read, until two are free.
 */
export async function listFirstScans(tx: Tx, lostAfterMs: number): Promise<FirstScan[]> {
  return tx.query<FirstScan>(
    `with recursive first (id, repository_id, is_free, seen, free) as (
       select '${nilId}'::uuid, null::uuid, false, '{}'::uuid[], 0
       union all
       select n.id, n.repository_id, n.is_free,
              case when cardinality(f.seen) < ${fewRepositories} then f.seen || n.repository_id else f.seen end, f.free + n.is_free::int
         from first f
        cross join lateral (
          select s.id, s.repository_id, ${isFree} as is_free from scan s
           where s.tenant_id = $1 and ${sqlIsUnfinished('s.status')} and s.id > f.id
             and case when cardinality(f.seen) < ${fewRepositories} then s.repository_id <> all (f.seen)
                      else not exists (select 1 from scan e where e.tenant_id = $1 and e.repository_id = s.repository_id
                                                              and ${sqlIsUnfinished('e.status')} and e.id < s.id) end
           order by s.id limit 1) n
        where f.free < 2)
     select id, repository_id, is_free from first where repository_id is not null order by is_free desc, id limit 2`,
    [tx.tenantId, lostAfterMs / 1000],
  );
}

/** Finds the first scan of a repository. */
export async function findFirstScan(
  tx: Tx,
  repositoryId: RepositoryId,
  lostAfterMs: number,
): Promise<FirstScan | undefined> {
  const [first] = await tx.query<FirstScan>(
    `select s.id, s.repository_id, ${isFree} as is_free from scan s
      where s.tenant_id = $1 and ${sqlIsUnfinished('s.status')} and s.repository_id = $3 order by s.id limit 1`,
    [tx.tenantId, lostAfterMs / 1000, repositoryId],
  );
  return first;
}

/**
 * Takes the scan for a worker, counts the attempt and returns its number. Returns null if the scan is final, or if
 * another worker holds it with a heartbeat in the last `lostAfterMs`.
 */
export async function startScan(tx: Tx, id: ScanId, lostAfterMs: number): Promise<number | null> {
  const [row] = await tx.query<{ attempts: number }>(
    `update scan set status = 'running', attempts = attempts + 1, started_at = coalesce(started_at, $4), updated_at = now()
      where tenant_id = $1 and id = $2
        and (status = 'queued' or (status = 'running' and updated_at < now() - make_interval(secs => $3))) returning attempts`,
    [tx.tenantId, id, lostAfterMs / 1000, new Date()],
  );
  return row?.attempts ?? null;
}

/**
 * Releases the scan of a worker that failed at this attempt. `counted` is how many attempts it has had, and
 * `pauseSeconds` makes the pause before the next one longer.
 */
export async function releaseScan(
  tx: Tx,
  { id, attempts }: { id: ScanId; attempts: number },
  { counted, pauseSeconds }: { counted: number; pauseSeconds: number },
): Promise<void> {
  await tx.query(
    `update scan set status = 'queued', attempts = $4, updated_at = now() + make_interval(secs => $5)
      where tenant_id = $1 and id = $2 and attempts = $3 and status = 'running'`,
    [tx.tenantId, id, attempts, counted, pauseSeconds],
  );
}

/** Gives back a scan that another scan must precede. The attempt does not count. */
export async function postponeScan(
  tx: Tx,
  { id, attempts }: { id: ScanId; attempts: number },
): Promise<void> {
  await tx.query(
    `update scan set status = 'queued', attempts = attempts - 1, progress = null
      where tenant_id = $1 and id = $2 and attempts = $3 and status = 'running'`,
    [tx.tenantId, id, attempts],
  );
}

/** Writes the progress of a scan that runs at this attempt. */
export async function updateProgress(
  tx: Tx,
  { id, attempts }: { id: ScanId; attempts: number },
  progress: ScanProgress,
): Promise<void> {
  await tx.query(
    `update scan set progress = $4, updated_at = now()
      where tenant_id = $1 and id = $2 and attempts = $3 and status = 'running'`,
    [tx.tenantId, id, attempts, JSON.stringify(progress)],
  );
}

/** True if an unfinished scan has not changed since `before`, which means that its job is lost. */
export async function hasForgotten(tx: Tx, before: Date): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>(`select ${isForgotten('$1', '$2')} as found`, [
    tx.tenantId,
    before,
  ]);
  return row?.found ?? false;
}

/** True in SQL if a scan has not been touched since `before`, which is an SQL expression. */
export const isForgotten = (tenantId: string, before: string): DueCondition =>
  `exists (select 1 from scan where tenant_id = ${tenantId} and ${sqlIsUnfinished('status')} and updated_at < ${before})`;

/** Commit step: completes the imported scan. Throws if it is final already, so that the import is rolled back. */
export async function completeWrittenScan(tx: ChangeTx): Promise<void> {
  const { scan } = tx.changes;
  if (scan === null) return;
  const [row] = await tx.query(
    `update scan set status = 'completed', finished_at = now(), format = $3, tools = $4, counts = $5, warnings = warnings || $6::jsonb,
            unreadable = $7, verdict = $8, error = null, progress = null, updated_at = now()
      where tenant_id = $1 and id = $2 and ${sqlIsUnfinished('status')} returning id`,
    [
      tx.tenantId,
      scan.id,
      scan.format,
      scan.tools,
      JSON.stringify(scan.counts),
      JSON.stringify(scan.warnings),
      JSON.stringify(scan.unreadable),
      scan.verdict ?? null,
    ],
  );
  if (!row) throw new Error(`the scan ${scan.id} is final already`);
  tx.changes.completedScan = scan;
}

export interface FailedScan {
  id: ScanId;
  repository_id: RepositoryId;
  scanned_at: Date;
  dry_run: boolean;
}

/** Marks the scan of this attempt as failed. Returns undefined if it is final already, or another worker has it. */
export async function failScan(
  tx: Tx,
  { id, attempts }: { id: ScanId; attempts: number },
  error: ScanError,
): Promise<FailedScan | undefined> {
  const [row] = await tx.query<FailedScan>(
    `update scan set status = 'failed', finished_at = now(), error = $3, progress = null, updated_at = now()
      where tenant_id = $1 and id = $2 and attempts = $4 and ${sqlIsUnfinished('status')}
     returning id, repository_id, scanned_at, dry_run`,
    [tx.tenantId, id, JSON.stringify(error), attempts],
  );
  return row;
}

/**
 * Updates the head of the reference, and the last scan time of the reference and its repository, after a report was
 * applied.
 */
export async function updateScanned(
  tx: Tx,
  scan: { repository_id: RepositoryId; reference_id: ReferenceId; sha: string | null; scanned_at: Date },
): Promise<void> {
  const isNewest = '(last_scanned_at is null or last_scanned_at <= $4)';
  await Promise.all([
    tx.query(
      // A series of an emptied reference that may report no more must not keep the verdict from others, unless it still
      // sees something.
      `with retired as (
         update scan_series s set retired_at = now(), updated_at = now() from reference f
          where f.tenant_id = $1 and f.id = $2 and f.emptied_at is not null
            and s.tenant_id = $1 and s.reference_id = f.id and s.retired_at is null
            and not exists (select 1 from location_observation o
                             where o.tenant_id = $1 and o.series_id = s.id and o.until_seq is null))
       update reference set head_sha = case when ${isNewest} then coalesce($3, head_sha) else head_sha end,
              last_scanned_at = greatest(last_scanned_at, $4), active = active or ${isNewest},
              emptied_at = null, forgotten_change_at = greatest(forgotten_change_at, emptied_at), updated_at = now()
        where tenant_id = $1 and id = $2`,
      [tx.tenantId, scan.reference_id, scan.sha, scan.scanned_at],
    ),
    tx.query(
      `update repository set last_scanned_at = $3, updated_at = now()
        where tenant_id = $1 and id = $2 and (last_scanned_at is null or last_scanned_at < $3)`,
      [tx.tenantId, scan.repository_id, scan.scanned_at],
    ),
  ]);
}

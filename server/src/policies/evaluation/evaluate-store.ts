/** SQL of evaluation: reads and writes stored violations and their matches in sets. */
import { insertRows, replacing } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import { rowByKey, rowByKeys, rowsByKey, separate } from '../../db/planner-hints.ts';
import type {
  ExceptionId,
  PolicyId,
  ReferenceId,
  RepositoryId,
  ViolationId,
  VulnerabilityId,
} from '../../domain/ids.ts';
import { type Severity, severities } from '../../domain/packed-state.ts';
import type { EnforcementMode, TargetId, TargetType } from '../../domain/policy-enums.ts';
import { packedStatesWhere, packViolation, unpackViolation } from '../../domain/violation-state.ts';
import { sqlClaimCounts, sqlClaimReference } from '../../vulnerabilities/counting-claims.ts';
import type { Match, ViolationState } from './lifecycle.ts';

/**
 * Locks until the transaction ends, in order of ids, so that two transactions cannot deadlock. Returns the time of the
 * database after that, which is later than that of any evaluation of these repositories before.
 */
export async function lockEvaluations(tx: Tx, repositoryIds: RepositoryId[]): Promise<Date> {
  const locked = await insertRows<{ at: Date }>(
    tx,
    'repository_evaluation',
    [...new Set(repositoryIds)].map((repository_id) => ({ repository_id })),
    {
      order: 's.repository_id',
      conflict: '(tenant_id, repository_id) do update set marks = t.marks',
      returning: 'clock_timestamp() as at',
    },
  );
  return new Date(Math.max(...locked.map(({ at }) => at.getTime())));
}

/** The packed states and the time of a vulnerability, by which lists find it. */
export interface ListedState {
  packedState: number;
  defaultBranchState: number | null;
  introducedAt: Date;
}

export interface StoredViolation extends ViolationState {
  id: ViolationId;
  repositoryId: RepositoryId;
  policyId: PolicyId;
  targetType: TargetType;
  targetId: TargetId;
  /** The vulnerability, if this is its unresolved violation that is due first. */
  listed: ListedState | null;
}

/** The packed state as the table holds it. */
export function packedStateOf({ targetType, status, enforcement, snoozedUntil }: StoredViolation): number {
  return packViolation({
    targetType,
    status,
    enforcement,
    snoozed: snoozedUntil !== null && status !== 'resolved',
  });
}

interface ViolationRow {
  id: ViolationId;
  repository_id: RepositoryId;
  policy_id: PolicyId;
  target_id: TargetId;
  packed_state: number;
  severity: Severity;
  reference_id: ReferenceId;
  rule_id: string | null;
  exception_id: ExceptionId | null;
  first_seen_at: Date;
  opened_at: Date;
  started_at: Date;
  tracked: boolean;
  due_at: Date;
  resolved_at: Date | null;
  snoozed_until: Date | null;
  introduced_at: Date | null;
  vulnerability_state: number | null;
  default_branch_state: number | null;
  snooze_count: number;
  snooze_overrides_policy: boolean;
}

const columns = `v.id, v.repository_id, v.policy_id, v.target_id, v.packed_state, v.severity, v.reference_id, v.rule_id,
  v.exception_id, v.first_seen_at, v.opened_at, v.started_at, v.tracked, v.due_at, v.resolved_at, v.snoozed_until,
  v.introduced_at, v.vulnerability_state, v.default_branch_state, v.snooze_count, v.snooze_overrides_policy`;

function storedOf(row: ViolationRow): StoredViolation {
  const { enforcement, status, targetType } = unpackViolation(row.packed_state);
  return {
    id: row.id,
    repositoryId: row.repository_id,
    policyId: row.policy_id,
    targetType,
    targetId: row.target_id,
    status,
    enforcement,
    severity: severities.indexOf(row.severity),
    referenceId: row.reference_id,
    ruleId: row.rule_id,
    exceptionId: row.exception_id,
    firstSeenAt: row.first_seen_at,
    openedAt: row.opened_at,
    startedAt: row.started_at,
    tracked: row.tracked,
    dueAt: row.due_at,
    resolvedAt: row.resolved_at,
    snoozedUntil: row.snoozed_until,
    snoozeCount: row.snooze_count,
    snoozeOverridesPolicy: row.snooze_overrides_policy,
    listed: listedOf(row),
  };
}

/** Returns null if the row has no states of a vulnerability. */
export function listedOf(
  row: Pick<ViolationRow, 'introduced_at' | 'vulnerability_state' | 'default_branch_state'>,
): ListedState | null {
  const { introduced_at: introducedAt, vulnerability_state: packedState } = row;
  if (introducedAt === null || packedState === null) return null;
  return { packedState, defaultBranchState: row.default_branch_state, introducedAt };
}

/** Violations of pairs of repository and target, each found by the index. */
export async function listViolationsOfTargets(
  tx: Tx,
  repositoryIds: RepositoryId[],
  targetIds: TargetId[],
): Promise<StoredViolation[]> {
  if (targetIds.length === 0) return [];
  const rows = await tx.query<ViolationRow>(
    `select ${columns} from unnest($2::uuid[], $3::uuid[]) as k (repository_id, target_id)
      cross join lateral ${rowsByKey('policy_violation v', 'k.target_id', {
        column: 'target_id',
        next: 'policy_id',
        where: 'v.repository_id = k.repository_id',
      })}`,
    [tx.tenantId, repositoryIds, targetIds],
  );
  return rows.map(storedOf);
}

export async function listStoredViolations(tx: Tx, ids: ViolationId[]): Promise<StoredViolation[]> {
  const rows = await tx.query<ViolationRow>(
    `select ${columns} from policy_violation v where v.tenant_id = $1 and v.id = any($2::uuid[]) order by v.id`,
    [tx.tenantId, ids],
  );
  return rows.map(storedOf);
}

/**
 * Violations of these policies, all about this type, that are not resolved in these repositories or, with
 * `referenceIds`, on these references, and those whose target is one of these. A resolved one whose target does not
 * match stays as it is.
 */
export async function listViolationsOn(
  tx: Tx,
  type: TargetType,
  policyIds: PolicyId[],
  { repositoryIds, referenceIds }: { repositoryIds: RepositoryId[]; referenceIds: ReferenceId[] | null },
  targets: { repository_id: RepositoryId; target_id: TargetId }[],
): Promise<StoredViolation[]> {
  const { table, id, column } = referenceIds
    ? { table: 'violation_reference', id: 'violation_id', column: 'reference_id' }
    : { table: 'policy_violation', id: 'id', column: 'repository_id' };
  const rows = await tx.query<ViolationRow>(
    `select ${columns}
       from (select m.id from unnest($3::uuid[]) as k (id)
              cross join unnest($6::smallint[]) as s (packed_state)
              cross join lateral ${separate(`select m.${id} as id from ${table} m
                     where m.tenant_id = $1 and m.${column} = k.id and m.packed_state = s.packed_state
                       and m.policy_id = any($2::uuid[])`)} m
             union
             select v.id from unnest($4::uuid[], $5::uuid[]) as k (repository_id, target_id)
              cross join lateral ${rowsByKey('policy_violation v', 'k.target_id', {
                column: 'target_id',
                next: 'policy_id',
                where: 'v.repository_id = k.repository_id and v.policy_id = any($2::uuid[])',
              })}) k (id)
      cross join lateral ${rowByKey('policy_violation v', 'k.id')}`,
    [
      tx.tenantId,
      policyIds,
      referenceIds ?? repositoryIds,
      targets.map((row) => row.repository_id),
      targets.map((row) => row.target_id),
      packedStatesWhere(({ status, targetType }) => status !== 'resolved' && targetType === type),
    ],
  );
  return rows.map(storedOf);
}

/** A match that has not been cleared. */
export interface StoredViolationReference {
  referenceId: ReferenceId;
  packed_state: number;
  dueAt: Date;
  matchedAt: Date;
}

interface MatchRow {
  violation_id: ViolationId;
  reference_id: ReferenceId;
  packed_state: number;
  due_at: Date;
  matched_at: Date;
}

const matchColumns = 'm.violation_id, m.reference_id, m.packed_state, m.due_at, m.matched_at';
// A cleared match keeps the state of its end, and there is one for each pull request that ever had the violation.
const isMatching = 'm.cleared_at is null';

const storedMatchOf = (row: MatchRow): StoredViolationReference => ({
  referenceId: row.reference_id,
  packed_state: row.packed_state,
  dueAt: row.due_at,
  matchedAt: row.matched_at,
});

/** Violation id → its stored matches that are not cleared; with `referenceIds` only those on these references. */
export async function listMatchesOfViolations(
  tx: Tx,
  ids: ViolationId[],
  referenceIds: ReferenceId[] | null,
): Promise<Map<ViolationId, StoredViolationReference[]>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<MatchRow>(
    referenceIds === null
      ? `select ${matchColumns} from unnest($2::uuid[]) as k (id)
          cross join lateral ${rowsByKey('violation_reference m', 'k.id', {
            column: 'violation_id',
            next: 'reference_id',
            where: isMatching,
          })}`
      : `select ${matchColumns}
           from unnest($2::uuid[]) as k (id) cross join unnest($3::uuid[]) as o (reference_id)
          cross join lateral ${rowByKeys('violation_reference m', { violation_id: 'k.id', reference_id: 'o.reference_id' })}
          where ${isMatching}`,
    referenceIds === null ? [tx.tenantId, ids] : [tx.tenantId, ids, referenceIds],
  );
  const matches = new Map<ViolationId, StoredViolationReference[]>();
  for (const row of rows) {
    const list = matches.get(row.violation_id);
    if (list) list.push(storedMatchOf(row));
    else matches.set(row.violation_id, [storedMatchOf(row)]);
  }
  return matches;
}

/**
 * The vulnerabilities about which a tool has a claim on these references, and on no other reference one that counts. A
 * change there may change the tools that report them.
 */
export async function listWithToolsOnlyThere(
  tx: Tx,
  ids: VulnerabilityId[],
  referenceIds: ReferenceId[],
): Promise<ReadonlySet<VulnerabilityId>> {
  const rows = await tx.query<{ id: VulnerabilityId }>(
    `select distinct k.id
       from ${separate(`select s.id from unnest($3::uuid[]) as o (id)
              cross join lateral ${rowsByKey('scan_series s', 'o.id', { column: 'reference_id' })}`)} s
      cross join unnest($2::uuid[]) as k (id)
      cross join lateral ${rowByKeys('vulnerability_reporter w', { vulnerability_id: 'k.id', series_id: 's.id' })}
      where (select true from vulnerability_reporter c ${sqlClaimReference('c')}
              where c.tenant_id = $1 and c.vulnerability_id = k.id and c.tool = w.tool
                and ${sqlClaimCounts('c')} and f.id <> all($3) limit 1) is null`,
    [tx.tenantId, ids, referenceIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Violation id → the match that the violation shows, if it is on none of these references. */
export async function listShownElsewhere(
  tx: Tx,
  violations: StoredViolation[],
  referenceIds: ReferenceId[],
): Promise<Map<ViolationId, Match>> {
  const elsewhere = violations.filter(({ referenceId }) => !referenceIds.includes(referenceId));
  if (elsewhere.length === 0) return new Map();
  const rows = await tx.query<MatchRow & { tracked: boolean; is_default: boolean }>(
    `select ${matchColumns}, f.tracked, f.is_default
       from unnest($2::uuid[], $3::uuid[]) as k (id, reference_id)
      cross join lateral ${rowByKeys('violation_reference m', { violation_id: 'k.id', reference_id: 'k.reference_id' })}
      cross join lateral ${rowByKey('reference f', 'm.reference_id')}
      where ${isMatching}`,
    [tx.tenantId, elsewhere.map(({ id }) => id), elsewhere.map(({ referenceId }) => referenceId)],
  );
  return new Map(
    rows.map((row) => [
      row.violation_id,
      {
        referenceId: row.reference_id,
        tracked: row.tracked,
        isDefault: row.is_default,
        matchedAt: row.matched_at,
      },
    ]),
  );
}

export interface StoredException {
  id: ExceptionId;
  policy_id: PolicyId;
  repository_id: RepositoryId;
  violation_id: ViolationId | null;
  status: 'requested' | 'approved';
  mode: 'exempt' | 'downgrade';
  enforcement: EnforcementMode;
}

/**
 * Exceptions in force or waiting for review, of these violations and of policies in these repositories. One that has
 * reached its end does not count, also before the sweep marks it as ended.
 */
export async function listStoredExceptions(
  tx: Tx,
  violationIds: ViolationId[],
  repositoryIds: RepositoryId[],
  now: Date,
): Promise<StoredException[]> {
  return tx.query<StoredException>(
    `select o.id, o.policy_id, o.repository_id, o.violation_id, o.status, o.mode,
            coalesce(o.enforcement_mode, 'none') as enforcement
       from policy_exception o
      where o.tenant_id = $1 and o.status in ('requested', 'approved') and (o.ends_at is null or o.ends_at > $4)
        and ((o.violation_id is null and o.repository_id = any($3::uuid[])) or o.violation_id = any($2::uuid[]))`,
    [tx.tenantId, violationIds, repositoryIds, now],
  );
}

// An evaluation changes these columns of a violation that exists.
const violationState = [
  'packed_state',
  'severity',
  'reference_id',
  'rule_id',
  'exception_id',
  'opened_at',
  'started_at',
  'tracked',
  'due_at',
  'resolved_at',
  'snoozed_until',
  'introduced_at',
  'vulnerability_state',
  'default_branch_state',
  'snooze_count',
];

/** Writes the violations. If all of them are new (`isNew`), the database need not look for any of them. */
export async function writeViolations(tx: Tx, violations: StoredViolation[], isNew: boolean): Promise<void> {
  const rows = violations.map((row) => ({
    id: row.id,
    repository_id: row.repositoryId,
    policy_id: row.policyId,
    target_type: row.targetType,
    target_id: row.targetId,
    packed_state: packedStateOf(row),
    severity: severities[row.severity],
    reference_id: row.referenceId,
    rule_id: row.ruleId,
    exception_id: row.exceptionId,
    first_seen_at: row.firstSeenAt,
    opened_at: row.openedAt,
    started_at: row.startedAt,
    tracked: row.tracked,
    due_at: row.dueAt,
    resolved_at: row.resolvedAt,
    snoozed_until: row.snoozedUntil,
    introduced_at: row.listed?.introducedAt ?? null,
    vulnerability_state: row.listed?.packedState ?? null,
    default_branch_state: row.listed?.defaultBranchState ?? null,
    snooze_count: row.snoozeCount,
  }));
  await insertRows(
    tx,
    'policy_violation',
    rows,
    isNew ? {} : { conflict: replacing(['id'], violationState) },
  );
}

/** The row of a match. */
export interface WrittenMatch {
  violation_id: ViolationId;
  reference_id: ReferenceId;
  policy_id: PolicyId;
  packed_state: number;
  due_at: Date;
  matched_at: Date;
  cleared_at: Date | null;
}

/** Writes the matches; `isNew` if they belong to new violations. */
export async function writeMatches(tx: Tx, matches: WrittenMatch[], isNew: boolean): Promise<void> {
  const state = ['packed_state', 'due_at', 'matched_at', 'cleared_at'];
  const conflict = replacing(['violation_id', 'reference_id'], state);
  await insertRows(tx, 'violation_reference', matches, isNew ? {} : { conflict });
}

/** Deletes the violations with their matches. */
export async function deleteViolations(tx: Tx, ids: ViolationId[]): Promise<void> {
  for (const statement of [
    'delete from violation_reference where tenant_id = $1 and violation_id = any($2::uuid[])',
    'delete from policy_violation where tenant_id = $1 and id = any($2::uuid[])',
  ]) {
    await tx.query(statement, [tx.tenantId, ids]);
  }
}

export interface ViolationOnReference {
  id: string;
  policy_id: PolicyId;
  target_id: TargetId;
  repository_id: RepositoryId;
}

/** The violations of these policies on the reference, in one of these states there. */
export async function listOnReference(
  tx: Tx,
  referenceId: ReferenceId,
  policyIds: PolicyId[],
  packedStates: number[],
): Promise<ViolationOnReference[]> {
  return tx.query<ViolationOnReference>(
    `select v.id, v.policy_id, v.target_id, v.repository_id from unnest($4::smallint[]) as k (packed_state)
      cross join lateral ${separate(`select m.violation_id from violation_reference m
             where m.tenant_id = $1 and m.reference_id = $2 and m.packed_state = k.packed_state
               and m.policy_id = any($3::uuid[])`)} m
      cross join lateral ${rowByKey('policy_violation v', 'm.violation_id')}`,
    [tx.tenantId, referenceId, policyIds, packedStates],
  );
}

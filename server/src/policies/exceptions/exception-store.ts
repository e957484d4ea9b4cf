/** SQL that reads, requests, reviews and withdraws exceptions. */
import type { Person } from '../../access/members/lookup.ts';
import { insertRows } from '../../db/bulk.ts';
import { Parameters, type Tx } from '../../db/database.ts';
import { rowByKey, rowsByKey } from '../../db/planner-hints.ts';
import type {
  ExceptionId,
  PolicyId,
  RepositoryId,
  UserId,
  ViolationId,
  VulnerabilityId,
} from '../../domain/ids.ts';
import type { EnforcementMode, TargetId, TargetType } from '../../domain/policy-enums.ts';
import { bearing } from '../../vulnerabilities/candidates.ts';
import { newestJoinedAt } from '../../vulnerabilities/joined-names.ts';
import { violationsOfVulnerability } from '../violations/joins.ts';

/** An exception with one of the first two is waiting or in force. */
export const exceptionStatuses = ['requested', 'approved', 'refused', 'withdrawn', 'ended'] as const;
export type ExceptionStatus = (typeof exceptionStatuses)[number];

export const exceptionModes = ['exempt', 'downgrade'] as const;
export type ExceptionMode = (typeof exceptionModes)[number];

export interface ExceptionRow {
  id: ExceptionId;
  status: ExceptionStatus;
  mode: ExceptionMode;
  enforcement_mode: EnforcementMode | null;
  policy_id: PolicyId;
  policy_key: string;
  policy_name: string;
  repository_id: RepositoryId;
  repository_full_name: string;
  violation_id: ViolationId | null;
  /** The target of the violation; null for an exception of a policy in a repository. */
  target_type: TargetType | null;
  target_id: TargetId | null;
  reason: string;
  ends_at: Date | null;
  created_at: Date;
  requested_by: UserId;
  on_behalf_of: string | null;
  requester: Person | null;
  reviewed_at: Date | null;
  reviewer: Person | null;
  review_reason: string | null;
}

const person = (alias: string): string =>
  `case when ${alias}.id is null then null
        else json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'email', ${alias}.email) end`;

const shown = `o.id, o.status, o.mode, o.enforcement_mode, o.policy_id, p.key as policy_key, p.name as policy_name,
  o.repository_id, r.full_name as repository_full_name, o.violation_id, v.target_type, v.target_id, o.reason, o.ends_at, o.created_at,
  o.requested_by, o.on_behalf_of, ${person('q')} as requester, o.reviewed_at, ${person('w')} as reviewer,
  o.review_reason`;

const joins = `join policy p on p.tenant_id = $1 and p.id = o.policy_id
  join repository r on r.tenant_id = $1 and r.id = o.repository_id
  left join lateral ${rowByKey('policy_violation v', 'o.violation_id')} on true
  left join user_account q on q.id = o.requested_by
  left join user_account w on w.id = o.reviewed_by`;

export interface ExceptionFilter {
  statuses: ExceptionStatus[] | null;
  repositoryId: RepositoryId | null;
  policyIds: PolicyId[] | null;
  /** Selects exceptions of this violation, and those of its policy in its repository. */
  violation: SubjectRow | null;
  /** Search terms of the vulnerability that it is about; empty without a search. */
  terms: string[];
}

/** Exceptions before `beforeId`, the newest first. */
export async function listExceptions(
  tx: Tx,
  filter: ExceptionFilter,
  beforeId: ExceptionId | null,
  limit: number,
): Promise<ExceptionRow[]> {
  const parameters = new Parameters(
    tx.tenantId,
    filter.statuses,
    filter.repositoryId,
    beforeId,
    limit,
    filter.policyIds,
    filter.violation?.id ?? null,
    filter.violation?.policy_id ?? null,
    filter.violation?.repository_id ?? null,
  );
  const found = filter.terms.length === 0 ? '' : `and o.id in (${aboutTerms(filter.terms, parameters)})`;
  return tx.query<ExceptionRow>(
    `select ${shown} from policy_exception o ${joins}
      where o.tenant_id = $1 and ($2::text[] is null or o.status = any($2))
        and ($3::uuid is null or o.repository_id = $3) and ($4::uuid is null or o.id < $4)
        and ($6::uuid[] is null or o.policy_id = any($6))
        and ($7::uuid is null or o.violation_id = $7
             or (o.violation_id is null and o.policy_id = $8 and o.repository_id = $9)) ${found}
      order by o.id desc limit $5`,
    parameters.values,
  );
}

// SQL: the ids of the exceptions whose violation is of a vulnerability with these terms, each looked up by its key. The
// cost grows with the number of vulnerabilities found.
function aboutTerms(terms: string[], parameters: Parameters): string {
  const ofTarget = { column: 'target_id', next: 'policy_id', where: 'p.repository_id = l.repository_id' };
  return `select x.id from vulnerability l
           cross join lateral ${rowsByKey('policy_violation p', 'l.id', ofTarget)}
           cross join lateral ${rowsByKey('policy_exception x', 'p.id', { column: 'violation_id', next: 'id' })}
           where ${['l.tenant_id = $1', ...bearing(terms, '$1', parameters)].join(' and ')}`;
}

export async function listExceptionsById(tx: Tx, ids: ExceptionId[]): Promise<ExceptionRow[]> {
  return tx.query<ExceptionRow>(
    `select ${shown} from policy_exception o ${joins}
      where o.tenant_id = $1 and o.id = any($2::uuid[]) order by o.id`,
    [tx.tenantId, ids],
  );
}

export type LockedException = Pick<
  ExceptionRow,
  | 'id'
  | 'status'
  | 'mode'
  | 'enforcement_mode'
  | 'policy_id'
  | 'repository_id'
  | 'violation_id'
  | 'requested_by'
  | 'on_behalf_of'
  | 'ends_at'
>;

/** Returns the repository of the exception, which never changes. */
export async function findRepositoryOf(tx: Tx, id: ExceptionId): Promise<RepositoryId | undefined> {
  const rows = await tx.query<{ repository_id: RepositoryId }>(
    'select repository_id from policy_exception where tenant_id = $1 and id = $2',
    [tx.tenantId, id],
  );
  return rows[0]?.repository_id;
}

/** Locks the exception until the transaction ends; undefined if it does not exist. */
export async function lockException(tx: Tx, id: ExceptionId): Promise<LockedException | undefined> {
  const rows = await tx.query<LockedException>(
    `select id, status, mode, enforcement_mode, policy_id, repository_id, violation_id, requested_by, on_behalf_of, ends_at
       from policy_exception where tenant_id = $1 and id = $2 for update`,
    [tx.tenantId, id],
  );
  return rows[0];
}

/** The subject of an exception: one violation, or, if `violationId` is null, a policy in a repository. */
export interface ExceptionSubject {
  policyId: PolicyId;
  repositoryId: RepositoryId;
  violationId: ViolationId | null;
}

export interface ActiveException extends ExceptionSubject {
  id: ExceptionId;
  status: ExceptionStatus;
}

/** Exceptions in force or waiting, for exactly these subjects. */
export async function listActiveExceptions(tx: Tx, subjects: ExceptionSubject[]): Promise<ActiveException[]> {
  return tx.query<ActiveException>(
    `select o.id, o.status, o.policy_id as "policyId", o.repository_id as "repositoryId",
            o.violation_id as "violationId"
       from json_to_recordset($2::json) as k ("policyId" uuid, "repositoryId" uuid, "violationId" uuid)
      cross join lateral (
        select * from policy_exception o
         where k."violationId" is not null and o.tenant_id = $1 and o.violation_id = k."violationId" and o.status in ('requested', 'approved')
        union all
        select * from policy_exception o
         where k."violationId" is null and o.tenant_id = $1 and o.repository_id = k."repositoryId"
           and o.policy_id = k."policyId" and o.violation_id is null and o.status in ('requested', 'approved')) o`,
    [tx.tenantId, JSON.stringify(subjects)],
  );
}

export interface NewException extends ExceptionSubject {
  id: ExceptionId;
  mode: ExceptionMode;
  enforcementMode: EnforcementMode | null;
}

/** Inserts the exceptions; one whose subject another transaction has just requested is skipped. */
export async function insertExceptions(
  tx: Tx,
  exceptions: NewException[],
  by: { reason: string; endsAt: Date | null; requestedBy: string; onBehalfOf: string | null },
): Promise<void> {
  const rows = exceptions.map((exception) => ({
    id: exception.id,
    policy_id: exception.policyId,
    repository_id: exception.repositoryId,
    violation_id: exception.violationId,
    mode: exception.mode,
    enforcement_mode: exception.enforcementMode,
    status: 'requested',
    reason: by.reason,
    ends_at: by.endsAt,
    requested_by: by.requestedBy,
    on_behalf_of: by.onBehalfOf,
  }));
  await insertRows(tx, 'policy_exception', rows, { conflict: 'do nothing' });
}

export async function updateException(
  tx: Tx,
  id: ExceptionId,
  to: { status: ExceptionStatus; reviewedBy: string; reason: string | null; at: Date },
): Promise<void> {
  await tx.query(
    `update policy_exception set status = $3, reviewed_by = $4, review_reason = $5, reviewed_at = $6, updated_at = $6
      where tenant_id = $1 and id = $2`,
    [tx.tenantId, id, to.status, to.reviewedBy, to.reason, to.at],
  );
}

export interface SubjectRow {
  id: ViolationId;
  policy_id: PolicyId;
  repository_id: RepositoryId;
}

/** Violations as subjects of exceptions. */
export async function listSubjects(tx: Tx, ids: ViolationId[]): Promise<SubjectRow[]> {
  return tx.query<SubjectRow>(
    'select id, policy_id, repository_id from policy_violation where tenant_id = $1 and id = any($2::uuid[])',
    [tx.tenantId, ids],
  );
}

// SQL: the policy of violation `v` is active, and its nearest rule, or else the policy itself, blocks.
const blocks = `p.status = 'active' and coalesce(
    (select u.enforcement_mode from policy_rule u where u.tenant_id = $1 and u.id = v.rule_id), p.enforcement_mode) = 'block'`;

/** Vulnerability id → ids of its violations of policies that block, including resolved ones. */
export async function listApprovalViolations(
  tx: Tx,
  vulnerabilityIds: VulnerabilityId[],
): Promise<Map<VulnerabilityId, ViolationId[]>> {
  const rows = await tx.query<{ vulnerability_id: VulnerabilityId; id: ViolationId }>(
    `select k.id as vulnerability_id, v.id
       from unnest($2::uuid[]) as k (id)
      ${violationsOfVulnerability('k.id')}
       join policy p on p.tenant_id = $1 and p.id = v.policy_id
      where ${blocks}`,
    [tx.tenantId, vulnerabilityIds],
  );
  const byVulnerability = new Map<VulnerabilityId, ViolationId[]>();
  for (const row of rows) {
    byVulnerability.set(row.vulnerability_id, [...(byVulnerability.get(row.vulnerability_id) ?? []), row.id]);
  }
  return byVulnerability;
}

/** The ids of the violations whose policy blocks. */
export async function listRequiringApproval(tx: Tx, violationIds: ViolationId[]): Promise<Set<ViolationId>> {
  const rows = await tx.query<{ id: ViolationId }>(
    `select v.id from policy_violation v join policy p on p.tenant_id = $1 and p.id = v.policy_id
      where v.tenant_id = $1 and v.id = any($2::uuid[]) and ${blocks}`,
    [tx.tenantId, violationIds],
  );
  return new Set(rows.map((row) => row.id));
}

/** Vulnerability id → ids of the user's waiting requests for exceptions since `since`, the newest first. */
export async function listOwnRequests(
  tx: Tx,
  userId: UserId,
  vulnerabilityIds: VulnerabilityId[],
  since: Date,
): Promise<Map<VulnerabilityId, ExceptionId[]>> {
  const rows = await tx.query<{ vulnerability_id: VulnerabilityId; ids: ExceptionId[] }>(
    `select k.id as vulnerability_id, array_agg(o.id order by o.id desc) as ids
       from unnest($2::uuid[]) as k (id)
      ${violationsOfVulnerability('k.id')}
       join policy_exception o on o.tenant_id = $1 and o.violation_id = v.id and o.status = 'requested'
      where o.requested_by = $3 and o.created_at >= $4
      group by k.id`,
    [tx.tenantId, vulnerabilityIds, userId, since],
  );
  return new Map(rows.map((row) => [row.vulnerability_id, row.ids]));
}

interface CoveredViolation {
  id: ViolationId;
  ends_exception: boolean;
  ends_snooze: boolean | null;
}

// SQL: a name was joined after this time, or by this transaction, whose names nobody has seen yet.
const joinedAfter = (time: string) =>
  `(${time} < v.joined_at or date_trunc('milliseconds', now()) <= v.joined_at)`;

/**
 * The violations of these vulnerabilities, and whether a name was joined after their exception was requested or
 * approved, or their snooze was given.
 */
export async function listCoverage(tx: Tx, vulnerabilityIds: VulnerabilityId[]): Promise<CoveredViolation[]> {
  return tx.query<CoveredViolation>(
    `select v.id,
            exists (select 1 from policy_exception o where o.tenant_id = $1 and o.violation_id = v.id
                       and o.status in ('requested', 'approved')
                       and ${joinedAfter('coalesce(o.reviewed_at, o.created_at)')}) as ends_exception,
            ${joinedAfter("coalesce((v.snooze_undo->>'at')::timestamptz, 'epoch')")} as ends_snooze
       from (select v.id, v.snooze_undo, ${newestJoinedAt('k.id')} as joined_at
               from unnest($2::uuid[]) as k (id) ${violationsOfVulnerability('k.id')}) v`,
    [tx.tenantId, vulnerabilityIds],
  );
}

/** Withdraws the exceptions of the violations of merged vulnerabilities, and the requests for one. */
export async function withdrawOpenExceptions(tx: Tx, ids: ViolationId[]): Promise<void> {
  await tx.query(
    `update policy_exception set status = 'withdrawn', review_reason = 'Its vulnerability is part of another now.',
            updated_at = now()
      where tenant_id = $1 and violation_id = any($2::uuid[]) and status in ('requested', 'approved')`,
    [tx.tenantId, ids],
  );
}

/** Withdraws the exceptions of these violations, and the requests for one, because findings have joined them. */
export async function withdrawExceptions(tx: Tx, violationIds: ViolationId[]): Promise<void> {
  if (violationIds.length === 0) return;
  await tx.query(
    `update policy_exception set status = 'withdrawn', review_reason = 'Another vulnerability has become part of it.',
            updated_at = now()
      where tenant_id = $1 and violation_id = any($2::uuid[]) and status in ('requested', 'approved')`,
    [tx.tenantId, violationIds],
  );
}

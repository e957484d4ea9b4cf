/**
 * One person requests an exception and another approves it. Until then no violation is waived, and blocking ones still
 * block. Only this module creates, reviews and withdraws exceptions; rules, audit and the effects on violations belong
 * to the same transaction.
 */

import { type Static, Type } from 'typebox';
import { actorOf, recordAudit, recordAudits } from '../../access/audit/record.ts';
import { readClock } from '../../db/commit-watermark.ts';
import type { ChangeTx, Tx } from '../../db/database.ts';
import {
  invalidInput,
  invalidTransition,
  orNotFound,
  resourceNotFound,
  tokenAbilityDenied,
} from '../../domain/errors.ts';
import { type ExceptionId, formatId, getId, newId, type ViolationId } from '../../domain/ids.ts';
import { parseUntil } from '../../http/end-time.ts';
import { type Principal, roleAtLeast } from '../../http/principal.ts';
import { closedObject, oneOf } from '../../http/schema.ts';
import { getRepository } from '../../inventory/repositories/service.ts';
import { findPolicy } from '../definition/policy.ts';
import { listPolicies } from '../definition/store.ts';
import { evaluateNow } from '../evaluation/evaluate-changes.ts';
import { lockEvaluations } from '../evaluation/evaluate-store.ts';
import { markTargets } from '../evaluation/mark-targets.ts';
import { listTargets } from '../evaluation/scope-store.ts';
import { exceptionEvent } from './exception-events.ts';
import {
  type ActiveException,
  type ExceptionMode,
  type ExceptionSubject,
  exceptionModes,
  findRepositoryOf,
  insertExceptions,
  type LockedException,
  listActiveExceptions,
  listSubjects,
  lockException,
  type SubjectRow,
  updateException,
} from './exception-store.ts';

export const reason = Type.String({ minLength: 1, maxLength: 2000 });
// A person selects fewer by hand on one or two pages.
const maxRequested = 500;

export const ExceptionRequest = closedObject({
  violations: Type.Optional(
    Type.Array(Type.String({ maxLength: 255 }), { minItems: 1, maxItems: maxRequested }),
  ),
  policy: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Id or key of a policy. Needs `repo`.',
    }),
  ),
  repo: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Repository: id or full name. Needs `policy`.',
    }),
  ),
  mode: Type.Optional(oneOf(exceptionModes)),
  enforcement_mode: Type.Optional(oneOf(['monitor', 'warn'], 'The mode that a downgrade sets.')),
  until: Type.Optional(
    Type.String({ maxLength: 64, description: 'End of the exception: a time in RFC 3339.' }),
  ),
  reason,
});
export type ExceptionRequest = Static<typeof ExceptionRequest>;

/** Returns the exceptions, including those that already wait. Throws 404, 409, 422, and then writes nothing. */
export async function requestExceptions(
  tx: ChangeTx,
  principal: Principal,
  request: ExceptionRequest,
): Promise<ActiveException[]> {
  const { subjects, mode, enforcementMode } = await checkedRequest(tx, request);
  const endsAt = request.until === undefined ? null : parseUntil(request.until);
  const terms = { mode, enforcementMode, endsAt, reason: request.reason };
  return askFor(tx, principal, subjects, terms);
}

/**
 * Requests exceptions for violations; a member's decision becomes such a request if the policy blocks. The caller holds
 * the lock of their vulnerabilities or of their evaluation, so that no merge ends them. Throws 409 if an exception is
 * already approved.
 */
export async function requestForViolations(
  tx: ChangeTx,
  principal: Principal,
  violationIds: ViolationId[],
  terms: { endsAt: Date | null; reason: string },
): Promise<ActiveException[]> {
  const rows = await listSubjects(tx, violationIds);
  const subjects = rows.map((row) => ({
    policyId: row.policy_id,
    repositoryId: row.repository_id,
    violationId: row.id,
  }));
  await refuseApproved(tx, subjects);
  const all = { mode: 'exempt' as const, enforcementMode: null, ...terms };
  return askFor(tx, principal, subjects, all);
}

// A request by a workspace key is also the request of the key's creator, who must not approve it.
function makerBehind({ credential }: Principal): string | null {
  return credential.type === 'key' && credential.kind === 'workspace' ? credential.createdBy : null;
}

interface ExceptionTerms {
  mode: ExceptionMode;
  enforcementMode: 'monitor' | 'warn' | null;
  endsAt: Date | null;
  reason: string;
}

async function askFor(
  tx: ChangeTx,
  principal: Principal,
  subjects: ExceptionSubject[],
  { mode, enforcementMode, endsAt, reason }: ExceptionTerms,
): Promise<ActiveException[]> {
  const before = new Set((await listActiveExceptions(tx, subjects)).map(subjectKey));
  const created = subjects
    .filter((subject) => !before.has(subjectKey(subject)))
    .map((subject) => ({
      ...subject,
      id: newId<'exception'>(),
      mode,
      enforcementMode,
    }));
  await insertExceptions(tx, created, {
    reason,
    endsAt,
    requestedBy: principal.user.id,
    onBehalfOf: makerBehind(principal),
  });
  const active = await listActiveExceptions(tx, subjects);
  const mine = new Set(created.map((exception) => exception.id));
  await recordAudits(
    tx,
    active
      .filter((exception) => mine.has(exception.id))
      .map((exception) => ({
        ...actorOf(principal),
        action: 'exception.request',
        targetId: exception.id,
        data: {
          policy: formatId('policy', exception.policyId),
          repository: formatId('repository', exception.repositoryId),
          violation: exception.violationId && formatId('violation', exception.violationId),
          mode,
          enforcement_mode: enforcementMode,
          until: endsAt?.toISOString() ?? null,
          reason,
        },
      })),
  );
  for (const exception of active) {
    if (!mine.has(exception.id)) continue;
    tx.changes.addEvent(
      exceptionEvent(
        'exception.requested',
        { ...exception, mode, enforcementMode, endsAt, requestedBy: principal.user.id, reason },
        { actorId: principal.user.id, at: new Date() },
      ),
    );
  }
  await markSubjects(tx, subjects);
  return active;
}

function subjectKey({ policyId, repositoryId, violationId }: ExceptionSubject): string {
  return violationId ?? `${policyId} ${repositoryId}`;
}

export interface Review {
  decision: 'approve' | 'refuse';
  reason?: string;
}

/** Throws 404; 403 if it is the reviewer's own request; 409 if it does not wait for a review. */
export async function reviewException(
  tx: ChangeTx,
  principal: Principal,
  exception: string,
  { decision, reason }: Review,
): Promise<ExceptionId> {
  const row = await getLocked(tx, exception);
  if (decision === 'approve') checkReviewer(principal, row);
  if (row.status !== 'requested') {
    throw invalidTransition(`The exception is ${row.status}: only a requested one can be reviewed.`);
  }
  if (decision === 'approve' && row.ends_at && row.ends_at <= new Date()) {
    throw invalidTransition('The exception has reached its end.');
  }
  await change(tx, principal, row, decision === 'approve' ? 'approved' : 'refused', reason);
  return row.id;
}

/** A second person must review: requesters must not review their own request with any key, and machines never may. */
function checkReviewer(
  principal: Principal,
  row: { requested_by: string; on_behalf_of: string | null },
): void {
  if (principal.user.kind === 'service') {
    throw tokenAbilityDenied({ person: 'Exceptions are approved by people, not by workspace keys' });
  }
  if (row.requested_by === principal.user.id || row.on_behalf_of === principal.user.id) {
    throw tokenAbilityDenied({ person: 'Somebody else has to approve your own request' });
  }
}

/** The requester or an admin withdraws a request; only an admin withdraws an approved one. Throws 403, 404, 409. */
export async function withdrawException(
  tx: ChangeTx,
  principal: Principal,
  exception: string,
  reason: string | undefined,
): Promise<ExceptionId> {
  const row = await getLocked(tx, exception);
  const isAdmin = roleAtLeast(principal.role, 'admin');
  const { status } = row;
  if (!isAdmin && (status !== 'requested' || row.requested_by !== principal.user.id)) {
    throw tokenAbilityDenied({ role: 'admin' });
  }
  if (status !== 'requested' && status !== 'approved') {
    throw invalidTransition(`The exception is ${status} already.`);
  }
  await change(tx, principal, row, 'withdrawn', reason);
  return row.id;
}

async function getLocked(tx: Tx, exception: string): Promise<LockedException> {
  const id = getId('exception', exception);
  const repositoryId = orNotFound(await findRepositoryOf(tx, id));
  await lockEvaluations(tx, [repositoryId]);
  return orNotFound(await lockException(tx, id));
}

/**
 * Returns those of the violations that exist. A merge ends violations and their exceptions under the lock of the
 * evaluation, so an exception takes this lock before it reads its violation.
 */
async function lockedSubjects(tx: Tx, ids: ViolationId[]): Promise<SubjectRow[]> {
  const seen = await listSubjects(tx, ids);
  await lockEvaluations(
    tx,
    seen.map((row) => row.repository_id),
  );
  return listSubjects(tx, ids);
}

async function change(
  tx: ChangeTx,
  principal: Principal,
  row: LockedException,
  status: 'approved' | 'refused' | 'withdrawn',
  reason: string | undefined,
): Promise<void> {
  const at = await readClock(tx);
  await updateException(tx, row.id, {
    status,
    reviewedBy: principal.user.id,
    reason: reason ?? null,
    at,
  });
  const verbs = { approved: 'approve', refused: 'refuse', withdrawn: 'withdraw' } as const;
  await recordAudit(tx, actorOf(principal), `exception.${verbs[status]}`, row.id, { reason: reason ?? null });
  const subject = { policyId: row.policy_id, repositoryId: row.repository_id, violationId: row.violation_id };
  tx.changes.at = at;
  if (status !== 'withdrawn') {
    tx.changes.addEvent(
      exceptionEvent(
        `exception.${status}`,
        {
          ...subject,
          id: row.id,
          status,
          mode: row.mode,
          enforcementMode: row.enforcement_mode,
          endsAt: row.ends_at,
          requestedBy: row.requested_by,
          reason: reason ?? null,
        },
        { actorId: principal.user.id, at },
      ),
    );
  }
  await markSubjects(tx, [subject]);
  // Violations must be evaluated now, because the answer shows the exception with the new state of its violation.
  await evaluateNow(tx);
}

// One request evaluates at most this many violations. The next sweeps evaluate the others of a larger repository.
const maxAtOnce = 5_000;

async function markSubjects(tx: ChangeTx, subjects: ExceptionSubject[]): Promise<void> {
  const targets = await listTargets(tx, subjects);
  if (targets.length <= maxAtOnce) return markTargets(tx.changes, targets);
  tx.changes.markForLater([...new Set(targets.map((target) => target.repository_id))]);
}

async function checkedRequest(tx: Tx, request: ExceptionRequest) {
  const { violations, policy, repo, mode = 'exempt', enforcement_mode: lower } = request;
  if (request.reason.trim() === '') throw invalidInput('The reason field is required.', 'reason');
  if ((mode === 'downgrade') !== (lower !== undefined)) {
    throw invalidInput(
      mode === 'downgrade'
        ? 'The enforcement_mode field is required to downgrade.'
        : 'Only a downgrade has an enforcement_mode: leave it out.',
      'enforcement_mode',
    );
  }
  const enforcementMode = lower ?? null;
  if (violations !== undefined) {
    if (policy !== undefined || repo !== undefined) {
      throw invalidInput('Give violations, or policy and repo, not both.', 'violations');
    }
    const distinct = [...new Set(violations.map((text) => getId('violation', text)))];
    const rows = await lockedSubjects(tx, distinct);
    if (rows.length < distinct.length) throw resourceNotFound();
    const subjects = rows.map((row) => ({
      policyId: row.policy_id,
      repositoryId: row.repository_id,
      violationId: row.id,
    }));
    await refuseApproved(tx, subjects);
    return { subjects, mode, enforcementMode };
  }
  if (policy === undefined || repo === undefined) {
    throw invalidInput('Give violations, or policy and repo.', 'violations');
  }
  const repository = await getRepository(tx, repo);
  const found = orNotFound(findPolicy(await listPolicies(tx), policy));
  const subjects = [{ policyId: found.id, repositoryId: repository.id, violationId: null }];
  // An import that has evaluated the policy without the exception commits first, so that its violations are visible.
  await lockEvaluations(tx, [repository.id]);
  await refuseApproved(tx, subjects);
  return { subjects, mode, enforcementMode };
}

async function refuseApproved(tx: Tx, subjects: ExceptionSubject[]): Promise<void> {
  const approved = (await listActiveExceptions(tx, subjects)).find((row) => row.status === 'approved');
  if (!approved) return;
  const id = formatId('exception', approved.id);
  throw invalidTransition(`There is an approved exception already: ${id}. Withdraw it first.`);
}

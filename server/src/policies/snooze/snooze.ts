/**
 * A snoozed violation does not block for a while, and its time to fix goes on. The limits are 90 days and three times,
 * or lower ones of the policy. If the policy blocks, a member's snooze becomes a request for an exception.
 */
import { type Static, Type } from 'typebox';
import { actorOf, recordAudits } from '../../access/audit/record.ts';
import type { ChangeTx, Tx } from '../../db/database.ts';
import { invalidInput, invalidTransition, resourceNotFound } from '../../domain/errors.ts';
import { type ExceptionId, formatId, getId, type ViolationId } from '../../domain/ids.ts';
import { dayMs } from '../../domain/time.ts';
import { unpackViolation } from '../../domain/violation-state.ts';
import { parseUntil } from '../../http/end-time.ts';
import { type Principal, roleAtLeast } from '../../http/principal.ts';
import { closedObject, oneOf } from '../../http/schema.ts';
import { undoableMs } from '../../vulnerabilities/undo-snapshot.ts';
import { snoozeLimits } from '../definition/document.ts';
import { listPolicies } from '../definition/store.ts';
import { listStoredViolations, lockEvaluations } from '../evaluation/evaluate-store.ts';
import { listRequiringApproval } from '../exceptions/exception-store.ts';
import { requestForViolations } from '../exceptions/exceptions.ts';
import { violationEvent } from '../violation-events.ts';
import { listSnoozable, restoreSnoozes, type SnoozableRow, setSnoozed } from './snooze-store.ts';

const violationActions = ['snooze', 'wake', 'undo'] as const;

// A person selects fewer by hand on one or two pages.
const maxAtOnce = 500;

export const ViolationDecision = closedObject({
  action: oneOf(violationActions),
  violations: Type.Array(closedObject({ id: Type.String({ maxLength: 255 }) }), {
    minItems: 1,
    maxItems: maxAtOnce,
  }),
  reason: Type.Optional(
    Type.String({ minLength: 1, maxLength: 2000, description: 'Required, except for an undo.' }),
  ),
  until: Type.Optional(Type.String({ maxLength: 64, description: 'End of the snooze: a time in RFC 3339.' })),
});
export type ViolationDecision = Static<typeof ViolationDecision>;

export interface Decided {
  /** Ids in the order of the request. */
  ids: ViolationId[];
  /** The exceptions that were requested instead, for violations of policies that block. */
  exceptionIds: ExceptionId[];
}

/** Snoozes, wakes or undoes all named violations, or changes none of them. Throws 404, 409, 422. */
export async function decideViolations(
  tx: ChangeTx,
  principal: Principal,
  request: ViolationDecision,
): Promise<Decided> {
  const reason = checkedReason(request);
  const ids = [...new Set(request.violations.map(({ id }) => getId('violation', id)))];
  const until = checkedUntil(request);
  const seen = await listSnoozable(tx, ids);
  if (seen.length < ids.length) throw resourceNotFound();
  await lockEvaluations(
    tx,
    seen.map((row) => row.repository_id),
  );
  const rows = await listSnoozable(tx, ids);
  if (request.action === 'undo') {
    await undo(tx, principal, rows);
    return { ids, exceptionIds: [] };
  }
  if (until === null) {
    const snoozed = rows.filter((row) => row.snoozed_until !== null).map((row) => row.id);
    await write(tx, principal, snoozed, null, reason);
    return { ids, exceptionIds: [] };
  }
  await checkLimits(tx, rows, until);
  const needApproval = roleAtLeast(principal.role, 'admin')
    ? new Set<ViolationId>()
    : await listRequiringApproval(tx, ids);
  const free = ids.filter((id) => !needApproval.has(id));
  await write(tx, principal, free, until, reason);
  const terms = { endsAt: until, reason };
  const requested =
    needApproval.size > 0 ? await requestForViolations(tx, principal, [...needApproval], terms) : [];
  return { ids, exceptionIds: requested.map((exception) => exception.id) };
}

async function write(
  tx: ChangeTx,
  principal: Principal,
  ids: ViolationId[],
  until: Date | null,
  reason: string,
): Promise<void> {
  if (ids.length === 0) return;
  const overridesPolicy = roleAtLeast(principal.role, 'admin');
  const references = await setSnoozed(tx, ids, until, overridesPolicy, principal.user.id);
  await recordAudits(
    tx,
    ids.map((id) => ({
      ...actorOf(principal),
      action: until === null ? 'violation.wake' : 'violation.snooze',
      targetId: id,
      data: { reason, until: until?.toISOString() ?? null },
    })),
  );
  tx.changes.markVerdicts(references);
  await noteSnoozed(tx, ids, principal);
}

async function noteSnoozed(tx: ChangeTx, ids: ViolationId[], { user }: Principal): Promise<void> {
  const cause = { scanId: null, actorId: user.id, at: new Date() };
  for (const violation of await listStoredViolations(tx, ids)) {
    tx.changes.addEvent(violationEvent('violation.snoozed', violation, cause));
  }
}

/**
 * Undoes the person's own last snooze or wake of each violation. A snooze is not restored if its end has passed, if the
 * policy now needs an approval for it, or if it does not cover all names of the vulnerability (ADR 88).
 */
async function undo(tx: ChangeTx, principal: Principal, rows: SnoozableRow[]): Promise<void> {
  const now = Date.now();
  const snoozes = rows.map((row) => {
    const id = formatId('violation', row.id);
    const { undo_by: by, undo_at: at, before_until: until, before_since: since, joined_at: joinedAt } = row;
    if (by !== principal.user.id || at === null || now - at.getTime() > undoableMs) {
      throw invalidTransition(
        `The violation ${id} has nothing to undo. You can undo your own last snooze or wake for 15 minutes, if nothing has changed since then.`,
      );
    }
    if (until !== null) checkOpen(row);
    if (until !== null && joinedAt !== null && (since === null || since < joinedAt)) {
      throw invalidTransition(`Another vulnerability has become part of ${id} since that snooze.`);
    }
    return {
      id: row.id,
      until: until !== null && until.getTime() > now ? until : null,
      since,
      overridesPolicy: row.before_overrides ?? false,
      count: row.before_count ?? 0,
    };
  });
  const unapproved = snoozes
    .filter(({ until, overridesPolicy }) => until !== null && !overridesPolicy)
    .map(({ id }) => id);
  const [first] = await listRequiringApproval(tx, unapproved);
  if (first !== undefined) {
    throw invalidTransition(
      `The policy of ${formatId('violation', first)} blocks now. Request an exception.`,
    );
  }
  const references = await restoreSnoozes(tx, snoozes);
  await recordAudits(
    tx,
    snoozes.map(({ id, until }) => ({
      ...actorOf(principal),
      action: 'violation.undo',
      targetId: id,
      data: { until: until?.toISOString() ?? null },
    })),
  );
  tx.changes.markVerdicts(references);
  await noteSnoozed(
    tx,
    rows.map((row) => row.id),
    principal,
  );
}

function checkedReason({ action, reason = '' }: ViolationDecision): string {
  if (action !== 'undo' && reason.trim() === '') {
    throw invalidInput('The reason field is required.', 'reason');
  }
  return reason;
}

function checkedUntil({ action, until }: ViolationDecision): Date | null {
  if (action !== 'snooze') {
    if (until !== undefined) throw invalidInput('Only a snooze has an end: leave out until.', 'until');
    return null;
  }
  if (until === undefined) throw invalidInput('The until field is required to snooze.', 'until');
  return parseUntil(until);
}

function checkOpen({ id, packed_state: packed }: SnoozableRow): void {
  const { status } = unpackViolation(packed);
  if (status === 'resolved' || status === 'waived') {
    throw invalidTransition(
      `The violation ${formatId('violation', id)} is ${status}. Only an open violation can be snoozed.`,
    );
  }
}

async function checkLimits(tx: Tx, rows: SnoozableRow[], until: Date): Promise<void> {
  const policies = new Map((await listPolicies(tx)).map((policy) => [policy.id, policy]));
  for (const row of rows) {
    const id = formatId('violation', row.id);
    checkOpen(row);
    const limits = policies.get(row.policy_id)?.config?.snooze;
    const maxDays = Math.min(limits?.max_days ?? snoozeLimits.maxDays, snoozeLimits.maxDays);
    const maxCount = Math.min(limits?.max_count ?? snoozeLimits.maxCount, snoozeLimits.maxCount);
    if (row.snooze_count >= maxCount) {
      throw invalidInput(
        `The violation ${id} was snoozed ${row.snooze_count} times, and the limit is ${maxCount}.`,
        'violations',
      );
    }
    if (until.getTime() > Date.now() + maxDays * dayMs) {
      throw invalidInput(
        `Must be within ${maxDays} days: the policy of ${id} does not allow a longer snooze.`,
        'until',
      );
    }
  }
}

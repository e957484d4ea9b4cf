/** The events of violations: what an evaluation, a snooze or a merge changes, and what the clock makes true. */
import type { ChangeTx } from '../db/database.ts';
import {
  formatId,
  type PolicyId,
  type RepositoryId,
  type ScanId,
  type UserId,
  type ViolationId,
} from '../domain/ids.ts';
import { severities } from '../domain/packed-state.ts';
import { type TargetId, type TargetType, targetIdKinds } from '../domain/policy-enums.ts';
import { dayMs } from '../domain/time.ts';
import { isUnresolved } from '../domain/violation-state.ts';
import type { WorkspaceEvent, WorkspaceEventType } from '../domain/workspace-event.ts';
import { type EventClock, isPast, lastId } from '../events/event-clock.ts';
import type { StoredViolation } from './evaluation/evaluate-store.ts';

/**
 * The event `violation.due_soon` comes this long before the due date. A week would be the whole time that the builtin
 * policies give for a critical vulnerability.
 */
export const reminderMs = 3 * dayMs;

interface Cause {
  scanId: ScanId | null;
  actorId: UserId | null;
  at: Date;
}

export interface ChangedViolation {
  before: StoredViolation | null;
  after: StoredViolation;
}

/**
 * Notes the events of an evaluation. What was due before the event clock is added here, as the sweep is past it.
 * `readClock` holds the clock and returns its position.
 */
export async function noteViolationEvents(
  tx: ChangeTx,
  changed: readonly ChangedViolation[],
  { at, now }: { at: Date; now: Date },
  readClock: () => Promise<EventClock>,
): Promise<void> {
  if (changed.length === 0) return;
  const cause = { scanId: tx.changes.scan?.id ?? null, actorId: null, at };
  const mayBeDue = changed.some(({ after }) => isUnresolved(after.status));
  const clock = mayBeDue ? await readClock() : { at: now, id: lastId };
  for (const { before, after } of changed) {
    const type = transitionOf(before, after);
    if (type !== null) tx.changes.addEvent(violationEvent(type, after, cause, before));
    const due = dueEventOf(before, after, clock);
    if (due !== null) tx.changes.addEvent(violationEvent(due, after, cause));
  }
}

/** The events of violations that end with their vulnerability. */
export function endedEvents(violations: readonly StoredViolation[], cause: Cause): WorkspaceEvent[] {
  return violations
    .filter(({ status }) => isUnresolved(status))
    .map((before) =>
      violationEvent(
        'violation.resolved',
        { ...before, status: 'resolved', snoozedUntil: null },
        cause,
        before,
      ),
    );
}

function transitionOf(before: StoredViolation | null, after: StoredViolation): WorkspaceEventType | null {
  const was = before !== null && isUnresolved(before.status);
  const isNow = isUnresolved(after.status);
  if (!was) return isNow ? 'violation.opened' : null;
  if (!isNow) return 'violation.resolved';
  const isSame = before.snoozedUntil?.getTime() === after.snoozedUntil?.getTime();
  return isSame ? null : 'violation.snoozed';
}

// A new violation says its due date itself, so no reminder comes at the same moment.
function dueEventOf(
  before: StoredViolation | null,
  after: StoredViolation,
  clock: EventClock,
): WorkspaceEventType | null {
  const isDue = (violation: StoredViolation | null, soonMs: number): boolean =>
    violation !== null &&
    isUnresolved(violation.status) &&
    isPast(clock, violation.dueAt.getTime() - soonMs, violation.id);
  if (isDue(after, 0)) return isDue(before, 0) ? null : 'violation.overdue';
  const wasUnresolved = before !== null && isUnresolved(before.status);
  return wasUnresolved && isDue(after, reminderMs) && !isDue(before, reminderMs)
    ? 'violation.due_soon'
    : null;
}

/** The fields of a violation that its events say. */
export interface EventViolation {
  id: ViolationId;
  repositoryId: RepositoryId;
  policyId: PolicyId;
  targetType: TargetType;
  targetId: TargetId;
  status: string;
  enforcement: string;
  /** The rank. */
  severity: number;
  dueAt: Date;
  snoozedUntil: Date | null;
}

export function violationEvent(
  type: WorkspaceEventType,
  violation: EventViolation,
  { scanId, actorId, at }: Cause,
  before: EventViolation | null = null,
): WorkspaceEvent {
  return {
    type,
    objectId: violation.id,
    repositoryId: violation.repositoryId,
    scanId,
    actorId,
    at,
    data: {
      status: violation.status,
      previous_status: before?.status ?? null,
      severity: severities[violation.severity] ?? 'unknown',
      enforcement_mode: violation.enforcement,
      due_at: violation.dueAt.toISOString(),
      snoozed_until: violation.snoozedUntil?.toISOString() ?? null,
      policy: formatId('policy', violation.policyId),
      target: {
        type: violation.targetType,
        id: formatId(targetIdKinds[violation.targetType], violation.targetId),
      },
    },
  };
}

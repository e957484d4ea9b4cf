/**
 * The state that a person's action replaces. It is stored with the event of the action, so that `undo.ts` can restore
 * it. Only `reconcile.ts` creates it, because only it knows the new state of a row. The API never shows it.
 */
import type { UserId } from '../domain/ids.ts';
import { unpackState } from '../domain/packed-state.ts';
import type { LockedVulnerability } from './reconcile-store.ts';
import type { Resolution } from './schema.ts';
import { type Decision, decisionOf, type Origin } from './status.ts';

/** A person notices a mistake within this time. After that, other people rely on the new state. */
export const undoableMs = 15 * 60 * 1000;

export type Act = 'decision' | 'assignment';

export type Before =
  | {
      act: 'decision';
      decision: Decision;
      decidedBy: Origin | null;
      decidedAt: string | null;
      overridesPolicy: boolean;
      resolution: Resolution | null;
      until: string | null;
      confirmed: boolean;
      triaged: boolean;
    }
  | { act: 'assignment'; assigneeId: UserId | null };

interface UndoSnapshot {
  before: Before;
  /** The `status_version` after the action. */
  version: number;
}

/** Returns the snapshot for the data of the action's event. */
export function undoSnapshot(
  act: Act,
  current: LockedVulnerability,
  reconciled: { status_version: number },
): UndoSnapshot {
  return { before: beforeOf(act, current), version: reconciled.status_version };
}

function beforeOf(act: Act, current: LockedVulnerability): Before {
  if (act === 'assignment') return { act, assigneeId: current.assignee_id };
  const { status, confirmed, triaged } = unpackState(current.packed_state);
  return {
    act,
    decision: decisionOf(status),
    decidedBy: current.decided_by,
    decidedAt: current.decided_at?.toISOString() ?? null,
    overridesPolicy: current.decision_overrides_policy,
    resolution: current.resolution,
    until: current.accepted_until?.toISOString() ?? null,
    confirmed,
    triaged,
  };
}

/** Returns null for an event without a snapshot: it is older than snapshots, or its action cannot be undone. */
export function readUndoSnapshot(data: Record<string, unknown> | null): UndoSnapshot | null {
  const { before, version } = (data ?? {}) as Partial<UndoSnapshot>;
  return before === undefined || version === undefined ? null : { before, version };
}

/** Returns the data of an event without the snapshot. */
export function withoutSnapshot(data: Record<string, unknown>): Record<string, unknown> {
  if (readUndoSnapshot(data) === null) return data;
  const { before: _before, version: _version, ...rest } = data;
  return rest;
}

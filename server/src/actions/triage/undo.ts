/**
 * Undo: a person undoes their own last decision or assignment, of one or many vulnerabilities, all or none. It restores
 * exactly the state before the action. So an undo never makes a decision that was not there before, and never a longer
 * or stronger one.
 *
 * Only the newest action about a vulnerability can be undone, only by its actor, and only within 15 minutes. An undo is
 * no action itself, so it cannot be undone.
 */

import { actorOf, recordAudits } from '../../access/audit/record.ts';
import { holdMembers } from '../../access/members/lookup.ts';
import { type Database, type Tx, tenantTx } from '../../db/database.ts';
import { invalidTransition, orNotFound } from '../../domain/errors.ts';
import { type ExceptionId, formatId, type UserId, type VulnerabilityId } from '../../domain/ids.ts';
import type { Principal } from '../../http/principal.ts';
import { listOwnRequests } from '../../policies/exceptions/exception-store.ts';
import { listCountingClaims } from '../../vulnerabilities/claim-store.ts';
import type { EventKind } from '../../vulnerabilities/events.ts';
import { lockExpected, type NamedVersion } from '../../vulnerabilities/expected-versions.ts';
import { type Change, reconcileLocked } from '../../vulnerabilities/reconcile.ts';
import type { LockedVulnerability } from '../../vulnerabilities/reconcile-store.ts';
import {
  type AssignmentRow,
  type DecidedRow,
  listAssignments,
  listDecided,
} from '../../vulnerabilities/store.ts';
import { type Before, readUndoSnapshot, undoableMs } from '../../vulnerabilities/undo-snapshot.ts';
import { type ActRow, listNewestActs } from './undo-store.ts';

/** A vulnerability after the undo. */
export interface UndoneItem extends DecidedRow, Pick<AssignmentRow, 'assignee'> {
  /** The action that was undone. It is null if the action had only requested exceptions. */
  undone: EventKind | null;
  /** Pending exceptions that the same person requested just before. An undo leaves them as they are. */
  exceptionIds: ExceptionId[];
}

interface Undo {
  act: ActRow;
  before: Before;
}

/**
 * Undoes all or nothing. Throws 404; 409 for another `status_version` than given, and if the newest act is not the
 * person's own, is too old, or replaced a state that cannot be restored.
 */
export async function undo(
  db: Database,
  principal: Principal,
  named: Required<NamedVersion>[],
): Promise<UndoneItem[]> {
  const tenantId = principal.tenant.id;
  const at = new Date();
  return tenantTx(db, tenantId, async (tx) => {
    const { ids, locked } = await lockExpected(tx, named);
    const since = new Date(at.getTime() - undoableMs);
    const ownRequests = await listOwnRequests(tx, principal.user.id, ids, since);
    const undos = await listUndos(tx, principal, locked, ownRequests, at);
    const changeOf = await changesOf(tx, undos);
    tx.changes.at = at;
    const undone = locked.filter(({ id }) => undos.has(id));
    await reconcileLocked(tx, undone, {
      cause: { scanId: null, actorId: principal.user.id, at },
      change: (current) => changeOf(current.id),
    });
    await recordAudits(
      tx,
      [...undos].map(([id, { act }]) => ({
        ...actorOf(principal),
        action: 'vulnerability.undo',
        targetId: id,
        data: undoneData(act),
      })),
    );
    return showItems(tx, ids, undos, ownRequests);
  });
}

/** Lists the actions to undo, without those that had only requested exceptions. */
async function listUndos(
  tx: Tx,
  principal: Principal,
  locked: LockedVulnerability[],
  ownRequests: Map<VulnerabilityId, ExceptionId[]>,
  at: Date,
): Promise<Map<VulnerabilityId, Undo>> {
  const acts = await listNewestActs(
    tx,
    locked.map((current) => current.id),
  );
  const undos = new Map<VulnerabilityId, Undo>();
  for (const current of locked) {
    const act = acts.get(current.id);
    const [exceptionId] = ownRequests.get(current.id) ?? [];
    // Ids grow with time, so a larger id means that the request is the person's last action.
    if (exceptionId !== undefined && (!act || String(act.id) < exceptionId)) continue;
    const snapshot = readUndoSnapshot(act?.data ?? null);
    const refuse = (reason: `${string}.`): Error => notUndoable(current.id, reason);
    if (!act || !snapshot || act.actor_id !== principal.user.id) {
      throw refuse('it is no decision or assignment of yours.');
    }
    if (snapshot.version !== current.status_version)
      throw refuse('the vulnerability has changed since then.');
    if (act.at.getTime() < at.getTime() - undoableMs) {
      throw refuse('it is older than 15 minutes.');
    }
    const { before } = snapshot;
    if (before.act === 'decision' && before.until !== null && new Date(before.until) <= at) {
      throw refuse('the earlier acceptance has ended.');
    }
    undos.set(current.id, { act, before });
  }
  await checkAssignees(tx, undos);
  return undos;
}

function notUndoable(id: VulnerabilityId, reason: `${string}.`): Error {
  return invalidTransition(`The last action on ${formatId('vulnerability', id)} cannot be undone: ${reason}`);
}

async function checkAssignees(tx: Tx, undos: Map<VulnerabilityId, Undo>): Promise<void> {
  const assignees = new Map<VulnerabilityId, UserId>();
  for (const [id, { before }] of undos) {
    if (before.act === 'assignment' && before.assigneeId !== null) assignees.set(id, before.assigneeId);
  }
  const members = await holdMembers(tx, [...new Set(assignees.values())]);
  for (const [id, userId] of assignees) {
    if (!members.has(userId)) {
      throw notUndoable(id, 'the earlier assignee has left the workspace.');
    }
  }
}

async function changesOf(
  tx: Tx,
  undos: Map<VulnerabilityId, Undo>,
): Promise<(id: VulnerabilityId) => Change> {
  const reporters = await listCountingClaims(tx, [...undos.keys()]);
  const verified = new Set(reporters.filter((row) => row.verified).map((row) => row.vulnerability_id));
  return (id) => {
    const { act, before } = undos.get(id) as Undo;
    const events: Change['events'] = [{ kind: 'undone', data: undoneData(act) }];
    if (before.act === 'assignment') return { assigneeId: before.assigneeId, events };
    const { decision, decidedBy, decidedAt, overridesPolicy, resolution, until, confirmed, triaged } = before;
    return {
      decision,
      // If the decision was automatic, the current documents and ignore files decide again.
      decidedBy,
      // The restored decision covers the names that were joined before it was made, and no later ones.
      decidedAt: decidedAt === null ? null : new Date(decidedAt),
      overridesPolicy,
      resolution,
      acceptedUntil: until === null ? null : new Date(until),
      // A tool's proof that arrived meanwhile stays.
      confirmed: confirmed || (decision !== 'rejected' && verified.has(id)),
      triaged,
      events,
    };
  };
}

function undoneData(act: ActRow): Record<string, unknown> {
  return { undone: act.kind, event: formatId('event', act.id) };
}

async function showItems(
  tx: Tx,
  ids: VulnerabilityId[],
  undos: Map<VulnerabilityId, Undo>,
  ownRequests: Map<VulnerabilityId, ExceptionId[]>,
): Promise<UndoneItem[]> {
  const decided = new Map((await listDecided(tx, ids)).map((row) => [row.id, row]));
  const assigned = new Map((await listAssignments(tx, ids)).map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = orNotFound(decided.get(id));
    const kind = undos.get(id)?.act.kind;
    return {
      ...row,
      assignee: assigned.get(id)?.assignee ?? null,
      undone: kind === undefined ? null : kind,
      exceptionIds: ownRequests.get(id) ?? [],
    };
  });
}

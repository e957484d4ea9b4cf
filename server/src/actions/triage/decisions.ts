/**
 * Triage: the decisions of people about vulnerabilities. Only this file makes or removes such a decision, for one or
 * many, all or none. Rules, history and audit are in the same transaction.
 */

import { type Static, Type } from 'typebox';
import { actorOf, recordAudits } from '../../access/audit/record.ts';
import { readClock } from '../../db/commit-watermark.ts';
import { type ChangeTx, type Database, type Tx, tenantTx } from '../../db/database.ts';
import { invalidInput, orNotFound } from '../../domain/errors.ts';
import type { ExceptionId, ViolationId, VulnerabilityId } from '../../domain/ids.ts';
import { unpackState } from '../../domain/packed-state.ts';
import { parseUntil } from '../../http/end-time.ts';
import { type Principal, roleAtLeast } from '../../http/principal.ts';
import { closedObject, oneOf } from '../../http/schema.ts';
import { listApprovalViolations } from '../../policies/exceptions/exception-store.ts';
import { requestForViolations } from '../../policies/exceptions/exceptions.ts';
import { lockExpected } from '../../vulnerabilities/expected-versions.ts';
import { type Change, reconcileLocked } from '../../vulnerabilities/reconcile.ts';
import type { LockedVulnerability } from '../../vulnerabilities/reconcile-store.ts';
import { type Resolution, resolutions } from '../../vulnerabilities/schema.ts';
import { decisionOf } from '../../vulnerabilities/status.ts';
import { type DecidedRow, listDecided } from '../../vulnerabilities/store.ts';
import { NamedVulnerability, nonEmptyList } from './triage-schema.ts';

export const actions = ['accept', 'ignore', 'reject', 'confirm', 'reopen'] as const;
export type Action = (typeof actions)[number];

/** The resolutions that an action may give, the default first. */
const resolutionsOf: Record<Action, Resolution[]> = {
  accept: ['risk_accepted'],
  ignore: ['wont_fix', 'test_code'],
  reject: ['false_positive', 'not_affected'],
  confirm: [],
  reopen: [],
};

export const DecisionRequest = closedObject({
  action: oneOf(actions),
  vulnerabilities: nonEmptyList(NamedVulnerability),
  reason: Type.Optional(
    Type.String({ maxLength: 2000, description: 'Required for accept, ignore and reject.' }),
  ),
  resolution: Type.Optional(oneOf(resolutions)),
  until: Type.Optional(
    Type.String({ maxLength: 64, description: 'End of an acceptance: a time in RFC 3339.' }),
  ),
});
export type DecisionRequest = Static<typeof DecisionRequest>;

/** A decided vulnerability, and the exceptions that were requested instead if a policy blocks. */
export interface DecidedItem extends DecidedRow {
  /** True if this request has decided it, so that it can be undone. */
  changed: boolean;
  exceptionIds: ExceptionId[];
}

/**
 * Decides all vulnerabilities or none. A member may not decide where a policy blocks, so that decision becomes a
 * request for an exception. Throws 404 if one is unknown, and 409 if one has another `status_version` than given.
 */
export async function decide(
  db: Database,
  principal: Principal,
  request: DecisionRequest,
): Promise<DecidedItem[]> {
  const until = checkedUntil(request);
  const resolution = checkedResolution(request);
  const tenantId = principal.tenant.id;
  return tenantTx(db, tenantId, async (tx) => {
    // The rows are locked first, because an import may be about to make one of them worse.
    const { ids, locked } = await lockExpected(tx, request.vulnerabilities);
    // Names have the time of the same clock, and those that join while this waits for the lock come before.
    const at = await readClock(tx);
    tx.changes.at = at;
    const changed = new Set<VulnerabilityId>();
    const needApproval = await listRequiringApproval(tx, principal, request.action, ids);
    await reconcileLocked(tx, locked, {
      cause: { scanId: null, actorId: principal.user.id, at },
      change: (current) => {
        const change = needApproval.has(current.id) ? {} : changeOf(request, resolution, until, current);
        if (change.events === undefined) return change;
        changed.add(current.id);
        // An action without a decision, such as a confirmation, does not change whether the decision overrides
        // policies.
        const overridesPolicy =
          change.decision === undefined
            ? {}
            : { overridesPolicy: roleAtLeast(principal.role, 'admin'), decidedAt: at };
        return { ...change, ...overridesPolicy, keeps: 'decision' };
      },
    });
    await recordAudits(
      tx,
      [...changed].map((id) => ({
        ...actorOf(principal),
        action: `vulnerability.${request.action}`,
        targetId: id,
        data: { reason: request.reason ?? null, resolution, until: until?.toISOString() ?? null },
      })),
    );
    const requested = await requestExceptions(tx, principal, request, until, needApproval);
    const rows = await listDecided(tx, ids);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => {
      const row = orNotFound(byId.get(id));
      return { ...row, changed: changed.has(id), exceptionIds: requested.get(id) ?? [] };
    });
  });
}

/** Returns vulnerability id → the violations because of which the caller may not decide. */
async function listRequiringApproval(
  tx: Tx,
  { role }: Principal,
  action: Action,
  ids: VulnerabilityId[],
): Promise<Map<VulnerabilityId, ViolationId[]>> {
  // Confirm and reopen only raise risk, so any member may do them.
  if (roleAtLeast(role, 'admin') || action === 'confirm' || action === 'reopen') return new Map();
  return listApprovalViolations(tx, ids);
}

/** Requests exceptions instead of deciding. Returns vulnerability id → exception ids. */
async function requestExceptions(
  tx: ChangeTx,
  principal: Principal,
  { reason = '' }: DecisionRequest,
  until: Date | null,
  needApproval: Map<VulnerabilityId, ViolationId[]>,
): Promise<Map<VulnerabilityId, ExceptionId[]>> {
  if (needApproval.size === 0) return new Map();
  const terms = { endsAt: until, reason };
  const violationIds = [...needApproval.values()].flat();
  const exceptions = await requestForViolations(tx, principal, violationIds, terms);
  return new Map(
    [...needApproval].map(([id, violations]) => [
      id,
      exceptions.flatMap((one) => (one.violationId && violations.includes(one.violationId) ? [one.id] : [])),
    ]),
  );
}

const decisions = { accept: 'accepted', ignore: 'ignored', reject: 'rejected' } as const;

function changeOf(
  request: DecisionRequest,
  resolution: Resolution | null,
  until: Date | null,
  current: LockedVulnerability,
): Change {
  const reason = request.reason ?? null;
  if (request.action === 'confirm') {
    // A person's confirmation overrules the decision of a document or an ignore file.
    const overrules = current.decided_by === 'vex' || current.decided_by === 'suppression';
    // A vulnerability that a person has rejected is not real, until somebody reopens it.
    if (!overrules && unpackState(current.packed_state).status === 'rejected') return {};
    return {
      ...(overrules ? { decision: null, decidedBy: 'person', resolution: null, acceptedUntil: null } : {}),
      confirmed: true,
      triaged: true,
      events: [{ kind: 'confirmed', reason }],
    };
  }
  if (request.action === 'reopen') {
    // There is no decision to remove, so a repeated request changes nothing.
    if (decisionOf(unpackState(current.packed_state).status) === null) return {};
    return {
      decision: null,
      decidedBy: 'person',
      resolution: null,
      acceptedUntil: null,
      triaged: true,
      events: [{ kind: 'decision_removed', reason }],
    };
  }
  const decision = decisions[request.action];
  return {
    decision,
    decidedBy: 'person',
    resolution,
    acceptedUntil: until,
    triaged: true,
    // A rejected vulnerability is not real, so an earlier confirmation ends.
    ...(decision === 'rejected' ? { confirmed: false } : {}),
    events: [{ kind: decision, reason, data: { resolution, until: until?.toISOString() ?? null } }],
  };
}

function checkedUntil({ action, until }: DecisionRequest): Date | null {
  if (until === undefined) return null;
  if (action !== 'accept') throw invalidInput('Only an acceptance has an end: leave out until.', 'until');
  return parseUntil(until);
}

function checkedResolution({ action, resolution, reason }: DecisionRequest): Resolution | null {
  const allowed = resolutionsOf[action];
  if (allowed.length > 0 && (reason === undefined || reason.trim() === '')) {
    throw invalidInput(`The reason field is required to ${action}.`, 'reason');
  }
  if (resolution === undefined) return allowed[0] ?? null;
  if (!allowed.includes(resolution)) {
    throw invalidInput(
      allowed.length > 0
        ? `Must be one of ${allowed.join(', ')}.`
        : `Leave it out: ${action} has no resolution.`,
      'resolution',
    );
  }
  return resolution;
}

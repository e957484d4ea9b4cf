/**
 * Assignment says who takes care of a vulnerability. A request assigns one or many, all or none. Only this file assigns
 * people, or clears an assignment, at the request of a person.
 */

import { actorOf, recordAudits } from '../../access/audit/record.ts';
import { holdMembers, type Person, resolvePerson } from '../../access/members/lookup.ts';
import { type Database, type Tx, tenantTx } from '../../db/database.ts';
import { invalidInput, orNotFound, statusVersionConflict } from '../../domain/errors.ts';
import { memberRule } from '../../domain/field-rules.ts';
import type { VulnerabilityId } from '../../domain/ids.ts';
import type { Principal } from '../../http/principal.ts';
import {
  type ExpectedVersions,
  type NamedVersion,
  resolveExpected,
} from '../../vulnerabilities/expected-versions.ts';
import { reconcileLocked } from '../../vulnerabilities/reconcile.ts';
import { lockVulnerabilities } from '../../vulnerabilities/reconcile-store.ts';
import { type AssignmentRow, listAssignments } from '../../vulnerabilities/store.ts';

export interface AssignmentRequest {
  /** `me`, a user id or an e-mail; null or `unassigned` clears the assignment. */
  assignee: string | null;
  status_version?: string;
}

export interface AssignedItem extends AssignmentRow {
  /** True if this request has changed the assignment, so that it can be undone. */
  changed: boolean;
}

/**
 * Assigns the vulnerability or clears its assignment. Throws 404, 409 for a stale `status_version`, and 422 for a
 * person who is not a member.
 */
export async function assignVulnerability(
  db: Database,
  principal: Principal,
  vulnerability: string,
  { assignee, ...version }: AssignmentRequest,
): Promise<AssignedItem> {
  const [item] = await assign(db, principal, assignee, [{ id: vulnerability, ...version }], one);
  return orNotFound(item);
}

/** Assigns all or none. Returns the vulnerabilities in the order of the request, each once. */
export async function assignVulnerabilities(
  db: Database,
  principal: Principal,
  request: { assignee: string | null; vulnerabilities: NamedVersion[] },
): Promise<AssignedItem[]> {
  return assign(db, principal, request.assignee, request.vulnerabilities, (stale) => stale);
}

// The conflict of a single vulnerability names only its version.
function one(stale: Record<string, string>): unknown {
  return Object.values(stale)[0];
}

async function assign(
  db: Database,
  principal: Principal,
  to: string | null,
  named: NamedVersion[],
  showStale: (stale: ExpectedVersions['stale']) => unknown,
): Promise<AssignedItem[]> {
  const tenantId = principal.tenant.id;
  const at = new Date();
  return tenantTx(db, tenantId, async (tx) => {
    const assignee = await resolveAssignee(tx, principal, to);
    const assigneeId = assignee?.id ?? null;
    const expected = await resolveExpected(tx, named);
    const { ids } = expected;
    const locked = await lockVulnerabilities(tx, [...ids].sort());
    for (const current of locked) expected.check(current);
    if (expected.isStale) throw statusVersionConflict(showStale(expected.stale));
    tx.changes.at = at;
    const changed = new Set<VulnerabilityId>();
    await reconcileLocked(tx, locked, {
      cause: { scanId: null, actorId: principal.user.id, at },
      change: (current) => {
        if (current.assignee_id === assigneeId) return {};
        changed.add(current.id);
        return {
          assigneeId,
          keeps: 'assignment',
          events: [assignee ? { kind: 'assigned', data: { assignee: assignee.id } } : { kind: 'unassigned' }],
        };
      },
    });
    await recordAudits(
      tx,
      [...changed].map((id) => ({
        ...actorOf(principal),
        action: assignee ? 'vulnerability.assign' : 'vulnerability.unassign',
        targetId: id,
        data: { assignee: assigneeId },
      })),
    );
    const byId = new Map((await listAssignments(tx, ids)).map((row) => [row.id, row]));
    return ids.map((id) => {
      const row = orNotFound(byId.get(id));
      return { ...row, changed: changed.has(id) };
    });
  });
}

async function resolveAssignee(tx: Tx, principal: Principal, text: string | null): Promise<Person | null> {
  if (text === null || text === 'unassigned') return null;
  const person = await resolvePerson(tx, principal, text, 'assignee');
  // A member who leaves at this moment loses all assignments, so this one must not come after that.
  if (!(await holdMembers(tx, [person.id])).has(person.id)) {
    throw invalidInput(memberRule, 'assignee');
  }
  return person;
}

/**
 * Assignment says who takes care of a vulnerability. A request assigns one or many, all or none. Only this file assigns
 * people, or clears an assignment, at the request of a person.
 */

import { actorOf, recordAudits } from '../../access/audit/record.ts';
import { holdMembers, type Person, resolvePerson } from '../../access/members/lookup.ts';
import { type Database, type Tx, tenantTx } from '../../db/database.ts';
import { invalidInput, orNotFound } from '../../domain/errors.ts';
import { memberRule } from '../../domain/field-rules.ts';
import type { VulnerabilityId } from '../../domain/ids.ts';
import type { Principal } from '../../http/principal.ts';
import {
  lockExpected,
  type NamedVersion,
  type StaleVersions,
} from '../../vulnerabilities/expected-versions.ts';
import { reconcileLocked } from '../../vulnerabilities/reconcile.ts';
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
  return assign(db, principal, request.assignee, request.vulnerabilities);
}

// The conflict of a single vulnerability names only its version.
function one(stale: StaleVersions): unknown {
  return Object.values(stale)[0];
}

async function assign(
  db: Database,
  principal: Principal,
  to: string | null,
  named: NamedVersion[],
  showStale?: (stale: StaleVersions) => unknown,
): Promise<AssignedItem[]> {
  const tenantId = principal.tenant.id;
  const at = new Date();
  return tenantTx(db, tenantId, async (tx) => {
    const assignee = await resolveAssignee(tx, principal, to);
    const assigneeId = assignee?.id ?? null;
    const { ids, locked } = await lockExpected(tx, named, showStale);
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

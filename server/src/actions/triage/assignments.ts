/**
 * Assignment: who takes care of a vulnerability; of one or of many, all or none. The one place where somebody is
 * assigned, or an assignment cleared, by people.
 */

import { actorOf, recordAudit } from '../../access/audit/record.ts';
import { holdMembers, type Person, resolvePerson } from '../../access/members/lookup.ts';
import { type Database, type Tx, tenantTx } from '../../db/database.ts';
import { resourceNotFound, statusVersionConflict, validationFailed } from '../../domain/errors.ts';
import type { Principal } from '../../http/principal.ts';
import {
  type ExpectedVersions,
  type NamedVersion,
  resolveExpected,
} from '../../vulnerabilities/expected-versions.ts';
import { reconcile } from '../../vulnerabilities/reconcile.ts';
import { type AssignmentRow, listAssignments } from '../../vulnerabilities/store.ts';

export interface AssignmentRequest {
  /** `me`, a user id, an e-mail; null or `unassigned` clears. */
  assignee: string | null;
  status_version?: string;
}

export interface AssignedItem extends AssignmentRow {
  /** It was assigned, or cleared, by this request: there is something to undo. */
  changed: boolean;
}

/** Assigns or clears. Throws 404, 409 on a stale `status_version`, 422 on someone who is no member. */
export async function assignVulnerability(
  db: Database,
  principal: Principal,
  vulnerability: string,
  { assignee, ...version }: AssignmentRequest,
  requestId: string,
): Promise<AssignedItem> {
  const [item] = await assign(db, principal, assignee, [{ id: vulnerability, ...version }], requestId, one);
  if (!item) throw resourceNotFound();
  return item;
}

/** In the order of the request, each once; if one is refused, none. */
export async function assignVulnerabilities(
  db: Database,
  principal: Principal,
  request: { assignee: string | null; vulnerabilities: NamedVersion[] },
  requestId: string,
): Promise<AssignedItem[]> {
  return assign(db, principal, request.assignee, request.vulnerabilities, requestId, (stale) => stale);
}

// Of a single one the conflict names the version alone.
function one(stale: Record<string, string>): unknown {
  return Object.values(stale)[0];
}

async function assign(
  db: Database,
  principal: Principal,
  to: string | null,
  named: NamedVersion[],
  requestId: string,
  showStale: (stale: ExpectedVersions['stale']) => unknown,
): Promise<AssignedItem[]> {
  const tenantId = principal.tenant.id;
  const at = new Date();
  return tenantTx(db, tenantId, async (tx) => {
    const assignee = await resolveAssignee(tx, principal, to);
    const assigneeId = assignee?.id ?? null;
    const expected = await resolveExpected(tx, tenantId, named);
    const { ids } = expected;
    const { changes } = tx;
    changes.at = at;
    const changed = new Set<string>();
    await reconcile(tx, tenantId, {
      ids,
      cause: { scanId: null, actorId: principal.user.id, at },
      changes,
      change: (current) => {
        expected.check(current);
        if (current.assignee_id === assigneeId) return {};
        changed.add(current.id);
        return {
          assigneeId,
          keeps: 'assignment',
          events: [assignee ? { kind: 'assigned', data: { assignee: assignee.id } } : { kind: 'unassigned' }],
        };
      },
    });
    if (expected.isStale) throw statusVersionConflict(showStale(expected.stale));
    await recordAudit(
      tx,
      tenantId,
      ids.map((id) => ({
        ...actorOf(principal, requestId),
        action: assignee ? 'vulnerability.assign' : 'vulnerability.unassign',
        targetType: 'vulnerability',
        targetId: id,
        data: { assignee: assigneeId },
      })),
    );
    const byId = new Map((await listAssignments(tx, tenantId, ids)).map((row) => [row.id, row]));
    return ids.map((id) => {
      const row = byId.get(id);
      if (!row) throw resourceNotFound();
      return { ...row, changed: changed.has(id) };
    });
  });
}

async function resolveAssignee(tx: Tx, principal: Principal, text: string | null): Promise<Person | null> {
  if (text === null || text === 'unassigned') return null;
  const person = await resolvePerson(tx, principal, text, 'assignee');
  // Who leaves at this moment loses assignments: this one must not come after.
  if (!(await holdMembers(tx, principal.tenant.id, [person.id])).has(person.id)) {
    throw validationFailed({ assignee: ['Must be a member of the workspace.'] });
  }
  return person;
}

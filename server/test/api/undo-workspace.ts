/**
 * A workspace for tests of undoing: decisions and assignments of people and their undo, and the stored rows without
 * their times.
 */
import assert from 'node:assert/strict';
import { parseId } from '../../src/domain/ids.ts';
import { type Answer, clientOf, type Json, succeeded } from '../support/client.ts';
import { createDecisionWorkspace, type Decided, decisions, reason } from './decision-workspace.ts';

export const undoPath = '/manage/v1/acme/vulnerabilities/undo';
export const assignmentsPath = '/manage/v1/acme/vulnerabilities/assignments';

export interface Undone extends Decided {
  assignee: { id: string; email: string } | null;
  undone: string | null;
  exceptions: string[];
}

export interface Acted {
  id: string;
  status_version: string;
  changed: boolean;
}

export interface StoredTriage {
  packed_state: number;
  resolution: number | null;
  accepted_until: Date | null;
  assignee_id: string | null;
  decided_by: number | null;
  decision_overrides_policy: boolean;
}

export type Who = 'admin' | 'member';

/** An action of triage with its fields, or an assignment. */
export type Act = { assignee: string | null } | ({ action: string } & Json);

export async function createUndoWorkspace() {
  const workspace = await createDecisionWorkspace();
  const { server, tenant, people } = workspace;

  /** Returns each with the version that it has now. */
  async function actOn(who: Who, ids: string[], act: Act): Promise<Acted[]> {
    const vulnerabilities = ids.map((id) => ({ id }));
    const isAssignment = 'assignee' in act;
    const answer = await clientOf(server.app, people[who].key).post<{ items: Acted[] }>(
      isAssignment ? assignmentsPath : decisions,
      { ...(isAssignment ? {} : { reason }), ...act, vulnerabilities },
    );
    assert.equal(answer.status, 200, `${JSON.stringify(act)}: ${answer.text}`);
    return answer.body.items;
  }

  const tryUndo = (key: string, named: { id: string; status_version: string }[]): Promise<Answer> =>
    clientOf(server.app, key).post(undoPath, {
      vulnerabilities: named.map(({ id, status_version }) => ({ id, status_version })),
    });

  async function undo(who: Who, named: { id: string; status_version: string }[]): Promise<Undone[]> {
    const body = succeeded(await tryUndo(people[who].key, named));
    return (body as unknown as { items: Undone[] }).items;
  }

  /** Returns the columns of a vulnerability that decisions and assignments write. */
  async function stored(id: string): Promise<StoredTriage> {
    const { rows } = await server.owner.query<StoredTriage>(
      `select packed_state, resolution, accepted_until, assignee_id, decided_by, decision_overrides_policy
         from vulnerability where tenant_id = $1 and id = $2`,
      [tenant.id, parseId('vulnerability', id)],
    );
    assert.ok(rows[0], id);
    return rows[0];
  }

  return { ...workspace, actOn, tryUndo, undo, stored };
}

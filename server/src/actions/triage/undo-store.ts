/** SQL of undoing: what was done last about vulnerabilities. */
import type { Tx } from '../../db/database.ts';
import type { EventKind } from '../../vulnerabilities/events.ts';

/** What says something about decision or assignee; not what scans see. */
const actKinds: EventKind[] = [
  'accepted',
  'ignored',
  'rejected',
  'confirmed',
  'decision_removed',
  'acceptance_ended',
  'assigned',
  'unassigned',
  'merged',
  'split',
  'undone',
];

export interface ActRow {
  vulnerability_id: string;
  id: string;
  kind: EventKind;
  at: Date;
  actor_id: string | null;
  data: Record<string, unknown> | null;
}

/** The newest act about each of them, whoever's. */
export async function listNewestActs(tx: Tx, tenantId: string, ids: string[]): Promise<Map<string, ActRow>> {
  const rows = await tx.query<ActRow>(
    `select e.vulnerability_id, e.id, e.kind, e.at, e.actor_id, e.data
       from unnest($2::uuid[]) as k (id)
      cross join lateral (select * from vulnerability_event e
             where e.tenant_id = $1 and e.vulnerability_id = k.id and e.kind = any($3::text[])
             order by e.id desc limit 1) e`,
    [tenantId, ids, actKinds.map((kind) => kind)],
  );
  return new Map(rows.map((row) => [row.vulnerability_id, row]));
}

/** SQL of undoing: it reads the last actions about vulnerabilities. */
import type { Tx } from '../../db/database.ts';
import type { EventId, UserId, VulnerabilityId } from '../../domain/ids.ts';
import type { EventKind } from '../../vulnerabilities/events.ts';

/** Events about the decision or the assignee, but not those that scans cause. */
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
  vulnerability_id: VulnerabilityId;
  id: EventId;
  kind: EventKind;
  at: Date;
  actor_id: UserId | null;
  data: Record<string, unknown> | null;
}

/** Returns the newest action about each of them, by any actor. */
export async function listNewestActs(tx: Tx, ids: VulnerabilityId[]): Promise<Map<VulnerabilityId, ActRow>> {
  const rows = await tx.query<ActRow>(
    `select e.vulnerability_id, e.id, e.kind, e.at, e.actor_id, e.data
       from unnest($2::uuid[]) as k (id)
      cross join lateral (select * from vulnerability_event e
             where e.tenant_id = $1 and e.vulnerability_id = k.id and e.kind = any($3::text[])
             order by e.id desc limit 1) e`,
    [tx.tenantId, ids, actKinds.map((kind) => kind)],
  );
  return new Map(rows.map((row) => [row.vulnerability_id, row]));
}

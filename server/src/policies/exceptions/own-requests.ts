/** The exceptions that a user has requested for vulnerabilities and that still wait for review. */

import type { Tx } from '../../db/database.ts';
import type { ExceptionId, UserId, VulnerabilityId } from '../../domain/ids.ts';
import { violationsOfVulnerability } from '../violations/joins.ts';

/** Vulnerability id → ids of the user's waiting requests since `since`, the newest first. */
export async function listOwnRequests(
  tx: Tx,
  userId: UserId,
  vulnerabilityIds: VulnerabilityId[],
  since: Date,
): Promise<Map<VulnerabilityId, ExceptionId[]>> {
  const rows = await tx.query<{ vulnerability_id: VulnerabilityId; ids: ExceptionId[] }>(
    `select k.id as vulnerability_id, array_agg(o.id order by o.id desc) as ids
       from unnest($2::uuid[]) as k (id)
      ${violationsOfVulnerability('k.id')}
       join policy_exception o on o.tenant_id = $1 and o.violation_id = v.id and o.status = 'requested'
      where o.requested_by = $3 and o.created_at >= $4
      group by k.id`,
    [tx.tenantId, vulnerabilityIds, userId, since],
  );
  return new Map(rows.map((row) => [row.vulnerability_id, row.ids]));
}

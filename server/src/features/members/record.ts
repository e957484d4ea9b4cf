/** Audit events about a person, who may be in several workspaces. */
import type { Tx } from '../../db/database.ts';
import { type AuditEntry, recordInEach } from '../audit/record.ts';
import { listMembershipsOfUser } from './lookup.ts';

/**
 * In each workspace of which the user is a member. Needs a transaction of that user (`installTx` with the user's id), which
 * is the last workspace's afterwards.
 */
export async function recordWhereMember(
  tx: Tx,
  userId: string,
  entry: Omit<AuditEntry, 'targetType' | 'targetId'>,
): Promise<void> {
  const tenantIds = (await listMembershipsOfUser(tx, userId)).map(({ tenantId }) => tenantId);
  await recordInEach(tx, tenantIds, { ...entry, targetType: 'user', targetId: userId });
}

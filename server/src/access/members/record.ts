/** What concerns a person wherever they are a member: audit events, and invitations that they have made. */
import { switchTenant, type Tx } from '../../db/database.ts';
import { type AuditEntry, recordInEach } from '../audit/record.ts';
import { withdrawInvitationsOf } from './invitation-store.ts';
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

/** Those that are open and that the user has made, in every workspace. Needs such a transaction, as above. */
export async function withdrawInvitationsBy(tx: Tx, userId: string): Promise<void> {
  for (const { tenantId } of await listMembershipsOfUser(tx, userId)) {
    await switchTenant(tx, tenantId);
    await withdrawInvitationsOf(tx, tenantId, userId);
  }
}

/** Actions for a person in all their workspaces: recording audit events, and withdrawing their invitations. */
import { type InstallTx, switchTenant } from '../../db/database.ts';
import type { UserId } from '../../domain/ids.ts';
import { type AuditEntry, recordInEach } from '../audit/record.ts';
import { withdrawInvitationsOf } from './invitation-store.ts';
import { listMembershipsOfUser } from './lookup.ts';

/**
 * Records the entry in each workspace of which the user is a member. Needs a transaction of that user (`installTx` with
 * the user's id), which has the last workspace as its tenant afterwards.
 */
export async function recordWhereMember(
  tx: InstallTx,
  userId: UserId,
  entry: Omit<AuditEntry, 'targetId'>,
): Promise<void> {
  const tenantIds = (await listMembershipsOfUser(tx, userId)).map(({ tenantId }) => tenantId);
  await recordInEach(tx, tenantIds, { ...entry, targetId: userId });
}

/** Withdraws the open invitations that the user has made, in every workspace. Needs a transaction as above. */
export async function withdrawInvitationsBy(tx: InstallTx, userId: UserId): Promise<void> {
  for (const { tenantId } of await listMembershipsOfUser(tx, userId)) {
    await withdrawInvitationsOf(switchTenant(tx, tenantId), userId, { alsoReceived: false });
  }
}

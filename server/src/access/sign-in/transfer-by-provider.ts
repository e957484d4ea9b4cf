/**
 * If the provider says that an address is verified, the account that an invitation created is transferred to its owner.
 */
import type { FastifyBaseLogger } from 'fastify';
import { type Database, installTx } from '../../db/database.ts';
import { oidcProviderId, type ProvenIdentity } from './identity.ts';
import { logAccountTransfer } from './log.ts';
import { findUnproven, replaceCredentials } from './sign-in-store.ts';
import { transferAccount } from './transfer-account.ts';

/** Changes nothing unless an enabled account has this address and nobody has proved the address yet. */
export async function transferByProvider(
  db: Database,
  log: FastifyBaseLogger,
  { accountId, email, name }: ProvenIdentity,
): Promise<void> {
  if (email === undefined) return;
  const identity = { providerId: oidcProviderId, accountId, email };
  const userId = await installTx(db, (tx) => findUnproven(tx, identity));
  if (userId === undefined) return;
  const keysRevoked = await installTx(
    db,
    async (tx) => {
      // Another sign-in may have been first.
      if ((await findUnproven(tx, identity, true)) !== userId) return undefined;
      await replaceCredentials(tx, userId, { providerId: oidcProviderId, accountId, name });
      return transferAccount(tx, userId, { actorId: userId });
    },
    userId,
  );
  if (keysRevoked !== undefined) logAccountTransfer(log, userId, keysRevoked);
}

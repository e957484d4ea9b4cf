/**
 * The link of a mailed invitation proves the address. If somebody else has created an account with it, which was never
 * proved, the account is transferred to the owner of the address, with a new password.
 */
import type { FastifyBaseLogger } from 'fastify';
import { type Database, installTx } from '../../db/database.ts';
import { checkedName } from '../../domain/plain-name.ts';
import type { Tenant } from '../../http/principal.ts';
import { acceptInvitation } from '../members/invitations.ts';
import { setPassword } from '../users/service.ts';
import { logAccountTransfer } from './log.ts';
import { findUnproven, renameUser } from './sign-in-store.ts';
import { transferAccount } from './transfer-account.ts';

/**
 * Joins the workspace of the link `token`, which must be that of the mail. Returns undefined and changes nothing unless
 * an enabled account has this address and nobody has proved the address yet. Throws as `acceptInvitation`, and
 * DomainError.
 */
export async function joinByTransfer(
  db: Database,
  log: FastifyBaseLogger,
  { token, email, name, password }: { token: string; email: string; name: string; password: string },
  requestId: string,
): Promise<Tenant | undefined> {
  const userId = await installTx(db, (tx) => findUnproven(tx, { email }));
  if (userId === undefined) return undefined;
  const joined = await installTx(
    db,
    async (tx) => {
      // Another request may have been first.
      if ((await findUnproven(tx, { email }, true)) !== userId) return undefined;
      await setPassword(tx, userId, password);
      await renameUser(tx, userId, checkedName(name, 'name'));
      const keysRevoked = await transferAccount(tx, userId, { actorId: userId, requestId });
      return { tenant: await acceptInvitation(tx, token, { id: userId, email }, requestId), keysRevoked };
    },
    userId,
  );
  if (joined !== undefined) logAccountTransfer(log, userId, joined.keysRevoked);
  return joined?.tenant;
}

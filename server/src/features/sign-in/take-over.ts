/** When the provider says that an address is verified, its bearer takes over the account that an invitation made. */
import type { FastifyBaseLogger } from 'fastify';
import { type Database, installTx } from '../../db/database.ts';
import { cleanedName } from '../../plain-name.ts';
import { claimAccount } from './claim-account.ts';
import { logTakeOver } from './log.ts';
import { findUnproven, replaceCredentials } from './sign-in-store.ts';

export const oidcProviderId = 'sso';

export interface ProvenIdentity {
  subject: string;
  /** In lower case. */
  email: string;
  /** In so many words, by the claim that the standard has for it. */
  emailVerified: boolean;
  name: string;
}

/** From claims that were checked. A name that misleads or is missing is mended. */
export function provenIdentity(claims: Record<string, unknown>): ProvenIdentity {
  const { sub, name, email_verified: verified } = claims;
  const email = typeof claims.email === 'string' ? claims.email.toLowerCase() : '';
  return {
    subject: typeof sub === 'string' || typeof sub === 'number' ? String(sub) : '',
    email,
    emailVerified: verified === true || verified === 'true',
    name: cleanedName(typeof name === 'string' ? name : '') || cleanedName(email.split('@')[0] ?? ''),
  };
}

/** Nothing happens unless there is an account of this address, enabled, whose bearer has proven nothing. */
export async function takeOver(
  db: Database,
  log: FastifyBaseLogger,
  { subject, email, name }: ProvenIdentity,
): Promise<void> {
  if (subject === '' || email === '') return;
  const identity = { providerId: oidcProviderId, subject, email };
  const userId = await installTx(db, (tx) => findUnproven(tx, identity));
  if (userId === undefined) return;
  const keysRevoked = await installTx(
    db,
    async (tx) => {
      // Another sign-in may have been first.
      if ((await findUnproven(tx, identity, true)) !== userId) return undefined;
      await replaceCredentials(tx, userId, { providerId: oidcProviderId, subject, name });
      return claimAccount(tx, userId, { actorId: userId });
    },
    userId,
  );
  if (keysRevoked !== undefined) logTakeOver(log, userId, keysRevoked);
}

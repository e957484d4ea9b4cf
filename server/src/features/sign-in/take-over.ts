/**
 * An account that came by an invitation has an address that nobody has proven: the link may have been opened by somebody
 * else. When the provider says that the address is verified, its bearer takes the account over: the password goes, all
 * sessions end, personal keys are revoked, its invitations are withdrawn. Never the other way round.
 */
import type { FastifyBaseLogger } from 'fastify';
import { type Database, installTx } from '../../db/database.ts';
import { cleanedName } from '../../plain-name.ts';
import { revokePersonalKeys } from '../api-keys/personal-keys.ts';
import { recordWhereMember, withdrawInvitationsBy } from '../members/record.ts';
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
      // After the sessions: who was just making a key is done by now, or has no session any more.
      const revoked = await revokePersonalKeys(tx, userId, { actorId: userId });
      await withdrawInvitationsBy(tx, userId);
      await recordWhereMember(tx, userId, { actorId: userId, action: 'user.take_over' });
      return revoked;
    },
    userId,
  );
  if (keysRevoked !== undefined) logTakeOver(log, userId, keysRevoked);
}

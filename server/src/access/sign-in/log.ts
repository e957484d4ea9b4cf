/**
 * The server's log shows events of sign-in to log collectors: the name of the event and the user's id, never an e-mail
 * address or a password. `docs/operations.md` lists the events.
 */
import type { FastifyBaseLogger } from 'fastify';
import { formatId, type UserId } from '../../domain/ids.ts';

export function logSignIn(log: FastifyBaseLogger, userId: UserId, method: 'password' | 'oidc'): void {
  log.info({ event: 'signed-in', user_id: formatId('user', userId), method }, 'signed in');
}

export function logSignOutEverywhere(log: FastifyBaseLogger, userId: UserId): void {
  log.info({ event: 'signed-out-everywhere', user_id: formatId('user', userId) }, 'signed out everywhere');
}

export function logPasswordChange(log: FastifyBaseLogger, userId: UserId): void {
  log.info({ event: 'password-changed', user_id: formatId('user', userId) }, 'password changed');
}

export function logLockOut(log: FastifyBaseLogger, userId: UserId): void {
  log.warn({ event: 'locked-out', user_id: formatId('user', userId) }, 'too many wrong passwords');
}

export function logIdentityLink(log: FastifyBaseLogger, userId: UserId): void {
  log.info(
    { event: 'identity-linked', user_id: formatId('user', userId) },
    'identity of the provider linked',
  );
}

export function logAccountTransfer(log: FastifyBaseLogger, userId: UserId, keysRevoked: number): void {
  const event = {
    event: 'account-transferred',
    user_id: formatId('user', userId),
    keys_revoked: keysRevoked,
  };
  log.warn(event, 'an account with an unproved address was transferred to the owner of the address');
}

/** What the routes of signing in share: the library, the sessions, the limit on guessing; a sign-in by password. */
import { verifyPassword } from 'better-auth/crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Database, installTx, type Tx } from '../../db/database.ts';
import { foldEmail } from '../../domain/email.ts';
import { authenticationRequired, serviceUnavailable } from '../../domain/errors.ts';
import { recordWhereMember } from '../members/record.ts';
import { replacePassword } from '../users/service.ts';
import type { Auth } from './auth.ts';
import { inTurn } from './hashing.ts';
import type { LockOut } from './lock-out.ts';
import { logSignIn } from './log.ts';
import type { Sessions } from './sessions.ts';

export interface SignIn {
  auth: Auth;
  sessions: Sessions;
  lockOut: LockOut;
  /** Where a write must come from; null: from the host that the request names. */
  ownOrigin: string | null;
}

/**
 * Sets the cookie. Throws 401 for a wrong password, an unknown address, a person without a password or disabled alike,
 * 429 for whoever has tried too often, 503 where too many sign in or the database is away.
 */
export async function signInByPassword(
  db: Database,
  { auth, lockOut }: SignIn,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
  password: string,
): Promise<void> {
  await lockOut.take(email, request.ip);
  const before = await installTx(db, (tx) => findCredential(tx, email));
  // The library reads the address from this header; what a client wrote there does not get this far.
  const headers = new Headers({
    'user-agent': request.headers['user-agent'] ?? '',
    'x-forwarded-for': request.ip,
  });
  const response = await inTurn(() =>
    auth.api.signInEmail({ body: { email: foldEmail(email), password }, headers, asResponse: true }),
  );
  if (response.status >= 500) {
    await lockOut.giveBack(email, request.ip);
    throw serviceUnavailable();
  }
  if (!response.ok) throw authenticationRequired();
  const { token, user } = (await response.json()) as { token: string; user: { id: string } };
  if (!(await stands(db, email, before?.password ?? null, token))) throw authenticationRequired();
  await lockOut.giveBack(email, request.ip);
  reply.header('set-cookie', response.headers.getSetCookie());
  logSignIn(request.log, user.id, 'password');
}

/**
 * The new password takes the place of the one that the user shows; all sessions end. False where `current` is not the
 * password. Throws DomainError on `new`, 503 where too many sign in.
 */
export async function changePassword(
  db: Database,
  user: { id: string; email: string },
  { current, new: next }: { current: string; new: string },
  requestId: string,
): Promise<boolean> {
  const before = await installTx(db, (tx) => findCredential(tx, user.email));
  const hash = before?.password ?? null;
  if (hash === null || !(await inTurn(() => verifyPassword({ hash, password: current })))) return false;
  return inTurn(() =>
    installTx(
      db,
      async (tx) => {
        if (!(await replacePassword(tx, user.id, hash, next, 'new'))) return false;
        await recordWhereMember(tx, user.id, { actorId: user.id, requestId, action: 'user.password' });
        return true;
      },
      user.id,
    ),
  );
}

interface Credential {
  password: string | null;
  is_disabled: boolean;
}

async function findCredential(tx: Tx, email: string, lock = ''): Promise<Credential | undefined> {
  const [row] = await tx.query<Credential>(
    `select c.password, u.disabled_at is not null as is_disabled
       from user_account u join user_credential c on c.user_id = u.id and c.provider_id = 'credential'
      where u.email = $1 and u.kind = 'user' ${lock}`,
    [foldEmail(email)],
  );
  return row;
}

// A password that was changed while this one was looked at: who changed it ended all sessions, and this one came after.
async function stands(db: Database, email: string, password: string | null, token: string): Promise<boolean> {
  return installTx(db, async (tx) => {
    const now = await findCredential(tx, email, 'for share of c');
    if (now && !now.is_disabled && now.password === password) return true;
    await tx.query('delete from user_session where token = $1', [token]);
    return false;
  });
}

/** The parts that all routes of sign-in share: library, sessions, limit on guessing, and the sign-in by password. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Database, installTx } from '../../db/database.ts';
import { foldEmail } from '../../domain/email.ts';
import { authenticationRequired, invalidInput, serviceUnavailable } from '../../domain/errors.ts';
import type { UserId } from '../../domain/ids.ts';
import { recordWhereMember } from '../members/record.ts';
import { verifyPassword } from '../users/passwords.ts';
import { replacePassword } from '../users/service.ts';
import { inTurn } from './hashing.ts';
import type { KnownBrowsers } from './known-browsers.ts';
import { type LazyAuth, requestHeadersOf } from './lazy-auth.ts';
import type { Attempt, LockOut } from './lock-out.ts';
import { logSignIn } from './log.ts';
import type { Sessions } from './sessions.ts';
import { deleteSession, findCredential } from './sign-in-store.ts';

export interface SignIn {
  auth: LazyAuth;
  sessions: Sessions;
  lockOut: LockOut;
  knownBrowsers: KnownBrowsers;
  /** The origin that a write must come from; null means the host of the request. */
  ownOrigin: string | null;
}

/** The attempt of a request to show that it knows the password of the account. */
export async function attemptOf(
  db: Database,
  { knownBrowsers }: SignIn,
  request: FastifyRequest,
  email: string,
): Promise<Attempt> {
  const browser = await knownBrowsers.find(request, email, () => readHash(db, email));
  return { email, address: request.ip, browser };
}

/**
 * Sets the cookies. Throws the same 401 for a wrong password, an unknown address, and a person who is disabled or has
 * no password. Throws 429 after too many attempts, and 503 if too many people sign in or the database is down. `known`
 * is the id of a browser that was known before the password changed.
 */
export async function signInByPassword(
  db: Database,
  signIn: SignIn,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
  password: string,
  known: string | null = null,
): Promise<void> {
  const { auth, lockOut, knownBrowsers } = signIn;
  const { browser, ...sender } = await attemptOf(db, signIn, request, email);
  const attempt = { ...sender, browser: browser ?? known };
  const isRight = await lockOut.guard(attempt, async () => {
    const hash = await readHash(db, email);
    const response = await inTurn(email, async () =>
      (await auth()).api.signInEmail({
        body: { email: foldEmail(email), password },
        headers: requestHeadersOf(request, ['user-agent']),
        asResponse: true,
      }),
    );
    if (response.status >= 500) throw serviceUnavailable();
    if (!response.ok) return false;
    const { token, user } = (await response.json()) as { token: string; user: { id: UserId } };
    if (!(await isStillValid(db, email, hash, token))) return false;
    const cookie = knownBrowsers.cookieFor({ email, hash }, attempt.browser);
    reply.header('set-cookie', [...response.headers.getSetCookie(), cookie]);
    logSignIn(request.log, user.id, 'password');
    return true;
  });
  if (!isRight) throw authenticationRequired();
}

/**
 * Replaces the password and ends all sessions. Returns false if `current` is not the password. Throws DomainError on
 * `new`, and on `current` for an account without a password; 503 if too many sign in.
 */
export async function changePassword(
  db: Database,
  user: { id: UserId; email: string },
  { current, new: next }: { current: string; new: string },
  requestId: string,
): Promise<boolean> {
  const hash = await readHash(db, user.email);
  if (hash === null) {
    const problem = 'Your account has no password. The operator sets one: merlond user password.';
    throw invalidInput(problem, 'current');
  }
  if (!(await inTurn(user.email, () => verifyPassword({ hash, password: current })))) return false;
  return inTurn(user.email, () =>
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

async function readHash(db: Database, email: string): Promise<string | null> {
  const credential = await installTx(db, (tx) => findCredential(tx, email));
  return credential?.password ?? null;
}

// A change of the password during this sign-in has ended all sessions before this one was created, so this one must end
// too.
async function isStillValid(
  db: Database,
  email: string,
  password: string | null,
  token: string,
): Promise<boolean> {
  return installTx(db, async (tx) => {
    const now = await findCredential(tx, email, 'for share of c');
    if (now && !now.is_disabled && now.password === password) return true;
    await deleteSession(tx, token);
    return false;
  });
}

/** What the routes of signing in share: the library, the sessions, the limit on guessing; a sign-in by password. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Auth } from './auth.ts';
import type { LockOut } from './lock-out.ts';
import type { Sessions } from './sessions.ts';

export interface SignIn {
  auth: Auth;
  sessions: Sessions;
  lockOut: LockOut;
  /** Where a write must come from; null: from the host that the request names. */
  ownOrigin: string | null;
}

/** False for a wrong password, an unknown address, a person without a password alike. Sets the cookie. */
export async function signInByPassword(
  auth: Auth,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
  password: string,
): Promise<boolean> {
  // The library reads the address from this header; what a client wrote there does not get this far.
  const headers = new Headers({
    'user-agent': request.headers['user-agent'] ?? '',
    'x-forwarded-for': request.ip,
  });
  const response = await auth.api.signInEmail({ body: { email, password }, headers, asResponse: true });
  if (!response.ok) return false;
  reply.header('set-cookie', response.headers.getSetCookie());
  return true;
}

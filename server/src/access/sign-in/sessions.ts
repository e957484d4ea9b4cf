/**
 * Turns a cookie into a caller. Each request looks the session up, so that an ended session is refused at the next one.
 * A write must come from the console's own pages: the browser shows that by `Origin`, and the page by a token that only
 * it can read.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { InstallSecret } from '../../db/install-secret.ts';
import { authenticationRequired, originRefused, serviceUnavailable } from '../../domain/errors.ts';
import type { SessionId, UserId } from '../../domain/ids.ts';
import { dayMs } from '../../domain/time.ts';
import type { Caller, SessionCredential } from '../../http/principal.ts';
import { type LazyAuth, requestHeadersOf } from './lazy-auth.ts';

export interface Session {
  credential: SessionCredential;
  user: Caller['user'];
  csrfToken: string;
  /** Set-Cookie headers if the session was prolonged. */
  cookies: string[];
}

// A session ends after this time even if it is extended, so that a copied cookie ends too.
const longestMs = 30 * dayMs;

export interface Sessions {
  /** Undefined without a valid session. `prolong` says that the request is a visit, which extends the session. */
  find(request: FastifyRequest, options?: { prolong: boolean }): Promise<Session | undefined>;
  /** Throws 401; 403 for a write that the console did not send. */
  authenticate(request: FastifyRequest): Promise<Caller>;
}

/**
 * `ownOrigin` null means that the host of the request is the server's own. Without `passwords`, a session that began
 * with one is not valid.
 */
export function sessionsOf(
  auth: LazyAuth,
  secret: InstallSecret,
  { ownOrigin, passwords }: { ownOrigin: string | null; passwords: boolean },
): Sessions {
  const csrfKey = secret.key('csrf');
  const csrfTokenOf = (sessionId: string): string =>
    createHmac('sha256', csrfKey).update(sessionId).digest('base64url');

  const find: Sessions['find'] = async (request, { prolong } = { prolong: false }) => {
    if (request.headers.cookie === undefined) return undefined;
    const { response, headers } = await readSession(auth, request, prolong);
    if (!response) return undefined;
    const { session, user } = response;
    if (user.disabledAt || user.kind !== 'user') return undefined;
    if (session.createdAt.getTime() < Date.now() - longestMs) return undefined;
    if (session.byPassword && !passwords) return undefined;
    return {
      credential: {
        type: 'session',
        id: session.id as SessionId,
        signedInAt: session.createdAt,
        expiresAt: session.expiresAt,
        operator: user.operator,
      },
      user: { id: user.id as UserId, name: user.name, email: user.email, kind: 'user' },
      csrfToken: csrfTokenOf(session.id),
      cookies: headers.getSetCookie(),
    };
  };

  return {
    find,
    authenticate: async (request) => {
      const session = await find(request);
      if (!session) throw authenticationRequired();
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        checkOrigin(request, ownOrigin);
        checkToken(request.headers['x-csrf-token'], session.csrfToken);
      }
      return { credential: session.credential, user: session.user };
    },
  };
}

// An error of the library here means that the database is down. The library itself would answer 500.
async function readSession(auth: LazyAuth, request: FastifyRequest, prolong: boolean) {
  try {
    return await (await auth()).api.getSession({
      headers: requestHeadersOf(request),
      query: { disableRefresh: !prolong },
      returnHeaders: true,
    });
  } catch (error) {
    request.log.error({ err: error }, 'session not read');
    throw serviceUnavailable();
  }
}

/** Throws 403 unless the browser says that one of our own pages sent the request. */
export function checkOrigin(request: FastifyRequest, ownOrigin: string | null): void {
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const parsed = origin === undefined ? null : URL.parse(origin);
  const own = ownOrigin === null ? parsed?.host === host : parsed?.origin === ownOrigin;
  if (!parsed || !own || (site !== undefined && site !== 'same-origin')) {
    throw originRefused('The request does not come from this console.');
  }
}

function checkToken(given: string | string[] | undefined, expected: string): void {
  const left = Buffer.from(typeof given === 'string' ? given : '');
  const right = Buffer.from(expected);
  if (left.length !== right.length || !timingSafeEqual(left, right)) {
    throw originRefused('The X-CSRF-Token header is missing, or belongs to another session.');
  }
}

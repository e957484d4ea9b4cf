/** `/console/session/oidc` and the callback of the provider. */
import { Type } from 'typebox';
import { rateLimitExceeded, resourceNotFound } from '../../domain/errors.ts';
import type { UserId } from '../../domain/ids.ts';
import { networkOf } from '../../http/network.ts';
import { type Counts, tryLimiter } from '../../http/rate-limit.ts';
import { closedObject, namedObject } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { oidcCallbackPath, oidcProviderId } from './identity.ts';
import { requestHeadersOf } from './lazy-auth.ts';
import { logSignIn } from './log.ts';
import { type ApplyGroups, withGroups } from './provider-groups.ts';
import { checkOrigin } from './sessions.ts';
import type { SignIn } from './sign-in.ts';

const tags = ['Console'];

// Each start writes a row. An office behind one address has many people, who rarely sign in at once.
const maxStartsOfNetwork = 300;
const startsWindowSeconds = 15 * 60;

export function oidcRoutes(
  app: Server,
  { auth, sessions, ownOrigin }: SignIn,
  applyGroups: ApplyGroups,
  counts: Counts,
): void {
  const { config } = app.deps;
  const starts = tryLimiter('sign-in-start', maxStartsOfNetwork, startsWindowSeconds, counts);

  app.post('/console/session/oidc', {
    config: { access: 'public' },
    schema: {
      operationId: 'beginOidc',
      tags,
      summary: 'Begin to sign in at the provider',
      body: closedObject({
        next: Type.Optional(Type.String({ maxLength: 1000, pattern: '^/(?![/\\\\])[\\x21-\\x7e]*$' })),
      }),
      response: { 200: namedObject('SignInAddress', { url: Type.String() }) },
    },
    handler: async (request, reply) => {
      checkOrigin(request, ownOrigin);
      if (!config.oidc) throw resourceNotFound();
      const waitSeconds = await starts.take(networkOf(request.ip));
      if (waitSeconds > 0) throw rateLimitExceeded(waitSeconds);
      const response = await (await auth()).api.signInSocial({
        body: {
          provider: oidcProviderId,
          callbackURL: request.body.next ?? '/',
          errorCallbackURL: '/sign-in',
          disableRedirect: true,
        },
        headers: requestHeadersOf(request),
        asResponse: true,
      });
      const { url } = (await response.json()) as { url?: string };
      if (!response.ok || url === undefined) throw resourceNotFound();
      return reply.header('set-cookie', response.headers.getSetCookie()).send({ url });
    },
  });

  // The browser comes back from the provider, and the library checks state, nonce and signature.
  app.get(oidcCallbackPath, {
    config: { access: 'public', anyQuery: true },
    schema: { hide: true },
    handler: async (request, reply) => {
      if (!config.oidc) throw resourceNotFound();
      const url = new URL(request.raw.url ?? '', config.publicUrl ?? 'http://localhost');
      const headers = requestHeadersOf(request);
      const before = await sessions.find(request);
      const library = await auth();
      const { result: response, groups } = await withGroups(() =>
        library.handler(new Request(url, { headers })),
      );
      const userId = await userOf(response);
      if (userId !== undefined) {
        logSignIn(request.log, userId, 'oidc');
        if (groups !== undefined) {
          // Teams give no rights, so a failure is no reason to keep the person out. The next sign-in tries again.
          await applyGroups(userId, groups, request.id).catch((error: unknown) =>
            request.log.warn({ err: error }, 'groups of the provider not applied'),
          );
        }
        // The new session replaces the previous one.
        if (before) await library.api.signOut({ headers, asResponse: true });
      }
      return reply
        .code(response.status)
        .header('set-cookie', response.headers.getSetCookie())
        .header('location', withoutAccounts(response.headers.get('location') ?? '/sign-in'))
        .send();
    },
  });

  /** Returns the id of the user whom the library's answer signs in; undefined if it signs nobody in. */
  async function userOf(response: Response): Promise<UserId | undefined> {
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '');
    if (!cookies.some((cookie) => cookie.includes('session_token='))) return undefined;
    const headers = new Headers({ cookie: cookies.join('; ') });
    const session = await (await auth()).api.getSession({ headers, query: { disableRefresh: true } });
    return session?.user.id as UserId | undefined;
  }
}

/** Errors that tell whether an address has an account here become one error, because the caller must not learn that. */
function withoutAccounts(location: string): string {
  const telling = /[?&]error=(?:account_not_linked|unable_to_link_account|email_not_verified)\b/;
  return telling.test(location) ? '/sign-in?error=identity_refused' : location;
}

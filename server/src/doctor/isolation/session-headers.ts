/** Makes a session without the sign-in form: the headers that the console would send. */
import { createHmac } from 'node:crypto';
import { type LazyAuth, lazyAuth } from '../../access/sign-in/lazy-auth.ts';
import { installTx } from '../../db/database.ts';
import type { UserId } from '../../domain/ids.ts';
import type { Install } from './install.ts';
import { send } from './send.ts';

// A server needs the library once, however many people sign in.
const authOf = new WeakMap<object, LazyAuth>();

/** `signedInAt` is recorded as the time of the sign-in. */
export async function sessionHeaders(
  server: Install,
  userId: UserId,
  options: { signedInAt?: Date } = {},
): Promise<Record<string, string>> {
  const { app, db, config, secret } = server;
  const auth = authOf.get(app) ?? lazyAuth({ ...config, oidc: null }, db, secret, app.log);
  authOf.set(app, auth);
  const context = await (await auth()).$context;
  const session = await context.internalAdapter.createSession(userId);
  if (options.signedInAt) {
    await installTx(db, (tx) =>
      tx.query('update user_session set created_at = $2 where id = $1', [session.id, options.signedInAt]),
    );
  }
  const { name } = context.authCookies.sessionToken;
  return sessionHeadersOf(server, `${name}=${signed(session.token, context.secret)}`);
}

/** The headers of the session that this cookie belongs to. */
export async function sessionHeadersOf(
  { app, config }: Pick<Install, 'app' | 'config'>,
  cookie: string,
): Promise<Record<string, string>> {
  const origin = config.publicUrl ?? 'http://localhost';
  const { host } = new URL(origin);
  const shown = await send<{ csrf_token: string | null }>(app, {
    path: '/console/session',
    headers: { cookie, host },
  });
  return { cookie, host, origin, 'x-csrf-token': shown.body.csrf_token ?? '' };
}

// Signs as the library does: the value, a dot, and its HMAC-SHA256 in base64, percent-encoded.
function signed(value: string, secret: string): string {
  const signature = createHmac('sha256', secret).update(value).digest('base64');
  return encodeURIComponent(`${value}.${signature}`);
}

/** A person at the console: a session as a sign-in makes one, and requests with its cookie. */
import { createHmac } from 'node:crypto';
import { installTx } from '../../src/db/database.ts';
import { createAuth } from '../../src/features/sign-in/auth.ts';
import { type Answer, type Client, type Json, type RequestOptions, send } from './client.ts';
import type { TestServer } from './server.ts';

export interface SessionClient extends Client {
  delete<Body = Json>(path: string, body?: object): Promise<Answer<Body>>;
  send<Body = Json>(options: Omit<RequestOptions, 'authorization'>): Promise<Answer<Body>>;
  /** Cookie header and what a write needs beside it. */
  headers: Record<string, string>;
}

const origin = 'http://localhost';

/** Signs the user in, without the form. `signedInAt`: as if it had been then. */
export async function signInAs(
  server: TestServer,
  userId: string,
  options: { signedInAt?: Date } = {},
): Promise<SessionClient> {
  const { app, db, config, secret } = server;
  const auth = createAuth(config, db, secret, app.log);
  const context = await auth.$context;
  const session = await context.internalAdapter.createSession(userId);
  if (options.signedInAt) {
    await installTx(db, (tx) =>
      tx.query('update user_session set created_at = $2 where id = $1', [session.id, options.signedInAt]),
    );
  }
  const { name } = context.authCookies.sessionToken;
  return sessionClient(server, `${name}=${signed(session.token, context.secret)}`);
}

/** Signs in by the form. */
export async function signInWith(
  server: TestServer,
  email: string,
  password: string,
): Promise<SessionClient> {
  const answer = await send(server.app, {
    method: 'POST',
    path: '/console/session',
    headers: { origin, host: 'localhost' },
    body: { email, password },
  });
  if (answer.status !== 204) throw new Error(`not signed in: ${answer.status} ${answer.text}`);
  const cookie = (answer.headers['set-cookie'] ?? '').split(';')[0] ?? '';
  return sessionClient(server, cookie);
}

async function sessionClient({ app }: TestServer, cookie: string): Promise<SessionClient> {
  const shown = await send<{ csrf_token: string | null }>(app, {
    path: '/console/session',
    headers: { cookie, host: 'localhost' },
  });
  const headers = {
    cookie,
    host: 'localhost',
    origin,
    'x-csrf-token': shown.body.csrf_token ?? '',
  };
  const ask: SessionClient['send'] = (options) =>
    send(app, { ...options, headers: { ...headers, ...options.headers } });
  return {
    headers,
    send: ask,
    get: (path) => ask({ path }),
    post: (path, body) => ask({ method: 'POST', path, body }),
    put: (path, body) => ask({ method: 'PUT', path, body }),
    patch: (path, body) => ask({ method: 'PATCH', path, body }),
    delete: (path, body) => ask({ method: 'DELETE', path, body }),
  };
}

// As the library signs: the value, a dot, the HMAC-SHA256 of it in base64, percent-encoded.
function signed(value: string, secret: string): string {
  const signature = createHmac('sha256', secret).update(value).digest('base64');
  return encodeURIComponent(`${value}.${signature}`);
}

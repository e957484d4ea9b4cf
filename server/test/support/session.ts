/** A person at the console: a session like from a sign-in, and requests with its cookie. */
import { sessionHeaders, sessionHeadersOf } from '../../src/doctor/isolation/session-headers.ts';
import type { UserId } from '../../src/domain/ids.ts';
import { type Answer, type Client, type Json, type RequestOptions, send } from './client.ts';
import type { TestServer } from './server.ts';

export interface SessionClient extends Client {
  delete<Body = Json>(path: string, body?: object): Promise<Answer<Body>>;
  send<Body = Json>(options: Omit<RequestOptions, 'authorization'>): Promise<Answer<Body>>;
  /** The cookie header and the headers that a write needs. */
  headers: Record<string, string>;
}

const origin = 'http://localhost';

/** Signs the user in without the form. `signedInAt` is recorded as the time of the sign-in. */
export async function signInAs(
  server: TestServer,
  userId: UserId,
  options: { signedInAt?: Date } = {},
): Promise<SessionClient> {
  return sessionClient(server, await sessionHeaders(server, userId, options));
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
  return sessionClient(server, await sessionHeadersOf(server, cookie));
}

function sessionClient({ app }: TestServer, headers: Record<string, string>): SessionClient {
  const sendRequest: SessionClient['send'] = (options) =>
    send(app, { ...options, headers: { ...headers, ...options.headers } });
  return {
    headers,
    send: sendRequest,
    get: (path) => sendRequest({ path }),
    post: (path, body) => sendRequest({ method: 'POST', path, body }),
    put: (path, body) => sendRequest({ method: 'PUT', path, body }),
    patch: (path, body) => sendRequest({ method: 'PATCH', path, body }),
    delete: (path, body) => sendRequest({ method: 'DELETE', path, body }),
  };
}

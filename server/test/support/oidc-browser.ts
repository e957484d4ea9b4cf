/** A browser that signs in at an OpenID Connect provider, redirect by redirect. */
import assert from 'node:assert/strict';
import type { Server } from '../../src/http/server.ts';
import { send } from './client.ts';
import type { Identity, IdentityProvider } from './identity-provider.ts';

export class Jar {
  readonly #cookies = new Map<string, string>();

  take(setCookie: string[]): void {
    for (const line of setCookie) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }

  get header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

/** `home`: the address of the server, which is its MERLON_PUBLIC_URL. */
export function oidcBrowser(app: Server, home: string, provider: IdentityProvider) {
  async function begin(jar: Jar, next?: string): Promise<string> {
    const answer = await app.inject({
      method: 'POST',
      url: '/console/session/oidc',
      headers: { origin: home, cookie: jar.header },
      payload: next === undefined ? {} : { next },
    });
    assert.equal(answer.statusCode, 200, answer.body);
    jar.take([answer.headers['set-cookie'] ?? []].flat());
    return answer.json<{ url: string }>().url;
  }

  /** The provider's answer: the address that it sends the browser back to. */
  async function atProvider(url: string): Promise<string> {
    const jar = new Jar();
    let next = url;
    while (!next.startsWith(home)) {
      const response = await fetch(next, { redirect: 'manual', headers: { cookie: jar.header } });
      jar.take(response.headers.getSetCookie());
      const location = response.headers.get('location');
      assert.ok(location, `${response.status} ${await response.text()}`);
      next = new URL(location, next).href;
    }
    return next.slice(home.length);
  }

  async function comeBack(jar: Jar, path: string, headers: Record<string, string> = {}) {
    const answer = await app.inject({ url: path, headers: { ...headers, cookie: jar.header } });
    jar.take([answer.headers['set-cookie'] ?? []].flat());
    return answer;
  }

  async function signInAs(identity: Identity, next?: string) {
    provider.identity = identity;
    const jar = new Jar();
    const answer = await comeBack(jar, await atProvider(await begin(jar, next)));
    const session = await send<{
      signed_in: boolean;
      user: { email: string; id: string; name: string } | null;
    }>(app, {
      path: '/console/session',
      headers: { cookie: jar.header },
    });
    return { answer, session: session.body, location: String(answer.headers.location) };
  }

  return { begin, atProvider, comeBack, signInAs };
}

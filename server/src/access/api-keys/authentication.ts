/**
 * Turns the Authorization header into a caller. A valid key is remembered for at most one second, so a revoked key
 * works no longer than that on any node. An invalid key is never remembered. The last use of keys is written after the
 * requests, many at a time.
 */
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Database, installTx } from '../../db/database.ts';
import { authenticationRequired } from '../../domain/errors.ts';
import type { Caller } from '../../http/principal.ts';
import { hashKey, isKeyString } from './key-string.ts';
import { findCaller, type KeyUse, updateLastUsed } from './store.ts';

// A revoked key must be refused within one second on every node; the rest of the second is for clock and commit.
const rememberMs = 900;
const rememberAtMost = 10_000;
// The interval makes one statement of thousands of requests, and is short enough for a person who watches the list.
const flushMs = 3_000;

export interface KeyAuthentication {
  authenticate(request: FastifyRequest): Promise<Caller>;
  /** Writes the noted uses; it runs by itself every three seconds and at the end. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export function keyAuthentication(db: Database, onError: (error: unknown) => void): KeyAuthentication {
  const remembered = new LRUCache<string, Caller>({ max: rememberAtMost, ttl: rememberMs, ttlResolution: 0 });
  let uses = new Map<string, KeyUse>();

  const flush = async (): Promise<void> => {
    if (uses.size === 0) return;
    const batch = [...uses.values()];
    uses = new Map();
    await installTx(db, (tx) => updateLastUsed(tx, batch));
  };
  const timer = setInterval(() => void flush().catch(onError), flushMs);
  timer.unref();

  return {
    authenticate: async (request) => {
      const text = bearerToken(request);
      const hash = hashKey(text);
      const cacheKey = hash.toString('base64');
      const now = Date.now();
      let caller = remembered.get(cacheKey);
      if (!caller) {
        // The time counts from before the look-up, because the row that it reads may be as old as that.
        const start = performance.now();
        caller = await installTx(db, (tx) => findCaller(tx, hash));
        if (!caller) throw invalidKey();
        remembered.set(cacheKey, caller, { start });
      }
      const { expiresAt } = caller.credential;
      if (expiresAt && expiresAt.getTime() <= now) throw invalidKey();
      uses.set(caller.credential.id, { id: caller.credential.id, at: new Date(now), address: request.ip });
      return caller;
    },
    flush,
    stop: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}

function bearerToken(request: FastifyRequest): string {
  const header = request.headers.authorization;
  if (header === undefined) {
    if (
      /[?&][^=&]*(?:key|token|authorization)[^=&]*=/i.test(request.url) ||
      /mrl_(?:pat|wsk)_/.test(request.url)
    ) {
      throw authenticationRequired({
        error: 'invalid_request',
        description:
          'Send the key in the Authorization header, never in the URL, and revoke one that was in a URL',
      });
    }
    throw authenticationRequired();
  }
  const match = /^Bearer +([^\s]+) *$/i.exec(header);
  if (!match?.[1]) {
    throw authenticationRequired({ error: 'invalid_request', description: 'The form is: Bearer <API key>' });
  }
  if (!isKeyString(match[1])) throw invalidKey();
  return match[1];
}

// A key that is unknown, expired, disabled or of a disabled user gets the same answer.
function invalidKey(): Error {
  return authenticationRequired({ error: 'invalid_token', description: 'The key is not valid' });
}

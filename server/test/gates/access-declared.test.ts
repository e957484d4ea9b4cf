/** Tests that a route must declare who may call it, or the server does not start. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { callerOf, principalOf } from '../../src/http/access.ts';
import type { Server } from '../../src/http/server.ts';
import { createTestDatabase } from '../support/database.ts';

const { db, secret } = await createTestDatabase();
const config = loadConfig({ MERLON_LOG_LEVEL: 'silent' });
const build = (): Promise<Server> => buildApp({ config, db, secret, log: false });
const handler = async (): Promise<object> => ({});

describe('access is declared', () => {
  test('a route without declared access throws at its registration', async () => {
    const app = await build();
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      assert.throws(
        () => app.route({ method, url: '/api/v1/:tenant_slug/forgotten', handler }),
        /\/api\/v1\/:tenant_slug\/forgotten declares no access/,
      );
    }
    assert.throws(() => app.get('/forgotten', { config: {} }, handler), /declares no access/);
    assert.throws(() => app.get('/documents', handler), /declares no access/);
  });

  test('a route without declared access in a plugin makes the start fail', async () => {
    const app = await build();
    await assert.rejects(async () => {
      await app.register(async (child) => {
        child.get('/forgotten', handler);
      });
      await app.ready();
    }, /\/forgotten declares no access/);
  });

  test('a route with declared access is registered', async () => {
    const app = await build();
    app.get('/declared', { config: { access: 'public' } }, handler);
    await app.ready();
    assert.equal((await app.inject('/declared')).statusCode, 200);
  });

  test('a handler that checks more than its route declares fails with 500 and no details', async () => {
    const app = await build();
    app.get('/of-nobody', { config: { access: 'public' } }, async (request) => ({ key: callerOf(request) }));
    app.get('/nowhere', { config: { access: 'public' } }, async (request) => principalOf(request));
    await app.ready();
    for (const path of ['/of-nobody', '/nowhere']) {
      const response = await app.inject(path);
      assert.equal(response.statusCode, 500);
      assert.deepEqual(Object.keys(response.json().details), ['request_id']);
    }
  });
});

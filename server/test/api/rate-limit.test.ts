/** Tests of the limit of requests per key, and of failed authentications per address. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newKeyString } from '../../src/access/api-keys/key-string.ts';
import { buildApp } from '../../src/app.ts';
import { sharedLimiters } from '../../src/http/rate-limit.ts';
import { fieldOf } from '../support/fields.ts';
import { createTestServer } from '../support/server.ts';
import { signInAs } from '../support/session.ts';
import { createTestKey, createTestWorkspace, createTestWorkspaceKey } from '../support/workspace.ts';
import { limits } from './spec-tables.ts';

const server = await createTestServer({ MERLON_RATE_LIMIT_PER_MINUTE: '60' });
const { people } = await createTestWorkspace(server, 'acme');
const newKey = async () =>
  (
    await createTestKey(server, {
      userId: people.admin.user.id,
      role: 'admin',
      scopes: ['scans:read', 'tenants:read'],
    })
  ).key;
const limit = limits.requestsPerMinute;

async function request(key: string, path = '/api/v1/acme/whoami', address = '10.0.0.1', app = server.app) {
  const response = await app.inject({
    url: path,
    headers: { authorization: `Bearer ${key}` },
    remoteAddress: address,
  });
  const header = (name: string): string => String(response.headers[name] ?? '');
  const structured = /^"default";r=(\d+);t=(\d+)$/.exec(header('ratelimit'));
  return {
    status: response.statusCode,
    body: response.json(),
    policy: header('ratelimit-policy'),
    remaining: Number(structured?.[1]),
    seconds: Number(structured?.[2]),
    legacy: ['limit', 'remaining', 'reset'].map((name) => Number(header(`x-ratelimit-${name}`))),
    retryAfter: header('retry-after'),
    headers: response.headers,
  };
}

describe('requests per key', () => {
  test('every answer has the remaining requests, in both forms of headers', async () => {
    const key = await newKey();
    // Refusals count too and have the headers, because the limit comes before everything except the key.
    const paths = [
      '/acme/whoami',
      '/acme/vulnerabilities',
      '/nowhere/whoami',
      '/acme/scans?per_page=0',
      '/tenants',
    ];
    const statuses = [200, 403, 404, 422, 200];
    for (const [i, path] of paths.entries()) {
      const answer = await request(key, `/api/v1${path}`);
      assert.equal(answer.status, statuses[i], path);
      assert.equal(answer.policy, `"default";q=${limit};w=60`);
      assert.equal(answer.remaining, limit - 1 - i, path);
      assert.ok(answer.seconds >= 1 && answer.seconds <= 60);
      assert.deepEqual(answer.legacy.slice(0, 2), [limit, answer.remaining]);
      const reset = Math.floor(Date.now() / 1000) + answer.seconds;
      assert.ok(Math.abs((answer.legacy[2] ?? 0) - reset) <= 1);
      assert.equal(answer.retryAfter, '');
    }
  });

  test('the 61st request of a minute is 429, and all its headers name the same instant', async () => {
    const key = await newKey();
    const answers = await Promise.all(Array.from({ length: limit }, () => request(key)));
    assert.ok(answers.every((answer) => answer.status === 200));
    assert.deepEqual(
      answers.map((answer) => answer.remaining).sort((a, b) => a - b),
      Array.from({ length: limit }, (_, i) => i),
    );
    const refused = await request(key);
    assert.equal(refused.status, 429);
    assert.deepEqual(refused.body, {
      code: 'RATE_LIMIT_EXCEEDED',
      message: refused.body.message,
      details: { retry_after_seconds: refused.seconds },
    });
    assert.equal(refused.retryAfter, String(refused.seconds));
    assert.deepEqual([refused.remaining, refused.legacy[1]], [0, 0]);
    assert.ok(Math.abs((refused.legacy[2] ?? 0) - Math.floor(Date.now() / 1000) - refused.seconds) <= 1);
    // The limit holds on every route of v1, before the workspace and the scope are checked.
    for (const path of ['/api/v1/tenants', '/api/v1/nowhere/whoami', '/api/v1/acme/vulnerabilities']) {
      assert.equal((await request(key, path)).status, 429, path);
    }
    assert.equal((await request(await newKey())).status, 200, 'another key of the same person');
    const health = await server.app.inject({ url: '/healthz', headers: { authorization: `Bearer ${key}` } });
    assert.equal(health.statusCode, 200, 'what is public has no limit');
    await sleep(1100);
    const later = await request(key);
    assert.equal(later.status, 429);
    assert.ok(
      later.seconds < refused.seconds,
      'waiting brings the end nearer, and trying does not put it off',
    );
  });

  test('nodes that share a database share the limit', async () => {
    const node = () =>
      buildApp({
        config: { ...server.config, databaseUrl: server.appUrl, rateLimitPerMinute: 10 },
        db: server.db,
        secret: server.secret,
        log: false,
      });
    const nodes = [await node(), await node()];
    server.beforeClose(() => Promise.all(nodes.map((app) => app.close())));
    const key = await newKey();
    const answers = [];
    for (let i = 0; i < 12; i++) answers.push(await request(key, undefined, undefined, nodes[i % 2]));
    assert.deepEqual(fieldOf(answers, 'status'), [...Array(10).fill(200), 429, 429]);
    assert.deepEqual(fieldOf(answers, 'remaining'), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
    assert.equal(answers[10]?.retryAfter, String(answers[10]?.seconds));

    let taken = 0;
    const count = (): void => void taken++;
    server.db.pool.on('acquire', count);
    const more = await Promise.all(
      Array.from({ length: 50 }, () => request(key, undefined, undefined, nodes[0])),
    );
    server.db.pool.off('acquire', count);
    assert.deepEqual([...new Set(more.map(({ status }) => status))], [429]);
    assert.ok(more.every(({ seconds }) => seconds >= 1 && seconds <= 60));
    assert.ok(taken <= 2, `${taken} connections for fifty requests beyond the limit`);
  });

  test('0 turns the limit off, and then there are no headers', async () => {
    const app = await buildApp({
      config: { ...server.config, rateLimitPerMinute: 0 },
      db: server.db,
      secret: server.secret,
      log: false,
    });
    server.beforeClose(() => app.close());
    const key = await newKey();
    const answers = await Promise.all(
      Array.from({ length: 70 }, () => request(key, undefined, undefined, app)),
    );
    assert.ok(answers.every((answer) => answer.status === 200 && answer.policy === ''));
  });
});

describe('requests per user and per workspace', () => {
  // Uploads have limits of the same kind, which are small here: 1 for a key, 10 for a user, 100 for a workspace.
  const node = async (settings: Partial<typeof server.config>) => {
    const app = await buildApp({
      config: { ...server.config, ...settings },
      db: server.db,
      secret: server.secret,
      log: false,
    });
    server.beforeClose(() => app.close());
    return app;
  };
  // The upload has no body. A request that the limit lets pass is refused later.
  const upload = async (app: typeof server.app, key: string, slug: string) => {
    const answer = await app.inject({
      method: 'POST',
      url: `/ingest/v1/${slug}/scans`,
      headers: { authorization: `Bearer ${key}` },
    });
    const { statusCode: status, headers } = answer;
    const passed = status !== 429 && status !== 403 && status !== 404;
    return { what: passed ? 'passed' : status, policy: headers['ratelimit-policy'], headers };
  };

  test('more keys of a person do not raise that person’s limit, and other people keep theirs', async () => {
    const workspace = await createTestWorkspace(server, 'many-keys');
    const app = await node({ uploadsPerMinute: 1 });
    const { user } = workspace.people.admin;
    const answers = [];
    for (let i = 0; i < 12; i++) {
      const { key } = await createTestKey(server, { userId: user.id, role: 'admin' });
      answers.push(await upload(app, key, 'many-keys'));
    }
    assert.deepEqual(fieldOf(answers, 'what'), [...Array(10).fill('passed'), 429, 429]);
    const { policy, headers } = answers[11] ?? assert.fail();
    assert.equal(answers[0]?.policy, '"default";q=1;w=60');
    assert.equal(policy, '"user";q=10;w=60');
    assert.match(String(headers.ratelimit), new RegExp(`^"user";r=0;t=${headers['retry-after']}$`));
    assert.deepEqual([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']], ['10', '0']);
    assert.equal((await upload(app, workspace.people.member.key, 'many-keys')).what, 'passed');
  });

  test('more sessions do not raise it either', async () => {
    const { user } = (await createTestWorkspace(server, 'many-sessions')).people.viewer;
    const app = await node({ rateLimitPerMinute: 1 });
    const sessions = [await signInAs(server, user.id), await signInAs(server, user.id)];
    const sendRequest = async (i: number) =>
      (await app.inject({ url: '/console/workspaces', headers: sessions[i]?.headers ?? {} })).statusCode;
    // Twenty at a time, so that all of them are in one minute on a slow machine too.
    for (let i = 0; i < 30; i++) {
      const statuses = await Promise.all(Array.from({ length: 20 }, () => sendRequest(0)));
      assert.deepEqual(statuses, Array(20).fill(200), String(i));
    }
    const second: number[] = [];
    for (let i = 0; i < 31; i++) second.push(await sendRequest(1));
    // Ten keys and a session: 610.
    assert.deepEqual(second, [...Array(10).fill(200), ...Array(21).fill(429)]);
  });

  test('all keys of a workspace share its limit, which strangers cannot use up', async () => {
    const workspace = await createTestWorkspace(server, 'shared');
    const stranger = await createTestWorkspace(server, 'stranger');
    const app = await node({ uploadsPerMinute: 1 });
    const keys: string[] = [];
    for (let i = 0; i < 102; i++) {
      keys.push((await createTestWorkspaceKey(server, workspace.tenant, 'admin')).key);
    }
    const foreign = await createTestWorkspaceKey(server, stranger.tenant, 'admin');
    assert.equal((await upload(app, foreign.key, 'shared')).what, 403);
    const answers = [];
    for (const key of keys) answers.push(await upload(app, key, 'shared'));
    assert.deepEqual(fieldOf(answers, 'what'), [...Array(100).fill('passed'), 429, 429]);
    assert.equal(answers[101]?.policy, '"workspace";q=100;w=60');
  });

  test('nodes that share a database share these limits', async () => {
    const { user } = (await createTestWorkspace(server, 'two-nodes')).people.admin;
    const settings = { uploadsPerMinute: 1, databaseUrl: server.appUrl };
    const nodes = [await node(settings), await node(settings)];
    const answers = [];
    for (let i = 0; i < 12; i++) {
      const { key } = await createTestKey(server, { userId: user.id, role: 'admin' });
      answers.push((await upload(nodes[i % 2] ?? assert.fail(), key, 'two-nodes')).what);
    }
    assert.deepEqual(answers, [...Array(10).fill('passed'), 429, 429]);
  });

  test('forty processes that share a database share these limits', async () => {
    for (const [perMinute, perSession, limit] of [
      [6, 0, 60],
      [60, 600, 1200],
    ] as const) {
      const processes = Array.from(
        { length: 40 },
        () => sharedLimiters(`forty-${limit}`, perMinute, perSession, server.db.pool).user,
      );
      let allowed = 0;
      let turnsWithoutRefusal = 0;
      for (let turn = 1; turn <= 60; turn++) {
        const states = await Promise.all(processes.map((process) => process.take('someone')));
        allowed += states.filter((state) => state === null).length;
        if (allowed === turn * processes.length) turnsWithoutRefusal = turn;
      }
      const first = turnsWithoutRefusal * processes.length;
      assert.ok(first > limit * 0.6, `the first is refused after ${first} of ${limit}`);
      assert.ok(allowed > limit * 0.95 && allowed <= limit, `${allowed} of ${limit} are allowed`);
    }
  });
});

test('a block that is refused as its minute ends is not given back to the next minute', {
  skip: process.env.TEST_CITUS_NODES !== undefined && 'Citus has no such trigger',
}, async (t) => {
  const { owner, db } = server;
  const { take } = sharedLimiters('minute-ends', 60, 0, db.pool).user;
  // The next block has four requests.
  for (let i = 0; i < 3; i++) assert.equal(await take('someone'), null);
  await owner.query(`
    create function count_slowly() returns trigger language plpgsql as
      $$ begin perform pg_sleep(6); return null; end $$;
    update rate_limit set points = 600, expire = ${Date.now() + 5_000} where key = 'minute-ends-user:someone';
    create trigger count_slowly after update on rate_limit for each row execute function count_slowly()`);
  t.after(() => owner.query('drop function count_slowly cascade'));
  assert.equal(await take('someone'), null);
  const { rows } = await owner.query("select points from rate_limit where key = 'minute-ends-user:someone'");
  assert.deepEqual(rows, [{ points: 1 }]);
});

describe('failed authentications per address', () => {
  test('too many are 429, and a valid key from the same address still passes', async () => {
    const address = '192.0.2.7';
    const key = await newKey();
    const statuses: number[] = [];
    for (let i = 0; i < 40; i++) {
      const wrong = i % 2 === 0 ? 'mrl_pat_nonsense' : newKeyString('personal');
      statuses.push((await request(wrong, undefined, address)).status);
    }
    const refused = statuses.indexOf(429);
    assert.ok(refused > 10, 'an honest mistake or two is a 401');
    assert.deepEqual(new Set(statuses.slice(0, refused)), new Set([401]));
    assert.deepEqual(new Set(statuses.slice(refused)), new Set([429]));
    const answer = await request('mrl_pat_nonsense', undefined, address);
    assert.equal(answer.body.code, 'RATE_LIMIT_EXCEEDED');
    assert.equal(answer.retryAfter, String(answer.body.details.retry_after_seconds));
    const { headers } = answer;
    assert.equal(headers['ratelimit-policy'], '"failure";q=30;w=60');
    assert.equal(headers.ratelimit, `"failure";r=0;t=${answer.retryAfter}`);
    assert.deepEqual(answer.legacy.slice(0, 2), [30, 0]);
    const reset = Math.floor(Date.now() / 1000) + Number(answer.retryAfter);
    assert.ok(Math.abs((answer.legacy[2] ?? 0) - reset) <= 1);
    assert.equal((await request(key, undefined, address)).status, 200, 'a valid key is never refused for it');
    const elsewhere = await request('mrl_pat_nonsense', undefined, '192.0.2.8');
    assert.deepEqual([elsewhere.status, elsewhere.legacy[1]], [401, 29], 'another address');
  });

  test('refused writes of the console do not count', async () => {
    const { headers } = await signInAs(server, people.admin.user.id);
    const remoteAddress = '192.0.2.10';
    for (let i = 0; i < 40; i++) {
      const forged = {
        url: '/console/sessions',
        headers: { ...headers, 'x-csrf-token': 'x' },
        remoteAddress,
      };
      assert.equal((await server.app.inject({ method: 'DELETE', ...forged })).statusCode, 403);
    }
    assert.equal((await request('mrl_pat_nonsense', undefined, remoteAddress)).status, 401);
  });

  test('all addresses of an IPv6 network count as one', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 40; i++) {
      statuses.push((await request('mrl_pat_nonsense', undefined, `2001:db8::${i.toString(16)}`)).status);
    }
    assert.equal(statuses.at(-1), 429);
    assert.equal((await request('mrl_pat_nonsense', undefined, '2001:db8:0:1::1')).status, 401);
  });

  test('the address is that of the connection, unless a proxy is trusted', async () => {
    const failed = async (app: typeof server.app, forwarded: string): Promise<number> => {
      const response = await app.inject({
        url: '/api/v1/acme/whoami',
        headers: { authorization: 'Bearer mrl_pat_nonsense', 'x-forwarded-for': forwarded },
        remoteAddress: '192.0.2.9',
      });
      return response.statusCode;
    };
    const statuses: number[] = [];
    for (let i = 0; i < 40; i++) statuses.push(await failed(server.app, `198.51.100.${i}`));
    assert.equal(statuses.at(-1), 429);
    const behind = await buildApp({
      config: { ...server.config, trustProxy: true },
      db: server.db,
      secret: server.secret,
      log: false,
    });
    server.beforeClose(() => behind.close());
    for (let i = 0; i < 40; i++) assert.equal(await failed(behind, `198.51.100.${i}`), 401);
    // Some proxies write the port of the connection too, which does not make another address of it.
    for (let i = 0; i < 40; i++) statuses.push(await failed(behind, `203.0.113.5:${50_000 + i}`));
    assert.equal(statuses.at(-1), 429);
  });
});

/**
 * Tests of failures on the server's side: an internal fault is a 500 without details, a database that is down is a 503
 * with a time to retry, and the server recovers by itself.
 */

import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { buildApp } from '../../src/app.ts';
import { commitSteps } from '../../src/commit-steps.ts';
import { openDatabase } from '../../src/db/database.ts';
import { logSerializers } from '../../src/http/request-context.ts';
import { type Answer, send } from '../support/client.ts';
import { onlyInCi } from '../support/form.ts';
import { createTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const server = await createTestServer();
const { people } = await createTestWorkspace(server, 'acme');
const authorization = `Bearer ${people.admin.key}`;
const whoami = '/api/v1/acme/whoami';
const address = new URL(server.appUrl);

/** A connection path to the database that can be cut and restored. */
function createWay() {
  const open = new Set<Socket>();
  let mode: 'through' | 'silent' = 'through';
  const way = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => {});
    if (mode === 'silent') return;
    const database = connect({ host: address.hostname, port: Number(address.port) });
    open.add(database);
    database.on('error', () => {});
    database.on('close', () => open.delete(database));
    socket.pipe(database).pipe(socket);
  });
  let port = 0;
  return {
    listen: () =>
      new Promise<number>((resolve) => {
        way.listen(port, '127.0.0.1', () => {
          const bound = way.address();
          port = typeof bound === 'object' && bound ? bound.port : 0;
          resolve(port);
        });
      }),
    cut: () =>
      new Promise<void>((resolve) => {
        way.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
    /** Connections are accepted, but nothing answers. */
    silence: () => {
      mode = 'silent';
      for (const socket of open) socket.destroy();
    },
    /** Connections stay open, but no packet passes any more. Old connections stay silent for ever. */
    swallow: () => {
      mode = 'silent';
      for (const socket of open) socket.unpipe().resume();
    },
    resume: () => {
      mode = 'through';
      for (const socket of open) socket.destroy();
    },
    /** New connections work, and the old ones stay silent. */
    resumeNew: () => {
      mode = 'through';
    },
  };
}

const way = createWay();
const through = new URL(server.appUrl);
through.hostname = '127.0.0.1';
through.port = String(await way.listen());
const db = openDatabase(through.href, { commitSteps, maxConnections: 4 });
const logged: string[] = [];
const app = await buildApp({
  config: server.config,
  db,
  secret: server.secret,
  log: pino({ level: 'info', serializers: logSerializers }, { write: (line) => void logged.push(line) }),
});
app.get('/test/failing', { config: { access: 'public' } }, async () => {
  throw new Error('select secret_column from inner_table where password = 1');
});
app.get('/test/failing-sql', { config: { access: 'public' } }, async () => {
  await db.pool.query('select no_such_column from vulnerability');
});
app.get('/test/failing-row', { config: { access: 'public' } }, async () => {
  await db.pool.query(`create temp table finding (content text, severity int not null);
                       insert into finding values ('content of a report', null)`);
});
app.get('/test/failing-all', { config: { access: 'public' } }, async () => {
  const error = new Error('outer', { cause: Object.assign(new Error('cause'), { detail: 'of the cause' }) });
  throw new AggregateError([error], 'all');
});
app.get('/test/slow', { config: { access: 'public' } }, async () => {
  await db.pool.query('select pg_sleep(20)');
});
app.get('/test/long', { config: { access: 'public' } }, async () => {
  await db.pool.query('select pg_sleep(8)');
  return {};
});
app.get('/test/odd', { config: { access: 'public' } }, async () => {
  throw Object.assign(new Error('odd'), { statusCode: 418, code: 'TEAPOT', secret: 'inside' });
});
server.beforeClose(async () => {
  await way.listen().catch(() => {});
  await app.close();
  await db.close();
  await way.cut();
});

const untilAnswered = (path: string): Promise<true> =>
  until(
    async () => (await send(app, { path, authorization })).status === 200,
    `${path} is answered with 200`,
    30_000,
  );

/** The number of sessions that run the statement of `/test/slow`, once there are any, with `column` read of each. */
const untilSlow = (column = 'pid'): Promise<number> =>
  until(async () => {
    const { rowCount } = await server.owner.query(
      `select ${column} from pg_stat_activity where query = 'select pg_sleep(20)' and state = 'active'`,
    );
    return rowCount;
  }, 'the slow statement runs');

function isUnavailable(answer: Answer, shown: string): void {
  assert.equal(answer.status, 503, `${shown} ${answer.text}`);
  assert.deepEqual(Object.keys(answer.body).sort(), ['code', 'message'], shown);
  assert.equal(answer.body.code, 'SERVICE_UNAVAILABLE', shown);
  assert.match(answer.headers['retry-after'] ?? '', /^[1-9][0-9]*$/, shown);
  assert.doesNotMatch(answer.text, /ECONN|127\.0\.0\.1|postgres|terminat|timeout/i, shown);
}

describe('a fault of the server', () => {
  test('an internal error is a 500 with the request id only, and the log has the details', async () => {
    for (const [path, secret] of [
      ['/test/failing', 'secret_column'],
      ['/test/failing-sql', 'no_such_column'],
      ['/test/odd', 'odd'],
    ] as const) {
      logged.length = 0;
      const answer = await send(app, { path, headers: { 'x-request-id': 'id-of-the-caller-1' } });
      assert.equal(answer.status, 500, answer.text);
      assert.deepEqual(Object.keys(answer.body).sort(), ['code', 'details', 'message']);
      assert.deepEqual(answer.body.details, { request_id: 'id-of-the-caller-1' });
      assert.equal(answer.body.code, 'INTERNAL_ERROR');
      assert.equal(answer.headers['x-request-id'], 'id-of-the-caller-1');
      assert.doesNotMatch(answer.text, /secret_column|no_such_column|odd|inside|vulnerability/);
      assert.ok(
        logged.some((line) => line.includes(secret) && line.includes('id-of-the-caller-1')),
        'the log tells it',
      );
    }
  });

  test('the log has the code, the causes and the parts of an error, and no row that PostgreSQL quotes', async () => {
    logged.length = 0;
    await send(app, { path: '/test/failing-row' });
    await send(app, { path: '/test/failing-all' });
    const [row, all] = logged.map((line) => JSON.parse(line)).flatMap(({ err }) => err ?? []);
    assert.deepEqual(Object.keys(row).sort(), ['code', 'message', 'stack', 'type']);
    assert.deepEqual([row.type, row.code], ['DatabaseError', '23502']);
    assert.match(row.message, /null value in column "severity" .* violates not-null constraint/);
    assert.equal(all.aggregateErrors[0].message, 'outer: cause');
    assert.doesNotMatch(logged.join(), /content of a report|of the cause/);
  });

  test('an invalid request id is replaced', async () => {
    for (const given of ['two words', 'x'.repeat(129), 'a"b', '<script>', '']) {
      const { headers } = await send(app, { path: '/healthz', headers: { 'x-request-id': given } });
      assert.match(headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/, given);
    }
  });
});

describe('readiness', () => {
  test('a server whose connections are all in use by requests is ready', async () => {
    const held = await Promise.all(Array.from({ length: 4 }, () => db.pool.connect()));
    try {
      const started = Date.now();
      assert.equal((await send(app, { path: '/readyz' })).status, 200);
      assert.ok(Date.now() - started < 2_000);
    } finally {
      for (const client of held) client.release();
    }
  });

  test('many callers read the database once a second together', async () => {
    await sleep(1_500);
    let reads = 0;
    const count = () => reads++;
    for (const pool of [db.pool, db.readinessPool]) pool.on('acquire', count);
    const ask = () => send(app, { path: '/readyz' });
    for (const { status } of await Promise.all(Array.from({ length: 50 }, ask))) assert.equal(status, 200);
    await ask();
    // A read has two statements; on a busy machine the requests take several seconds.
    assert.ok(reads >= 2 && reads < 20, `${reads} statements for 51 requests`);
    await sleep(1_500);
    const before = reads;
    await ask();
    assert.ok(reads > before);
    for (const pool of [db.pool, db.readinessPool]) pool.off('acquire', count);
  });
});

describe('the database cannot be reached', () => {
  test('every key gets 503 with Retry-After, however often, and 200 once the database is back', async () => {
    assert.equal((await send(app, { path: whoami, authorization })).status, 200);
    assert.equal((await send(app, { path: '/readyz' })).status, 200);
    await way.cut();
    // All requests come from one address. No key has failed, so nobody is limited.
    for (let i = 0; i < 40; i++) {
      const response = await app.inject({
        url: whoami,
        headers: { authorization },
        remoteAddress: '10.9.9.9',
      });
      assert.equal(response.statusCode, 503, `${i}: ${response.body}`);
    }
    for (const path of [whoami, '/api/v1/acme/vulnerabilities', '/api/v1/tenants']) {
      isUnavailable(await send(app, { path, authorization }), path);
    }
    // The server keeps an answer of /readyz for a second.
    await sleep(1_500);
    isUnavailable(await send(app, { path: '/readyz' }), '/readyz');
    const unknown = await send(app, { path: whoami, authorization: 'Bearer mrl_pat_nonsense' });
    assert.equal(unknown.status, 401, 'a key that cannot exist needs no database');
    assert.equal((await send(app, { path: '/healthz' })).status, 200);
    await way.listen();
    await untilAnswered(whoami);
    await untilAnswered('/readyz');
  });

  test('a request whose connection the database ends gets 503', async () => {
    const waiting = send(app, { path: '/test/slow' });
    assert.equal(await untilSlow('pg_terminate_backend(pid)'), 1);
    isUnavailable(await waiting, 'ended');
    await untilAnswered(whoami);
  });

  test('a database that accepts connections and does not answer gives 503 after the connection timeout', async () => {
    way.silence();
    const started = Date.now();
    isUnavailable(await send(app, { path: '/api/v1/acme/vulnerabilities', authorization }), 'silent');
    assert.ok(Date.now() - started < 15_000);
    way.resume();
    await untilAnswered(whoami);
  });

  test('a network that loses everything silently gives 503 within seconds, and 200 once it is back', {
    skip: onlyInCi,
  }, async () => {
    const paths = [whoami, '/api/v1/acme/vulnerabilities', '/test/slow', '/readyz'];
    assert.equal((await send(app, { path: whoami, authorization })).status, 200);
    const begun = send(app, { path: '/test/slow' });
    await untilSlow();
    // The server keeps an answer of /readyz for a second.
    await sleep(1_500);
    way.swallow();
    const started = Date.now();
    for (const answer of await Promise.all([
      begun,
      ...paths.map((path) => send(app, { path, authorization })),
    ])) {
      isUnavailable(answer, 'swallowed');
    }
    const seconds = (Date.now() - started) / 1000;
    console.log(`503 after ${seconds} s`);
    assert.ok(seconds < 15, `${seconds} s`);
    way.resumeNew();
    await untilAnswered(whoami);
    await untilAnswered('/readyz');
  });

  test('a long statement is not mistaken for a silent network', { skip: onlyInCi }, async () => {
    assert.equal((await send(app, { path: '/test/long' })).status, 200);
  });
});

/** Tests of a server of several processes: they share the port and the limits, and each of them may be killed. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { setPassword } from '../../src/access/users/service.ts';
import { commitSteps } from '../../src/commit-steps.ts';
import { importTx, installTx, openDatabase } from '../../src/db/database.ts';
import { openEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { formatId } from '../../src/domain/ids.ts';
import { openQueue, sendPolicyJob } from '../../src/jobs/queue.ts';
import { createDirectory, merlond } from '../support/process.ts';
import { trivy } from '../support/reports.ts';
import {
  get,
  isAlive,
  processIds,
  type Serving,
  sendReport,
  startServing,
  stop,
  untilFinal,
} from '../support/serving.ts';
import { until } from '../support/until.ts';
import { createTestKey, createTestWorkspace } from '../support/workspace.ts';

/** On a busy machine a process takes seconds to start. A report that is forgotten waits for a sweep, a minute. */
const patienceMs = 30_000;
const processes = 3;
const settings = {
  MERLON_DATA_DIR: join(createDirectory(), 'data'),
  MERLON_PORT: '0',
  MERLON_PROCESSES: String(processes),
  MERLON_RATE_LIMIT_PER_MINUTE: '60',
  MERLON_UPLOADS_PER_MINUTE: '0',
};
let server = await startServing(settings);
const embedded = await openEmbeddedPostgres({ dataDir: settings.MERLON_DATA_DIR });
const db = openDatabase(embedded.appUrl, { commitSteps });
after(async () => {
  await db.close();
  await embedded.stop();
  await stop(server.child);
});
const database = { db } as Parameters<typeof createTestWorkspace>[0];
const { people, tenant } = await createTestWorkspace(database, 'acme');
const { user } = people.admin;
const newKey = () => createTestKey(database, { userId: user.id, role: 'admin' });

interface Answer {
  status: number;
  remaining: number;
}

/** Sends over a connection of its own, which any of the processes may get. Status 0 means that there was no answer. */
function send(path: string, headers: Record<string, string>, body?: object): Promise<Answer> {
  return new Promise((resolve) => {
    const sent = request(`${server.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      agent: false,
      timeout: 20_000,
    });
    sent.on('timeout', () => resolve({ status: 408, remaining: 0 }));
    sent.on('error', () => resolve({ status: 0, remaining: 0 }));
    sent.on('response', (response) => {
      response.resume();
      const remaining = Number(response.headers['x-ratelimit-remaining']);
      response.on('error', () => resolve({ status: 0, remaining: 0 }));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, remaining }));
    });
    sent.end(body && JSON.stringify(body));
  });
}

const sendRequest = (key: string, path = '/api/v1/acme/whoami'): Promise<Answer> =>
  send(path, { authorization: `Bearer ${key}` });

const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));

function countsOf(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The processes that have answered requests, according to the log. */
function answering(): Set<string | undefined> {
  const lines = server.said().matchAll(/"pid":(\d+)[^\n]*"msg":"incoming request"/g);
  return new Set(Array.from(lines, ([, pid]) => pid));
}

test('of 90 requests with one key that come at once, 60 are allowed, whichever process they meet', async () => {
  const { key } = await newKey();
  const answers = await times(90, () => sendRequest(key));
  assert.deepEqual(countsOf(answers), { 200: 60, 429: 30 });
  const remaining = answers.filter(({ status }) => status === 200).map((answer) => answer.remaining);
  assert.deepEqual(
    remaining.sort((a, b) => a - b),
    Array.from({ length: 60 }, (_, i) => i),
  );
  // Two quick processes may have answered all ninety connections, so the test sends more.
  await until(
    async () => {
      await send('/openapi.json', {});
      return answering().size === processes;
    },
    server.said,
    patienceMs,
  );
});

test('failed authentications and tries of a password count in all processes together', async () => {
  assert.deepEqual(countsOf(await times(45, () => sendRequest('mrl_pat_nonsense'))), { 401: 30, 429: 15 });
  await installTx(db, (tx) => setPassword(tx, user.id, 'correct horse battery staple'));
  const wrong = { email: user.email, password: 'a wrong password' };
  const ofOther = { ...wrong, email: 'nobody@example.com' };
  const simultaneous = countsOf(
    await times(12, () => send('/console/session', { origin: server.url }, ofOther)),
  );
  assert.ok((simultaneous[401] ?? 0) <= 5, JSON.stringify(simultaneous));
  const tries: Answer[] = [];
  while (tries.length < 12) {
    // One after the other, because a try that gets 503 is given back, and those that come meanwhile are refused for
    // good.
    const answer = await send('/console/session', { origin: server.url }, wrong);
    if (answer.status === 503) await sleep(50);
    else tries.push(answer);
  }
  assert.deepEqual(countsOf(tries), { 401: 5, 429: 7 });
});

test('within a second a revoked key is refused by all processes', async () => {
  const { key, id } = await newKey();
  assert.deepEqual(countsOf(await times(12, () => sendRequest(key))), { 200: 12 });
  const revoked = await merlond(['key', 'revoke', formatId('key', id)], settings);
  assert.equal(revoked.code, 0, revoked.stderr);
  await sleep(1_000);
  const statuses = countsOf(await times(12, () => sendRequest(key)));
  assert.equal(statuses[200], undefined, JSON.stringify(statuses));
});

test('when a process is killed, only requests that it was answering fail, and another one takes its place', async () => {
  const keys = await times(10, newKey);
  const [victim = 0, ...others] = processIds(server, 'requests');
  let isRunning = true;
  const answers: Answer[] = [];
  const loops = keys.map(async ({ key }) => {
    for (let n = 0; isRunning && n < 55; n++) answers.push(await sendRequest(key));
  });
  await sleep(100);
  process.kill(victim, 'SIGKILL');
  await until(() => processIds(server, 'requests').length > processes, server.said, patienceMs);
  isRunning = false;
  await Promise.all(loops);
  const { 200: answered = 0, 0: cut = 0, ...rest } = countsOf(answers);
  assert.deepEqual(rest, {});
  assert.ok(answered > 100 && cut <= keys.length, `${answered} answered, ${cut} cut`);
  assert.ok(others.every(isAlive), 'the others go on');
  const { key } = await newKey();
  assert.deepEqual(countsOf(await times(90, () => sendRequest(key))), { 200: 60, 429: 30 });
});

const belowNormal = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * The nice value that counts: that of the session where Linux divides the processors by session. Null for no process.
 */
function priorityOf(processId: number): number | null {
  try {
    const session = /nice (-?\d+)/.exec(readFileSync(`/proc/${processId}/autogroup`, 'utf8'));
    return session ? Number(session[1]) : getPriority(processId);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return null;
    return isAlive(processId) ? getPriority(processId) : null;
  }
}

test('an import whose process is killed is done once, by the next process', async () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => ({
    id: `CVE-2024-${10_000 + n}`,
    name: `package-${n}`,
    version: '1.0.0',
  }));
  const { key } = await newKey();
  const sent = await sendReport({
    url: server.url,
    key,
    slug: 'acme',
    query: { repo: 'acme/killed', ref: 'main' },
    body: Buffer.from(JSON.stringify(trivy(rows))),
  });
  assert.equal(sent.status, 202, sent.text);
  const { id } = JSON.parse(sent.text) as { id: string };
  const owner = new pg.Pool({ connectionString: embedded.ownerUrl, max: 1 });
  const isRunning = async () =>
    (await owner.query("select 1 from scan where status = 'running'")).rows.length === 1;
  await until(isRunning, server.said, patienceMs);
  await until(
    async () => {
      const { rows: connected } = await owner.query(
        "select pid, state from pg_stat_activity where usename = 'merlon_app'",
      );
      const values = new Set(connected.map(({ pid }) => priorityOf(pid)));
      return values.has(priorityOf(process.pid)) && values.has(belowNormal);
    },
    server.said,
    patienceMs,
  );
  await sleep(200);
  const [worker = 0] = processIds(server, 'imports');
  process.kill(worker, 'SIGKILL');
  await until(async () => !(await isRunning()), server.said, 120_000);
  await owner.end();
  const scan = await untilFinal(server.url, `/api/v1/acme/scans/${id}`, (await newKey()).key, patienceMs);
  assert.deepEqual([scan.status, scan.counts?.new], ['completed', rows.length]);
  assert.equal(processIds(server, 'imports').length, 2);
});

test('a second server on the same port ends with an error and leaves no process', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as { port: number };
  const refused = await merlond(['serve', '--port', String(port)], settings);
  taken.close();
  assert.equal(refused.code, 3);
  assert.match(
    refused.stderr,
    new RegExp(`^merlond: Port ${port} on 127.0.0.1 is used by another program`, 'm'),
  );
  // `merlond` has waited for the end of all processes that share its output.
  assert.deepEqual(processIds({ said: () => refused.stdout }, 'requests'), []);
});

test('without its supervisor no process lives on, and a signal ends all', async () => {
  const all = ({ said }: Pick<Serving, 'said'>) =>
    (['requests', 'imports'] as const).flatMap((role) => processIds({ said }, role));
  const orphans = all(server);
  await stop(server.child, 'SIGKILL');
  await until(() => !orphans.some(isAlive), server.said, patienceMs);
  await assert.rejects(get(server.url, '/healthz'));

  server = await startServing(settings);
  await until(() => all(server).length === processes, server.said, patienceMs);
  const ended = all(server);
  assert.equal((await get(server.url, '/readyz')).status, 200);
  assert.equal(await stop(server.child, 'SIGINT'), 0, server.said());
  assert.ok(!ended.some(isAlive));
});

test('the process for imports starts with the first work and ends without any, and no report waits for that', async () => {
  // Another server on this database would take its work.
  await stop(server.child);
  const onDemand = await startServing({
    ...settings,
    MERLON_PROCESSES: '1',
    MERLON_IMPORTS_IDLE_SECONDS: '1',
    MERLON_RATE_LIMIT_PER_MINUTE: '0',
  });
  const importers = (): number[] => processIds(onDemand, 'imports');
  const hasEnded = (): boolean => !importers().some(isAlive);
  try {
    const { key } = await newKey();
    await sleep(1_000);
    assert.deepEqual(importers(), []);

    // Each report is sent at about the time when the process ends whose only work was the previous one.
    for (let n = 0; n < 10; n++) {
      const sent = await sendReport({
        url: onDemand.url,
        key,
        slug: 'acme',
        query: { repo: `acme/now-and-then-${n}`, ref: 'main' },
        body: Buffer.from(JSON.stringify(trivy([{ id: 'CVE-2024-1', name: 'package', version: '1.0.0' }]))),
      });
      const { id } = JSON.parse(sent.text) as { id: string };
      const { status } = await untilFinal(onDemand.url, `/api/v1/acme/scans/${id}`, key, patienceMs);
      assert.equal(status, 'completed');
      await sleep(900 + 50 * n);
    }
    await until(hasEnded, onDemand.said, patienceMs);

    // Another node or a command sends work without a message to this server.
    const before = importers().length;
    assert.ok(before > 0);
    const boss = await openQueue(db, { supervise: false });
    await importTx(db, tenant.id, (tx) => sendPolicyJob(boss, tx));
    await boss.stop({ graceful: false });
    await until(() => importers().length > before, onDemand.said, patienceMs);
    await until(hasEnded, onDemand.said, patienceMs);
    await importTx(db, tenant.id, async (tx) => {
      const waiting = await tx.query("select 1 from pgboss.job where state <> 'completed'");
      assert.deepEqual(waiting, []);
    });
  } finally {
    assert.equal(await stop(onDemand.child), 0, onDemand.said());
  }
});

/** One workspace sends as many requests as it can. Another one is still served, and the first gets refusals. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, clientOf, succeeded } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { countLockWaits, untilLockWaits } from '../support/lock-waits.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createTestWorkspace, reportInput, type TestWorkspace } from '../support/workspace.ts';

const server = await createTestServer({ MERLON_UPLOADS_PER_MINUTE: '0' });
const greedy = await createTestWorkspace(server, 'greedy');
const quiet = await createTestWorkspace(server, 'quiet');
const attacker = clientOf(server.app, greedy.people.admin.key);
await server.app.listen({ port: 0, host: '127.0.0.1' });
const url = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
const headersOf = ({ people }: TestWorkspace) => ({ authorization: `Bearer ${people.admin.key}` });
const other = clientOf(server.app, quiet.people.viewer.key);
await importAll(server, 'greedy', [
  reportInput(trivy([{ id: 'CVE-2030-1', name: 'left', version: '1.0.0', severity: 'HIGH' }])),
]);

/** Locks the table during `work`. A request that reads it waits, and keeps its connection. */
async function withLocked(table: string, work: () => Promise<void>): Promise<void> {
  const client = await server.owner.connect();
  try {
    await client.query('begin');
    await client.query(`lock table ${table} in access exclusive mode`);
    await work();
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** Returns the number of waiting requests once it no longer grows. */
async function countStableWaiting(): Promise<number> {
  await untilLockWaits(server.owner);
  await sleep(700);
  return countLockWaits(server.owner);
}

const searchPath = '/api/v1/greedy/vulnerabilities?q=left';

describe('connections', () => {
  test('twenty requests that wait for a lock hold a third of the pool, and another workspace is served', async () => {
    const held: Promise<Answer>[] = [];
    await withLocked('search_term', async () => {
      for (let i = 0; i < 20; i++) held.push(attacker.get(searchPath));
      assert.equal(await countStableWaiting(), 2, 'a third of 8');
      const started = Date.now();
      succeeded(await other.get('/api/v1/quiet/vulnerabilities'));
      // The lock timeout would end the others after three seconds.
      assert.ok(Date.now() - started < 2_500);
    });
    const statuses = (await Promise.all(held)).map(({ status }) => status);
    assert.deepEqual([...new Set(statuses)], [200]);
  });

  test('a request beyond the queue of its workspace is refused with 503 and Retry-After', async () => {
    const answers: Promise<Answer>[] = [];
    const refused: Answer[] = [];
    await withLocked('search_term', async () => {
      for (let i = 0; i < 240; i++) {
        const answer = attacker.get(searchPath);
        answers.push(answer);
        answer.then((each) => each.status !== 200 && refused.push(each), assert.ifError);
      }
      // Two requests have a connection, and 200 are in the queue. A request takes two transactions, so a request that
      // has finished its first may find the queue full for its second.
      await until(() => refused.length >= 38, '38 requests are refused', 8_000);
    });
    await Promise.all(answers);
    for (const answer of refused) {
      assert.equal(answer.status, 503, answer.text);
      assert.match(answer.text, /too many requests at once.*try again in 5 seconds/i);
      assert.equal(answer.headers['retry-after'], '5');
    }
    assert.ok(refused.length >= 38 && refused.length < 100, `${refused.length} of 240 refused`);
  });

  test('a request whose client disconnects leaves the queue', async () => {
    const late: Promise<Answer>[] = [];
    await withLocked('search_term', async () => {
      const gone = new AbortController();
      let isFull = false;
      const begin = async () => {
        const answer = await fetch(`${url}${searchPath}`, {
          headers: headersOf(greedy),
          signal: gone.signal,
        });
        isFull ||= /too many requests at once/.test(await answer.text());
      };
      const all = [begin(), begin()];
      // No request leaves the queue while both connections of the workspace wait for the lock.
      await untilLockWaits(server.owner, 2);
      for (let i = 0; i < 240; i++) all.push(begin());
      await until(() => isFull, 'the queue is full');
      gone.abort();
      await Promise.allSettled(all);
      // Meanwhile some requests end by the lock timeout, and fewer than twenty come from the queue instead.
      const findRoom = async () => {
        const twenty = Array.from({ length: 20 }, () => attacker.get(searchPath));
        late.push(...twenty);
        return (await Promise.race([...twenty, sleep(300, 'waits')])) === 'waits';
      };
      await until(findRoom, 'the queue has room', 5_000);
    });
    await Promise.all(late);
  });
});

/** Repeats a request that the queue for connections refuses, as a client in CI does. */
async function untilTaken(path: string): Promise<Answer> {
  for (;;) {
    const answer = await attacker.get(path);
    if (answer.status !== 503) return answer;
    await sleep(100);
  }
}

/**
 * Waits until the server has written which keys were used. It does so every three seconds, by a transaction of its own.
 */
async function keyUsageWritten(): Promise<void> {
  const versions = async (): Promise<unknown> =>
    (await server.owner.query('select id, xmin::text from api_key order by id')).rows;
  const before = JSON.stringify(await versions());
  for (const end = Date.now() + 3_200; Date.now() < end; await sleep(20)) {
    if (JSON.stringify(await versions()) !== before) return;
  }
}

describe('waiting for an answer', () => {
  test('two hundred requests that wait for the same gate need one transaction for each check', async (t) => {
    const gone = new AbortController();
    const path = '/api/v1/greedy/gate?repo=acme/shop&ref=main&expect=gitleaks&wait=30';
    const all = Array.from({ length: 200 }, () =>
      fetch(`${url}${path}`, { headers: headersOf(greedy), signal: gone.signal }).catch(() => null),
    );
    t.after(async () => {
      gone.abort();
      await Promise.all(all);
    });
    let taken = 0;
    const count = (): void => void taken++;
    server.db.pool.on('acquire', count);
    // Waits until all requests are let in, each by a transaction of its own.
    for (let tries = 0, before = -9; tries < 30 && taken - before > 4; tries++) {
      before = taken;
      await sleep(1_000);
    }
    await keyUsageWritten();
    taken = 0;
    await sleep(2_100);
    server.db.pool.off('acquire', count);
    // The server polls every half second. A busy machine polls less often, and never two hundred times.
    assert.ok(taken >= 1 && taken <= 20, `${taken} transactions in 2.1 seconds`);
  });

  test('more than 250 waiting requests of one workspace are refused with 429, and accepted once others have ended', async () => {
    const path = '/api/v1/greedy/scans/status?repo=acme/shop&ref=main&expect=gitleaks';
    // All must have come before the first is answered, also on a busy machine.
    const all: Promise<Answer>[] = [];
    for (let i = 0; i < 260; i++) {
      all.push(untilTaken(`${path}&wait=30`));
    }
    const late = await Promise.race(all);
    assert.equal(late.status, 429, late.text);
    assert.match(late.text, /The workspace has 250 requests that wait already.*without wait/);
    assert.equal(late.headers['retry-after'], '5');
    assert.equal((await attacker.get(path)).status, 200, 'without wait');
    assert.equal((await other.get('/api/v1/quiet/scans')).status, 200);
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 250);
    assert.equal((await attacker.get(`${path}&wait=1`)).status, 200);
  });
});

test('a workspace has fifty open exports at most, and the next one is refused with 503 until one has ended', async () => {
  const begin = () => attacker.get('/export/v1/greedy/vulnerabilities');
  const exports: Promise<Answer>[] = [];
  // The exports have begun, and wait for their first row as for a client that reads slowly.
  await withLocked('vulnerability_reporter', async () => {
    for (let i = 0; i < 51; i++) exports.push(begin());
    const refused = await Promise.race(exports);
    assert.equal(refused.status, 503, refused.text);
    assert.match(refused.text, /This workspace has too many exports at once/);
  });
  const statuses = (await Promise.all(exports)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 50);
  assert.equal((await begin()).status, 200);
});

test('an export whose client has hung up before its beginning does not count as open', async () => {
  const path = '/export/v1/greedy/vulnerabilities?format=csv';
  const gone = new AbortController();
  await withLocked('vulnerability', async () => {
    const hungUp = fetch(`${url}${path}`, { headers: headersOf(greedy), signal: gone.signal }).catch(
      () => null,
    );
    assert.equal(await countStableWaiting(), 1);
    gone.abort();
    await hungUp;
    await sleep(200);
  });
  assert.equal((await attacker.get(path)).status, 200);
  const open = () => server.db.shares.export.take(greedy.tenant.id);
  const all = await Promise.all(Array.from({ length: 50 }, open));
  const refused = await attacker.get(path);
  for (const end of all) end();
  assert.equal(refused.status, 503, refused.text);
  assert.equal(refused.headers['content-disposition'], undefined, 'an error is no file to save');
});

describe('dry runs of policies', () => {
  const wild = {
    key: 'wild',
    target_type: 'vulnerability',
    enforcement_mode: 'block',
    condition: {
      any: Array.from({ length: 99 }, (_, i) => ({ fact: 'path', operator: 'matches', value: `*${i}*x` })),
    },
  };
  const dryRun = () => attacker.post('/manage/v1/greedy/policies/dry-run', wild);

  test('of twenty-four simultaneous dry runs one runs, on one connection, and the others get 429 with what to do', async () => {
    const answers: Promise<Answer>[] = [];
    await withLocked('vulnerability_location', async () => {
      for (let i = 0; i < 24; i++) answers.push(dryRun());
      assert.equal(await countStableWaiting(), 1);
      const first = await Promise.race(answers);
      assert.equal(first.status, 429, first.text);
      assert.match(
        first.text,
        /A dry run of this workspace is running\. Wait for its answer, then try again/,
      );
      assert.equal(first.headers['retry-after'], '5');
      assert.equal(
        (await attacker.get('/api/v1/greedy/scans')).status,
        200,
        'the pool of lists is untouched',
      );
    });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 1);
    assert.equal((await dryRun()).status, 200, 'the next one, afterwards');
  });

  test('a dry run whose client disconnects makes room for the next', async () => {
    let next: Promise<Answer> | undefined;
    await withLocked('vulnerability_location', async () => {
      const gone = new AbortController();
      const first = fetch(`${url}/manage/v1/greedy/policies/dry-run`, {
        method: 'POST',
        headers: { ...headersOf(greedy), 'content-type': 'application/json' },
        body: JSON.stringify(wild),
        signal: gone.signal,
      }).catch(() => null);
      assert.equal(await countStableWaiting(), 1);
      gone.abort();
      await first;
      await sleep(100);
      next = dryRun();
      await sleep(300);
    });
    assert.equal((await next)?.status, 200, (await next)?.text);
  });
});

test('a search by terms that takes too long ends after five seconds, with 503 and what to do', async () => {
  await withLocked('search_term', async () => {
    const answer = await attacker.get(searchPath);
    assert.equal(answer.status, 503, answer.text);
    assert.match(answer.text, /longer than 5 seconds\. Search for longer words, or add a filter/);
  });
});

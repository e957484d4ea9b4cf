/**
 * Tests of lists that a real streaming replica answers: never older than the primary, and without it when it is away.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { loadConfig } from '../../src/config.ts';
import { listReadTx, openDatabase, tenantReadTx } from '../../src/db/database.ts';
import { installSecret } from '../../src/db/install-secret.ts';
import type { ReplicaOutcome } from '../../src/db/replica.ts';
import { runChecks } from '../../src/doctor/install/run-checks.ts';
import type { TenantId } from '../../src/domain/ids.ts';
import { openMetrics } from '../../src/metrics/metrics.ts';
import { type Client, clientOf } from '../support/client.ts';
import { installedPostgres, type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { createDirectory } from '../support/process.ts';
import { createInstall, type Install, openApp } from '../support/server-install.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const programs = installedPostgres();
const maxLagMs = 3_000;

const portOf = (url: string): string => new URL(url).port;

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

describe('lists from a replica', {
  skip: programs === null && 'no PostgreSQL 15 or later is installed',
}, () => {
  const messages: string[] = [];
  let primary: PostgresServer;
  let standby: PostgresServer;
  let install: Install;
  let replicaUrl: string;
  /** Another node, which reads from the primary alone. */
  let writer: Awaited<ReturnType<typeof openApp>>;
  let node: Awaited<ReturnType<typeof openApp>>;
  let write: Client;
  let read: Client;
  let tenantId: TenantId;
  let otherTenantId: TenantId;

  const reads = (): Record<ReplicaOutcome, number> => ({ ...(node.db.replica?.reads ?? fail()) });
  const fail = (): never => assert.fail('there is no replica');
  const names = async (): Promise<string[]> => {
    const { status, body, text } = await read.get<{ items: { name: string }[] }>('/api/v1/acme/applications');
    assert.equal(status, 200, text);
    return body.items.map(({ name }) => name);
  };
  const create = async (name: string): Promise<void> => {
    const { status, text } = await write.post('/manage/v1/acme/applications', { name });
    assert.equal(status, 201, text);
  };
  /** Reads until the replica answers, because a check of it begins with a read and takes a moment. */
  const untilUsed = async (): Promise<void> => {
    for (let waits = 0; ; waits++) {
      const before = reads().replica;
      await names();
      if (reads().replica > before) return;
      assert.ok(waits < 100, messages.join('\n'));
      await sleep(100);
    }
  };

  before(async () => {
    primary = await startPostgresServer(programs ?? '', createDirectory());
    // Replay ends a query that stands in its way at once, so that the test need not wait half a minute.
    // The delay makes a list that does not wait for the replica show the state before the change.
    await withClient(primary.url, async (client) => {
      await client.query('alter system set max_standby_streaming_delay = 0');
      await client.query("alter system set recovery_min_apply_delay = '30ms'");
    });
    install = await createInstall(primary);
    standby = await primary.addStandby();
    replicaUrl = Object.assign(new URL(install.appUrl), { port: portOf(standby.url) }).href;
    writer = await openApp(install.appUrl);
    node = await openApp(install.appUrl, {
      url: replicaUrl,
      maxLagMs,
      log: (message) => messages.push(message),
    });
    const on = { db: writer.db } as Parameters<typeof createTestWorkspace>[0];
    const { people, tenant } = await createTestWorkspace(on, 'acme');
    const other = await createTestWorkspace(on, 'other');
    tenantId = tenant.id;
    otherTenantId = other.tenant.id;
    write = clientOf(writer.app, people.admin.key);
    read = clientOf(node.app, people.admin.key);
    await untilUsed();
  });
  after(async () => {
    await node?.close();
    await writer?.close();
    await standby?.stop();
    await primary?.stop();
  });

  test('a change by another node is in the next list, and the replica answers it', async () => {
    const before = reads();
    const created: string[] = [];
    for (let i = 0; i < 30; i++) {
      created.push(`shop-${i}`);
      await create(`shop-${i}`);
      assert.deepEqual((await names()).toSorted(), created.toSorted(), `after ${i + 1} changes`);
    }
    assert.ok(reads().replica - before.replica >= 25, JSON.stringify(reads()));
  });

  test('lists, counts, groups and the overview use the replica; a single vulnerability, the gate and an export do not', async () => {
    const used = async (path: string): Promise<number> => {
      await untilUsed();
      const before = reads().replica;
      const { status, text } = await read.get(path);
      assert.ok(status === 200 || status === 404, `${path}: ${status} ${text}`);
      return reads().replica - before;
    };
    for (const path of [
      'vulnerabilities',
      'vulnerabilities?q=lodash',
      'vulnerabilities/facets',
      'vulnerabilities/groups?by=package',
      'overview',
      'packages',
      'repositories',
      'organizations',
      'policy-violations/all',
    ]) {
      assert.ok((await used(`/api/v1/acme/${path}`)) > 0, path);
    }
    for (const path of [
      '/api/v1/acme/vulnerabilities/vc_01m88c50z1esb85nj0m749mdjw',
      '/api/v1/acme/gate?repo=acme/shop&sha=0123456789012345678901234567890123456789',
      '/export/v1/acme/vulnerabilities',
      '/export/v1/acme/vulnerabilities?q=lodash',
      '/api/v1/acme/scans',
    ]) {
      assert.equal(await used(path), 0, path);
    }
  });

  test('a replica that does not follow is not used: the primary answers, with the newest state', async () => {
    await withClient(standby.url, (client) => client.query('select pg_wal_replay_pause()'));
    await create('while it is paused');
    const startedAt = performance.now();
    assert.ok((await names()).includes('while it is paused'));
    assert.ok(performance.now() - startedAt < maxLagMs + 20_000);
    const behind = reads().behind;
    assert.ok(behind > 0);
    const pausedAt = performance.now();
    await names();
    assert.ok(performance.now() - pausedAt < maxLagMs, 'nobody waits again soon');
    await withClient(standby.url, (client) => client.query('select pg_wal_replay_resume()'));
    await untilUsed();
    assert.ok((await names()).includes('while it is paused'));
  });

  test('a replica that stops under load makes no list fail, and is used again when it is back', async () => {
    const load = new AbortController();
    const failed: string[] = [];
    let count = 0;
    const loading = Array.from({ length: 4 }, async () => {
      while (!load.signal.aborted) {
        const { status, text } = await read.get('/api/v1/acme/vulnerabilities');
        count++;
        if (status !== 200) failed.push(text);
      }
    });
    await sleep(300);
    await standby.kill();
    await sleep(1_500);
    const whileAway = reads().away;
    await standby.start();
    await untilUsed();
    load.abort();
    await Promise.all(loading);
    assert.deepEqual(failed, [], `${failed.length} of ${count}`);
    assert.ok(whileAway > 0 && count > 50, `${count}`);
    assert.match(messages.join('\n'), /the replica is not used: .+\nlists are read from the replica$/);
  });

  test('a list that replay cancels runs again at the primary', async () => {
    await withClient(install.ownerUrl, async (owner) => {
      await owner.query('create table probe as select 1 as one; grant select on probe to public');
      await untilUsed();
      const inRecovery: boolean[] = [];
      const rows = listReadTx(node.db, tenantId, async (tx) => {
        const [{ here = false } = {}] = await tx.query<{ here: boolean }>(
          'select pg_is_in_recovery() as here',
        );
        inRecovery.push(here);
        if (!here) return 'the primary';
        await tx.query('select one from probe');
        await tx.query('select pg_sleep(10)');
        return 'the replica';
      });
      await sleep(500);
      await owner.query('drop table probe');
      assert.equal(await rows, 'the primary');
      assert.deepEqual(inRecovery, [true, false]);
    });
  });

  test('row-level security and the tenant hold at the replica', async () => {
    await create('only of acme');
    await untilUsed();
    const { pool } = node.db.replica ?? fail();
    assert.deepEqual((await pool.query('select name from application')).rows, [], 'no tenant, no rows');
    const seenBy = (tenant: TenantId) =>
      listReadTx(node.db, tenant, async (tx) => {
        const [place] = await tx.query<{ here: boolean }>('select pg_is_in_recovery() as here');
        assert.equal(place?.here, true);
        return tx.query<{ name: string }>('select name from application');
      });
    assert.ok((await seenBy(tenantId)).some(({ name }) => name === 'only of acme'));
    assert.deepEqual(await seenBy(otherTenantId), []);
    await assert.rejects(
      listReadTx(node.db, tenantId, (tx) => tx.query("update application set name = 'x' where true")),
      /read-only transaction/,
    );
    assert.deepEqual(
      (await tenantReadTx(node.db, tenantId, (tx) => tx.query('select pg_is_in_recovery()')))[0],
      {
        pg_is_in_recovery: false,
      },
    );
  });

  test('a replica that is a primary, another server or has a powerful role is not used, and log and doctor say why', async () => {
    const stranger = await startPostgresServer(programs ?? '', createDirectory());
    const other = await createInstall(stranger);
    const strangersStandby = await stranger.addStandby();
    const at = (url: string, port: string): string => Object.assign(new URL(url), { port }).href;
    const cases: [url: string, reason: RegExp][] = [
      [at(install.ownerUrl, portOf(standby.url)), /the role postgres is a superuser/],
      [install.appUrl, /it is no standby/],
      [at(other.appUrl, portOf(strangersStandby.url)), /no replica of the database of MERLON_DATABASE_URL/],
    ];
    try {
      for (const [url, reason] of cases) {
        const said: string[] = [];
        const db = openDatabase(install.appUrl, {
          commitSteps: [],
          replica: { url, maxLagMs, log: (message) => said.push(message) },
        });
        for (let waits = 0; said.length === 0 && waits < 50; waits++) {
          assert.equal(await db.replica?.isCurrent(), false);
          await sleep(50);
        }
        assert.match(said.join(), reason);
        const check = await checkOf(url);
        assert.equal(check?.result, 'fault', JSON.stringify(check));
        assert.match(check?.found ?? '', reason);
        await db.close();
      }
    } finally {
      await strangersStandby.stop();
      await stranger.stop();
    }
  });

  test('doctor says how far the replica is behind, and that it is away; metrics count what it answers', async () => {
    assert.equal((await checkOf(replicaUrl))?.result, 'ok');
    const away = await checkOf(Object.assign(new URL(replicaUrl), { port: '1' }).href);
    assert.equal(away?.result, 'warning');
    assert.match(away?.found ?? '', /not reached: .*ECONNREFUSED/);
    await withClient(standby.url, (client) => client.query('select pg_wal_replay_pause()'));
    await create('late');
    const late = await checkOf(replicaUrl);
    await withClient(standby.url, (client) => client.query('select pg_wal_replay_resume()'));
    assert.match(JSON.stringify(late), /"warning".*after more than 5\d{3} ms/);

    await untilUsed();
    const metrics = await openMetrics({ db: node.db, role: 'requests', countsWorkspaces: false });
    const found = (await metrics.snapshot(false)).find(({ name }) => name === 'merlon_list_reads_total');
    const counted = Object.fromEntries(
      (found?.values ?? []).map(({ labels, value }) => [String(labels.outcome), value]),
    );
    assert.deepEqual(counted, reads());
    const pools = (await metrics.snapshot(false)).find(({ name }) => name === 'merlon_pool_connections_max');
    assert.ok(pools?.values.some(({ labels }) => labels.pool === 'replica'));
  });

  async function checkOf(url: string) {
    const config = loadConfig({
      MERLON_DATABASE_URL: install.appUrl,
      MERLON_DATABASE_READ_URL: url,
      MERLON_DATABASE_READ_LAG_MS: String(maxLagMs),
    });
    const results = await runChecks({
      config,
      db: node.db,
      appUrl: install.appUrl,
      ownerUrl: install.ownerUrl,
      loadSecret: async () => installSecret(Buffer.alloc(32, 7)),
      now: () => new Date(),
    });
    return results.find(({ check }) => check === 'read replica');
  }
});

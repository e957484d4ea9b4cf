/**
 * Tests of Citus only, by `npm run test:citus`: the distribution of the tables, row-level security on each shard, and a
 * workspace that moves to another node while the others stay.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { isolateWorkspace } from '../../src/actions/workspaces/isolate-workspace.ts';
import { listMisplaced, listNodes, listUnprotected, placementOfTenant } from '../../src/db/citus.ts';
import { migrate } from '../../src/db/migrate.ts';
import { runChecks } from '../../src/doctor/install/run-checks.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const onCitus = process.env.TEST_CITUS_NODES !== undefined;

describe('Citus', {
  skip: onCitus ? false : 'needs CITUS_DATABASE_URL, the address of a coordinator',
}, async () => {
  if (!onCitus) return;
  const server = await createTestServer();
  const slugs = Array.from({ length: 8 }, (_, i) => `team-${i}`);
  const workspaces: Awaited<ReturnType<typeof createTestWorkspace>>[] = [];
  for (const slug of slugs) workspaces.push(await createTestWorkspace(server, slug));
  const report = trivy(
    Array.from({ length: 40 }, (_, i) => ({ id: `CVE-2024-${1000 + i}`, name: `lib-${i}`, version: '1.0' })),
  );

  test('eight workspaces import side by side, and every invariant holds', async () => {
    const scans = await Promise.all(
      slugs.map((slug) => importAll(server, slug, [reportInput(report, { repository: `${slug}/app` })])),
    );
    for (const [scan] of scans) assert.equal(scan?.counts?.new, 40);
    await assertInvariants(server.owner);
  });

  test('without a tenant no shard of any node shows a row, and the shards have rows', async () => {
    const { rows: tables } = await server.owner.query<{ name: string }>(
      `select table_name::text as name from citus_tables where citus_table_type = 'distributed' order by 1`,
    );
    assert.ok(tables.length > 50, `${tables.length} tables`);
    const app = new pg.Client({ connectionString: server.appUrl });
    await app.connect();
    const filled = new Set<string>();
    try {
      for (const { name } of tables) {
        const query = [
          'select success, result from run_command_on_shards($1, $2)',
          [name, 'select count(*) from %s'],
        ] as const;
        for (const { success, result } of (await app.query(query[0], [...query[1]])).rows) {
          assert.deepEqual([success, result], [true, '0'], name);
        }
        for (const { result } of (await server.owner.query(query[0], [...query[1]])).rows) {
          if (Number(result) > 0) filled.add(name);
        }
      }
    } finally {
      await app.end();
    }
    assert.ok(filled.has('vulnerability') && filled.size > 15, [...filled].join());
  });

  test('the tenant of a transaction holds on its node, and the tenant of another one shows nothing', async () => {
    const [one, other] = workspaces;
    const app = new pg.Client({ connectionString: server.appUrl });
    await app.connect();
    try {
      await app.query('begin');
      await app.query(`set local merlon.tenant_id = '${one?.tenant.id}'`);
      const count = async (id: string | undefined) =>
        (await app.query('select count(*)::int as n from vulnerability where tenant_id = $1', [id])).rows[0]
          .n;
      assert.equal(await count(one?.tenant.id), 40);
      assert.equal(await count(other?.tenant.id), 0);
      assert.equal((await app.query('select count(*)::int as n from vulnerability')).rows[0].n, 40);
    } finally {
      await app.end();
    }
  });

  test('migrate finds every table in its place, and changes nothing', async () => {
    assert.deepEqual(await listMisplaced(server.owner), []);
    const before = await server.owner.query(
      'select count(*)::int as n, max(shardid) as last from pg_dist_shard',
    );
    assert.deepEqual((await migrate(server.ownerUrl, server.appUrl)).applied, []);
    const after = await server.owner.query(
      'select count(*)::int as n, max(shardid) as last from pg_dist_shard',
    );
    assert.deepEqual(after.rows, before.rows);
  });

  test('doctor finds a shard without row-level security, and names it with its node', async () => {
    const shard = async (command: string): Promise<string> => {
      const { rows } = await server.owner.query(
        `select result from run_command_on_shards('scan', $1) order by shardid limit 1`,
        [command],
      );
      return rows[0].result;
    };
    assert.deepEqual(
      (await listUnprotected(server.owner)).flatMap(({ tables }) => tables),
      [],
    );
    await shard('alter table %s no force row level security');
    const found = (await listUnprotected(server.owner)).flatMap(({ tables }) => tables);
    assert.equal(
      found.length,
      (await server.owner.query(`select 1 from pg_dist_shard where logicalrelid = 'scan'::regclass`))
        .rowCount,
    );
    assert.match(found[0] ?? '', /^scan_\d+$/);
    await shard('alter table %s force row level security');
    const checks = await runChecks({
      config: server.config,
      db: server.db,
      appUrl: server.appUrl,
      ownerUrl: server.ownerUrl,
      loadSecret: async () => server.secret,
      now: () => new Date(),
    });
    for (const name of ['placement on nodes', 'protection on nodes', 'balance of nodes']) {
      const check = checks.find((one) => one.check === name);
      assert.equal(check?.result, 'ok', JSON.stringify(check));
    }
  });

  test('a workspace gets a shard of its own and moves to another node with all its rows', async () => {
    const moved = (workspaces[0] as (typeof workspaces)[number]).tenant.id;
    const before = await placementOfTenant(server.owner, moved);
    const to = (await listNodes(server.owner)).find((node) => node !== before.node) ?? '';
    const place = await isolateWorkspace(server.ownerUrl, slugs[0] ?? '', to);
    assert.equal(place.node, to);
    assert.notEqual(place.shardId, before.shardId);
    assert.deepEqual(await isolateWorkspace(server.ownerUrl, slugs[0] ?? '', null), place);
    const [scan] = await importAll(server, slugs[0] ?? '', [
      reportInput(report, { repository: `${slugs[0]}/app` }),
    ]);
    assert.equal(scan?.counts?.unchanged, 40);
    await assertInvariants(server.owner);
    await assert.rejects(isolateWorkspace(server.ownerUrl, slugs[0] ?? '', 'nowhere:1'), /Must be one of/);
  });
});

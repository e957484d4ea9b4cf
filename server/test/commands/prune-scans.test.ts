/**
 * Tests of pruning scans: a scan is deleted only if no stored data needs it and no gate answers differently without it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordStatements } from '../../../benchmarks/statements.ts';
import { importTx } from '../../src/db/database.ts';
import { formatId, type SeriesId, type TenantId } from '../../src/domain/ids.ts';
import { parseBranch } from '../../src/domain/reference-name.ts';
import { sqlReplaces } from '../../src/ingest/scans/store.ts';
import { retireSeries } from '../../src/ingest/series/scan-series.ts';
import { deleteOldScans } from '../../src/retention/old-scans.ts';
import { nodesOf, type PlanNode } from '../gates/read-plans.ts';
import { planOnOneShard } from '../support/citus-nodes.ts';
import { clientOf } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { applyAndEvaluate, policyOf } from '../support/policies.ts';
import { createPruneServer } from '../support/prune.ts';
import { numberedPackages, sarif, trivy } from '../support/reports.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const { server, prune, numberOf } = await createPruneServer();
const blockEach = policyOf('severe', `{fact: severity, operator: '>=', value: low}`);

/** A workspace of its own, its gate, and what a prune of scans changes in it. */
async function gateAround(
  slug: string,
  query: string,
  make: (report: (ids: number[], options?: object) => Promise<unknown>) => Promise<void>,
): Promise<{ before: string; after: string; deleted: number }> {
  const { tenant, people } = await createTestWorkspace(server, slug);
  await applyAndEvaluate(server, tenant.id, blockEach);
  await make((ids, options) =>
    importAll(server, slug, [reportInput(trivy(ids.flatMap((id) => numberedPackages(id, id + 1))), options)]),
  );
  await server.owner.query(
    `update scan set created_at = least(created_at, scanned_at) - interval '31 days' where tenant_id = $1`,
    [tenant.id],
  );
  const readGate = async (): Promise<string> => {
    const { text } = await clientOf(server.app, people.admin.key).get(
      `/api/v1/${slug}/gate?repo=acme/shop${query}`,
    );
    return text.replaceAll(/"remaining_seconds":-?\d+/g, '');
  };
  const before = await readGate();
  const { scans } = await prune('SCANS');
  return { before, after: await readGate(), deleted: scans };
}

test('a failed scan keeps its gate from passing, however old it is', async () => {
  const sha = 'a'.repeat(40);
  const { before, after } = await gateAround('failed', `&sha=${sha}`, async (report) => {
    await report([1], { sha: 'f'.repeat(40) });
    await report([], { sha });
    await importAll(server, 'failed', [
      reportInput('not a report', { sha, requestedFormat: 'trivy' } as never),
    ]).catch(() => {});
    await report([], { sha: 'b'.repeat(40) });
  });
  assert.match(before, /"verdict":null/);
  assert.equal(after, before);
});

test('the scan that replaces a failed one is not deleted, so that the failed one does not take the verdict away', async () => {
  const { before, after } = await gateAround('replaced', '', async (report) => {
    await report([1], { sha: 'a'.repeat(40) });
    await importAll(server, 'replaced', [reportInput('not a report', { sha: 'b'.repeat(40) })]).catch(
      () => {},
    );
    await report([1], { sha: 'c'.repeat(40) });
    // From now on, CI gives the file another name.
    await report([1], { sha: 'd'.repeat(40), fileName: 'trivy.json' });
    await report([1], { sha: 'e'.repeat(40), fileName: 'trivy.json' });
  });
  assert.match(before, /"verdict":"block"/);
  assert.equal(after, before);
});

/** A workspace with one scan, and `count` further ones of its reference; the texts are SQL of the number `n`. */
async function manyScans(slug: string, count: number, columns: Record<string, string>) {
  const { tenant } = await createTestWorkspace(server, slug);
  await importAll(server, slug, [reportInput(trivy([]))]);
  const names = Object.keys(columns);
  await server.owner.query(
    `insert into scan (id, tenant_id, repository_id, reference_id, digest, content_digest, ${names.join(', ')})
     select gen_random_uuid(), tenant_id, repository_id, reference_id, digest, content_digest, ${Object.values(columns).join(', ')}
       from scan cross join generate_series(1, $2::int) n where tenant_id = $1`,
    [tenant.id, count],
  );
  return tenant.id;
}

/** The newest scan stays, and with it those of its commit, so it gets none. */
async function leaveOutNewest(tenantId: string): Promise<void> {
  await server.owner.query(
    `update scan set sha = null where tenant_id = $1 and id = (select max(id::text)::uuid from scan where tenant_id = $1)`,
    [tenantId],
  );
}

const inOneDay = new Date(Date.now() + 86_400_000);

test('of each failed scan the newest one that replaces it stays, by the rule of the gate', async () => {
  const oneOf = (step: number, ...values: string[]) =>
    `(array[${values.join(', ')}])[1 + n * ${step} / 7 % ${values.length}]`;
  const tenantId = await manyScans('replaces', 600, {
    status: oneOf(3, `'failed'`, `'completed'`, `'completed'`),
    format: oneOf(5, `'auto'`, `'sarif'`, `'trivy'`),
    file_name: oneOf(11, 'null', `'a.json'`),
    category: oneOf(13, 'null', 'null', `'nightly'`),
    partial: 'n % 5 = 0',
    dry_run: 'n % 11 = 0',
    sha: `case when n % 8 > 0 then md5((n / 3)::text) end`,
    scanned_at: `now() - n * 37 % 101 * interval '1 hour'`,
  });
  // The scans of a failed one's commit stay anyway, so most failed ones get commits of their own.
  await server.owner.query(
    `update scan set sha = case when file_name is not null then md5(id::text) end where tenant_id = $1 and status = 'failed'`,
    [tenantId],
  );
  // Half of those without a file name get the commit of the newest scan that would replace them without a commit.
  await server.owner.query(
    `update scan f set sha = (select n.sha from scan n
        where n.tenant_id = $1 and n.reference_id = f.reference_id and ${sqlReplaces('n', 'f')} order by n.id desc limit 1)
      where f.tenant_id = $1 and f.status = 'failed' and f.file_name is null and f.id::text < '8'`,
    [tenantId],
  );
  const { rows: replacing } = await server.owner.query<{ id: string }>(
    `select distinct n.id from scan f cross join lateral (
       select n.id from scan n where n.tenant_id = $1 and n.reference_id = f.reference_id and ${sqlReplaces('n', 'f')}
        order by n.id desc limit 1) n
      where f.tenant_id = $1 and f.status = 'failed' and not f.dry_run`,
    [tenantId],
  );
  const ids = replacing.map(({ id }) => id);
  const { rows: alone } = await server.owner.query(
    `select s.id from scan s where s.tenant_id = $1 and s.id = any($2::uuid[]) and not exists (
       select 1 from scan o where o.tenant_id = $1 and (o.sha = s.sha or o.id = s.id)
          and (o.status = 'failed' or o.id = any($2::uuid[]) and o.id <> s.id
               or o.id = (select max(id::text)::uuid from scan where tenant_id = $1)))`,
    [tenantId, ids],
  );
  assert.ok(alone.length > 5, `${alone.length} stay for this reason alone`);
  assert.ok((await deleteOldScans(server.db, tenantId, inOneDay)) > 0);
  const { rows } = await server.owner.query(
    'select id from scan where tenant_id = $1 and id = any($2::uuid[])',
    [tenantId, ids],
  );
  assert.equal(rows.length, ids.length);
});

test('the search for old scans reads each scan a few times, also where a tool fails each night', async () => {
  const tenantId = await manyScans('nightly', 400, {
    status: `case n % 2 when 0 then 'failed' else 'completed' end`,
    file_name: `case n % 2 when 0 then 'broken.json' else 'trivy.json' end`,
    format: `'trivy'`,
    sha: `md5((n / 2)::text)`,
    scanned_at: 'now()',
  });
  const { statements } = await recordStatements(server.db, (db) =>
    deleteOldScans({ ...db, importPool: db.pool }, tenantId, inOneDay),
  );
  const search = statements.find(({ text }) => text.includes('with own as'));
  assert.ok(search);
  const plan = async () => {
    const explain = `explain (analyze, timing off, format json) ${search.text}`;
    const { rows } = await server.owner.query(explain, search.values);
    return nodesOf(planOnOneShard(rows[0]['QUERY PLAN'][0].Plan) as PlanNode);
  };
  const read = (await plan()).map(
    (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
  );
  assert.ok(Math.max(...read) < 4_000, `${Math.max(...read)} rows of 400 scans`);
  // The newest scan stays, and with it now all others.
  await server.owner.query(`update scan set sha = repeat('a', 40) where tenant_id = $1`, [tenantId]);
  const observations = (await plan()).filter((node) => node['Relation Name'] === 'location_observation');
  assert.ok(observations.length > 0);
  assert.ok(
    observations.every((node) => node['Actual Loops'] === 0),
    'no observations are read if no commit may go',
  );
});

test('a report that comes after the search for old scans keeps the scans of its base and of its commit', async () => {
  const tenantId = await manyScans('meanwhile', 30, {
    status: `'completed'`,
    format: `'trivy'`,
    sha: `md5((n / 3)::text)`,
    scanned_at: 'now()',
  });
  const countOf = (commit: number) =>
    numberOf(`scan where tenant_id = '${tenantId}' and sha = md5('${commit}')`);
  const insert = (sha: string, baseSha: string) =>
    server.owner.query(
      `insert into scan (id, tenant_id, repository_id, reference_id, digest, content_digest, format, status, scanned_at, sha, base_sha)
       select gen_random_uuid(), tenant_id, repository_id, reference_id, digest, content_digest, format, 'queued', now(), ${sha}, ${baseSha}
         from scan where tenant_id = $1 limit 1`,
      [tenantId],
    );
  let transactions = 0;
  const { importPool } = server.db;
  const connect = async () => {
    transactions++;
    // The first two transactions search.
    if (transactions === 3) {
      await insert('null', `md5('1')`);
      await insert(`md5('2')`, 'null');
      await server.owner.query(`delete from scan where tenant_id = $1 and sha = md5('3')`, [tenantId]);
    }
    return importPool.connect();
  };
  const pool = new Proxy(importPool, {
    get: (target, name) => (name === 'connect' ? connect : Reflect.get(target, name, target)),
  });
  const before = await numberOf(`scan where tenant_id = '${tenantId}'`);
  const deleted = await deleteOldScans({ ...server.db, importPool: pool }, tenantId, inOneDay);
  assert.ok(transactions >= 3);
  assert.deepEqual([await countOf(1), await countOf(2)], [3, 4]);
  assert.ok(deleted >= 15, `${deleted}`);
  assert.equal(deleted, before + 2 - 3 - (await numberOf(`scan where tenant_id = '${tenantId}'`)));
});

test('old scans stay if a report of their commit is being received while they are about to be deleted', async () => {
  for (const [slug, reference] of [
    ['same-branch', 'reference_id'],
    ['new-branch', 'added'],
  ]) {
    const tenantId = await manyScans(slug ?? '', 3, {
      status: `'completed'`,
      format: `'trivy'`,
      sha: `repeat('b', 40)`,
      scanned_at: 'now()',
    });
    await leaveOutNewest(tenantId);
    const ofCommit = `scan where tenant_id = '${tenantId}' and sha = repeat('b', 40)`;
    const before = await numberOf(ofCommit);
    const receiving = await server.owner.connect();
    await receiving.query('begin');
    await receiving.query(
      `with newest as (select * from scan where tenant_id = $1 order by id limit 1),
         added as (
           insert into reference (id, tenant_id, repository_id, full_ref, type)
           select gen_random_uuid(), tenant_id, repository_id, 'refs/heads/topic', 'branch' from newest
            where $2 = 'added' returning id)
       insert into scan (id, tenant_id, repository_id, reference_id, digest, content_digest, format, status, scanned_at, sha)
       select gen_random_uuid(), tenant_id, repository_id, coalesce((select id from added), reference_id),
              digest, content_digest, format, 'queued', now(), repeat('b', 40) from newest`,
      [tenantId, reference],
    );
    const deleting = deleteOldScans(server.db, tenantId, inOneDay);
    try {
      await untilLockWaits(server.owner);
    } finally {
      await receiving.query('commit');
      receiving.release();
    }
    await deleting;
    assert.equal(await numberOf(ofCommit), before + 1, slug);
  }
});

test('old scans are deleted in transactions of about a thousand, and all those of a commit in the same one', async () => {
  const tenantId = await manyScans('batches', 1500, {
    status: `'completed'`,
    format: `'trivy'`,
    sha: `repeat(case when n <= 300 then 'a' when n <= 1200 then 'b' else 'c' end, 40)`,
    scanned_at: 'now()',
  });
  await leaveOutNewest(tenantId);
  const { rows } = await server.owner.query<{ id: string; sha: string | null }>(
    'select id, sha from scan where tenant_id = $1',
    [tenantId],
  );
  const commitOf = new Map(rows.map(({ id, sha }) => [id, sha]));
  const { statements } = await recordStatements(server.db, (db) =>
    deleteOldScans({ ...db, importPool: db.pool }, tenantId, inOneDay),
  );
  const batches = statements
    .filter(({ text }) => text.startsWith('delete from scan '))
    .map(({ values }) => values[1] as string[]);
  const commits = batches.flatMap((ids) => [...new Set(ids.map((id) => commitOf.get(id)))]);
  assert.deepEqual(
    commits.sort(),
    ['a', 'b', 'c'].map((digit) => digit.repeat(40)),
    'each is in one batch',
  );
  const sizes = batches.map((ids) => ids.length);
  assert.equal(sizes.length, 2);
  assert.ok(Math.max(...sizes) <= 1200 && Math.min(...sizes) >= 299, sizes.join());
});

test('the newest complete scan of a series is not deleted, so that a run that failed before it does not count', async () => {
  const found = [{ rule: 'eval', path: 'a.js', line: 1, code: 'eval(x)' }];
  const code = (executionSuccessful: boolean) => {
    const { runs, ...rest } = sarif(executionSuccessful ? found : []);
    return { ...rest, runs: runs.map((one) => ({ ...one, invocations: [{ executionSuccessful }] })) };
  };
  const { before, after } = await gateAround('whole', '&expect=semgrep', async () => {
    const report = (sha: string, succeeded: boolean, partial = false) =>
      importAll(server, 'whole', [reportInput(code(succeeded), { sha: sha.repeat(40), partial })]);
    await report('a', true);
    await report('b', false);
    await report('c', true);
    await report('d', true, true);
  });
  assert.match(before, /"verdict":"block"/);
  assert.equal(after, before);
});

test('the base of a pull request is not deleted', async () => {
  const day = (n: number) => new Date(Date.now() - n * 86_400_000);
  const base = { baseRef: parseBranch('main'), baseSha: 'a'.repeat(40) };
  const { before, after } = await gateAround('based', '&ref=topic', async (report) => {
    await report([1], { sha: 'f'.repeat(40), scannedAt: day(60) });
    await report([1], { sha: 'a'.repeat(40), scannedAt: day(50) });
    await report([], { ref: 'topic', sha: '1'.repeat(40), ...base, scannedAt: day(49) });
    await report([1, 2], { sha: 'd'.repeat(40), scannedAt: day(48) });
    await report([2], { ref: 'topic', sha: '2'.repeat(40), ...base, scannedAt: day(47) });
    await report([1, 2], { sha: 'e'.repeat(40), scannedAt: day(10) });
  });
  assert.match(before, /"verdict":"block"/);
  assert.equal(after, before);
});

test('the last scan before a series was retired is not deleted, so that the base has not seen what it has fixed', async () => {
  const { before, after } = await gateAround('retired', '&ref=topic', async (report) => {
    const old = { category: 'old' };
    await report([1], { sha: 'a'.repeat(40), ...old });
    await report([1, 2], { sha: '9'.repeat(40), ...old });
    await report([1, 2], { sha: 'b'.repeat(40), ...old });
    const { rows } = await server.owner.query<{ id: SeriesId; tenant_id: TenantId }>(
      `select s.id, s.tenant_id from scan_series s join tenant t on t.id = s.tenant_id where t.slug = 'retired'`,
    );
    const [series] = rows;
    assert.ok(series);
    const id = formatId('series', series.id);
    await importTx(server.db, series.tenant_id, (tx) => retireSeries(tx, id, { actorId: null }));
    await report([], { sha: 'c'.repeat(40), category: 'new' });
    await report([], { sha: 'e'.repeat(40), ...old });
    const base = { baseRef: parseBranch('main'), baseSha: 'c'.repeat(40) };
    await report([1], { ref: 'topic', sha: '1'.repeat(40), ...base, category: 'new' });
  });
  assert.match(before, /"verdict":"block"/);
  assert.equal(after, before);
});

test('a commit keeps its scans on all references if it keeps one, so that the gate of the commit alone answers as before', async () => {
  const sha = 'a'.repeat(40);
  const { before, after, deleted } = await gateAround('shared', `&sha=${sha}`, async (report) => {
    await report([], { sha: 'f'.repeat(40) });
    for (const digit of 'bcade') await report([1], { ref: 'topic', sha: digit.repeat(40) });
    await report([], { sha });
  });
  assert.match(before, /"verdict":"block"/);
  assert.equal(after, before);
  assert.ok(deleted >= 2, `${deleted}`);
});

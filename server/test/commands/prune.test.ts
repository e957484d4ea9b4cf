/**
 * Tests of pruning: data older than the settings allow is deleted, the counters stay exact, and everything on which
 * somebody decided stays.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordStatements } from '../../../benchmarks/statements.ts';
import { importTx } from '../../src/db/database.ts';
import {
  formatId,
  type LocationId,
  newId,
  nilId,
  type SeriesId,
  type TenantId,
} from '../../src/domain/ids.ts';
import { parseBranch } from '../../src/domain/reference-name.ts';
import { sqlReplaces } from '../../src/ingest/scans/store.ts';
import { retireSeries } from '../../src/ingest/series/scan-series.ts';
import { deleteOldScans } from '../../src/retention/old-scans.ts';
import { nodesOf, type PlanNode } from '../gates/read-plans.ts';
import { planOnOneShard } from '../support/citus-nodes.ts';
import { clientOf, succeeded } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { merlondHere } from '../support/merlond-here.ts';
import { applyAndEvaluate, factIs, policyOf } from '../support/policies.ts';
import { sarif, trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { nodeSettings } from '../support/serving.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
const settings = { ...nodeSettings(server), MERLON_DATABASE_OWNER_URL: server.ownerUrl };
const acme = await createTestWorkspace(server, 'acme');
const client = clientOf(server.app, acme.people.admin.key);
const blockEach = policyOf('severe', `{fact: severity, operator: '>=', value: low}`);
await applyAndEvaluate(server, acme.tenant.id, blockEach);
const packages = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => ({
    id: `CVE-2030-${1000 + from + i}`,
    name: `lib-${from + i}`,
    version: '1.0.0',
  }));
// The first scan shows ten, the second still shows five of them, and the third shows the same.
await importAll(server, 'acme', [reportInput(trivy(packages(0, 10)))]);
// One of those that will be fixed on main stays open on a branch that counts nowhere.
await importAll(server, 'acme', [reportInput(trivy(packages(4, 5)), { ref: 'topic' })]);
const first = (await client.get<{ items: { id: string; title: string }[] }>('/api/v1/acme/vulnerabilities'))
  .body.items;
const idOf = (name: string): string =>
  first.find(({ title }) => title.startsWith(`${name}:`))?.id ?? assert.fail(name);
const decide = async (by: typeof client, slug: string, decision: object) => {
  succeeded(await by.post(`/manage/v1/${slug}/vulnerabilities/decisions`, decision));
};
const commented = await client.post(`/manage/v1/acme/vulnerabilities/${idOf('lib-1')}/comments`, {
  body: 'mine',
});
assert.equal(commented.status, 201, commented.text);
const vulnerabilities = [{ id: idOf('lib-2') }];
await decide(client, 'acme', { action: 'accept', reason: 'Looked at it.', vulnerabilities });
const assigned = await client.patch(`/api/v1/acme/vulnerabilities/${idOf('lib-3')}/assignment`, {
  assignee: acme.people.admin.user.email,
});
assert.equal(assigned.status, 200, assigned.text);
for (const _ of [2, 3, 4, 5]) await importAll(server, 'acme', [reportInput(trivy(packages(5, 10)))]);

const openOnes = async () => (await client.get('/api/v1/acme/vulnerabilities?status=open')).body;
const gate = async () =>
  // The remaining time passes between the two requests.
  (await client.get('/api/v1/acme/gate?repo=acme/shop')).text.replaceAll(/"remaining_seconds":-?\d+/g, '');
const numberOf = async (table: string): Promise<number> => {
  const { rows } = await server.owner.query(`select count(*)::int as n from ${table}`);
  return rows[0].n;
};
const run = (extra: Record<string, string>) => merlondHere(['prune', '--json'], { ...settings, ...extra });

/** Deletes what is older than 30 days, and returns how much of each kind. */
async function prune(...kinds: ('FIXED' | 'SCANS' | 'AUDIT')[]) {
  const { code, stdout, stderr } = await run(
    Object.fromEntries(kinds.map((kind) => [`MERLON_KEEP_${kind}_DAYS`, '30'])),
  );
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

/** Makes all vulnerabilities so old that they may be deleted. */
const makeOld = () => server.owner.query(`update vulnerability set updated_at = now() - interval '31 days'`);

const withoutVulnerability =
  'not exists (select 1 from vulnerability v where v.tenant_id = t.tenant_id and v.search_key = t.search_key)';

test('without a setting nothing is deleted, and a short one is refused', async () => {
  const { code, stderr } = await run({});
  assert.equal(code, 2);
  assert.match(stderr, /All data is kept for ever: set MERLON_KEEP_FIXED_DAYS/);
  const short = await run({ MERLON_KEEP_FIXED_DAYS: '7' });
  assert.equal(short.code, 2);
  assert.match(short.stderr, /MERLON_KEEP_FIXED_DAYS.*Must be 0, or at least 30/);
});

test('data that is younger than the settings stays', async () => {
  const counts = await prune('FIXED', 'SCANS', 'AUDIT');
  assert.deepEqual(counts, { vulnerabilities: 0, events: 0, texts: 0, scans: 0, audit: 0 });
});

test('fixed vulnerabilities without a decision, comment, assignee or exception are deleted with their history', async () => {
  await makeOld();
  const before = { open: await openOnes(), gate: await gate() };
  const texts = { texts: await numberOf('search_text'), terms: await numberOf('search_term') };
  const { vulnerabilities, events, texts: deletedTexts } = await prune('FIXED');
  assert.equal(
    vulnerabilities,
    1,
    'lib-0: of the others one each has a comment, a decision, an assignee, and a branch',
  );
  assert.ok(events >= 1);
  const left = (await numberOf('search_text')) + (await numberOf('search_term'));
  assert.ok(deletedTexts > 0);
  assert.equal(left, texts.texts + texts.terms - deletedTexts);
  assert.equal(await numberOf(`search_text t where ${withoutVulnerability}`), 0);
  assert.deepEqual(await openOnes(), before.open);
  assert.equal(await gate(), before.gate);
  for (const kept of ['lib-1', 'lib-2', 'lib-3', 'lib-4']) {
    assert.equal((await client.get(`/api/v1/acme/vulnerabilities/${idOf(kept)}`)).status, 200, kept);
  }
  assert.equal((await client.get(`/api/v1/acme/vulnerabilities/${idOf('lib-0')}`)).status, 404);
  await assertInvariants(server.owner, { isHistoryWhole: false });
  const { rows } = await server.owner.query(
    `select 1 from vulnerability_event e where not exists (select 1 from vulnerability v where v.id = e.vulnerability_id)`,
  );
  assert.equal(rows.length, 0);
  await importAll(server, 'acme', [reportInput(trivy(packages(0, 10)))]);
  const again = await client.get<{ items: { id: string; title: string }[] }>('/api/v1/acme/vulnerabilities');
  const found = again.body.items.find(({ title }) => title.startsWith('lib-0:'));
  assert.ok(found && found.id !== idOf('lib-0'), 'what is found again is a new one');
  await assertInvariants(server.owner, { isHistoryWhole: false });
});

test('a description that an import is about to use again stays, and an unused one is deleted', async () => {
  const key = '00000000-0000-8000-8000-000000000001';
  const insert = `insert into vulnerability_description (tenant_id, key, description) values ('${acme.tenant.id}', '${key}', 'Unused.')
    on conflict do nothing`;
  await server.owner.query(insert);
  // An import that finds the row there writes nothing, but relies on it until it commits.
  const running = await server.owner.connect();
  await running.query('begin');
  await running.query(insert);
  await prune('FIXED');
  const descriptions = () => numberOf(`vulnerability_description where key = '${key}'`);
  assert.equal(await descriptions(), 1);
  await running.query('rollback');
  running.release();
  assert.equal((await prune('FIXED')).texts, 1);
  assert.equal(await descriptions(), 0);
});

test('scans that no stored data needs are deleted, and lists, details and the gate answer as before', async () => {
  await server.owner.query(
    `update scan set created_at = now() - interval '31 days', scanned_at = scanned_at - interval '31 days'`,
  );
  const before = { open: await openOnes(), gate: await gate(), scans: await numberOf('scan') };
  const details = async () =>
    Promise.all(first.slice(0, 5).map(({ id }) => client.get(`/api/v1/acme/vulnerabilities/${id}`)));
  const seen = (await details()).map(({ text }) => text);
  const { scans } = await prune('SCANS');
  assert.equal(before.scans, 7);
  assert.equal(scans, 3, 'the third to fifth; the first opened, the second closed, the sixth is the newest');
  assert.equal(await numberOf('scan'), before.scans - scans);
  assert.deepEqual(await openOnes(), before.open);
  assert.equal(await gate(), before.gate);
  assert.deepEqual(fieldOf(await details(), 'text'), seen);
  await assertInvariants(server.owner, { isHistoryWhole: false });
});

/** A workspace of its own, its gate, and what a prune of scans changes in it. */
async function gateAround(
  slug: string,
  query: string,
  make: (report: (ids: number[], options?: object) => Promise<unknown>) => Promise<void>,
): Promise<{ before: string; after: string; deleted: number }> {
  const { tenant, people } = await createTestWorkspace(server, slug);
  await applyAndEvaluate(server, tenant.id, blockEach);
  await make((ids, options) =>
    importAll(server, slug, [reportInput(trivy(ids.flatMap((id) => packages(id, id + 1))), options)]),
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

test('old entries of the audit log are deleted, and only the owner of the database can do this', async () => {
  const before = await numberOf('audit_event');
  await server.owner.query(
    `update audit_event set at = now() - interval '31 days' where id = (select max(id::text)::uuid from audit_event)`,
  );
  assert.equal((await prune('AUDIT')).audit, 1);
  assert.equal(await numberOf('audit_event'), before - 1);
});

test('a vulnerability that was split off is not covered by a decision about the rest when it is found again', async () => {
  const { people } = await createTestWorkspace(server, 'split');
  const admin = clientOf(server.app, people.admin.key);
  const report = (...folders: string[]) =>
    reportInput(
      trivy(
        folders.map((folder) => ({
          id: 'CVE-2030-1',
          name: 'lib',
          version: '1.0.0',
          path: `${folder}/package-lock.json`,
        })),
      ),
    );
  await importAll(server, 'split', [report('a', 'b')]);
  type Item = { id: string; status: string };
  const list = async () => (await admin.get<{ items: Item[] }>('/api/v1/split/vulnerabilities')).body.items;
  const [whole] = await list();
  const { rows: places } = await server.owner.query<{ id: LocationId }>(
    `select id from vulnerability_location where path = 'b/package-lock.json'`,
  );
  const split = await admin.post<Item>(`/manage/v1/split/vulnerabilities/${whole?.id}/split`, {
    locations: [formatId('location', places[0]?.id ?? nilId)],
    reason: 'b is another product',
  });
  assert.equal(split.status, 200, split.text);
  const vulnerabilities = [{ id: whole?.id }];
  await decide(admin, 'split', { action: 'accept', reason: 'a is not reachable', vulnerabilities });
  await importAll(server, 'split', [report('a')]);
  await makeOld();
  await prune('FIXED');
  await importAll(server, 'split', [report('a', 'b')]);
  assert.deepEqual((await list()).map(({ status }) => status).sort(), ['accepted', 'open']);
});

test('the duty to report an exploited vulnerability of a product stays in the list', async () => {
  await server.owner.query(
    `insert into kev (cve, added_on, vendor, product, name) values ('CVE-2030-7', '2026-01-01', 'V', 'P', 'N')`,
  );
  const { tenant, people } = await createTestWorkspace(server, 'maker');
  await importAll(server, 'maker', [
    reportInput(trivy([{ id: 'CVE-2030-7', name: 'lib', version: '1.0.0' }])),
    reportInput(trivy([])),
  ]);
  const applicationId = newId();
  await server.owner.query(
    `insert into application (tenant_id, id, name, name_key, is_product) values ($1, $2, 'Shop', 'shop', true)`,
    [tenant.id, applicationId],
  );
  await server.owner.query(
    `insert into application_repository select tenant_id, $2, id from repository where tenant_id = $1`,
    [tenant.id, applicationId],
  );
  const list = async () =>
    (
      await clientOf(server.app, people.admin.key).get<{ items: unknown[] }>(
        '/api/v1/maker/cra-notifications',
      )
    ).body.items;
  const before = await list();
  assert.equal(before.length, 1);
  await makeOld();
  await prune('FIXED');
  assert.deepEqual(await list(), before);
});

test('vulnerabilities that reports show as suppressed in the source stay, and are not new in the next report', async () => {
  await createTestWorkspace(server, 'quiet');
  const report = (line: number) =>
    reportInput(sarif([{ rule: 'eval', path: 'a.js', line, code: 'eval(x)', suppressed: true }]));
  await importAll(server, 'quiet', [report(1)]);
  await makeOld();
  await prune('FIXED');
  const [scan] = await importAll(server, 'quiet', [report(2)]);
  assert.equal(scan?.counts?.new, 0);
});

test('the explanation of a rule is deleted with the last vulnerability that shows it', async () => {
  await createTestWorkspace(server, 'explained');
  const report = (...paths: string[]) => {
    const { runs, ...rest } = sarif(
      paths.map((path) => ({ rule: 'eval', path, line: 1, code: `eval(${path})` })),
    );
    const rules = [{ id: 'eval', help: { markdown: '# Never use eval' } }];
    const explained = runs.map((run) => ({ ...run, tool: { driver: { ...run.tool.driver, rules } } }));
    return reportInput({ ...rest, runs: explained });
  };
  const explanationsAfterPrune = async (): Promise<number> => {
    await makeOld();
    await prune('FIXED');
    return numberOf('rule_help');
  };
  await importAll(server, 'explained', [report('a.js', 'b.js'), report('a.js')]);
  assert.equal(await explanationsAfterPrune(), 1);
  await importAll(server, 'explained', [report(), report()]);
  assert.equal(await explanationsAfterPrune(), 0);
});

test('a confirmed vulnerability stays, so that a policy still blocks it when it comes back', async () => {
  const { tenant, people } = await createTestWorkspace(server, 'confirmed');
  const admin = clientOf(server.app, people.admin.key);
  await applyAndEvaluate(server, tenant.id, policyOf('seen', factIs('confirmed', true)));
  const report = (ids: [number, number]) =>
    importAll(server, 'confirmed', [reportInput(trivy(packages(...ids)))]);
  await report([1, 2]);
  const list = await admin.get<{ items: { id: string }[] }>('/api/v1/confirmed/vulnerabilities');
  await decide(admin, 'confirmed', { action: 'confirm', vulnerabilities: [{ id: list.body.items[0]?.id }] });
  await report([2, 2]);
  await makeOld();
  await prune('FIXED');
  await report([1, 2]);
  const { body } = await admin.get<{ verdict: string }>('/api/v1/confirmed/gate?repo=acme/shop');
  assert.equal(body.verdict, 'block');
});

test('a vulnerability that is assigned while it is about to be deleted stays', async () => {
  const { tenant, people } = await createTestWorkspace(server, 'busy');
  await importAll(server, 'busy', [reportInput(trivy(packages(1, 3))), reportInput(trivy([]))]);
  await makeOld();
  const person = await server.owner.connect();
  await person.query('begin');
  const { rows } = await person.query<{ id: string }>(
    `update vulnerability set assignee_id = $2 where tenant_id = $1 and title like 'lib-1:%' returning id`,
    [tenant.id, people.admin.user.id],
  );
  const pruning = prune('FIXED');
  let hasEnded = false;
  const ended = pruning.finally(() => {
    hasEnded = true;
  });
  const end = Date.now() + 10_000;
  const waiting = `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  try {
    while ((await numberOf(waiting)) === 0) {
      assert.ok(!hasEnded && Date.now() < end, 'the pruning waits for the person');
      await sleep(20);
    }
  } finally {
    await person.query('commit');
    person.release();
  }
  assert.equal((await ended).vulnerabilities, 1, 'the other one');
  const left = await server.owner.query('select id from vulnerability where tenant_id = $1', [tenant.id]);
  assert.deepEqual(left.rows, rows);
});

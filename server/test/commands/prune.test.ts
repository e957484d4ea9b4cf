/**
 * Tests of pruning vulnerabilities and the audit log: data older than the settings allow is deleted, the counters stay
 * exact, and everything on which somebody decided stays. `prune-scans.test.ts` has those of scans.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatId, type LocationId, newId, nilId } from '../../src/domain/ids.ts';
import { bom } from '../support/boms.ts';
import { clientOf, succeeded } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { applyAndEvaluate, factIs, policyOf } from '../support/policies.ts';
import { createPruneServer } from '../support/prune.ts';
import { numberedPackages, sarif, trivy } from '../support/reports.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const { server, run, prune, numberOf } = await createPruneServer();
const acme = await createTestWorkspace(server, 'acme');
const client = clientOf(server.app, acme.people.admin.key);
const blockEach = policyOf('severe', `{fact: severity, operator: '>=', value: low}`);
await applyAndEvaluate(server, acme.tenant.id, blockEach);
// The first scan shows ten, the second still shows five of them, and the third shows the same.
await importAll(server, 'acme', [reportInput(trivy(numberedPackages(0, 10)))]);
// One of those that will be fixed on main stays open on a branch that counts nowhere.
await importAll(server, 'acme', [reportInput(trivy(numberedPackages(4, 5)), { ref: 'topic' })]);
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
for (const _ of [2, 3, 4, 5]) await importAll(server, 'acme', [reportInput(trivy(numberedPackages(5, 10)))]);

const openOnes = async () => (await client.get('/api/v1/acme/vulnerabilities?status=open')).body;
const gate = async () =>
  // The remaining time passes between the two requests.
  (await client.get('/api/v1/acme/gate?repo=acme/shop')).text.replaceAll(/"remaining_seconds":-?\d+/g, '');
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
  const counts = await prune('FIXED', 'REFERENCES', 'SCANS', 'AUDIT');
  assert.deepEqual(counts, {
    vulnerabilities: 0,
    events: 0,
    texts: 0,
    violations: 0,
    references: 0,
    scans: 0,
    audit: 0,
  });
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
  await importAll(server, 'acme', [reportInput(trivy(numberedPackages(0, 10)))]);
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

test('old entries of the audit log are deleted, and only the owner of the database can do this', async () => {
  const before = await numberOf('audit_event');
  await server.owner.query(
    `update audit_event set at = now() - interval '31 days' where id = (select max(id::text)::uuid from audit_event)`,
  );
  assert.equal((await prune('AUDIT')).audit, 1);
  assert.equal(await numberOf('audit_event'), before - 1);
});

test('a workspace that fails is named at the end, and those after it are pruned', async () => {
  const later = await createTestWorkspace(server, 'later');
  const { rows } = await server.owner.query<{ tenant_id: string }>(
    `update audit_event set at = now() - interval '31 days' where id in
       (select distinct on (tenant_id) id from audit_event where tenant_id = any($1)) returning tenant_id`,
    [[acme.tenant.id, later.tenant.id]],
  );
  assert.equal(rows.length, 2);
  await server.owner.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'The disk is full.'; end $$;
     create trigger refuse before delete on audit_event for each row
       when (old.tenant_id = ${acme.tenant.id}) execute function refuse()`,
  );
  const before = await numberOf('audit_event');
  const { code, stderr } = await run({ MERLON_KEEP_AUDIT_DAYS: '30' });
  await server.owner.query('drop trigger refuse on audit_event; drop function refuse');
  assert.equal(code, 3);
  assert.match(stderr, /Not pruned as a whole: acme\. The disk is full\./);
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
    importAll(server, 'confirmed', [reportInput(trivy(numberedPackages(...ids)))]);
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

test('resolved violations of packages are deleted with their matches, except young ones and those with an exception', async () => {
  const parts = await createTestWorkspace(server, 'parts');
  const admin = clientOf(server.app, parts.people.admin.key);
  const isNpm = policyOf('npm', factIs('package_type', 'npm'), { target: 'package_version' });
  await applyAndEvaluate(server, parts.tenant.id, isNpm);
  const upgrade = async (version: number) => {
    const packages = Array.from({ length: 3 }, (_, n) => ({ purl: `pkg:npm/part-${n}@1.0.${version}` }));
    await importAll(server, 'parts', [
      reportInput(bom(packages)),
      reportInput(bom(packages), { ref: 'topic' }),
    ]);
  };
  const list = async (status: string) =>
    succeeded(
      await admin.get<{ items: { id: string; target: { id: string } }[] }>(
        `/api/v1/parts/policy-violations?repo=acme/shop&status=${status}&policy=npm`,
      ),
    ).items;
  await upgrade(0);
  const [kept] = await list('open');
  const asked = { violations: [kept?.id], reason: 'It is replaced next week.' };
  succeeded(await admin.post('/manage/v1/parts/exceptions', asked));
  await upgrade(1);
  const resolvedFor = (days: number) =>
    server.owner.query(
      `update policy_violation set resolved_at = now() - make_interval(days => $2) where tenant_id = $1 and resolved_at is not null`,
      [parts.tenant.id, days],
    );
  await resolvedFor(29);
  assert.equal((await prune('FIXED')).violations, 0);
  await resolvedFor(31);
  await upgrade(2);
  const ofParts = (table: string) => numberOf(`${table} where tenant_id = ${parts.tenant.id}`);
  assert.deepEqual([await ofParts('policy_violation'), await ofParts('violation_reference')], [9, 18]);
  assert.equal((await prune('FIXED')).violations, 2);
  assert.deepEqual([await ofParts('policy_violation'), await ofParts('violation_reference')], [7, 14]);
  assert.ok((await list('resolved')).some(({ id }) => id === kept?.id));
  await assertInvariants(server.owner, { isHistoryWhole: false });
  await upgrade(0);
  assert.deepEqual([(await list('open')).length, (await list('resolved')).length], [2, 6]);
  await assertInvariants(server.owner, { isHistoryWhole: false });
});

test('a vulnerability that is assigned while it is about to be deleted stays', async () => {
  const { tenant, people } = await createTestWorkspace(server, 'busy');
  await importAll(server, 'busy', [reportInput(trivy(numberedPackages(1, 3))), reportInput(trivy([]))]);
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

test('a repository with a running import comes last, and no other one is locked while it is waited for', async () => {
  const { tenant } = await createTestWorkspace(server, 'importing');
  const repositories = ['acme/idle', 'acme/importing'];
  for (const repository of repositories) {
    const reports = [trivy(numberedPackages(1, 3)), trivy([])];
    await importAll(
      server,
      'importing',
      reports.map((report) => reportInput(report, { repository })),
    );
  }
  await makeOld();
  const running = await server.owner.connect();
  await running.query('begin');
  const lock = `select id from repository where tenant_id = $1 and full_name = $2 for no key update`;
  await running.query(lock, [tenant.id, 'acme/importing']);
  const left = () => numberOf(`vulnerability where tenant_id = '${tenant.id}'`);
  const pruning = prune('FIXED');
  try {
    await untilLockWaits(server.owner);
    assert.equal(await left(), 2);
    await server.owner.query(`${lock} nowait`, [tenant.id, 'acme/idle']);
  } finally {
    await running.query('rollback');
    running.release();
    await pruning;
  }
  assert.equal((await pruning).vulnerabilities, 4);
  assert.equal(await left(), 0);
});

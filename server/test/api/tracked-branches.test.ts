/**
 * Tests of "open": tracked references count in headlines, other branches count there, and every scope of the list gives
 * the exact number.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { importTx, tenantTx } from '../../src/db/database.ts';
import { formatId, nilId, type RepositoryId } from '../../src/domain/ids.ts';
import { parseReference } from '../../src/domain/reference-name.ts';
import { getOrCreateReference, getOrCreateRepository } from '../../src/inventory/repositories/create.ts';
import { sweepTenant } from '../../src/vulnerabilities/sweep.ts';
import { clientOf, type Schemas, succeeded } from '../support/client.ts';
import { fieldsOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { sarif, trivy } from '../support/reports.ts';
import { grype } from '../support/scanner-reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
const { tenant, people } = await createTestWorkspace(server, 'acme');
const admin = clientOf(server.app, people.admin.key);
const viewer = clientOf(server.app, people.viewer.key);

const daysAgo = (days: number): Date => new Date(Date.now() - days * 24 * 3600_000);
const main = parseReference('main');
const flaw = (name: string) => ({
  id: `CVE-2031-${name.length}${name.charCodeAt(0)}`,
  name,
  version: '1.0.0',
});

/** Scans a branch of `acme/{repository}`, on which these packages have a flaw. */
function scanned(repository: string, ref: string, days: number, ...packages: string[]) {
  return reportInput(trivy(packages.map(flaw)), {
    repository: `acme/${repository}`,
    ref,
    scannedAt: daysAgo(days),
    defaultBranch: main,
  });
}

interface Settings {
  workspace: { tracked_branches: string[] };
}

interface List {
  items: { title: string; status: string; location: { reference: { ref: string } } }[];
  summary: { total: number };
}

/** Names of packages with their own status, sorted. */
async function listed(query: string): Promise<string[]> {
  const body = succeeded(await viewer.get<List>(`/api/v1/acme/vulnerabilities?per_page=200&${query}`));
  assert.equal(body.summary.total, body.items.length, query);
  return body.items.map((item) => `${item.title.split(':')[0]} ${item.status}`).sort();
}

test('a vulnerability on a tracked branch is open, and one on another branch is open only there', async () => {
  await importAll(server, 'acme', [
    scanned('shop', 'main', 9, 'everywhere', 'release-too', 'feature-too'),
    scanned('shop', 'release/4.2', 8, 'everywhere', 'release-too', 'release-only'),
    scanned('shop', 'feature/x', 7, 'everywhere', 'feature-too', 'feature-only'),
    scanned('shop', 'main', 6, 'everywhere'),
  ]);
  const within = (scope: string) => listed(`repo=acme/shop&state=open&${scope}`);
  assert.deepEqual(await within('scope=tracked'), [
    'everywhere open',
    'release-only open',
    'release-too open',
  ]);
  assert.deepEqual(await within('scope=default_branches'), ['everywhere open']);
  assert.deepEqual(await within('ref=feature/x'), [
    'everywhere open',
    'feature-only open',
    'feature-too open',
  ]);
  assert.deepEqual(await within('scope=all'), [
    'everywhere open',
    'feature-only open',
    'feature-too fixed',
    'release-only open',
    'release-too open',
  ]);
  assert.deepEqual(await within(''), [
    'everywhere open',
    'feature-only open',
    'release-only open',
    'release-too open',
  ]);
  assert.deepEqual(await listed('repo=acme/shop&state=fixed&scope=tracked'), ['feature-too fixed']);
  assert.deepEqual(await listed('repo=acme/shop&state=fixed&scope=all'), []);
  await assertInvariants(server.owner);
});

test('the overview counts tracked references unless asked for another scope, and the trend does too', async () => {
  const open = async (query: string) => {
    const { body } = await viewer.get<{ open: { total: number }; repositories: { open: number }[] }>(
      `/api/v1/acme/overview${query}`,
    );
    return [body.open.total, body.repositories[0]?.open];
  };
  assert.deepEqual(await open(''), [3, 3]);
  assert.deepEqual(await open('?scope=tracked'), [3, 3]);
  assert.deepEqual(await open('?scope=default_branches'), [1, 1]);
  assert.deepEqual(await open('?scope=all'), [5, 5]);
  assert.equal((await viewer.get('/api/v1/acme/overview?scope=some')).status, 422);
  const { body } = await viewer.get<{ days: { new: number }[] }>('/api/v1/acme/trend?days=30');
  const introduced = body.days.reduce((sum, day) => sum + day.new, 0);
  assert.equal(introduced, 4, 'all but that of the feature branch alone');
});

test('a vulnerability of an untracked branch is new on the day on which it comes to a tracked one', async () => {
  const total = async () => {
    const { body } = await viewer.get<{ days: { new: number }[] }>('/api/v1/acme/trend?repo=acme/merged');
    return body.days.map((day) => day.new).filter((n) => n > 0);
  };
  await importAll(server, 'acme', [scanned('merged', 'main', 5), scanned('merged', 'feature/y', 4, 'late')]);
  assert.deepEqual(await total(), []);
  await importAll(server, 'acme', [scanned('merged', 'main', 2, 'late')]);
  assert.deepEqual(await total(), [1]);
  await assertInvariants(server.owner);
});

test('names of tracked branches are set for the workspace and for one repository, and references follow', async () => {
  await importAll(server, 'acme', [
    scanned('one', 'main', 9),
    scanned('one', 'lts/1', 8, 'long'),
    scanned('two', 'main', 9),
    scanned('two', 'lts/1', 8, 'long'),
  ]);
  const tracked = () => listed('q=long&scope=tracked');
  assert.deepEqual(await tracked(), []);
  const settings = '/manage/v1/acme/settings';
  const changed = await admin.patch<Settings>(settings, {
    tracked_branches: [' lts/* ', 'lts/*', 'release/*'],
  });
  assert.deepEqual(changed.body.workspace.tracked_branches, ['lts/*', 'release/*']);
  assert.deepEqual(await tracked(), ['long open', 'long open']);
  const two = await viewer.get<{ id: string }>('/api/v1/acme/repositories/acme%2Ftwo');
  const { items } = (
    await viewer.get<{ items: { id: string; full_name: string }[] }>('/api/v1/acme/repositories')
  ).body;
  const id = two.body.id ?? items.find((row) => row.full_name === 'acme/two')?.id;
  const own = `/manage/v1/acme/repositories/${id}/tracked-branches`;
  assert.deepEqual((await viewer.get(own)).body, { own: null, workspace: ['lts/*', 'release/*'] });
  assert.deepEqual((await admin.put(own, { own: [] })).body, { own: [], workspace: ['lts/*', 'release/*'] });
  assert.deepEqual(await tracked(), ['long open']);
  await importAll(server, 'acme', [scanned('two', 'lts/2', 7, 'long')]);
  assert.deepEqual(await tracked(), ['long open'], 'a new branch follows the names of its repository');
  await admin.patch(settings, { tracked_branches: [] });
  assert.deepEqual(await tracked(), []);
  await admin.put(own, { own: ['lts/2'] });
  assert.deepEqual(await tracked(), ['long open']);
  assert.equal((await admin.put(own, { own: null })).status, 200);
  await admin.patch(settings, { tracked_branches: ['release/*'] });
  await assertInvariants(server.owner);
});

test('names are checked, and only an admin sets them', async () => {
  const settings = '/manage/v1/acme/settings';
  for (const names of [['refs/heads/x'], ['a\nb'], [''], Array.from({ length: 51 }, (_, n) => `b${n}`)]) {
    const { status, body } = await admin.patch(settings, { tracked_branches: names });
    assert.equal(status, 422, JSON.stringify(names));
    assert.match(JSON.stringify(body.errors), /tracked_branches/);
  }
  const member = clientOf(server.app, people.member.key);
  assert.equal((await member.patch(settings, { tracked_branches: [] })).status, 403);
  const { body } = await admin.get<Settings>(settings);
  assert.deepEqual(body.workspace.tracked_branches, ['release/*']);
});

test('characters of SQL patterns in names match only themselves', async () => {
  await importAll(server, 'acme', [
    scanned('like', 'main', 9),
    scanned('like', 'v_1', 8, 'exact'),
    scanned('like', 'va1', 8, 'other'),
  ]);
  await admin.patch('/manage/v1/acme/settings', { tracked_branches: ['v_1', 'release/*'] });
  assert.deepEqual(await listed('repo=acme/like&scope=tracked'), ['exact open']);
});

test('a tracked branch counts however old its scan is, until an admin says that it is gone', async () => {
  await importAll(server, 'acme', [
    scanned('old', 'main', 90),
    scanned('old', 'release/1', 80, 'ancient'),
    scanned('old', 'feature/z', 80, 'forgotten'),
  ]);
  await sweepTenant(server.db, tenant.id, new Date(), 30);
  assert.deepEqual(await listed('repo=acme/old&state=open&scope=all'), ['ancient open']);
  const { body } = await viewer.get<{ items: { id: string; ref: string }[] }>(
    '/api/v1/acme/references?repo=acme/old',
  );
  const idOf = (ref: string) => body.items.find((row) => row.ref === ref)?.id;
  const refused = await admin.patch(`/manage/v1/acme/references/${idOf('main')}`, { deleted: true });
  assert.equal(refused.status, 422);
  succeeded(await admin.patch(`/manage/v1/acme/references/${idOf('release/1')}`, { deleted: true }));
  assert.deepEqual(await listed('repo=acme/old&state=open&scope=all'), []);
  await importAll(server, 'acme', [scanned('old', 'release/1', 1, 'ancient')]);
  assert.deepEqual(await listed('repo=acme/old&state=open&scope=tracked'), ['ancient open']);
  await assertInvariants(server.owner);
});

test('the default branch ends last, and its repository counts for nothing until the next scan', async () => {
  const flaws = (title: string) => scanned('over', 'main', 80, title);
  await importAll(server, 'acme', [flaws('left'), scanned('over', 'release/1', 80, 'shipped')]);
  const { items } = succeeded(
    await admin.get<{ items: { id: string; ref: string }[] }>('/api/v1/acme/references?repo=acme/over'),
  );
  const end = (ref: string) =>
    admin.patch<{ message: string }>(
      `/manage/v1/acme/references/${items.find((row) => row.ref === ref)?.id}`,
      { deleted: true },
    );
  const refused = await end('main');
  assert.equal(refused.status, 422);
  assert.match(JSON.stringify(refused.body), /The default branch ends last/);
  succeeded(await end('release/1'));
  assert.deepEqual(await listed('repo=acme/over&state=open'), ['left open']);
  // A report that fails leaves a reference that nothing has shown yet.
  await importAll(server, 'acme', [reportInput('{', { repository: 'acme/over', ref: 'refs/pull/1/head' })]);
  succeeded(await end('main'));
  const risks = succeeded(
    await viewer.get<{ repositories: { full_name: string }[] }>(
      '/api/v1/acme/overview?scope=default_branches',
    ),
  );
  assert.ok(!JSON.stringify(risks).includes('acme/over'));
  for (const scope of ['tracked', 'default_branches', 'all']) {
    assert.deepEqual(await listed(`repo=acme/over&state=open&scope=${scope}`), [], scope);
  }
  await assertInvariants(server.owner);
  // A late report shows nothing of now, and a new one brings back what the branch had.
  await importAll(server, 'acme', [{ ...scanned('over', 'main', 90, 'late') }]);
  await assertInvariants(server.owner);
  assert.deepEqual(await listed('repo=acme/over&state=open&scope=all'), []);
  await importAll(server, 'acme', [scanned('over', 'main', 1, 'left', 'new')]);
  assert.deepEqual(await listed('repo=acme/over&state=open&scope=default_branches'), [
    'left open',
    'new open',
  ]);
  await assertInvariants(server.owner);
});

test('a branch that was scanned since it was read is not marked as deleted', async () => {
  await importAll(server, 'acme', [scanned('since', 'main', 3), scanned('since', 'release/1', 3, 'kept')]);
  const { items } = succeeded(
    await admin.get<Schemas['ReferencePage']>('/api/v1/acme/references?repo=acme/since'),
  );
  const release = items.find(({ ref }) => ref === 'release/1');
  const end = (lastScannedAt: string | null | undefined) =>
    admin.patch<{ code: string }>(`/manage/v1/acme/references/${release?.id}`, {
      deleted: true,
      last_scanned_at: lastScannedAt,
    });
  await importAll(server, 'acme', [scanned('since', 'release/1', 1, 'kept')]);
  for (const read of [release?.last_scanned_at, null]) {
    const { status, body } = await end(read);
    assert.deepEqual([status, body.code], [409, 'INVALID_TRANSITION']);
  }
  assert.deepEqual(await listed('repo=acme/since&state=open'), ['kept open']);
  const again = succeeded(
    await admin.get<Schemas['ReferencePage']>('/api/v1/acme/references?repo=acme/since'),
  );
  succeeded(await end(again.items.find(({ ref }) => ref === 'release/1')?.last_scanned_at));
  assert.deepEqual(await listed('repo=acme/since&state=open'), []);
});

test('an admin makes a default branch active again that was ended by mistake, and no file or report does', async () => {
  await importAll(server, 'acme', [scanned('mistake', 'main', 80, 'back')]);
  const path = '/manage/v1/acme/repositories/acme%2Fmistake';
  const { items } = succeeded(
    await admin.get<Schemas['ReferencePage']>('/api/v1/acme/references?repo=acme/mistake'),
  );
  succeeded(await admin.patch(`/manage/v1/acme/references/${items[0]?.id}`, { deleted: true }));
  await importTx(server.db, tenant.id, (tx) =>
    applyInventory(tx, { repositories: [{ full_name: 'acme/mistake', default_branch: 'main' }] }),
  );
  await importAll(server, 'acme', [scanned('mistake', 'feature/m', 1)]);
  assert.deepEqual(await listed('repo=acme/mistake&state=open&scope=all'), []);
  for (let time = 0; time < 2; time++) {
    succeeded(await admin.patch(path, { default_branch: 'main' }));
    assert.deepEqual(await listed('repo=acme/mistake&state=open&scope=default_branches'), ['back open']);
  }
  await assertInvariants(server.owner);
  const audit = succeeded(
    await admin.get<Schemas['AuditEventPage']>('/manage/v1/acme/audit?action=repository.reference'),
  );
  assert.deepEqual(
    audit.items.slice(0, 2).map(({ data }) => [data.ref, data.active]),
    [
      ['refs/heads/main', { from: 'false', to: 'true' }],
      ['refs/heads/main', { from: 'true', to: 'false' }],
    ],
  );
});

test('a tool that reports a vulnerability on an inactive branch alone reports it no longer', async () => {
  // The claims of the two tools agree, so that nothing else changes with a tool.
  const found = {
    ...flaw('reported'),
    aliases: [],
    package: 'reported',
    severity: 'low' as const,
  };
  await importAll(server, 'acme', [
    scanned('tools', 'main', 40, 'reported'),
    reportInput(grype([found]), { repository: 'acme/tools', ref: 'feature/t', scannedAt: daysAgo(40) }),
  ]);
  const tools = async () => {
    const base = '/api/v1/acme/vulnerabilities';
    const { items } = succeeded(await viewer.get<{ items: { id: string }[] }>(`${base}?repo=acme/tools`));
    const [path, signals] = [`${base}/${items[0]?.id}`, `${base}/signals?ids=${items[0]?.id}`];
    const { reporters } = succeeded(await viewer.get<Schemas['VulnerabilityDetail']>(path));
    const [signal] = succeeded(await viewer.get<{ items: Schemas['VulnerabilitySignals'][] }>(signals)).items;
    const exported = await admin.get('/export/v1/acme/vulnerabilities?repo=acme/tools');
    const [item] = exported.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return [fieldsOf(reporters, 'tool', 'live'), fieldsOf(item.tools, 'tool', 'live'), signal?.tools];
  };
  const both = (isLive: boolean) => [
    ['grype', isLive],
    ['trivy', true],
  ];
  const exportSince = async (query: string) => {
    const lines = (await admin.get(`/export/v1/acme/vulnerabilities${query}`)).text.trim().split('\n');
    const last = JSON.parse(lines.pop() ?? '');
    const changed = lines
      .map((line) => JSON.parse(line))
      .filter((item) => item.repository?.full_name === 'acme/tools');
    return {
      cursor: String(last.cursor),
      tools: changed.map((item) => fieldsOf(item.tools, 'tool', 'live')),
    };
  };
  /** The tools in an export of the changes that `change` makes. */
  const changedBy = async (change: () => Promise<unknown>) => {
    await server.owner.query(`update vulnerability set updated_at = updated_at - interval '1 minute'`);
    const { cursor } = await exportSince('');
    assert.deepEqual((await exportSince(`?since=${cursor}`)).tools, []);
    await change();
    return (await exportSince(`?since=${cursor}`)).tools;
  };
  const trackedBranches = async (own: string[]) => {
    const { rows } = await server.owner.query<{ id: RepositoryId }>(
      `select id from repository where full_name = 'acme/tools'`,
    );
    const id = formatId('repository', rows[0]?.id ?? nilId);
    return succeeded(await admin.put(`/manage/v1/acme/repositories/${id}/tracked-branches`, { own }));
  };
  assert.deepEqual(await tools(), [both(true), both(true), ['grype', 'trivy']]);
  const quiet = await changedBy(() => sweepTenant(server.db, tenant.id, new Date(), 30));
  assert.deepEqual(await tools(), [both(false), both(false), ['trivy']]);
  assert.deepEqual(quiet, [both(false)]);
  assert.deepEqual(await changedBy(() => trackedBranches(['feature/*'])), [both(true)], 'tracked');
  await importAll(server, 'acme', [scanned('tools', 'feature/t', 1, 'reported')]);
  const series = succeeded(
    await admin.get<{ items: { id: string; tool: string }[] }>('/manage/v1/acme/scan-series?repo=acme/tools'),
  ).items.find(({ tool }) => tool === 'grype');
  const retire = () => admin.post(`/manage/v1/acme/scan-series/${series?.id}/retire`, {});
  assert.deepEqual(await changedBy(retire), [both(false)], 'retired');
});

test('an ignore file decides only while its branch is tracked and active', async () => {
  const found = { rule: 'sqli', path: 'src/db.ts', line: 7, code: 'query(x)' };
  const scan = (repository: string, ref: string, ignored: boolean) =>
    importAll(server, 'acme', [
      reportInput(sarif([ignored ? { ...found, suppressed: 'external' } : found]), {
        ...{ repository, ref, defaultBranch: main },
      }),
    ]);
  const referenceOf = async (repository: string, ref: string) => {
    const path = `/api/v1/acme/references?repo=${repository}`;
    const { items } = succeeded(await viewer.get<{ items: { id: string; ref: string }[] }>(path));
    return `/manage/v1/acme/references/${items.find((row) => row.ref === ref)?.id}`;
  };
  const manage = async (repository: string) => {
    const { rows } = await server.owner.query<{ id: RepositoryId }>(
      'select id from repository where full_name = $1',
      [repository],
    );
    return `/manage/v1/acme/repositories/${rows.map(({ id }) => formatId('repository', id))[0]}`;
  };
  const own = async (repository: string, names: string[] | null) =>
    admin.put(`${await manage(repository)}/tracked-branches`, { own: names });
  const setDefault = async (repository: string, branch: string) =>
    admin.patch(await manage(repository), { default_branch: branch });
  type Change = (repository: string) => Promise<unknown>;
  const cases: [name: string, ref: string, suggestions: number, Change, Change][] = [
    [
      'deleted',
      'release/1',
      0,
      async (repository) => admin.patch(await referenceOf(repository, 'release/1'), { deleted: true }),
      (repository) => scan(repository, 'release/1', true),
    ],
    ['untracked', 'release/1', 1, (name) => own(name, []), (name) => own(name, null)],
    ['moved', 'main', 1, (name) => setDefault(name, 'develop'), (name) => setDefault(name, 'main')],
  ];
  for (const [name, ref, suggestions, end, begin] of cases) {
    const repository = `acme/file-${name}`;
    await scan(repository, 'main', ref === 'main');
    await scan(repository, ref === 'main' ? 'develop' : ref, ref !== 'main');
    const shown = async () => {
      const base = '/api/v1/acme/vulnerabilities';
      const list = succeeded(await viewer.get<{ items: { id: string }[] }>(`${base}?repo=${repository}`));
      assert.equal(list.items.length, 1);
      const detail = await viewer.get<Schemas['VulnerabilityDetail']>(`${base}/${list.items[0]?.id}`);
      const { status, decided_by, suggestions, history } = succeeded(detail);
      const last = history.find(({ event }) => event !== 'seen_on_reference');
      return [status, decided_by, suggestions.length, last?.event];
    };
    const decided = ['ignored', 'suppression', 0, 'ignored'];
    assert.deepEqual(await shown(), decided, name);
    await end(repository);
    assert.deepEqual(await shown(), ['open', null, suggestions, 'decision_removed'], name);
    await begin(repository);
    assert.deepEqual(await shown(), decided, name);
    if (name !== 'untracked') continue;
    await own(repository, []);
    await scan(repository, ref, false);
    await scan(repository, ref, true);
    await own(repository, null);
    assert.equal((await shown())[0], 'open', 'a file that came while its branch was not tracked');
    await scan(repository, ref, true);
    assert.deepEqual(await shown(), decided, 'the next scan of the tracked branch');
  }
  await assertInvariants(server.owner);
});

test('the sweep updates the repositories that a change of the workspace has not reached', async () => {
  const repositories = Array.from({ length: 25 }, (_, n) => `many-${n}`);
  await importAll(
    server,
    'acme',
    repositories.flatMap((name) => [scanned(name, 'main', 3), scanned(name, 'next/1', 2, 'swept')]),
  );
  await admin.patch('/manage/v1/acme/settings', { tracked_branches: ['next/*', 'release/*'] });
  const open = async () => (await listed('q=swept&scope=tracked')).length;
  assert.ok((await open()) < 25);
  for (let pass = 0; pass < 3; pass++) await sweepTenant(server.db, tenant.id, new Date(), 30);
  assert.equal(await open(), 25);
  await assertInvariants(server.owner);
});

test('names of a repository count at once, also while the sweep has not yet updated others', async () => {
  const repositories = Array.from({ length: 7 }, (_, n) => `each-${n}`);
  await importAll(
    server,
    'acme',
    repositories.flatMap((name) => [scanned(name, 'main', 3), scanned(name, 'each/1', 2, 'single')]),
  );
  const { rows } = await server.owner.query<{ id: RepositoryId }>(
    `select id from repository where full_name like 'acme/each-%' order by id`,
  );
  for (const { id } of rows) {
    const path = `/manage/v1/acme/repositories/${formatId('repository', id)}/tracked-branches`;
    assert.equal((await admin.put(path, { own: ['each/*'] })).status, 200);
  }
  assert.equal((await listed('q=single&scope=tracked')).length, repositories.length);
});

test('a branch that is made while the names change is tracked after the sweep', async () => {
  await importAll(server, 'acme', [scanned('late', 'main', 1)]);
  const { rows } = await server.owner.query<{ id: RepositoryId }>(
    `select id from repository where full_name = 'acme/late'`,
  );
  const repositoryId = rows[0]?.id ?? nilId;
  await tenantTx(server.db, tenant.id, async (tx) => {
    await getOrCreateReference(tx, repositoryId, parseReference('late/1'));
    const answer = await admin.put(
      `/manage/v1/acme/repositories/${formatId('repository', repositoryId)}/tracked-branches`,
      { own: ['late/*'] },
    );
    assert.equal(answer.status, 200, answer.text);
  });
  for (let pass = 0; pass < 3; pass++) await sweepTenant(server.db, tenant.id, new Date(), 30);
  const references = await server.owner.query(
    `select tracked from reference where repository_id = $1 and full_ref = 'refs/heads/late/1'`,
    [repositoryId],
  );
  assert.deepEqual(references.rows, [{ tracked: true }]);
});

test('a branch of a repository that is made while the names of the workspace change is tracked after the sweep', async () => {
  let changing: ReturnType<typeof admin.patch> | undefined;
  let repositoryId: RepositoryId = nilId;
  await tenantTx(server.db, tenant.id, async (tx) => {
    const options = { requiresApproval: async () => false };
    repositoryId = await getOrCreateRepository(tx, { fullName: 'acme/meanwhile' }, options);
    await getOrCreateReference(tx, repositoryId, parseReference('meanwhile/1'));
    changing = admin.patch('/manage/v1/acme/settings', { tracked_branches: ['meanwhile/*'] });
    await Promise.race([changing, untilLockWaits(server.owner)]);
  });
  assert.equal((await changing)?.status, 200);
  for (let pass = 0; pass < 3; pass++) await sweepTenant(server.db, tenant.id, new Date(), 30);
  const { rows } = await server.owner.query('select tracked from reference where repository_id = $1', [
    repositoryId,
  ]);
  assert.deepEqual(rows, [{ tracked: true }]);
});

test('a list by the name of a branch has the exact number, also for letters outside ASCII', async () => {
  await importAll(server, 'acme', [
    scanned('north', 'prüfung', 2, 'northern', 'shared'),
    scanned('south', 'prüfung', 2, 'shared'),
    scanned('south', 'Prüfung', 2, 'upper'),
  ]);
  assert.deepEqual(await listed('ref=pr%C3%BCfung'), ['northern open', 'shared open', 'shared open']);
  assert.deepEqual(await listed('ref=refs/heads/Pr%C3%BCfung'), ['upper open']);
  const { rows } = await server.owner.query(
    `select sum(count)::int as count from vulnerability_count where scope = 'reference_name' and key = $1`,
    ['c727def1-cf58-4285-07a9-2961b642c361'], // sha256sum of refs/heads/prüfung
  );
  assert.deepEqual(rows, [{ count: 3 }], 'the digest of a name does not change');
  await assertInvariants(server.owner);
});

test('a repository whose references cannot be changed does not keep back those of others', async () => {
  const names = ['first', 'failing', 'last'];
  await importAll(
    server,
    'acme',
    names.flatMap((name) => [scanned(name, 'main', 1, 'zip'), scanned(name, 'topic', 40, 'zip')]),
  );
  const topics = async (column: 'active' | 'tracked') => {
    const { rows } = await server.owner.query(
      `select r.name, f.${column} as value from reference f join repository r on r.id = f.repository_id
        where f.full_ref = 'refs/heads/topic' and r.name = any($1)`,
      [names],
    );
    return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  };
  const { rows: found } = await server.owner.query(`select id from repository where name = 'failing'`);
  await server.owner.query(`
    create function refuse_reference() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse_reference before update on reference for each row
      when (new.repository_id = '${found[0].id}') execute function refuse_reference()`);
  const failures: unknown[] = [];
  const sweep = () => sweepTenant(server.db, tenant.id, new Date(), 30, (error) => failures.push(error));
  await sweep();
  assert.deepEqual(await topics('active'), { first: false, failing: true, last: false });
  assert.equal(failures.length, 1);
  await server.owner.query(
    `update repository set tracked_branches = '{topic}', tracking_changed = true where name = any($1)`,
    [names],
  );
  await sweep();
  assert.deepEqual(await topics('tracked'), { first: true, failing: false, last: true });
  await server.owner.query('drop trigger refuse_reference on reference; drop function refuse_reference()');
  await sweep();
  assert.deepEqual(await topics('tracked'), { first: true, failing: true, last: true });
  await assertInvariants(server.owner);
});

/**
 * Tests of the repository that a report belongs to, over HTTP: names and ids of the VCS, renames, one name for two
 * repositories, and concurrent uploads.
 */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { tenantTx } from '../../src/db/database.ts';
import { parseId } from '../../src/domain/ids.ts';
import { processRepository } from '../../src/ingest/import/process-scan.ts';
import { getOrCreateRepository } from '../../src/inventory/repositories/create.ts';
import { fieldOf } from '../support/fields.ts';
import { assertInvariants } from '../support/invariants.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const server = await createTestServer({ MERLON_UPLOADS_PER_MINUTE: '0' });
const { tenant, people } = await createTestWorkspace(server, 'acme');
await server.app.listen({ port: 0, host: '127.0.0.1' });
const { port } = server.app.server.address() as AddressInfo;
const body = JSON.stringify(trivy([{ id: 'CVE-2020-8203', name: 'lodash', version: '4.17.15' }]));

async function send(query: Record<string, string>) {
  const response = await fetch(
    `http://127.0.0.1:${port}/ingest/v1/acme/scans?${new URLSearchParams(query)}`,
    { method: 'POST', headers: { authorization: `Bearer ${people.member.key}` }, body },
  );
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into it field by field
  return { status: response.status, body: (await response.json()) as any };
}

const upload = ({ query }: { query: Record<string, string> }) => send({ ref: 'main', ...query });

async function namesOf(...externalIds: string[]): Promise<string[]> {
  const { rows } = await server.owner.query(
    'select full_name from repository where external_id = any($1) order by external_id',
    [externalIds],
  );
  return rows.map((row) => row.full_name);
}

const vcs = (id: string, source = 'ghc') => ({ repo_source: source, repo_external_id: id });

test('a new id under a known name makes another repository, and the old one loses the name', async () => {
  const old = await upload({ query: { repo: 'acme/reborn', ...vcs('r1') } });
  const made = await upload({ query: { repo: 'acme/reborn', ...vcs('r2') } });
  assert.deepEqual([old.status, made.status], [202, 202], JSON.stringify(made.body));
  assert.notEqual(made.body.repository.id, old.body.repository.id);
  assert.deepEqual(await namesOf('r1', 'r2'), ['acme/reborn (ghc:r1)', 'acme/reborn']);
  const named = await upload({ query: { repo: 'acme/reborn' } });
  assert.equal(named.body.repository.id, made.body.repository.id);
  const moved = await upload({ query: { repo: 'acme/moved', ...vcs('r1') } });
  assert.equal(moved.body.repository.id, old.body.repository.id);
  assert.deepEqual(await namesOf('r1', 'r2'), ['acme/moved', 'acme/reborn']);
  const { rows } = await server.owner.query(
    `select data, actor_id from audit_event where action = 'repository.rename' and target_id = $1 order by id`,
    [parseId('repository', old.body.repository.id)],
  );
  assert.deepEqual(fieldOf(rows, 'data'), [
    { from: 'acme/reborn', to: 'acme/reborn (ghc:r1)' },
    { from: 'acme/reborn (ghc:r1)', to: 'acme/moved' },
  ]);
});

test('the two spellings of a letter with an accent name one repository', async () => {
  const [one, two] = ['acme/café', 'acme/CAFE\u0301'];
  const first = await upload({ query: { repo: one } });
  const second = await upload({ query: { repo: two } });
  assert.deepEqual([first.status, second.status], [202, 202]);
  assert.equal(second.body.repository.id, first.body.repository.id);
});

test('two repositories that swap their names keep their vulnerabilities', async () => {
  for (const [repo, id] of [
    ['acme/left', 's1'],
    ['acme/right', 's2'],
    ['acme/right', 's1'],
    ['acme/left', 's2'],
  ] as const) {
    assert.equal((await upload({ query: { repo, ...vcs(id) } })).status, 202);
  }
  assert.deepEqual(await namesOf('s1', 's2'), ['acme/right', 'acme/left']);
});

test('the same name in two VCSs gives two repositories, and the names become stable', async () => {
  const seen = new Map<string, Set<string>>();
  for (const source of ['ghe', 'gitlab', 'ghe', 'gitlab', 'ghe']) {
    const taken = await upload({ query: { repo: 'acme/mirrored', ...vcs(`m-${source}`, source) } });
    assert.equal(taken.status, 202, JSON.stringify(taken.body));
    seen.set(source, (seen.get(source) ?? new Set()).add(taken.body.repository.id));
  }
  assert.deepEqual(fieldOf([...seen.values()], 'size'), [1, 1]);
  assert.equal(new Set([...seen.values()].flatMap((ids) => [...ids])).size, 2);
  assert.deepEqual(await namesOf('m-ghe', 'm-gitlab'), ['acme/mirrored (ghe:m-ghe)', 'acme/mirrored']);
});

test('without ref a new repository has no default branch, even if another one had its name', async () => {
  await upload({ query: { repo: 'acme/branch', default_branch: 'main', ...vcs('b1') } });
  const { rows } = await server.owner.query(`select id from repository where full_name = 'acme/branch'`);
  await processRepository({ ...server, config: server.config }, tenant.id, rows[0].id);
  assert.equal((await send({ repo: 'acme/branch', ...vcs('b1') })).status, 202);
  assert.equal((await send({ repo: 'acme/branch', ...vcs('b2') })).status, 422);
});

test('simultaneous uploads of one id under eight names, and of four renamed to one, are all accepted', async () => {
  const statuses = async (queries: Record<string, string>[]) =>
    (await Promise.all(queries.map((query) => upload({ query })))).map((answer) => answer.status);
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
  const taken = numbers.map(() => 202);
  assert.deepEqual(await statuses(numbers.map((n) => ({ repo: `once/n${n}`, ...vcs('o1') }))), taken);
  assert.deepEqual(await statuses(numbers.map((n) => ({ repo: `once/m${n}`, ...vcs('o1') }))), taken);
  assert.equal((await namesOf('o1')).length, 1);
  const four = numbers.slice(4);
  await statuses(four.map((n) => ({ repo: `once/four${n}`, ...vcs(`f${n}`) })));
  assert.deepEqual(
    await statuses(four.map((n) => ({ repo: 'once/one', ...vcs(`f${n}`) }))),
    four.map(() => 202),
  );
  const names = await namesOf('f5', 'f6', 'f7', 'f8');
  assert.equal(names.filter((name) => name === 'once/one').length, 1);
  assert.equal(new Set(names).size, 4);
  for (let round = 0; round < 4; round++) {
    const swapped = four.map((n) => ({ repo: `once/ring${(n + round) % 4}`, ...vcs(`f${n}`) }));
    assert.deepEqual(await statuses(swapped), [202, 202, 202, 202]);
  }
  assert.deepEqual(await statuses(numbers.map((n) => ({ repo: 'once/made', ...vcs(`g${n}`) }))), taken);
  const made = await namesOf(...numbers.map((n) => `g${n}`));
  assert.deepEqual([new Set(made).size, made.filter((name) => name === 'once/made').length], [8, 1]);
});

test('a protected name or id does not change, and new repositories are created', async () => {
  const rehearse = (fullName: string, externalId: string) =>
    tenantTx(server.db, tenant.id, (tx) =>
      getOrCreateRepository(
        tx,
        { fullName, source: 'ghc', externalId },
        { mayChange: false, requiresApproval: async () => false },
      ),
    );
  const idOf = (answer: { body: { repository: { id: string } } }) =>
    parseId('repository', answer.body.repository.id);
  const known = idOf(await upload({ query: { repo: 'dry/known', ...vcs('d1') } }));
  assert.equal(await rehearse('dry/renamed', 'd1'), known);
  const alone = idOf(await upload({ query: { repo: 'dry/alone' } }));
  assert.equal(await rehearse('dry/alone', 'd2'), alone);
  assert.deepEqual(await namesOf('d1', 'd2'), ['dry/known']);
  const made = await rehearse('dry/known', 'd3');
  assert.notEqual(made, known);
  assert.deepEqual(await namesOf('d1', 'd3'), ['dry/known', 'dry/known (ghc:d3)']);
  assert.equal(idOf(await upload({ query: { repo: 'dry/known', ...vcs('d3') } })), made);
  assert.deepEqual(await namesOf('d1', 'd3'), ['dry/known (ghc:d1)', 'dry/known']);
});

test('in a workspace for known repositories only, a rename creates no organization', async () => {
  await upload({ query: { repo: 'acme/known', ...vcs('k1') } });
  for (const setting of ['known_organizations', 'never']) {
    await server.owner.query(
      `update tenant set settings = jsonb_build_object('new_repositories', $1::text)`,
      [setting],
    );
    const away = await upload({ query: { repo: 'brand-new/deep/er/x', ...vcs('k1') } });
    assert.deepEqual([away.status, Object.keys(away.body.errors ?? {})], [422, ['repo']]);
    const within = await upload({ query: { repo: `acme/known-${setting}`, ...vcs('k1') } });
    assert.equal(within.status, 202, JSON.stringify(within.body));
    assert.deepEqual(await namesOf('k1'), [`acme/known-${setting}`]);
  }
  const another = await upload({ query: { repo: 'acme/known-never', ...vcs('k2') } });
  assert.deepEqual([another.status, await namesOf('k1')], [422, ['acme/known-never']]);
  const { rows } = await server.owner.query(`select 1 from organization where full_path like 'brand-new%'`);
  assert.deepEqual(rows, []);
});

test('the data of this file breaks no invariant', () => assertInvariants(server.owner));

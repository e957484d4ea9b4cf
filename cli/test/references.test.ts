/** Tests of `merlon references` against a server and a remote of git. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatId, type RepositoryId } from '../../server/src/domain/ids.ts';
import { importAll } from '../../server/test/support/import.ts';
import { trivy } from '../../server/test/support/reports.ts';
import { runHere } from '../../server/test/support/run-here.ts';
import { createTestServer } from '../../server/test/support/server.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import { main } from '../src/main.ts';
import { GitRepository } from './support/git-repository.ts';

const server = await createTestServer();
const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
const { people } = await createTestWorkspace(server, 'acme');
const report = trivy([{ id: 'CVE-2037-1', name: 'alpha', version: '1.0.0' }]);
const refs = ['main', 'release/1', 'release/2', 'feature/x'];
await importAll(
  server,
  'acme',
  [...refs, 'refs/pull/7/head'].map((ref) => reportInput(report, { ref })),
);

const remote = new GitRepository();
remote.commit();
for (const branch of refs.slice(1)) remote.git('branch', branch);
const checkout = new GitRepository({ of: remote });

async function run(
  args: string[],
  { key = people.admin.key, repo = 'acme/shop', cwd = checkout.directory } = {},
) {
  const env = { MERLON_URL: url, MERLON_TOKEN: key, MERLON_WORKSPACE: 'acme' };
  const all = ['references', ...args, '--repo', repo, '--json'];
  const { code, stdout, stderr } = await runHere(main, all, { cwd, env });
  return { code, stderr, refs: code === 0 ? namesIn(stdout) : stdout };
}

const namesIn = (json: string): string[] =>
  (JSON.parse(json) as { items: { ref: string }[] }).items.map(({ ref }) => ref).sort();

async function activeRefs(): Promise<string[]> {
  const { rows } = await server.owner.query<{ full_ref: string }>(
    'select full_ref from reference where active order by full_ref',
  );
  return rows.map(({ full_ref: ref }) => ref.replace('refs/heads/', ''));
}

test('sync marks the branches that the remote no longer has, and no pull request', async () => {
  assert.deepEqual((await run([])).refs, [...refs, 'refs/pull/7/head'].sort());
  assert.deepEqual(await run(['sync']), { code: 0, stderr: '', refs: [] });
  remote.git('branch', '-D', 'release/2', 'feature/x');
  const before = await activeRefs();
  const planned = await run(['sync', '--dry-run']);
  assert.deepEqual([planned.code, planned.refs], [0, ['feature/x', 'release/2']]);
  assert.deepEqual(await activeRefs(), before);
  const refused = await run(['sync'], { key: people.member.key });
  assert.deepEqual([refused.code, await activeRefs()], [3, before]);
  assert.deepEqual((await run(['sync'])).refs, ['feature/x', 'release/2']);
  assert.deepEqual(await activeRefs(), ['main', 'release/1', 'refs/pull/7/head']);
});

test('sync changes nothing if the remote does not answer, has no branch, or lacks the default branch', async () => {
  const before = await activeRefs();
  const gone = await run(['sync', '--remote', 'nowhere']);
  assert.deepEqual([gone.code, await activeRefs()], [3, before]);
  assert.match(gone.stderr, /git ls-remote --heads nowhere gave no branch/);
  const empty = new GitRepository();
  checkout.git('remote', 'add', 'empty', `file://${empty.directory}`);
  assert.equal((await run(['sync', '--remote', 'empty'])).code, 3);
  const other = new GitRepository();
  other.commit();
  other.git('branch', '-m', 'trunk');
  checkout.git('remote', 'add', 'other', `file://${other.directory}`);
  const lacks = await run(['sync', '--remote', 'other']);
  assert.deepEqual([lacks.code, await activeRefs()], [3, before]);
  assert.match(lacks.stderr, /has no branch main, which is the default branch/);
});

test('sync knows a repository by its id, and refuses the remote of another one without --force', async () => {
  checkout.git('remote', 'add', 'fork', 'https://git.example.com/evil/fork.git');
  const refused = await run(['sync', '--remote', 'fork']);
  assert.equal(refused.code, 3);
  assert.match(refused.stderr, /The remote fork is evil\/fork, and not acme\/shop/);
  const { rows } = await server.owner.query<{ id: RepositoryId }>('select id from repository');
  const repo = formatId('repository', rows[0]?.id ?? assert.fail());
  assert.equal((await run(['sync', '--remote', 'fork'], { repo })).code, 3);
  // Git says where the remote is, which is a directory, and that has no name.
  checkout.git('config', `url.file://${remote.directory}.insteadOf`, 'https://git.example.com/evil/fork.git');
  const { code, stderr } = await run(['sync', '--remote', 'fork'], { repo });
  assert.deepEqual([code, stderr], [0, '']);
});

test('sync refuses a remote that lacks most tracked branches without --force, and marks any number of others', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const scanAll = (prefix: string) =>
    importAll(
      server,
      'acme',
      names.map((name) => reportInput(report, { ref: `${prefix}/${name}` })),
    );
  await scanAll('release');
  const before = await activeRefs();
  const most = await run(['sync']);
  assert.deepEqual([most.code, await activeRefs()], [3, before]);
  assert.match(most.stderr, /lacks 4 of 6 active tracked branches/);
  const gone = names.map((name) => `release/${name}`);
  assert.deepEqual((await run(['sync', '--dry-run'])).refs, gone);
  assert.deepEqual((await run(['sync', '--force'])).refs, gone);
  await scanAll('topic');
  assert.deepEqual(
    (await run(['sync'])).refs,
    names.map((name) => `topic/${name}`),
  );
});

test('sync keeps a branch that was scanned while it ran', async () => {
  const scannedAt = new Date(Date.now() - 60_000);
  await importAll(
    server,
    'acme',
    ['later/a', 'later/b'].map((ref) => reportInput(report, { ref, scannedAt })),
  );
  const { fetch } = globalThis;
  globalThis.fetch = async (request, options) => {
    const answer = await fetch(request, options);
    // The references are listed, and the remote is asked next.
    if (request instanceof Request && request.url.includes('/references?')) {
      await importAll(server, 'acme', [reportInput(report, { ref: 'later/b' })]);
    }
    return answer;
  };
  const synced = await run(['sync']).finally(() => Object.assign(globalThis, { fetch }));
  assert.deepEqual([synced.code, synced.refs], [0, ['later/a']]);
  assert.match(synced.stderr, /refs\/heads\/later\/b was scanned meanwhile, so it stays/);
  assert.ok((await activeRefs()).includes('later/b'));
  assert.deepEqual((await run(['sync'])).refs, ['later/b']);
});

test('delete takes a short name for that of a branch, and full names of branches, tags and pull requests', async () => {
  const tag = 'refs/tags/v1';
  await importAll(server, 'acme', [
    reportInput(report, { ref: 'v1' }),
    reportInput(report, { ref: tag }),
    reportInput(report, { ref: 'refs/tags/v2' }),
  ]);
  const { stderr } = await run(['delete', 'v1']);
  assert.match(stderr, /Marked refs\/heads\/v1 as deleted/);
  let active = await activeRefs();
  assert.deepEqual([active.includes('v1'), active.includes(tag)], [false, true]);
  assert.match((await run(['delete', 'v1'])).stderr, /refs\/heads\/v1 is inactive already/);
  assert.equal((await run(['delete', tag, 'v2', 'refs/heads/release/1'])).code, 0);
  active = await activeRefs();
  for (const ref of [tag, 'refs/tags/v2', 'release/1']) assert.ok(!active.includes(ref), ref);
  await importAll(server, 'acme', [reportInput(report, { ref: 'release/1' })]);
});

test('delete marks the named branches, and none if one name is unknown', async () => {
  const unknown = await run(['delete', 'release/1', 'release/9']);
  assert.equal(unknown.code, 3);
  assert.match(unknown.stderr, /has no reference release\/9/);
  const elsewhere = await run(['delete', 'release/1'], { repo: 'acme/none' });
  assert.match(elsewhere.stderr, /Nothing was found for release\/1, --repo acme\/none/);
  assert.ok((await activeRefs()).includes('release/1'));
  assert.deepEqual((await run(['delete', 'release/1'])).refs, ['release/1']);
  const early = await run(['delete', 'main']);
  assert.equal(early.code, 2);
  assert.match(early.stderr, /^merlon: The default branch ends last/);
  assert.equal((await run(['delete', 'main', 'refs/pull/7/head'])).code, 0);
  assert.deepEqual(await activeRefs(), []);
});

test('sync refuses a remote without the default branch also after this one has ended', async () => {
  await importAll(server, 'acme', [reportInput(report, { ref: 'topic/z' })]);
  const other = new GitRepository();
  other.commit();
  other.git('branch', '-m', 'trunk');
  checkout.git('remote', 'set-url', 'other', `file://${other.directory}`);
  const lacks = await run(['sync', '--remote', 'other', '--force']);
  assert.deepEqual([lacks.code, await activeRefs()], [3, ['topic/z']]);
  assert.match(lacks.stderr, /has no branch main, which is the default branch/);
});

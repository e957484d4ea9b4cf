/** Tests of the real command against the real server and its worker: the full work of CI. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWorker } from '../../server/src/worker.ts';
import { clientOf } from '../../server/test/support/client.ts';
import { openvex } from '../../server/test/support/scanner-reports.ts';
import { createTestServer } from '../../server/test/support/server.ts';
import { trivyReport } from '../../server/test/support/tool-reports.ts';
import { createTestKey, createTestWorkspace } from '../../server/test/support/workspace.ts';
import { GitRepository } from './support/git-repository.ts';
import { type Run, runMerlon } from './support/run-merlon.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

const server = await createTestServer();
const worker = await startWorker(server, silent);
server.beforeClose(() => worker.stop());
const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
const { people } = await createTestWorkspace(server, 'acme');
const { user, key } = people.admin;

const checkout = new GitRepository();
checkout.git('remote', 'add', 'origin', 'git@github.com:acme/shop.git');
const sha = checkout.commit();

function report(name: string, content: unknown): string {
  const path = join(checkout.directory, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

const both = trivyReport({
  packages: [
    { id: 'CVE-2030-1', package: 'lodash', severity: 'HIGH' },
    { id: 'CVE-2030-2', package: 'minimist', severity: 'LOW' },
  ],
});
const one = trivyReport({ packages: [{ id: 'CVE-2030-1', package: 'lodash', severity: 'HIGH' }] });
// Longer than the part that the server reads before it accepts a report.
const cut = JSON.stringify({ ...both, Padding: 'x'.repeat(200_000) }).slice(0, -1);

function merlon(args: string[], env: Record<string, string> = {}, input = '', directory = ''): Promise<Run> {
  const settings = { MERLON_URL: url, MERLON_TOKEN: key, ...env };
  return runMerlon(args, { cwd: join(checkout.directory, directory), env: settings, input });
}

async function json(args: string[], env: Record<string, string> = {}, input = '') {
  const run = await merlon([...args, '--json'], env, input);
  assert.equal(run.code, 0, run.stderr);
  return JSON.parse(run.stdout);
}

test('uploads of two reports wait and print new and fixed vulnerabilities', async () => {
  const first = await merlon(['scan', 'upload', report('first.json', both), '--wait']);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stderr, new RegExp(`acme/shop refs/heads/main at ${sha.slice(0, 12)} \\(git\\)`));
  assert.match(first.stdout, /^first\.json: trivy: 2 new, 0 fixed, 0 reopened, 0 unchanged$/m);
  const page = /^ {2}http\S+\/w\/acme\/scans\/(scan_\w+)$/m.exec(first.stdout);
  assert.ok(page, 'the page of the console that shows it');
  const { status: known } = await clientOf(server.app, key).get(`/api/v1/acme/scans/${page[1]}`);
  assert.equal(known, 200);
  assert.ok(!(first.stdout + first.stderr).includes('\u001b'), 'no colour in a pipe');

  const fixing = checkout.commit();
  const second = await json(['scan', 'upload', '-', '--wait=60'], {}, JSON.stringify(one));
  assert.deepEqual(second.parameters, { repo: 'acme/shop', ref: 'refs/heads/main', sha: fixing });
  const [{ status, counts, error }] = second.scans;
  assert.deepEqual([status, counts.fixed, counts.unchanged, error], ['completed', 1, 1, null]);
});

test('an uploaded VEX document tells what became of its statements', async () => {
  const row = { status: 'not_affected' as const, id: 'CVE-2030-404', purl: 'pkg:npm/nowhere' };
  const file = report('vex.json', openvex([row], null));
  const run = await merlon(['scan', 'upload', file, '--repo', 'acme/vex', '--ref', 'main', '--wait']);
  assert.equal(run.code, 0, run.stderr);
  assert.match(
    run.stdout,
    /^vex\.json: openvex: 0 new, .* 0 unchanged; statements: 0 decided, 0 suggested, 1 unmatched$/m,
  );
  assert.match(
    run.stdout,
    /^ +warning: One statement is about no known vulnerability of the repository: it /m,
  );
});

test('a report of another directory does not replace a failed one of the same name', async () => {
  checkout.commit();
  for (const directory of ['web', 'api']) mkdirSync(join(checkout.directory, directory), { recursive: true });
  const upload = (file: string, content: unknown) =>
    merlon(['scan', 'upload', report(file, content), '--wait', '--gate']);
  const broken = await upload('web/results.json', cut);
  assert.equal(broken.code, 5, broken.stderr);
  assert.equal((await upload('api/results.json', one)).code, 5);
  const uploadIn = (directory: string) =>
    merlon(['scan', 'upload', 'results.json', '--wait', '--gate'], {}, '', directory);
  assert.equal((await uploadIn('api')).code, 5);
  report('web/results.json', one);
  const again = await uploadIn('web');
  assert.equal(again.code, 0, again.stderr);
});

test('a pull request of GitHub is uploaded as its head', async () => {
  const head = 'a'.repeat(40);
  const event = report('event.json', {
    number: 7,
    repository: { id: 4711, private: true, default_branch: 'main', owner: { id: 42 } },
    pull_request: { number: 7, head: { sha: head }, base: { ref: 'main', sha } },
  });
  const { found_by: foundBy, scans } = await json(['scan', 'upload', report('pull.json', one), '--wait'], {
    GITHUB_ACTIONS: 'true',
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_EVENT_PATH: event,
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_REPOSITORY_ID: '4711',
    GITHUB_REPOSITORY_OWNER_ID: '42',
    GITHUB_REF: 'refs/pull/7/merge',
    GITHUB_SHA: checkout.git('rev-parse', 'HEAD'),
  });
  assert.equal(foundBy, 'GitHub Actions');
  const { body } = await clientOf(server.app, key).get<{ reference: Record<string, unknown>; sha: string }>(
    `/api/v1/acme/scans/${scans[0].id}`,
  );
  assert.deepEqual(
    [body.reference.ref, body.reference.type, body.sha],
    ['refs/pull/7/head', 'pull_request', head],
  );
});

test('a broken report is refused with the position, and the next report is still accepted', async () => {
  const run = await merlon(['scan', 'upload', report('cut.json', cut), report('good.json', one), '--wait']);
  assert.equal(run.code, 5, run.stderr);
  assert.match(run.stdout, /^cut\.json: failed: .*line 1/m);
  assert.match(run.stdout, /^good\.json: trivy: 0 new/m);
  const none = await merlon(['scan', 'upload', report('none.json', '{}'), 'good.json', '--wait']);
  assert.equal(none.code, 3, none.stderr);
  assert.match(none.stdout, /^none\.json: report: /m);
  assert.match(none.stdout, /^good\.json: trivy: 0 new/m);
});

test('exit codes tell usage, refusal, an unreachable server and no result in time apart', async () => {
  const file = report('again.json', one);
  const cases: [string[], Record<string, string>, number, RegExp][] = [
    [
      ['scan', 'upload', 'missing.json'],
      {},
      3,
      /The report missing\.json cannot be read: it does not exist\./,
    ],
    [
      ['scan', 'upload', file, '--ref', 'a b'],
      {},
      2,
      /--ref: Must be a name that git allows for a branch, not "a b"\./,
    ],
    [
      ['scan', 'upload', file, '--ref', 'HEAD'],
      {},
      2,
      /--ref: The name HEAD means whatever is checked out\./,
    ],
    [['scan', 'upload', file, '--ref-type', 'x'], {}, 2, /Allowed choices/],
    [['scan', 'upload', file], { MERLON_TOKEN: '' }, 2, /MERLON_TOKEN is not set/],
    [
      ['scan', 'upload', file],
      { MERLON_TOKEN: people.viewer.key },
      3,
      /may not do this\. It needs the scope scans:write\./,
    ],
    [['whoami'], { MERLON_WORKSPACE: 'nowhere' }, 3, /There is no such workspace/],
    [['whoami'], { MERLON_URL: 'http://127.0.0.1:9', MERLON_WORKSPACE: 'acme' }, 4, /cannot be reached/],
    [['scan', 'upload', file, '--wait=0'], {}, 6, /^again\.json: (?:queued|running)$/m],
  ];
  for (const [args, env, code, message] of cases) {
    const run = await merlon(args, env);
    assert.equal(run.code, code, `${args.join(' ')}: ${run.stderr}`);
    assert.match(run.stdout + run.stderr, message);
    assert.ok(!(run.stdout + run.stderr).includes(key));
  }
});

test('the only workspace is used, and with several --workspace is required', async () => {
  const shown = await json(['whoami']);
  assert.equal(shown.tenant.slug, 'acme');
  const limited = await createTestKey(server, { userId: user.id, role: 'admin', scopes: ['scans:read'] });
  const run = await merlon(['whoami'], { MERLON_TOKEN: limited.key });
  assert.equal(run.code, 2);
  assert.match(run.stderr, /MERLON_WORKSPACE is not set/);
});

test('vulnerabilities are listed, decided and assigned', async () => {
  const { items, summary } = await json(['vulns', '--state', 'open', '--repo', 'acme/shop', '--all']);
  assert.equal(summary.total, 1);
  const [{ id }] = items;
  const table = await merlon(['vulns', '--state', 'open']);
  assert.match(
    table.stdout,
    /^SEVERITY +STATUS +TYPE +TITLE +ADVISORY +REPOSITORY +WHERE +ID\nhigh +open +dependency .* CVE-\d+-\d+ +acme\/shop /,
  );
  const { items: withFix } = await json(['vulns', '--include', 'fix,open_on']);
  assert.deepEqual(
    [withFix[0].fix, withFix[0].open_on, 'due' in withFix[0]],
    [null, { ref: 'main', is_default: true, reach: 'tracked' }, false],
  );
  const wide = await merlon(['vulns', '--include', 'open_on,advisory,fix']);
  assert.match(wide.stdout, /^.* WHERE +FIX +ON +ID\n.* - +main \(tracked\) +vc_/);
  assert.match((await merlon(['repos'])).stdout, /^\w+ +acme\/shop +/m);

  const unreasoned = await merlon(['triage', 'reject', id]);
  assert.deepEqual([unreasoned.code, unreasoned.stdout], [2, '']);
  const rejected = await json(['triage', 'accept', id, '--reason', 'replaced soon', '--until', '2099-01-31']);
  assert.deepEqual(
    [rejected.items[0].status, rejected.items[0].accepted_until],
    ['accepted', '2099-01-31T23:59:59Z'],
  );
  const assigned = await json(['assign', id, 'member@acme.example']);
  assert.equal(assigned.vulnerability.assignee.email, 'member@acme.example');
  assert.match((await merlon(['assign', id, 'none'])).stdout, /unassigned/);
  assert.equal((await merlon(['assign', id, 'nobody@example.com'])).code, 2);
});

test('an export writes a whole file or none, and goes on from its cursor', async () => {
  const out = join(checkout.directory, 'all.ndjson');
  const { cursor } = await json(['export', '--out', out]);
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
  assert.equal(JSON.parse(lines.at(-1) ?? '').cursor, cursor);
  assert.equal(lines.length, 3, 'two vulnerabilities and the cursor');
  const since = await merlon(['export', '--since', cursor]);
  assert.equal(since.code, 0, since.stderr);
  const refused = await merlon(['export', '--since', 'nonsense', '--out', `${out}.not`]);
  assert.equal(refused.code, 2);
  assert.ok(!existsSync(`${out}.not`) && !existsSync(`${out}.not.part`));
});

test('an upload about the default branch sends the CODEOWNERS file of the commit, one about another branch does not', async () => {
  const shop = await clientOf(server.app, key).get<{ id: string }>('/api/v1/acme/repositories/acme%2Fshop');
  const owners = async () =>
    (
      await clientOf(server.app, key).get<{ content: string; path: string | null }>(
        `/manage/v1/acme/repositories/${shop.body.id}/code-owners`,
      )
    ).body;
  assert.equal((await owners()).path, null);
  mkdirSync(join(checkout.directory, '.github'));
  const file = join(checkout.directory, '.github/CODEOWNERS');
  writeFileSync(file, '/pay/ @acme/payments\n');
  checkout.git('add', '.github');
  checkout.commit();
  // A step of the job has changed it.
  writeFileSync(file, '* @mallory\n');
  const name = report('owned.json', one);
  checkout.git('checkout', '-q', '-b', 'feature');
  const other = await merlon(['scan', 'upload', name]);
  assert.equal(other.code, 0, other.stderr);
  assert.equal((await owners()).path, null);
  checkout.git('checkout', '-q', 'main');
  const run = await merlon(['scan', 'upload', name]);
  assert.equal(run.code, 0, run.stderr);
  assert.match(run.stderr, /\.github\/CODEOWNERS says who owns the code/);
  const { path, content } = await owners();
  assert.deepEqual([path, content], ['.github/CODEOWNERS', '/pay/ @acme/payments']);
  const fresh = await merlon(['scan', 'upload', name, '--repo', 'acme/fresh', '--wait']);
  assert.doesNotMatch(fresh.stderr, /CODEOWNERS/, 'the checkout is another repository');
});

test('two reports of one name outside of the checkout keep their vulnerabilities apart', async () => {
  const folders = ['web', 'api'].map((name) => join(mkdtempSync(join(tmpdir(), 'merlon-reports-')), name));
  for (const [index, folder] of folders.entries()) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'trivy.json'), JSON.stringify(index === 0 ? both : trivyReport({})));
  }
  const files = folders.map((folder) => join(folder, 'trivy.json'));
  const { scans } = await json([
    'scan',
    'upload',
    ...files,
    '--repo',
    'acme/folders',
    '--ref',
    'main',
    '--sha',
    sha,
    '--wait',
  ]);
  assert.deepEqual(
    scans.map((scan: { counts: { fixed: number } }) => scan.counts.fixed),
    [0, 0],
  );
});

test('a report that is a file of the commit is refused, also behind a link, until the sender allows it', async () => {
  const directory = new GitRepository();
  const { directory: cwd } = directory;
  directory.git('remote', 'add', 'origin', 'git@github.com:acme/planted.git');
  writeFileSync(join(cwd, 'zz.json'), JSON.stringify(trivyReport({})));
  mkdirSync(join(cwd, 'reports'));
  symlinkSync('../zz.json', join(cwd, 'reports', 'link.json'));
  // Links to what an installed package brings, and into a folder that looks like a repository of git.
  symlinkSync('../modules/sample.json', join(cwd, 'reports', 'sample.json'));
  symlinkSync('modules', join(cwd, 'folder'));
  // Names with signs that have a meaning for git.
  for (const name of [':zz.json', ':!zz.json', '*.json']) {
    writeFileSync(join(cwd, name), JSON.stringify(trivyReport({})));
  }
  directory.git('init', '-q', '--bare', 'bare');
  writeFileSync(join(cwd, 'bare', 'zz.json'), JSON.stringify(trivyReport({})));
  writeFileSync(join(cwd, '.gitignore'), 'modules\n');
  directory.git('add', '-A');
  directory.commit();
  mkdirSync(join(cwd, 'modules'));
  writeFileSync(join(cwd, 'modules', 'sample.json'), JSON.stringify(trivyReport({})));
  writeFileSync(join(cwd, 'trivy.json'), JSON.stringify(one));
  const upload = (...args: string[]) =>
    runMerlon(['scan', 'upload', ...args, '--wait'], { cwd, env: { MERLON_URL: url, MERLON_TOKEN: key } });
  const planted = [
    'zz.json',
    'reports/link.json',
    'reports/sample.json',
    'folder/sample.json',
    'bare/zz.json',
    ':zz.json',
    ':!zz.json',
    '*.json',
  ];
  for (const name of planted) {
    const run = await upload('trivy.json', name);
    assert.equal(run.code, 2, run.stderr);
    assert.match(run.stderr, /is in the commit itself.*--allow-committed/);
    assert.equal(run.stdout, '');
  }
  assert.equal((await upload('zz.json', '--allow-committed')).code, 0);
  // A report that was written beside files of the commit.
  mkdirSync(join(cwd, 'web'));
  writeFileSync(join(cwd, 'web', 'page.html'), '');
  directory.git('add', 'web');
  directory.commit();
  writeFileSync(join(cwd, 'web', 'trivy.json'), JSON.stringify(one));
  assert.equal((await upload('web/trivy.json')).code, 0);
  const below = await runMerlon(['scan', 'upload', 'zz.json', '--repo', 'acme/planted', '--ref', 'main'], {
    cwd: join(cwd, 'bare'),
    env: { MERLON_URL: url, MERLON_TOKEN: key },
  });
  assert.equal(below.code, 2, below.stderr);
});

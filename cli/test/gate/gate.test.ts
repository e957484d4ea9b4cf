/** Tests of the gate: the real command against the real server and its worker, as CI runs it. */
import assert from 'node:assert/strict';
import { existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { importTx } from '../../../server/src/db/database.ts';
import { parseId, type RepositoryId } from '../../../server/src/domain/ids.ts';
import { applyPolicies } from '../../../server/src/policies/definition/apply.ts';
import { parsePolicies } from '../../../server/src/policies/definition/document.ts';
import { lockEvaluations } from '../../../server/src/policies/evaluation/evaluate-store.ts';
import { startWorker } from '../../../server/src/worker.ts';
import { fieldOf } from '../../../server/test/support/fields.ts';
import { applyAndEvaluate, factIs, policyOf } from '../../../server/test/support/policies.ts';
import { runHere } from '../../../server/test/support/run-here.ts';
import { createTestServer } from '../../../server/test/support/server.ts';
import { type PackageRow, trivyReport } from '../../../server/test/support/tool-reports.ts';
import { createTestWorkspace } from '../../../server/test/support/workspace.ts';
import { exitCodeOfGate, fetchGate, type UploadCheck } from '../../src/gate/fetch-gate.ts';
import { refuseAnyVerdict, refuseVerdictOfEarlierRun } from '../../src/gate/gate-after-upload.ts';
import { main } from '../../src/main.ts';
import { retryClock } from '../../src/requests.ts';
import { openSession } from '../../src/session.ts';
import { startForge } from '../support/forge.ts';
import { GitRepository } from '../support/git-repository.ts';
import { blockCritical } from '../support/policies.ts';
import type { Run } from '../support/run-merlon.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };
const server = await createTestServer();
const worker = await startWorker(server, silent);
server.beforeClose(() => worker.stop());
const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
const { tenant, people } = await createTestWorkspace(server, 'acme');
const { key } = people.member;
await applyAndEvaluate(server, tenant.id, blockCritical);

const checkout = new GitRepository();
checkout.git('remote', 'add', 'origin', 'git@github.com:acme/shop.git');

const critical: PackageRow = {
  id: 'CVE-2030-1',
  package: 'lodash',
  severity: 'CRITICAL',
  version: '4.17.20',
  fixed: '4.17.21',
  title: 'Prototype \u001b[31mpollution',
};
const high: PackageRow = { id: 'CVE-2030-2', package: 'minimist', severity: 'HIGH' };

function file(name: string): string {
  return join(checkout.directory, name);
}

function report(name: string, ...packages: PackageRow[]): string {
  writeFileSync(file(name), JSON.stringify(trivyReport({ packages })));
  return name;
}

function merlon(args: string[], env: Record<string, string> = {}): Promise<Run> {
  const settings = { MERLON_URL: url, MERLON_TOKEN: key, MERLON_WORKSPACE: 'acme', ...env };
  return runHere(main, args, { cwd: checkout.directory, env: settings });
}

async function ended(code: number, args: string[], env: Record<string, string> = {}): Promise<Run> {
  const run = await merlon(args, env);
  assert.equal(run.code, code, `${args.join(' ')}\n${run.stdout}${run.stderr}`);
  assert.ok(!(run.stdout + run.stderr).includes('\u001b'), 'no colour in a pipe, and none of a report');
  return run;
}

async function openKeySession() {
  process.env.MERLON_TOKEN = key;
  const session = await openSession({ url, workspace: 'acme' });
  delete process.env.MERLON_TOKEN;
  return session;
}

describe('a branch', () => {
  test('without a scan there is no verdict in time', async () => {
    checkout.commit();
    await ended(0, ['scan', 'upload', report('other.json'), '--ref', 'other', '--wait']);
    const run = await ended(6, ['gate', '--timeout', '1']);
    assert.match(run.stdout, /^no verdict: acme\/shop at [0-9a-f]{12}: the reference was never scanned$/m);
    assert.match(run.stderr, /^acme\/shop refs\/heads\/main at [0-9a-f]{12} \(git\)$/m);
    // The server guessed the default branch from this upload. Where a policy blocks, only an admin can correct it.
    const named = ['--ref', 'other', '--default-branch', 'main', '--wait'];
    await ended(0, ['scan', 'upload', 'other.json', ...named], { MERLON_TOKEN: people.admin.key });
  });

  test('a scanner run that did not succeed gives no verdict, the reason in one line, and its own exit code', async () => {
    checkout.commit();
    const log = {
      version: '2.1.0',
      runs: [
        { tool: { driver: { name: 'CodeQL' } }, invocations: [{ executionSuccessful: false }], results: [] },
      ],
    };
    writeFileSync(file('failed.sarif'), JSON.stringify(log));
    const ref = ['--ref', 'failing'];
    const uploaded = await ended(7, ['scan', 'upload', 'failed.sarif', ...ref, '--gate']);
    const reason =
      /^no verdict: acme\/shop failing: codeql did not succeed \(scan_[0-9a-z]+\): no evidence that anything is clean$/m;
    assert.match(uploaded.stdout, reason);
    const asked = await ended(7, ['gate', ...ref, '--expect', 'codeql', '--timeout', '60']);
    assert.match(asked.stdout, reason);
    const crashed = { version: '2.1.0', runs: [{ tool: { driver: { name: 'CodeQL' } }, results: null }] };
    writeFileSync(file('crashed.sarif'), JSON.stringify(crashed));
    const started = Date.now();
    const { stdout } = await ended(7, ['scan', 'upload', 'crashed.sarif', '--ref', 'crashing', '--gate']);
    assert.match(
      stdout,
      /^ +warning: A run of codeql has no list of results: the tool did not scan, so it closes nothing\.$/m,
    );
    assert.match(stdout, /^no verdict: acme\/shop crashing: codeql scanned nothing \(scan_[0-9a-z]+\): /m);
    assert.ok(Date.now() - started < 60_000, 'the gate does not wait for a better answer');
  });

  test('a run with rows that could not be read gives a verdict, but none that expects its tool', async () => {
    checkout.commit();
    const results = [{ ruleId: 'weeds', message: { text: 'Weeds grow.' } }, 1];
    const log = { version: '2.1.0', runs: [{ tool: { driver: { name: 'CodeQL' } }, results }] };
    writeFileSync(file('cut.sarif'), JSON.stringify(log));
    const upload = ['scan', 'upload', 'cut.sarif', '--ref', 'cut', '--gate'];
    const plain = await ended(0, upload);
    assert.match(plain.stdout, /1 not read/);
    const expecting = await ended(7, [...upload, '--expect', 'codeql']);
    assert.match(
      expecting.stdout,
      /^no verdict: acme\/shop cut: codeql has rows that could not be read \(scan_[0-9a-z]+\): /m,
    );
  });

  test('a failed run gives no verdict to its own upload, although its reference keeps one', async () => {
    const log = (succeeded: boolean) => ({
      version: '2.1.0',
      runs: [
        {
          ...{ tool: { driver: { name: 'CodeQL' } }, results: [] },
          invocations: [{ executionSuccessful: succeeded }],
        },
      ],
    });
    // Without a commit the reference is asked about, which was scanned before.
    const uploaded = ['--repo', 'acme/nightly', '--ref', 'main', '--gate'];
    writeFileSync(file('codeql.sarif'), JSON.stringify(log(true)));
    await ended(0, ['scan', 'upload', 'codeql.sarif', ...uploaded]);
    writeFileSync(file('codeql.sarif'), JSON.stringify(log(false)));
    const run = await ended(7, ['scan', 'upload', 'codeql.sarif', ...uploaded]);
    assert.match(run.stdout, /^no verdict: acme\/nightly main: codeql did not succeed /m);
  });

  test('an upload has the verdict of its own repository, not that of another one with the same name', async () => {
    const sha = checkout.commit();
    const github = {
      ...{ GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/mirrored', GITHUB_REPOSITORY_ID: '1' },
      ...{ GITHUB_REF: 'refs/heads/main', GITHUB_SHA: sha },
    };
    const gitlab = {
      ...{ GITLAB_CI: 'true', CI_PROJECT_PATH: 'acme/mirrored', CI_PROJECT_ID: '2' },
      ...{ CI_COMMIT_BRANCH: 'main', CI_COMMIT_SHA: sha },
    };
    await ended(0, ['scan', 'upload', report('clean.json'), '--gate'], github);
    const run = await ended(1, ['scan', 'upload', report('bad.json', critical), '--gate'], gitlab);
    assert.match(run.stdout, /^blocked: acme\/mirrored \(gitlab:2\) main at /m);
    const alone = await ended(1, ['gate'], gitlab);
    assert.match(alone.stdout, /^blocked: acme\/mirrored \(gitlab:2\) main at /m);
    await ended(0, ['gate'], github);
  });

  test('a critical vulnerability blocks with steps to unblock, and the same request gives the same answer', async () => {
    const sha = checkout.commit();
    const run = await ended(1, ['scan', 'upload', report('bad.json', critical, high), '--gate']);
    assert.match(run.stdout, /^bad\.json: trivy: 2 new/m);
    assert.match(run.stdout, new RegExp(`^blocked: acme/shop main at ${sha.slice(0, 12)}$`, 'm'));
    assert.match(run.stdout, /^1 blocks, 1 warns$/m);
    assert.match(run.stdout, /^ {2}critical {2}Prototype \[31mpollution$/m);
    assert.match(
      run.stdout,
      /CVE-2030-1; lodash 4\.17\.20, fixed in 4\.17\.21; package-lock\.json\n.*due \d{4}-.*in [67] days/,
    );
    assert.match(
      run.stdout,
      /^To unblock:\n {2}1\. Upgrade lodash 4\.17\.20 to 4\.17\.21\. \(package-lock\.json; clears 1\)$/m,
    );

    const again = await ended(1, ['gate']);
    assert.ok(run.stdout.endsWith(again.stdout), again.stdout);
    const json = JSON.parse((await ended(1, ['gate', '--json'])).stdout);
    assert.deepEqual(
      [json.verdict, json.sha, json.violations[0].fix_version, json.summary.blocking],
      ['block', sha, '4.17.21', 1],
    );
    const shown = JSON.parse((await ended(1, ['scan', 'upload', 'bad.json', '--gate', '--json'])).stdout);
    assert.deepEqual([shown.scans.length, shown.gate.verdict], [1, 'block']);
  });

  test('each violation names its advisory, or in code the rule that found it', async () => {
    const physicalLocation = { artifactLocation: { uri: 'src/db.ts' }, region: { startLine: 7 } };
    const result = { ruleId: 'js/sqli', level: 'error', message: { text: 'SQL injection' } };
    const code = {
      version: '2.1.0',
      runs: [
        { tool: { driver: { name: 'CodeQL' } }, results: [{ ...result, locations: [{ physicalLocation }] }] },
      ],
    };
    writeFileSync(file('code.sarif'), JSON.stringify(code));
    const named = ['--repo', 'acme/named', '--ref', 'main'];
    const reports = ['code.sarif', report('package.json', critical)];
    const run = await ended(1, ['scan', 'upload', ...reports, ...named, '--gate']);
    assert.match(run.stdout, /^ +CVE-2030-1; lodash 4\.17\.20, /m);
    assert.match(run.stdout, /\(no-high; js\/sqli; src\/db\.ts:7\)$/m);
    const { violations } = JSON.parse((await ended(1, ['gate', ...named, '--json'])).stdout);
    assert.deepEqual(
      [fieldOf(violations, 'advisory'), fieldOf(violations, 'rule')],
      [
        ['CVE-2030-1', null],
        [null, 'js/sqli'],
      ],
    );
  });

  test('a fixed vulnerability passes, and a warning passes too', async () => {
    checkout.commit();
    const warned = await ended(0, ['scan', 'upload', report('high.json', high), '--gate']);
    assert.match(warned.stdout, /^passed, with warnings: .*\n0 block, 1 warns$/m);
    checkout.commit();
    const passed = await ended(0, ['scan', 'upload', report('good.json'), '--gate', '--wait=60']);
    assert.match(passed.stdout, /^passed: acme\/shop main at .*\n0 block, 0 warn$/m);
    assert.doesNotMatch(passed.stdout, /Blocking|unblock/);
  });

  test('an older commit keeps its verdict', async () => {
    const sha = checkout.git('rev-parse', 'HEAD~2');
    const run = await ended(1, ['gate', '--sha', sha]);
    assert.match(
      run.stdout,
      new RegExp(
        `^blocked: acme/shop main at ${sha.slice(0, 12)}\nanother commit was scanned since, or the reference is inactive: this is the worst verdict of its scans$`,
        'm',
      ),
    );
    assert.match(run.stderr, new RegExp(`^acme/shop at ${sha.slice(0, 12)}`, 'm'));
  });

  test('a missing expected tool is waited for and named', async () => {
    const run = await ended(6, ['gate', '--expect', 'trivy,semgrep', '--timeout', '2']);
    const reason = 'no scan by semgrep yet; there are scans by trivy';
    assert.match(run.stderr, new RegExp(`^waiting: ${reason}$`, 'm'));
    assert.match(run.stdout, new RegExp(`^no verdict: .*: ${reason}$`, 'm'));
    await ended(0, ['gate', '--expect', 'trivy']);
    await ended(6, [
      'scan',
      'upload',
      'good.json',
      '--gate',
      '--wait=2',
      '--expect',
      'trivy',
      '--expect',
      'semgrep',
    ]);
  });

  test('a verdict that comes during the wait ends the wait', async () => {
    const sha = checkout.commit();
    const waiting = merlon(['gate', '--expect', 'trivy', '--timeout', '60']);
    const upload = await ended(0, ['scan', 'upload', 'bad.json']);
    assert.match(upload.stdout, /queued|running/);
    const run = await waiting;
    assert.equal(run.code, 1, run.stderr);
    assert.match(run.stdout, new RegExp(`^blocked: acme/shop main at ${sha.slice(0, 12)}`));
  });

  test('a repository that its first upload has not made yet is waited for, and not found at the end of the time', async () => {
    const named = ['--repo', 'acme/new', '--ref', 'main'];
    const late = await ended(3, ['gate', ...named, '--timeout', '1']);
    assert.match(late.stderr, /^waiting: no scan of the repository or the commit yet$/m);
    assert.match(late.stderr, /Nothing was found for --repo acme\/new, --ref main\./);
    const session = await openKeySession();
    const uploadMeanwhile = {
      pause: () => ended(0, ['scan', 'upload', report('good.json'), ...named, '--wait']),
      say: () => {},
    };
    const query = { repo: 'acme/new', ref: 'main' };
    const { gate } = await fetchGate(session, query, Date.now() + 60_000, uploadMeanwhile);
    assert.equal(gate.verdict, 'pass');
  });

  test('a pass counts only after changed policies are evaluated, and a block or a failed run counts at once', async (t) => {
    const named = ['--repo', 'acme/changing', '--ref', 'main'];
    await ended(0, ['scan', 'upload', report('two.json', high), ...named, '--gate']);
    await ended(1, ['scan', 'upload', report('one.json', critical), ...named, '--ref', 'bad', '--gate']);
    const { repository } = JSON.parse((await ended(0, ['gate', ...named, '--json'])).stdout);
    const [locked, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const evaluating = importTx(server.db, tenant.id, async (tx) => {
      await lockEvaluations(tx, [parseId('repository', repository.id) as RepositoryId]);
      locked.resolve();
      await done.promise;
    });
    await locked.promise;
    t.after(() => done.resolve());
    const boss = await server.queue.open();
    const here = factIs('repository.full_name', 'acme/changing');
    const changed = parsePolicies(policyOf('no-high-here', `${factIs('severity', 'high')}, ${here}`));
    await importTx(server.db, tenant.id, (tx) => applyPolicies(tx, boss, changed, { actorId: null }));
    const late = await ended(6, ['gate', ...named, '--timeout', '2', '--junit', 'pending.xml']);
    const reason = 'policies are still being evaluated, and a verdict without them could be wrong';
    assert.match(late.stderr, new RegExp(`^waiting: ${reason}$`, 'm'));
    assert.match(late.stdout, new RegExp(`^no verdict: acme/changing main: ${reason}$`, 'm'));
    assert.match(readFileSync(file('pending.xml'), 'utf8'), /<error message="policies are still/);
    const json = await ended(6, ['gate', ...named, '--timeout', '0', '--json']);
    assert.equal(JSON.parse(json.stdout).verdict, null);
    const started = Date.now();
    // The newest run of this repository failed, and its reference keeps the verdict of an earlier run.
    const session = await openKeySession();
    const afterUpload = (checkUpload: UploadCheck, seconds = 60) => {
      const query = { repo: 'acme/nightly', ref: 'main' };
      const clock = { ...retryClock, say: () => {} };
      return fetchGate(session, query, Date.now() + seconds * 1000, clock, checkUpload);
    };
    const other = await afterUpload(refuseVerdictOfEarlierRun([], {}), 0);
    assert.equal(other.noVerdict?.kind, 'pending');
    const scanIds = other.gate.scans.map(({ id }) => id);
    const own = await afterUpload(refuseVerdictOfEarlierRun(scanIds, {}));
    assert.deepEqual([own.noVerdict?.kind, own.gate.verdict, exitCodeOfGate(own)], ['unsuccessful', null, 7]);
    const partly = await afterUpload(refuseAnyVerdict);
    assert.deepEqual(partly.noVerdict, { kind: 'refused', text: 'a report was not accepted' });
    const blocked = await ended(1, ['gate', ...named, '--ref', 'bad', '--timeout', '60']);
    assert.match(blocked.stdout, /^policies are still being evaluated, so the verdict may change$/m);
    assert.ok(Date.now() - started < 30_000, 'a block and a failed run end the wait');
    const waiting = merlon(['gate', ...named, '--timeout', '60']);
    done.resolve();
    await evaluating;
    const run = await waiting;
    assert.equal(run.code, 1, run.stdout + run.stderr);
    assert.match(run.stdout, /^ +policy no-high-here/m);
  });

  test('output files are complete, and exist only with a verdict', async () => {
    const files = ['--sarif', 'gate.sarif', '--junit', 'gate.xml'];
    await ended(1, ['gate', ...files]);
    const [run] = JSON.parse(readFileSync(file('gate.sarif'), 'utf8')).runs;
    assert.deepEqual(fieldOf(run.results, 'level'), ['error', 'warning']);
    assert.match(
      readFileSync(file('gate.xml'), 'utf8'),
      /<testsuite name="merlon gate acme\/shop main at .* failures="1"/,
    );

    checkout.commit();
    const none = await ended(6, ['gate', ...files, '--timeout', '0']);
    assert.match(none.stderr, /gate\.sarif is not written: there is no verdict/);
    assert.ok(!existsSync(file('gate.sarif')), 'that of an earlier run would say what is no longer so');
    assert.match(readFileSync(file('gate.xml'), 'utf8'), /errors="1"/);
    assert.ok(!existsSync(file('gate.xml.part')));

    await ended(0, ['scan', 'upload', 'good.json', '--gate', ...files]);
    assert.deepEqual(JSON.parse(readFileSync(file('gate.sarif'), 'utf8')).runs[0].results, []);
    await ended(3, ['gate', '--sarif', 'missing/gate.sarif']);

    symlinkSync('/dev/null', file('device'));
    await ended(0, ['gate', '--sarif', 'device']);
    assert.ok(lstatSync(file('device')).isSymbolicLink(), 'a device is written to, and not removed');
  });

  test('a failed scan gives no verdict, whatever other scans completed', async () => {
    checkout.commit();
    const whole = JSON.stringify({ ...trivyReport({ packages: [high] }), Padding: 'x'.repeat(200_000) });
    writeFileSync(file('cut.json'), whole.slice(0, -1));
    const alone = await ended(5, ['scan', 'upload', 'cut.json', '--gate', '--junit', 'gate.xml']);
    assert.match(alone.stdout, /^no verdict: acme\/shop main at .*: a scan failed: .*scan_/m);
    assert.match(readFileSync(file('gate.xml'), 'utf8'), /<error message="a scan failed/);
    assert.match((await ended(5, ['gate'])).stdout, /^no verdict/);
    const both = await ended(5, ['scan', 'upload', 'cut.json', 'good.json', '--gate']);
    assert.match(both.stdout, /^no verdict: /m);
    assert.doesNotMatch(both.stdout, /passed/);
    writeFileSync(file('none.json'), '{}');
    const refused = JSON.parse(
      (await ended(3, ['scan', 'upload', 'none.json', 'good.json', '--gate', '--json'])).stdout,
    );
    assert.equal(refused.gate, null);
  });
});

test('the verdict of a workspace without an active policy says that nothing is checked', async () => {
  const bare = await createTestWorkspace(server, 'bare');
  const env = { MERLON_WORKSPACE: 'bare', MERLON_TOKEN: bare.people.member.key };
  const upload = ['scan', 'upload', report('bare.json', critical), '--repo', 'acme/bare', '--ref', 'main'];
  const line = /^passed: acme\/bare main\n0 block, 0 warn\nNo policy is active, so nothing is checked\.$/m;
  assert.match((await ended(0, [...upload, '--gate'], env)).stdout, line);
  await applyAndEvaluate(server, bare.tenant.id, blockCritical);
  const blocked = await ended(1, ['gate', '--repo', 'acme/bare', '--ref', 'main'], env);
  assert.doesNotMatch(blocked.stdout, /No policy is active/);
});

describe('a pull request', () => {
  const head = 'c'.repeat(40);
  let env: Record<string, string> = {};

  before(async () => {
    const sha = checkout.commit();
    await ended(1, ['scan', 'upload', 'bad.json', '--gate', '--sha', sha]);
    writeFileSync(
      file('event.json'),
      JSON.stringify({
        number: 7,
        repository: { id: 4711, private: true, default_branch: 'main', owner: { id: 42 } },
        pull_request: { number: 7, head: { sha: head }, base: { ref: 'main', sha } },
      }),
    );
    env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_EVENT_PATH: 'event.json',
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_REPOSITORY_ID: '4711',
      GITHUB_REPOSITORY_OWNER_ID: '42',
      GITHUB_REF: 'refs/pull/7/merge',
      GITHUB_SHA: sha,
    };
  });

  test('only violations that the pull request adds count, unless --all is given', async () => {
    const upload = ['scan', 'upload', report('pull.json', critical), '--gate'];
    const run = await ended(0, upload, env);
    assert.match(
      run.stdout,
      /^passed: acme\/shop refs\/pull\/7\/head at cccccccccccc\ncompared with main@[0-9a-f]{12}: 1 that the base has too do not count$/m,
    );
    const all = await ended(1, [...upload, '--all'], env);
    assert.match(all.stdout, /^--all: violations on the base count too$/m);
    assert.match(
      all.stderr,
      /refs\/pull\/7\/head at cccccccccccc, to main from [0-9a-f]{12} \(GitHub Actions\)/,
    );
    const other = await ended(0, ['gate', '--base-ref', 'main'], env);
    assert.match(other.stdout, /^compared with main@[0-9a-f]{12}:/m);
    const missing = await ended(1, ['gate', '--base-ref', 'nowhere'], env);
    assert.match(missing.stdout, /^base missing \(nowhere.* was never scanned\): all violations count$/m);
  });

  test('the comment follows the verdict, and a failed comment does not change it', async () => {
    const forge = await startForge('github', { workflow_token: { id: 1, type: 'Bot' } });
    const tokens = { ...env, GITHUB_API_URL: forge.url, GITHUB_TOKEN: 'workflow_token' };
    const worse = { ...critical, id: 'CVE-2030-9', package: 'left-pad' };
    const upload = ['scan', 'upload', report('pull.json', critical, worse), '--gate', '--comment'];
    const run = await ended(1, upload, tokens);
    assert.match(run.stderr, /^commented on pull request 7 of acme\/shop$/m);
    report('pull.json', critical);
    await ended(0, upload, tokens);
    assert.equal(forge.comments.length, 1);
    assert.match(forge.comments[0]?.body ?? '', /### Merlon: passed\n/);
    report('pull.json', critical, worse);
    const broken = await ended(1, upload, { ...tokens, GITHUB_TOKEN: 'wrong_token' });
    assert.match(broken.stderr, /^no comment: The API of the forge answers 401: Bad credentials/m);
    assert.ok(!(broken.stderr + broken.stdout).includes('wrong_token'));
    const branch = await ended(5, ['gate', '--ref', 'main', '--comment'], tokens);
    assert.match(branch.stderr, /^no comment: this is not a job of/m);
    assert.equal(forge.comments.length, 1);
    await ended(5, ['scan', 'upload', 'cut.json', '--gate', '--comment'], tokens);
    assert.match(forge.comments[0]?.body ?? '', /### Merlon: no verdict\n\n.*a scan failed/);
    assert.ok(!forge.headers.includes(key));
  });

  test('a merge is compared with the commit that was merged, although the branch left its base before that', async () => {
    const run = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/merged' };
    const push = () => ({ ...run, GITHUB_REF: 'refs/heads/main', GITHUB_SHA: checkout.commit() });
    const upload = (...packages: PackageRow[]) => [
      'scan',
      'upload',
      report('merged.json', ...packages),
      '--gate',
    ];
    await ended(1, upload(critical), push());
    checkout.git('switch', '-q', '-c', 'feature');
    const feature = checkout.commit();
    checkout.git('switch', '-q', 'main');
    await ended(0, upload(), push());
    const fixed = checkout.git('rev-parse', 'HEAD');
    checkout.git('switch', '-q', '--detach');
    checkout.git('merge', '-q', '--no-ff', '-m', 'Merge', 'feature');
    const event = { pull_request: { head: { sha: feature }, base: { ref: 'main', sha: fixed } } };
    writeFileSync(file('merged-event.json'), JSON.stringify(event));
    const merged = await ended(1, upload(critical), {
      ...{ ...run, GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: 'merged-event.json' },
      ...{ GITHUB_REF: 'refs/pull/8/merge', GITHUB_SHA: checkout.git('rev-parse', 'HEAD') },
    });
    assert.match(merged.stdout, new RegExp(`^compared with main@${fixed.slice(0, 12)}$`, 'm'));
    checkout.git('switch', '-q', 'main');
  });
});

test('each wrong call of the gate ends with its exit code and a message, and a failed scan gives no verdict', async () => {
  const cases: [string[], Record<string, string>, number, RegExp][] = [
    [['gate', '--expect', ''], {}, 2, /Must name a tool/],
    [['gate', '--expect', ' , '], {}, 2, /Must name a tool/],
    [['gate', '--ref', ''], {}, 2, /--ref is empty/],
    [['gate', '--timeout', 'soon'], {}, 2, /The option --timeout must be a number of seconds, not "soon"\./],
    [['gate', '--base-ref', 'refs/tags/v1'], {}, 2, /--base-ref: Must be a branch, not "refs\/tags\/v1"\./],
    [['gate', 'acme/shop'], {}, 2, /too many arguments/],
    [['gate', '--repo', 'acme/none', '--ref', 'main', '--timeout', '0'], {}, 3, /Nothing was found for --/],
    [['gate', '--sha', 'e'.repeat(40), '--timeout', '0'], {}, 3, /Nothing was found for --/],
    [['gate'], { MERLON_TOKEN: '' }, 2, /MERLON_TOKEN is not set/],
    [['gate'], { MERLON_TOKEN: `mrl_pat_${'a'.repeat(46)}` }, 3, /MERLON_TOKEN is not valid/],
    [
      ['gate', '--repo', 'acme/shop'],
      { GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: 'workflow_run' },
      2,
      /workflow_run/,
    ],
    [['scan', 'upload', 'good.json', '--junit', 'x.xml'], {}, 2, /The option --junit needs --gate\./],
    [
      ['scan', 'upload', 'good.json', '--gate', '--junit', './good.json'],
      {},
      2,
      /The file \.\/good\.json is named twice/,
    ],
    [['gate', '--junit', 'a.xml', '--sarif', 'a.xml'], {}, 2, /The file a\.xml is named twice/],
    [
      ['scan', 'upload', 'good.json', '--gate', '--dry-run'],
      {},
      2,
      /With --dry-run nothing changes, so it cannot be combined with --gate\./,
    ],
  ];
  for (const [args, env, code, message] of cases) {
    const run = await ended(code, args, env);
    assert.match(run.stderr, message, args.join(' '));
    assert.equal(run.stdout, '');
  }
  // The failed report cut.json was never repaired.
  const main = await ended(5, ['gate', '--repo', 'acme/shop', '--ref', 'HEAD']);
  assert.match(main.stdout, /^no verdict: acme\/shop main at .*a scan failed/m);
});

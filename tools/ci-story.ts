/**
 * `npm run ci-story` shows the work of a team in CI, from start to end, on its own temporary server: a checkout with
 * branches and pull requests, scanners' reports, `merlon` as CI runs it, and its exit codes. It shows every command.
 * Ids are shortened and commits have fixed times, so that each run prints the same text.
 *
 * Only the scanner is simulated: it looks up the versions of package.json in three advisories and writes a report like
 * Trivy's.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const merlond = fileURLToPath(new URL('../server/bin/merlond.js', import.meta.url));
const merlon = fileURLToPath(new URL('../cli/bin/merlon.js', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'merlon-story-'));
// If root runs this, PostgreSQL runs as another user, who must be able to reach its data.
chmodSync(directory, 0o711);
const checkout = join(directory, 'shop');
const settings: Record<string, string> = {
  MERLON_DATA_DIR: join(directory, 'data'),
  MERLON_PORT: '0',
  MERLON_LOG_LEVEL: 'silent',
  // A slow machine asks more often for a verdict, and a refused request would be in the printed text.
  MERLON_RATE_LIMIT_PER_MINUTE: '0',
  NO_COLOR: '1',
  // The environment of the caller must not matter: its CI, its server, its git configuration.
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};
const inherited = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(MERLON_|GITHUB_|GITLAB_|CI$|CI_|JENKINS_|GIT_)/.test(name),
  ),
);

const advisories = [
  { name: 'lodash', id: 'CVE-2021-23337', severity: 'HIGH', fixed: '4.17.21', title: 'Command injection' },
  {
    name: 'minimist',
    id: 'CVE-2021-44906',
    severity: 'CRITICAL',
    fixed: '1.2.6',
    title: 'Prototype pollution',
  },
  {
    name: 'shell-quote',
    id: 'CVE-2021-42740',
    severity: 'CRITICAL',
    fixed: '1.7.3',
    title: 'Command injection',
  },
];

const policies = `policies:
  - key: critical
    name: Nothing critical
    target_type: vulnerability
    enforcement_mode: block
    condition: {all: [{fact: severity, operator: '==', value: critical}]}
    actions: {sla: {window: 7d}}
  - key: high
    name: High is looked at
    target_type: vulnerability
    enforcement_mode: warn
    condition: {all: [{fact: severity, operator: '==', value: high}]}
`;

const servers: ChildProcess[] = [];
let failures = 0;
let commits = 0;
try {
  await tell();
} finally {
  for (const server of servers) {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
  }
  rmSync(directory, { recursive: true, force: true });
}
process.exitCode = failures > 0 ? 1 : 0;

async function tell(): Promise<void> {
  chapter('An operator starts a server and says what may not be merged');
  mkdirSync(checkout);
  writeFileSync(join(directory, 'policies.yaml'), policies);
  operate('user create ada@example.com --name Ada --operator --password-stdin');
  settings.MERLON_URL = await startServer();
  operate('workspace create acme --name Acme');
  operate('member add ada@example.com --workspace acme --role member');
  settings.MERLON_TOKEN = operate(
    'key create --kind personal --user ada@example.com --name ci --scopes scans:read,scans:write,tenants:read',
    true,
  ).trim();
  say('$ cat policies.yaml');
  say(indented(policies));
  operate(`policy apply ${join(directory, 'policies.yaml')} --workspace acme`);

  chapter('The main branch, as it is: it has something high, which is looked at');
  git('init --quiet --initial-branch=main');
  git('remote add origin https://github.com/acme/shop.git');
  commit('First version', { lodash: '4.17.20' });
  ci(0, 'warn');

  chapter('A branch adds a dependency that is blocked: CI says which, where, and the version that fixes it');
  branch('feature');
  commit('Parse arguments', { lodash: '4.17.20', minimist: '1.2.5' });
  ci(1, 'block', 'main');

  chapter('The next commit takes that version');
  commit('Upgrade minimist', { lodash: '4.17.20', minimist: '1.2.6' });
  ci(0, 'pass', 'main');

  chapter('Main was never touched by any of it');
  run(0, 'warn', ['gate', '--ref', 'main', '--sha', shaOf('main')]);

  chapter('Main gets something critical; somebody branches off; main mends it');
  git('checkout --quiet main');
  commit('Quote arguments', { lodash: '4.17.20', 'shell-quote': '1.7.2' });
  ci(1, 'block');
  branch('stale');
  commit('Write a page', { lodash: '4.17.20', 'shell-quote': '1.7.2' }, 'page');
  git('checkout --quiet main');
  commit('Upgrade shell-quote', { lodash: '4.17.20', 'shell-quote': '1.7.3' });
  ci(0, 'warn');

  chapter('The stale branch is not blamed for what main had when it left');
  git('checkout --quiet stale');
  ci(0, 'pass', 'main');

  chapter('A pull request that brings back what main has mended is blocked');
  git('checkout --quiet main');
  git('checkout --quiet -b revert');
  commit('Go back to the old shell-quote', { lodash: '4.17.20', 'shell-quote': '1.7.2' });
  ci(1, 'block', 'main');

  chapter('Two scanners of one commit: no verdict before both have come');
  git('checkout --quiet main');
  branch('two-tools');
  commit('Write another page', { lodash: '4.17.20', 'shell-quote': '1.7.3' }, 'other');
  const base = baseOptions('main');
  const expect = ['--expect', 'trivy,semgrep'];
  run(6, null, ['scan', 'upload', 'trivy.json', ...base, '--gate', '--wait=8', ...expect]);
  writeFileSync(join(checkout, 'semgrep.sarif'), semgrep());
  run(0, 'pass', ['scan', 'upload', 'semgrep.sarif', ...base, '--gate', ...expect]);
}

function chapter(title: string): void {
  say(`\n## ${title}\n`);
}

async function startServer(): Promise<string> {
  say('$ merlond serve &');
  const child = spawn(process.execPath, [merlond, 'serve', '--port', '0'], {
    env: { ...inherited, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  servers.push(child);
  let output = '';
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /answers at (\S+)/.exec(line)?.[1];
    output += `${line}\n`;
    if (url) {
      child.stderr.resume();
      return url;
    }
  }
  throw new Error(`the server did not start: ${output}`);
}

/** Runs a command of the operator and gives its standard output. */
function operate(line: string, isSecret = false): string {
  say(`$ merlond ${line.replace(`${directory}/`, '')}`);
  const args = line.match(/"[^"]*"|\S+/g) ?? [];
  const { status, stdout, stderr } = spawnSync(process.execPath, [merlond, ...args], {
    env: { ...inherited, ...settings },
    encoding: 'utf8',
    // The password, if a command asks for one.
    input: 'a password of the story',
  });
  if (status !== 0) throw new Error(`merlond ${line}: ${stderr}`);
  if (!isSecret) say(indented(stable(stdout + stderr)));
  return stdout;
}

function git(line: string): string {
  return gitWith(line.split(' '));
}

function gitWith(args: string[]): string {
  const at = `2026-01-01T${String(8 + commits).padStart(2, '0')}:00:00Z`;
  const { status, stdout, stderr } = spawnSync(
    'git',
    ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args],
    {
      cwd: checkout,
      env: { ...inherited, ...settings, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at },
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

function branch(name: string): void {
  git(`checkout --quiet -b ${name}`);
}

function commit(message: string, dependencies: Record<string, string>, page = 'index'): void {
  writeFileSync(
    join(checkout, 'package.json'),
    `${JSON.stringify({ name: 'shop', dependencies }, null, 2)}\n`,
  );
  writeFileSync(join(checkout, `${page}.html`), `<h1>${message}</h1>\n`);
  git('add package.json index.html');
  if (page !== 'index') git(`add ${page}.html`);
  commits++;
  gitWith(['commit', '--quiet', '-m', message]);
  writeFileSync(join(checkout, 'trivy.json'), trivy(dependencies));
  const shown = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
  say(`$ git commit -m '${message}'   # ${git('rev-parse --abbrev-ref HEAD')}: ${shown.join(', ')}`);
}

function shaOf(ref: string): string {
  return git(`rev-parse ${ref}`);
}

function baseOptions(base: string): string[] {
  return ['--base-ref', base, '--base-sha', git(`merge-base ${base} HEAD`)];
}

/** Runs the steps of CI on a commit. The report is about the checked-out files. */
function ci(expectedExit: number, verdict: string, base?: string): void {
  const { dependencies } = JSON.parse(gitWith(['show', 'HEAD:package.json'])) as {
    dependencies: Record<string, string>;
  };
  writeFileSync(join(checkout, 'trivy.json'), trivy(dependencies));
  run(expectedExit, verdict, [
    'scan',
    'upload',
    'trivy.json',
    ...(base === undefined ? [] : baseOptions(base)),
    '--gate',
    '--expect',
    'trivy',
  ]);
}

/** `verdict` is the expected beginning of the answer; null means that there is no verdict yet. */
function run(expectedExit: number, verdict: string | null, args: string[]): void {
  const shown = args.map((arg) => (/^[0-9a-f]{40}$/.test(arg) ? arg.slice(0, 12) : arg));
  say(`$ merlon ${shown.join(' ')}`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [merlon, ...args], {
    cwd: checkout,
    env: { ...inherited, ...settings },
    encoding: 'utf8',
  });
  const output = stable(stderr + stdout);
  say(indented(output));
  say(`    exit ${status}`);
  const opening =
    { pass: 'passed:', warn: 'passed, with warnings:', block: 'blocked:' }[verdict ?? ''] ?? 'no verdict:';
  if (status === expectedExit && output.split('\n').some((line) => line.trim().startsWith(opening))) return;
  failures++;
  say(`    EXPECTED: exit ${expectedExit}, ${verdict ?? 'no verdict'}`);
}

/** Removes everything that differs from run to run. */
function stable(text: string): string {
  return text
    .replaceAll(directory, '…')
    .replaceAll(String(settings.MERLON_URL), 'http://127.0.0.1:8080')
    .replace(/\b(pvl|scan|t|usr)_[0-9a-hjkmnp-tv-z]{26}\b/g, '$1_…')
    .replace(/\b\d+(?:\.\d+)? ?(?:ms|s|seconds?)\b/g, '… s')
    .replace(
      /\b20(?:2[7-9]|[3-9]\d)-\d\d-\d\d[T ]?[\d:]*Z?|\b2026-(?!01-01)\d\d-\d\d[T ]?[\d:]*Z?/g,
      'YYYY-MM-DD',
    );
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`.trimEnd())
    .join('\n');
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function trivy(dependencies: Record<string, string>): string {
  const found = advisories.filter(({ name, fixed }) => (dependencies[name] ?? fixed) !== fixed);
  return JSON.stringify({
    SchemaVersion: 2,
    ArtifactName: '.',
    ArtifactType: 'filesystem',
    Results: [
      {
        Target: 'package-lock.json',
        Class: 'lang-pkgs',
        Type: 'npm',
        Vulnerabilities: found.map(({ name, id, severity, fixed, title }) => ({
          VulnerabilityID: id,
          PkgName: name,
          InstalledVersion: dependencies[name],
          FixedVersion: fixed,
          Severity: severity,
          Title: `${name}: ${title}`,
          PkgIdentifier: { PURL: `pkg:npm/${name}@${dependencies[name]}` },
        })),
      },
    ],
  });
}

function semgrep(): string {
  const driver = { name: 'Semgrep OSS', semanticVersion: '1.90.0', rules: [] };
  return JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver }, results: [] }] });
}

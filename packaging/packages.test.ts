/**
 * Tests the published packages: packed, installed into an empty folder, and used with the commands of docs/install.md.
 * `npm run test:full` also uses the oldest major versions of Node.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onlyInFull } from '../server/test/support/form.ts';
import { createDirectory, exitOf, untilSays } from '../server/test/support/process.ts';
import { isAlive } from '../server/test/support/serving.ts';
import { pack } from './pack.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const guide = readFileSync(join(root, 'docs/install.md'), 'utf8');
const blocksOf = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, block = '']) => block);
const [tryIt = '', install = '', setUp = '', use = ''] = blocksOf('sh');
const [program = ''] = blocksOf('ts');

const thisNode = dirname(process.execPath);
const directory = createDirectory();
const folder = join(directory, 'installed');
let release = '';

before(() => {
  mkdirSync(folder);
  cpSync(join(root, 'server/test/fixtures/trivy/repository.json'), join(folder, 'trivy.json'));
  writeFileSync(join(folder, 'program.mts'), program);
  writeFileSync(join(folder, 'program.mjs'), program);
});

/** Installs into a folder and returns that of its modules. Only packages that are not in npm's cache are downloaded. */
function npmInstall(into: string, ...packages: string[]): string {
  const options = ['--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, ...packages], {
    cwd: into,
    // With the settings that reach the registry, but without this project's own rule for install scripts.
    env: { ...process.env, ...environment(thisNode), npm_config_strict_allow_scripts: 'false' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return join(into, 'node_modules');
}

/** The folder of the program of another Node. */
function otherNode(major: number): string {
  const into = join(directory, `node-${major}`);
  mkdirSync(into);
  const name = `node-${process.platform}-${process.arch}`;
  return join(npmInstall(into, `${name}@${major}`), name, 'bin');
}

/** Returns an environment with the Node of that folder and no other variable of this process. */
function environment(node: string, settings: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH: `${node}:${PATH}`, HOME, ...settings };
}

/** Runs lines of shell, and returns their standard output. */
function shell(lines: string, node: string, settings: Record<string, string> = {}, input = ''): string {
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', lines], {
    cwd: folder,
    env: environment(node, settings),
    input,
    encoding: 'utf8',
    timeout: 120_000,
  });
  assert.equal(status, 0, `${lines}\n${stdout}\n${stderr}`);
  return stdout;
}

test('the packages install into an empty folder, with less than 250 MB, PostgreSQL included', async (t) => {
  release = await pack(join(directory, 'dist'));
  const tarballs = readdirSync(release).filter((file) => file.endsWith('.tgz'));
  const named = /^npm install (.*)$/m.exec(install)?.[1]?.split(' ') ?? [];
  assert.deepEqual(
    named.map((name) => `${name.slice(1).replace('/', '-')}-${version}.tgz`).toSorted(),
    tarballs.toSorted(),
  );
  npmInstall(folder, ...tarballs.map((file) => join(release, file)));
  const megabytes = Number(execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t')[0]);
  t.diagnostic(`${megabytes} MB`);
  assert.ok(megabytes > 60 && megabytes < 250, `${megabytes} MB`);
  assert.equal(
    shell(install.replace(/^npm install.*$/m, ''), thisNode),
    `${version}\n${version}\n`,
    'both programs print the version of the root package.json',
  );
  const inside = (path: string): string => readFileSync(join(folder, 'node_modules/@merlon', path), 'utf8');
  assert.match(
    inside('cli/dist/merlon.cjs'),
    /^commander \d.*\n\n\(The MIT License\)/m,
    'notices of libraries',
  );
  assert.match(inside('server/dist/console/dist/licenses.md'), /^## react - /m);
});

test('the packed command is no success if it ends before it has a result', () => {
  const silent = 'data:text/javascript,globalThis.fetch=()=>new Promise(()=>{})';
  const said = shell(
    `node --import '${silent}' node_modules/@merlon/cli/dist/merlon.cjs whoami 2>&1 || echo "exit $?"`,
    thisNode,
    { MERLON_URL: 'http://127.0.0.1:9', MERLON_TOKEN: `mrl_wsk_${'a'.repeat(46)}` },
  );
  assert.match(said, /ended before the command had a result.*\nexit 6\n$/);
});

test('the server starts by npx, takes a report by the packed command, and leaves no PostgreSQL behind', async () => {
  await followGuide(thisNode);
});

test('traces without their libraries end with what to install', () => {
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    MERLON_DATA_DIR: join(folder, 'data-of-traces'),
  };
  const said = shell(
    'npx merlond workspace create acme --name Acme 2>&1 || echo "exit $?"',
    thisNode,
    settings,
  );
  assert.match(said, /not installed: npm install @opentelemetry\/api .*\nexit 3$/m);
});

test('a program of the guide is checked by the types of the packed client, by each TypeScript', () => {
  const wrong = `${program}// @ts-expect-error a filter that there is not\nclient.listVulnerabilities({ path, query: { severty: ['high'] } });\n`;
  writeFileSync(join(folder, 'wrong.mts'), wrong);
  for (const compiler of ['node_modules', 'client/node_modules']) {
    const options = '--noEmit --strict --target es2022 --module nodenext --types node --typeRoots';
    shell(
      `${join(root, compiler, '.bin/tsc')} ${options} ${join(root, 'node_modules/@types')} program.mts wrong.mts`,
      thisNode,
    );
  }
});

test('on Node 22 the server does the same', { skip: onlyInFull }, async () => {
  await followGuide(otherNode(22));
});

test('on Node 20 the command line and the client run', { skip: onlyInFull }, async () => {
  await followGuide(thisNode, otherNode(20));
});

/** Runs the commands of the guide, from the start of the server to its end. The last ones may use another Node. */
async function followGuide(node: string, nodeOfUse = node): Promise<void> {
  const data = createDirectory();
  const settings = { MERLON_DATA_DIR: data, MERLON_PORT: '0' };
  // A terminal's Ctrl-C reaches npx and the processes that it has started.
  await whileServing(tryIt.trim(), environment(node, settings), (pid) => process.kill(-pid, 'SIGINT'));
  const [service = ''] = /[\w./]+\/merlond serve/.exec(guide) ?? [];
  const stop = (pid: number) => process.kill(pid, 'SIGTERM');
  await whileServing(service, environment(node, settings), stop, async (url) => {
    const commands = setUp
      .replace('npx merlond serve &\n', '')
      .replace(/^export MERLON_URL=.*$/m, `export MERLON_URL=${url}`);
    shell(`${commands}export -p | grep MERLON_ > environment`, node, settings, 'correct horse battery\n');
    const found = shell(`. ./environment\n${use}`, nodeOfUse);
    assert.match(found, /trivy: \d+ new/);
    assert.match(found, /^high +open +dependency/m);
    assert.match(shell('. ./environment\nnode program.mjs', nodeOfUse), /^high /m);
    assert.match(await (await fetch(url)).text(), /<div id="root">/, 'the console is served');
  });
}

/** Fails if a process that the command started is still alive afterwards. */
async function whileServing(
  command: string,
  env: NodeJS.ProcessEnv,
  stop: (pid: number) => void,
  work: (url: string) => Promise<void> = async () => {},
): Promise<void> {
  const shown = spawn('bash', ['-c', `exec ${command}`], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = shown;
  assert.ok(pid !== undefined);
  const pids = new Set([pid]);
  shown.stdout.on('data', (lines) => {
    for (const [, id] of String(lines).matchAll(/"(?:pid|of)":(\d+)/g)) pids.add(Number(id));
  });
  try {
    const [, url = ''] = await untilSays(shown, /answers at (\S+)/);
    pids.add(
      Number.parseInt(readFileSync(join(String(env.MERLON_DATA_DIR), 'postgres/postmaster.pid'), 'utf8'), 10),
    );
    await work(url);
    stop(pid);
    await Promise.race([exitOf(shown), sleep(20_000, undefined, { ref: false })]);
    assert.ok(pids.size >= 4, 'the processes are known');
    // The system needs a moment to remove a process whose parent has ended before it.
    for (let waits = 0; waits < 50 && [...pids].some(isAlive); waits++) await sleep(100);
    assert.deepEqual([...pids].filter(isAlive), []);
  } finally {
    for (const id of pids) spawnSync('kill', ['-9', String(id)]);
  }
}

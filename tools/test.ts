/**
 * Runs the tests: `node tools/test.ts [--full] [file…]`, all of them by default; `--full` is the long form of those
 * that have one: random histories, faults, hostile input, by another seed each time. Starts one PostgreSQL for the run, migrates
 * a template that each file's database is cloned from, runs `node --test`, and closes with `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { ensureChromium } from '../console/test/support/chromium.ts';
import { buildConsole } from '../server/src/commands/console-build.ts';
import { openEmbedded } from '../server/src/db/embedded.ts';
import { migrate } from '../server/src/db/migrate.ts';

const patterns = [
  'server/{src,test}/**/*.test.ts',
  'client/**/*.test.ts',
  'cli/**/*.test.ts',
  'console/test/**/*.test.ts',
  'tools/**/*.test.ts',
  'benchmarks/**/*.test.ts',
];
const { values: options, positionals } = parseArgs({
  options: { full: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const files =
  positionals.length > 0 ? positionals : globSync(patterns, { exclude: ['**/node_modules/**'] }).sort();
const minutes = 60_000;
const timeoutMs = options.full ? 120 * minutes : 5 * minutes;

const directory = mkdtempSync(join(tmpdir(), 'merlon-test-'));
// Root's PostgreSQL runs as another user, who has to pass through.
chmodSync(directory, 0o711);
const database = await openEmbedded({ dataDir: join(directory, 'data') });
let exitCode = 1;
try {
  const template = await createTemplate();
  const browser: Record<string, string> = {};
  if (files.some((file) => file.startsWith('console/'))) {
    // As the sources are now, whatever was built before.
    if (!(await buildConsole())) throw new Error('the console could not be built: npm run build');
    browser.TEST_CHROMIUM = ensureChromium();
  }
  exitCode = await runTests({
    ...process.env,
    ...template,
    ...browser,
    ...(options.full ? { TEST_FULL: '1' } : {}),
  });
} finally {
  await database.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.exitCode = exitCode;

async function createTemplate(): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query('create database merlon_template');
  await client.end();
  const withName = (url: string): string =>
    Object.assign(new URL(url), { pathname: '/merlon_template' }).href;
  await migrate(withName(database.ownerUrl), withName(database.appUrl));
  return {
    TEST_DATABASE_OWNER_URL: withName(database.ownerUrl),
    TEST_DATABASE_URL: withName(database.appUrl),
    TEST_DIRECTORY: directory,
  };
}

async function runTests(env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(
    process.execPath,
    ['--test', '--test-reporter=spec', `--test-timeout=${timeoutMs}`, '--test-concurrency=2', ...files],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const totals = new Map<string, number>();
  for await (const line of createInterface({ input: child.stdout })) {
    const total = /^ℹ (pass|fail|cancelled|skipped) (\d+)$/.exec(line);
    if (total?.[1]) totals.set(total[1], Number(total[2]));
    process.stdout.write(`${line}\n`);
  }
  const code =
    child.exitCode ?? (await new Promise<number>((resolve) => child.once('exit', (c) => resolve(c ?? 1))));
  const failed = (totals.get('fail') ?? 0) + (totals.get('cancelled') ?? 0);
  const skipped = totals.get('skipped') ?? 0;
  const passed = totals.get('pass') ?? 0;
  // A run that executed nothing, or died before its summary, has not passed.
  const failures = code !== 0 || passed === 0 ? Math.max(1, failed) : failed;
  process.stdout.write(
    `\n${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
  );
  return failures === 0 ? 0 : 1;
}

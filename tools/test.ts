/**
 * Runs the tests: `node tools/test.ts [--ci | --full] [file…]`, all files by default. Without an option they run in
 * their short form and leave the longest files to CI; named files run as in CI (`server/test/support/form.ts`).
 * `--full` also repeats the tests that depend on PostgreSQL's version on the oldest installed one, unless files are
 * named. It starts one PostgreSQL for the run, or uses the server of `TEST_DATABASE_URL`, the address of a superuser.
 * It migrates a template from which each file's database is cloned, and ends with `N passed, N failed`.
 */
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureChromium } from '../console/test/support/chromium.ts';
import { buildConsole } from '../server/src/commands/console-build.ts';
import type { Form } from '../server/test/support/form.ts';
import { installedPostgres, startPostgresServer } from '../server/test/support/postgres-server.ts';
import { leftToCi } from './left-to-ci.ts';
import { runTestFiles } from './run-test-files.ts';
import { openTestPostgres } from './test-database.ts';

const patterns = [
  'server/{src,test}/**/*.test.ts',
  'packages/**/*.test.ts',
  'demo/**/*.test.ts',
  'client/**/*.test.ts',
  'cli/**/*.test.ts',
  'console/test/**/*.test.ts',
  'tools/**/*.test.ts',
  'packaging/**/*.test.ts',
  'benchmarks/**/*.test.ts',
];
const versionPatterns = [
  'server/test/gates/{*plans,row-level-security,migrations}.test.ts',
  'server/test/api/*conformance.test.ts',
  'server/test/import/*.test.ts',
  'server/test/commands/{server-database,database-errors,migrate}.test.ts',
  'server/test/faults/kill.test.ts',
];
const { values: options, positionals } = parseArgs({
  options: { ci: { type: 'boolean', default: false }, full: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const form: Form = options.full ? 'full' : options.ci || positionals.length > 0 ? 'ci' : 'short';
const left = form === 'short' ? leftToCi : {};
const files =
  positionals.length > 0
    ? positionals
    : globSync(patterns, { exclude: ['**/node_modules/**', ...Object.keys(left)] }).sort();
const minutes = 60_000;
// On Citus a statement takes a few times as long.
const timeoutMs = options.full ? 120 * minutes : process.env.CITUS_DATABASE_URL ? 60 * minutes : 10 * minutes;

for (const [pattern, reason] of Object.entries(left)) {
  process.stdout.write(`left to CI (npm test -- --ci): ${pattern}: ${reason}\n`);
}
let exitCode = await runOn(undefined, files);
const programs = installedPostgres();
if (exitCode === 0 && options.full && positionals.length === 0 && programs !== null) {
  process.stdout.write(`\non ${programs}\n`);
  exitCode = await runOnServer(programs);
}
process.exitCode = exitCode;

/** Runs the tests that depend on the version of PostgreSQL on a server with default settings. */
async function runOnServer(programs: string): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'merlon-server-'));
  chmodSync(directory, 0o711);
  const server = await startPostgresServer(programs, join(directory, 'server'));
  try {
    return await runOn(server.url, globSync(versionPatterns).sort(), { TEST_POSTGRES_PROGRAMS: programs });
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true });
  }
}

async function runOn(
  serverUrl: string | undefined,
  files: string[],
  more: Record<string, string> = {},
): Promise<number> {
  const postgres = await openTestPostgres(serverUrl);
  try {
    const browser: Record<string, string> = {};
    if (files.some((file) => /^(?:console|packaging)\//.test(file))) {
      // The console is always built from the present sources.
      if (!(await buildConsole())) throw new Error('the console could not be built: npm run build');
      browser.TEST_CHROMIUM = ensureChromium();
    }
    const env = {
      ...process.env,
      // Most processes load the whole server, so compiled code is cached.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
      ...postgres.env,
      ...browser,
      ...more,
      TEST_FORM: form,
    };
    return await runTestFiles(files, { env, timeoutMs });
  } finally {
    await postgres.close();
  }
}

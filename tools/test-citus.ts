/**
 * Runs the tests of the server on Citus: `CITUS_DATABASE_URL` is the address of a superuser in a database of the
 * coordinator that knows the workers. Without it the tests of Citus are skipped visibly. `npm run test:citus [file…]`
 *
 * The test that kills a worker also needs `TEST_CITUS_STOP_WORKER` and `TEST_CITUS_START_WORKER`, commands of the shell
 * that kill a worker with all its processes, and start it again. They get its address as `WORKER`, such as
 * `127.0.0.1:5433`.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Test files that do not apply to Citus, each with the reason. */
const unfit: Record<string, string> = {
  'server/test/gates/*plans.test.ts':
    'the coordinator cannot get a plan for any values, or one without an index, from a shard',
  'server/test/gates/statements.test.ts':
    'on Citus a transaction sends each setting by itself, so the largest numbers are others',
  'server/test/gates/without-where.test.ts':
    'the coordinator refuses statements that name no tenant, before row-level security could answer',
  'server/test/mutations/*.test.ts':
    'the planted leaks are statements that name no tenant, which Citus plans in another way; the walk that finds them runs',
  'server/test/faults/{kill,processes,replica,restart,server-faults}.test.ts':
    'they start and end a PostgreSQL of their own',
};

const url = process.env.CITUS_DATABASE_URL;
if (url !== undefined) process.env.TEST_DATABASE_URL = url;
else process.stdout.write('CITUS_DATABASE_URL is not set: what needs Citus is skipped\n');
const ownTests = globSync('server/test/citus/*.test.ts').sort();
const named = process.argv.slice(2);
if (named.length > 0) run(named);
else if (url === undefined) run(ownTests);
else {
  for (const [files, reason] of Object.entries(unfit)) {
    process.stdout.write(`skipped: ${globSync(files).sort().join(', ')}: ${reason}\n`);
  }
  const all = globSync(
    'server/test/{api,commands,faults,fuzz,gates,import,metrics,notifications,policies}/*.test.ts',
    { exclude: Object.keys(unfit) },
  );
  run(all.sort());
  // One of them kills a worker, so no other test may run meanwhile.
  for (const file of ownTests) run([file]);
}

function run(files: string[]): void {
  const runner = fileURLToPath(new URL('test.ts', import.meta.url));
  const { status } = spawnSync(process.execPath, [runner, ...files], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = status ?? 1;
}

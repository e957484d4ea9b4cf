/**
 * Runs the tests of the server on Citus: `CITUS_DATABASE_URL` is the address of a superuser in a database of the
 * coordinator that knows the workers. Without it the tests of Citus are skipped visibly. `npm run test:citus [file…]`
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Gates that cannot hold there, each with the reason. */
const unfit: Record<string, string> = {
  'server/test/gates/*plans.test.ts':
    'a plan for any values, and one without an index, cannot be asked of a shard through the coordinator',
  'server/test/gates/statements.test.ts':
    'on Citus a transaction sends each setting by itself, so the largest numbers are others',
  'server/test/gates/without-where.test.ts':
    'the coordinator refuses statements that name no tenant, before row-level security could answer',
};

const url = process.env.CITUS_DATABASE_URL;
if (url !== undefined) process.env.TEST_DATABASE_URL = url;
else process.stdout.write('CITUS_DATABASE_URL is not set: what needs Citus is skipped\n');
const named = process.argv.slice(2);
if (named.length > 0) run(named);
else if (url === undefined) run(['server/test/citus/citus.test.ts']);
else {
  for (const [files, reason] of Object.entries(unfit)) {
    process.stdout.write(`skipped: ${globSync(files).sort().join(', ')}: ${reason}\n`);
  }
  const all = globSync('server/test/{api,citus,commands,gates,import,policies}/*.test.ts', {
    exclude: Object.keys(unfit),
  });
  run(all.sort());
}

function run(files: string[]): void {
  const runner = fileURLToPath(new URL('test.ts', import.meta.url));
  const { status } = spawnSync(process.execPath, [runner, ...files], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = status ?? 1;
}

/**
 * Runs the tests of the server on Citus: `CITUS_DATABASE_URL` is the address of a superuser in a database of the
 * coordinator that knows the workers. Without it the tests of Citus are skipped visibly. `npm run test:citus [file…]`
 */
import { globSync } from 'node:fs';

const url = process.env.CITUS_DATABASE_URL;
if (url !== undefined) process.env.TEST_DATABASE_URL = url;
else process.stdout.write('CITUS_DATABASE_URL is not set: what needs Citus is skipped\n');
if (process.argv.length === 2) {
  const files =
    url === undefined
      ? ['server/test/citus/citus.test.ts']
      : globSync('server/test/{api,citus,commands,gates,import,policies}/*.test.ts').sort();
  process.argv.push(...files);
}
await import('./test.ts');

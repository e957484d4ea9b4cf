/**
 * Starts a PostgreSQL for one run of tests, with migrated templates. Each test file gets a database that is cloned from
 * one.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbeddedPostgres } from '../server/src/db/embedded-postgres.ts';
import { migrate } from '../server/src/db/migrate.ts';

export interface TestPostgres {
  /** The environment that `server/test/support/database.ts` reads. */
  env: Record<string, string>;
  /** Stops PostgreSQL and removes its files. */
  close(): Promise<void>;
}

export async function openTestPostgres(): Promise<TestPostgres> {
  const directory = mkdtempSync(join(tmpdir(), 'merlon-test-'));
  // Root's PostgreSQL runs as another user, who must be able to enter the directory.
  chmodSync(directory, 0o711);
  const removeFiles = (): void => rmSync(directory, { recursive: true, force: true });
  const database = await openEmbeddedPostgres({ dataDir: join(directory, 'data') }).catch((error) => {
    removeFiles();
    throw error;
  });
  const close = async (): Promise<void> => {
    await database.stop();
    removeFiles();
  };
  try {
    const client = new pg.Client({ connectionString: database.ownerUrl });
    await client.connect();
    // The tests' data need not survive a power failure, and a commit that waits for the disk is the slowest step.
    for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
      await client.query(`alter system set ${setting} = off`);
    }
    await client.query('select pg_reload_conf()');
    await client.query('create database merlon_template');
    await client.end();
    const withName = (url: string): string =>
      Object.assign(new URL(url), { pathname: '/merlon_template' }).href;
    const env = {
      TEST_DATABASE_OWNER_URL: withName(database.ownerUrl),
      TEST_DATABASE_URL: withName(database.appUrl),
      TEST_DIRECTORY: directory,
    };
    await migrate(env.TEST_DATABASE_OWNER_URL, env.TEST_DATABASE_URL);
    return { env, close };
  } catch (error) {
    await close();
    throw error;
  }
}

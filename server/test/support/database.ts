/**
 * A database of its own for a test file: cloned from the migrated template of `tools/test.ts`, and opened as the
 * running role. `owner` is for reads and changes that bypass the service.
 */

import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import pg from 'pg';
import { commitSteps } from '../../src/commit-steps.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { type InstallSecret, installSecret } from '../../src/db/install-secret.ts';
import { setRoleSettings } from '../../src/db/role-settings.ts';
import { type LazyQueue, lazyQueue } from '../../src/jobs/queue.ts';
import { withLocalReads } from './citus-nodes.ts';

export interface TestDatabase {
  db: Database;
  owner: pg.Pool;
  secret: InstallSecret;
  /** Opened by the first import, because opening takes longer than a small report. */
  queue: LazyQueue;
  appUrl: string;
  ownerUrl: string;
}

// A statement whose plan is bad fails here with its own error, before the limit of its file ends the test.
const statementTimeoutMs = 120_000;

/** Clones the template. The clone is closed and dropped when the file's tests are done. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { appUrl, ownerUrl, drop } = await cloneDatabase();
  const db = openDatabase(appUrl, { commitSteps, maxConnections: 8 });
  const queue = lazyQueue(db);
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 2, statement_timeout: statementTimeoutMs });
  const owner = process.env.TEST_CITUS_NODES === undefined ? pool : withLocalReads(pool);
  // Dropping the database ends connections that are just closing.
  owner.on('error', () => {});
  owner.on('connect', (client) => client.on('error', () => {}));
  after(async () => {
    await queue.close();
    await db.close();
    await owner.end();
    await drop();
  });
  return { db, owner, secret: installSecret(Buffer.alloc(32, 7)), queue, appUrl, ownerUrl };
}

export interface Clone {
  name: string;
  appUrl: string;
  ownerUrl: string;
  drop(): Promise<void>;
}

/**
 * A copy of a database without connections: of the run's template unless another is named. Its files are copied,
 * because a copy through the WAL takes three times as long.
 */
export async function cloneDatabase(template?: string): Promise<Clone> {
  const templateOwner = process.env.TEST_TEMPLATE_OWNER_URL;
  const templateApp = process.env.TEST_TEMPLATE_URL;
  if (!templateOwner || !templateApp) throw new Error('run the tests by: node tools/test.ts [file…]');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const source = template ?? new URL(templateOwner).pathname.slice(1);
  const nodes = process.env.TEST_CITUS_NODES?.split(' ') ?? [templateOwner];
  for (const node of nodes)
    await asAdmin(node, `create database ${name} template ${source} strategy file_copy`);
  const rename = (url: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const appUrl = rename(templateApp);
  // The settings belong to the role in one database, so a copy has none.
  await setRoleSettings(appUrl);
  return {
    name,
    appUrl,
    ownerUrl: rename(templateOwner),
    // The first attempt is without force, because force would end a connection that is just closing with an unhandled
    // error.
    drop: async () => {
      const byForce = (node: string) => asAdmin(node, `drop database if exists ${name} with (force)`);
      // Citus itself has connections to its databases, as long as they are there.
      if (nodes.length > 1) for (const node of nodes) await byForce(node);
      else await asAdmin(templateOwner, `drop database ${name}`).catch(() => byForce(templateOwner));
    },
  };
}

// Two files that clone at the same moment both use the template, and a connection takes a moment to close. PostgreSQL
// then refuses for a moment.
async function asAdmin(url: string, statement: string): Promise<void> {
  const admin = Object.assign(new URL(url), { pathname: '/postgres' }).href;
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ connectionString: admin });
    await client.connect();
    try {
      await client.query(statement);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt > 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    } finally {
      await client.end();
    }
  }
}

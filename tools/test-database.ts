/**
 * Opens the PostgreSQL of one run of tests, with a migrated template. Each test file gets a database that is cloned
 * from it. The PostgreSQL is an embedded one, or the server of `TEST_DATABASE_URL`, which names a superuser: the run
 * creates databases and a role of its own there, and drops them. The server may be the coordinator of a Citus.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../server/src/db/embedded-postgres.ts';
import { migrate } from '../server/src/db/migrate.ts';
import {
  citusNodes,
  closeOnNodes,
  createOnNodes,
  execute,
  inDatabase,
} from '../server/test/support/citus-nodes.ts';

export interface TestPostgres {
  /** The environment that `server/test/support/database.ts` reads. */
  env: Record<string, string>;
  /** Stops PostgreSQL, or drops the objects of the run on a server, and removes the files. */
  close(): Promise<void>;
}

/** `serverUrl` is the address of a superuser. Without it, an embedded PostgreSQL is started. */
export async function openTestPostgres(serverUrl = process.env.TEST_DATABASE_URL): Promise<TestPostgres> {
  const directories = [tmpdir(), directoryOfDatabases()].map((parent) =>
    mkdtempSync(join(parent, 'merlon-test-')),
  );
  const [directory = '', databases = ''] = directories;
  // If root runs this, PostgreSQL runs as another user, who must be able to enter the directory.
  for (const each of directories) chmodSync(each, 0o711);
  const removeFiles = (): void => {
    for (const each of directories) rmSync(each, { recursive: true, force: true });
  };
  const opening = serverUrl ? onServer(serverUrl) : embedded(join(databases, 'data'));
  const {
    ownerUrl,
    appUrl,
    env: more = {},
    seal,
    release,
  } = await opening.catch((error) => {
    removeFiles();
    throw error;
  });
  const close = async (): Promise<void> => {
    await release();
    removeFiles();
  };
  try {
    await migrate(ownerUrl, appUrl);
    await seal?.();
    const env = {
      TEST_TEMPLATE_OWNER_URL: ownerUrl,
      TEST_TEMPLATE_URL: appUrl,
      TEST_DIRECTORY: directory,
      ...more,
    };
    return { env, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const memoryDirectory = '/dev/shm';
const gigabyte = 2 ** 30;

/**
 * The directory for the files of PostgreSQL: in memory if it has room for them. A run copies its template some hundred
 * times, with a thousand files each, which takes a fifth of the run's processor time on a disk.
 */
function directoryOfDatabases(): string {
  if (!existsSync(memoryDirectory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memoryDirectory);
  return bavail * bsize >= 6 * gigabyte ? memoryDirectory : tmpdir();
}

interface Template {
  ownerUrl: string;
  appUrl: string;
  env?: Record<string, string>;
  /** Makes the migrated database a template that can be copied. */
  seal?(): Promise<void>;
  release(): Promise<void>;
}

async function embedded(dataDir: string): Promise<Template> {
  const database = await openEmbeddedPostgres({ dataDir });
  try {
    await execute(database.ownerUrl, [
      // The tests' data need not survive a power failure, and a commit that waits for the disk is the slowest step.
      ...['fsync', 'full_page_writes', 'synchronous_commit'].map((name) => `alter system set ${name} = off`),
      'select pg_reload_conf()',
      'create database merlon_template',
    ]);
  } catch (error) {
    await database.stop();
    throw error;
  }
  return {
    ownerUrl: inDatabase(database.ownerUrl, 'merlon_template'),
    appUrl: inDatabase(database.appUrl, 'merlon_template'),
    release: () => database.stop(),
  };
}

async function onServer(url: string): Promise<Template> {
  const name = `merlon_test_${randomBytes(6).toString('hex')}`;
  const nodes = await citusNodes(url);
  if (nodes !== null) return onCitus(nodes, name);
  await execute(url, [`create database ${name}`]);
  return {
    ...urlsOf(url, name),
    release: () => execute(url, [`drop database ${name} with (force)`, `drop role if exists ${name}`]),
  };
}

async function onCitus(nodes: string[], name: string): Promise<Template> {
  const [coordinator = ''] = nodes;
  await createOnNodes(nodes, name);
  return {
    ...urlsOf(coordinator, name),
    env: { TEST_CITUS_NODES: nodes.join(' ') },
    seal: () => closeOnNodes(nodes, name),
    release: async () => {
      for (const node of nodes) {
        await execute(inDatabase(node, 'postgres'), [
          `drop database ${name} with (force)`,
          `drop role if exists ${name}`,
        ]);
      }
    },
  };
}

function urlsOf(url: string, name: string): Pick<Template, 'ownerUrl' | 'appUrl'> {
  const app = Object.assign(new URL(url), { username: name, password: randomBytes(16).toString('hex') });
  return { ownerUrl: inDatabase(url, name), appUrl: inDatabase(app.href, name) };
}

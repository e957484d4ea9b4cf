/** An install on a PostgreSQL server of the test's own: the migrated database, and the server in the test's process. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { buildApp } from '../../src/app.ts';
import { commitSteps } from '../../src/commit-steps.ts';
import { loadConfig } from '../../src/config.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { installSecret } from '../../src/db/install-secret.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { ReplicaOptions } from '../../src/db/replica.ts';
import type { Server } from '../../src/http/server.ts';
import type { PostgresServer } from './postgres-server.ts';

export interface Install {
  ownerUrl: string;
  appUrl: string;
}

export async function createInstall(server: PostgresServer): Promise<Install> {
  const name = `merlon_${randomBytes(4).toString('hex')}`;
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const ownerUrl = Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
  const appUrl = Object.assign(new URL(ownerUrl), { username: name, password: 'letmein1' }).href;
  await migrate(ownerUrl, appUrl);
  return { ownerUrl, appUrl };
}

interface OpenedApp {
  app: Server;
  db: Database;
  close(): Promise<void>;
}

export async function openApp(appUrl: string, replica?: ReplicaOptions): Promise<OpenedApp> {
  const db = openDatabase(appUrl, { commitSteps, maxConnections: 4, replica });
  const config = loadConfig({ MERLON_RATE_LIMIT_PER_MINUTE: '0', MERLON_LOG_LEVEL: 'silent' });
  const app = await buildApp({ config, db, secret: installSecret(Buffer.alloc(32, 7)), log: false });
  const close = async (): Promise<void> => {
    await app.close();
    await db.close();
  };
  return { app, db, close };
}

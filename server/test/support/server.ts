/**
 * The real server for a test file, on its own database. Requests go through all of it by `inject`, or over a socket if
 * a test needs one.
 */

import { buildApp } from '../../src/app.ts';
import { type Config, loadConfig } from '../../src/config.ts';
import type { Server } from '../../src/http/server.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export interface TestServer extends TestDatabase {
  app: Server;
  config: Config;
  /** Runs before the server and its database are closed, for objects that a test opened on them. */
  beforeClose(work: () => Promise<unknown>): void;
}

export async function createTestServer(settings: Record<string, string> = {}): Promise<TestServer> {
  const database = await createTestDatabase();
  const config = loadConfig({ MERLON_RATE_LIMIT_PER_MINUTE: '0', MERLON_LOG_LEVEL: 'silent', ...settings });
  const app = await buildApp({ config, db: database.db, secret: database.secret, log: false });
  await app.ready();
  // The server must close before the database is removed: `after` hooks run in the order of their registration.
  const closeDatabase = database.db.close;
  const closing = [() => app.close()] as (() => Promise<unknown>)[];
  database.db.close = async () => {
    for (const work of closing.reverse()) await work();
    await closeDatabase();
  };
  return { ...database, app, config, beforeClose: (work) => closing.push(work) };
}

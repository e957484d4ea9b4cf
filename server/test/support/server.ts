/**
 * The real server for a test file, on a database of its own: requests go through the whole of it by `inject`, or
 * over a socket where a test needs the wire.
 */

import { buildApp } from '../../src/app.ts';
import { type Config, loadConfig } from '../../src/config.ts';
import type { Server } from '../../src/http/server.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export interface TestServer extends TestDatabase {
  app: Server;
  config: Config;
  /** Runs before the server and its database are closed: for what a test opened on them. */
  beforeClose(work: () => Promise<unknown>): void;
}

export async function createTestServer(settings: Record<string, string> = {}): Promise<TestServer> {
  const database = await createTestDatabase();
  const config = loadConfig({ MERLON_RATE_LIMIT_PER_MINUTE: '0', MERLON_LOG_LEVEL: 'silent', ...settings });
  const app = await buildApp({ config, db: database.db, secret: database.secret, log: false });
  await app.ready();
  // Before the database goes: `after` hooks run in the order of their registration, so close it from the pool's.
  const closeDatabase = database.db.close;
  const closing = [() => app.close()] as (() => Promise<unknown>)[];
  database.db.close = async () => {
    for (const work of closing.reverse()) await work();
    await closeDatabase();
  };
  return { ...database, app, config, beforeClose: (work) => closing.push(work) };
}

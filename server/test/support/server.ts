/**
 * The real server for a test file, on a database of its own: requests go through the whole of it by `inject`, or
 * over a socket where a test needs the wire.
 */

import { buildApp, type Server } from '../../src/app.ts';
import { type Config, loadConfig } from '../../src/config.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export interface TestServer extends TestDatabase {
  app: Server;
  config: Config;
}

export async function createTestServer(settings: Record<string, string> = {}): Promise<TestServer> {
  const database = await createTestDatabase();
  const config = loadConfig({ MERLON_RATE_LIMIT_PER_MINUTE: '0', MERLON_LOG_LEVEL: 'silent', ...settings });
  const app = await buildApp({ config, db: database.db, secret: database.secret, log: false });
  await app.ready();
  // Before the database goes: `after` hooks run in the order of their registration, so close it from the pool's.
  const closeDatabase = database.db.close;
  database.db.close = async () => {
    await app.close();
    await closeDatabase();
  };
  return { ...database, app, config };
}

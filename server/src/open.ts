/**
 * Opening the database of a configuration: the embedded one, or a server by its address. After this there is no
 * difference between them.
 */
import { join } from 'node:path';
import { commitSteps } from './commit-steps.ts';
import type { Config } from './config.ts';
import { type Database, openDatabase } from './db/database.ts';
import { keepEmbeddedPostgresRunning, openEmbeddedPostgres } from './db/embedded-postgres.ts';
import { type InstallSecret, loadInstallSecret } from './db/install-secret.ts';
import { migrate, pendingMigrations } from './db/migrate.ts';

export interface OpenDatabase {
  db: Database;
  secret: InstallSecret;
  appUrl: string;
  /** Null on a server without MERLON_DATABASE_OWNER_URL. */
  ownerUrl: string | null;
  /** For long runs: an embedded PostgreSQL that is killed is restarted until `close`. */
  keepRunning(log: (message: string) => void): void;
  close(): Promise<void>;
}

/**
 * Opens the database, migrated. The embedded one is migrated here; a server is not, but by `merlond migrate`: it
 * has an owner whose password the service must not hold. Throws an Error that says what to do.
 */
export async function openConfigured(
  config: Config,
  log: (message: string) => void = () => {},
): Promise<OpenDatabase> {
  return config.databaseUrl === null ? openOwn(config, log) : openServer(config, config.databaseUrl);
}

async function openOwn(config: Config, log: (message: string) => void): Promise<OpenDatabase> {
  const embedded = await openEmbeddedPostgres({ dataDir: config.dataDir, log });
  try {
    await migrateIfPending(embedded.ownerUrl, embedded.appUrl);
    const secret = await loadInstallSecret(config.secretFile ?? join(config.dataDir, 'secret'), true);
    const db = openDatabase(embedded.appUrl, { commitSteps, workers: config.workers });
    let keeper: { stop(): Promise<void> } | null = null;
    return {
      db,
      secret,
      appUrl: embedded.appUrl,
      ownerUrl: embedded.ownerUrl,
      keepRunning: (say) => {
        keeper ??= keepEmbeddedPostgresRunning(embedded, { dataDir: config.dataDir, log: say });
      },
      close: async () => {
        await keeper?.stop();
        await db.close();
        await embedded.stop();
      },
    };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

async function openServer(config: Config, url: string): Promise<OpenDatabase> {
  if (config.secretFile === null) {
    throw new Error('MERLON_SECRET_FILE is required with MERLON_DATABASE_URL: the same file on every node');
  }
  const secret = await loadInstallSecret(config.secretFile, false);
  const db = openDatabase(url, { commitSteps, workers: config.workers });
  try {
    await refusePower(db);
    const pending = await pendingMigrations(db.pool);
    if (pending.length > 0) {
      throw new Error(`the database lacks ${pending.join(', ')}: run merlond migrate`);
    }
    return {
      db,
      secret,
      appUrl: url,
      ownerUrl: config.databaseOwnerUrl,
      keepRunning: () => {},
      close: () => db.close(),
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

// Each command opens the database; only the first after an update has anything to do.
async function migrateIfPending(ownerUrl: string, appUrl: string): Promise<void> {
  const probe = openDatabase(ownerUrl, { commitSteps: [], maxConnections: 1 });
  try {
    if ((await pendingMigrations(probe.pool)).length === 0) return;
  } finally {
    await probe.close();
  }
  await migrate(ownerUrl, appUrl);
}

/** Row-level security binds neither superusers, nor BYPASSRLS, nor owners of a table that does not force it. */
async function refusePower(db: Database): Promise<void> {
  const { rows } = await db.pool.query(
    `select r.rolname as name, r.rolsuper as super, r.rolbypassrls as bypass,
            exists (select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
                     where n.nspname = 'public' and c.relkind = 'r' and c.relowner = r.oid) as owner
       from pg_roles r where r.rolname = current_user`,
  );
  const [role] = rows;
  const power = role?.super
    ? 'a superuser'
    : role?.bypass
      ? 'BYPASSRLS'
      : role?.owner
        ? 'the owner of tables'
        : null;
  if (power !== null) {
    throw new Error(
      `MERLON_DATABASE_URL: the role ${role?.name} is ${power}, which row-level security does not bind. Use another role; merlond migrate makes it.`,
    );
  }
}

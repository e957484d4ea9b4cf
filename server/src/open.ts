/**
 * Opens the database of a configuration: the embedded one, or a server by its address. After this there is no
 * difference between them.
 */
import { commitSteps } from './commit-steps.ts';
import type { Config } from './config.ts';
import { findBound, refuseAnotherSecret } from './db/bound-secret.ts';
import { type Database, type DatabaseOptions, openDatabase } from './db/database.ts';
import { type InstallSecret, loadInstallSecret } from './db/install-secret.ts';
import { type PreparedDatabase, prepareDatabase, secretFileOf } from './db/prepare-database.ts';
import type { Tracing } from './tracing/tracing.ts';

export interface ConnectedDatabase {
  db: Database;
  secret: InstallSecret;
  /** Null unless the configuration turns traces on. Closing the database sends the last traces. */
  tracing: Tracing | null;
}

/** An open database; `close` ends the connections too. */
export type OpenDatabase = PreparedDatabase & ConnectedDatabase;

/** Opens the database, prepared and migrated. Throws an Error that says what to do. */
export async function openConfigured(
  config: Config,
  log: (message: string) => void = () => {},
): Promise<OpenDatabase> {
  const prepared = await prepareDatabase(config, log);
  try {
    const connected = await connectDatabase(config, prepared.appUrl, { log });
    const close = async (): Promise<void> => {
      await connected.db.close();
      await prepared.close();
    };
    return { ...prepared, ...connected, close };
  } catch (error) {
    await prepared.close();
    throw error;
  }
}

async function startTracing(): Promise<Tracing> {
  const { openTracing } = await import('./tracing/tracing.ts');
  return openTracing();
}

/**
 * Connects to a database that this process, or the supervisor of this process, has prepared. `yields` counts for an
 * embedded PostgreSQL alone, because the process ids of a server are those of its own machine.
 */
export async function connectDatabase(
  config: Config,
  appUrl: string,
  options: Omit<DatabaseOptions, 'commitSteps' | 'workers'> & { log?: (message: string) => void } = {},
): Promise<ConnectedDatabase> {
  const secret = await loadInstallSecret(secretFileOf(config), false);
  const tracing = config.traces ? await startTracing() : null;
  const traceStatement = tracing?.statement;
  const {
    workers,
    databaseConnections: maxConnections,
    databaseReadUrl: url,
    databaseReadLagMs: maxLagMs,
  } = config;
  const { log, ...others } = options;
  const yields = others.yields === true && config.databaseUrl === null;
  const replica = url === null ? undefined : { url, maxLagMs, ...(log ? { log } : {}) };
  const db = openDatabase(appUrl, {
    maxConnections,
    ...others,
    ...{ commitSteps, workers, traceStatement, replica, yields },
  });
  const close = async (): Promise<void> => {
    await db.close();
    // A collector that is down must not fail the shutdown.
    await tracing?.close().catch(() => {});
  };
  try {
    // The file may have changed since the database was prepared. Without an answer of the database the process starts,
    // and answers 503 until there is one.
    const bound = await findBound(db.pool).catch(() => undefined);
    refuseAnotherSecret(bound, secret, secretFileOf(config));
  } catch (error) {
    await close();
    throw error;
  }
  return { secret, tracing, db: { ...db, close } };
}

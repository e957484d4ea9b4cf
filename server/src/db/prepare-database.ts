/**
 * Brings the database of a configuration to a state in which processes can connect to it: an embedded one is started
 * and migrated, a server is checked. This file loads little code, because the supervisor of `serve` keeps it in memory.
 */
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { acceptSecret, requireBoundSecret } from './bound-secret.ts';
import { explainConnectionError, refuseOldServer } from './connection-errors.ts';
import { type Database, openDatabase } from './database.ts';
import { keepEmbeddedPostgresRunning, openEmbeddedPostgres } from './embedded-postgres.ts';
import { loadInstallSecret } from './install-secret.ts';
import { migrate } from './migrate.ts';
import { powerOfRole } from './role-power.ts';
import { schemaProblem, schemaState } from './schema-state.ts';

const setting = 'MERLON_DATABASE_URL';

export interface PreparedDatabase {
  appUrl: string;
  /** Null on a server without MERLON_DATABASE_OWNER_URL. */
  ownerUrl: string | null;
  /** True if this start has bound the database to the secret. */
  isNewlyBound: boolean;
  /** For long runs: restarts an embedded PostgreSQL that is killed, until `close`. */
  keepRunning(log: (message: string) => void): void;
  /** Stops an embedded PostgreSQL that no other process uses. */
  close(): Promise<void>;
}

/**
 * Prepares the database and the file of the secret, to which it binds the database. The embedded database is migrated
 * here. A server is migrated by `merlond migrate` alone, because the service must not hold the password of its owner.
 * Throws an Error that says what to do.
 */
export async function prepareDatabase(
  config: Config,
  log: (message: string) => void = () => {},
  { acceptSecret: accept = false }: PrepareOptions = {},
): Promise<PreparedDatabase> {
  const prepareSecret = accept ? acceptSecret : requireBoundSecret;
  return config.databaseUrl === null
    ? prepareEmbedded(config, log, prepareSecret)
    : prepareServer(config, config.databaseUrl, prepareSecret);
}

export interface PrepareOptions {
  /** Binds the database to the present secret file, in place of refusing another one than before. */
  acceptSecret?: boolean;
}

/** The file of the install's secret. The first start on an embedded database creates it. */
export function secretFileOf(config: Config): string {
  return config.secretFile ?? join(config.dataDir, 'secret');
}

async function prepareEmbedded(
  config: Config,
  log: (message: string) => void,
  prepareSecret: typeof requireBoundSecret,
): Promise<PreparedDatabase> {
  const { dataDir, processes, databaseConnections: connections } = config;
  const { embedded, stop } = await openEmbedded(config, log);
  try {
    const isNewlyBound = await prepareAsOwner(embedded.ownerUrl, async (owner) => {
      // Each command opens the database. Only the first one after an update has to migrate.
      if (schemaProblem(await schemaState(owner.pool)) !== null)
        await migrate(embedded.ownerUrl, embedded.appUrl);
      return prepareSecret(owner.pool, secretFileOf(config), true);
    });
    let keeper: { stop(): Promise<void> } | null = null;
    return {
      appUrl: embedded.appUrl,
      ownerUrl: embedded.ownerUrl,
      isNewlyBound,
      keepRunning: (say) => {
        keeper ??= keepEmbeddedPostgresRunning(embedded, { dataDir, processes, connections, log: say });
      },
      close: async () => {
        await keeper?.stop();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Opens the database as it is, without the refusals of a start: it is neither migrated nor bound to a secret. */
export async function openUnprepared(
  config: Config,
): Promise<Pick<PreparedDatabase, 'appUrl' | 'ownerUrl' | 'close'>> {
  const { databaseUrl, databaseOwnerUrl } = config;
  if (databaseUrl !== null) return { appUrl: databaseUrl, ownerUrl: databaseOwnerUrl, close: async () => {} };
  const { embedded, stop } = await openEmbedded(config, () => {});
  return { appUrl: embedded.appUrl, ownerUrl: embedded.ownerUrl, close: stop };
}

async function openEmbedded(
  { dataDir, processes, databaseConnections: connections }: Config,
  log: (message: string) => void,
) {
  const embedded = await openEmbeddedPostgres({ dataDir, processes, connections, log });
  return { embedded, stop: stopAtSignal(() => embedded.stop()) };
}

const signals = { SIGINT: 130, SIGTERM: 143 } as const;
const stops = new Set<() => Promise<void>>();

/** A signal must not leave PostgreSQL behind. Returns a function that stops it without a signal. */
function stopAtSignal(stop: () => Promise<void>): () => Promise<void> {
  stops.add(stop);
  for (const signal of Object.keys(signals)) process.off(signal, endAtSignal).on(signal, endAtSignal);
  return async () => {
    await stop();
    stops.delete(stop);
    if (stops.size === 0) for (const signal of Object.keys(signals)) process.off(signal, endAtSignal);
  };
}

async function endAtSignal(signal: keyof typeof signals): Promise<void> {
  // A process with a listener of its own, such as `serve`, stops in its own order.
  if (process.listenerCount(signal) > 1) return;
  await Promise.allSettled([...stops].map((stop) => stop()));
  process.exit(signals[signal]);
}

async function prepareServer(
  config: Config,
  url: string,
  prepareSecret: typeof requireBoundSecret,
): Promise<PreparedDatabase> {
  if (config.secretFile === null) {
    throw new Error('MERLON_SECRET_FILE is required with MERLON_DATABASE_URL: the same file on every node');
  }
  await loadInstallSecret(config.secretFile, false);
  const probe = openDatabase(url, { commitSteps: [], maxConnections: 1 });
  let isNewlyBound: boolean;
  try {
    await refuseUnfitRole(probe);
    const state = await schemaState(probe.pool);
    if (state.isStandby) {
      throw new Error(
        `${setting}: leads to a standby, which takes no writes. Use the address of the primary.`,
      );
    }
    const problem = schemaProblem(state);
    if (problem !== null) throw new Error(problem);
    isNewlyBound = await prepareSecret(probe.pool, config.secretFile, false);
  } catch (error) {
    throw explainConnectionError(error, setting, url);
  } finally {
    await probe.close();
  }
  return {
    appUrl: url,
    ownerUrl: config.databaseOwnerUrl,
    isNewlyBound,
    keepRunning: () => {},
    close: async () => {},
  };
}

async function prepareAsOwner<T>(ownerUrl: string, work: (owner: Database) => Promise<T>): Promise<T> {
  const owner = openDatabase(ownerUrl, { commitSteps: [], maxConnections: 1 });
  try {
    return await work(owner);
  } finally {
    await owner.close();
  }
}

async function refuseUnfitRole(db: Database): Promise<void> {
  const { name, power, versionNumber } = await powerOfRole(db.pool);
  refuseOldServer(versionNumber, setting);
  if (power !== null) {
    throw new Error(
      `${setting}: the role ${name} ${power}, so row-level security does not bind it. Use another role; merlond migrate makes it.`,
    );
  }
}

/** Restarts the embedded PostgreSQL if it is killed, for a long-running process. */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { clusterExists } from './cluster.ts';
import { errorText } from './error.ts';
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, openPostgres } from './open-postgres.ts';
import { isRunning } from './postmaster.ts';

/** A postmaster rarely dies, so two seconds without a database are acceptable, and the check costs next to nothing. */
const checkIntervalMs = 2_000;
/** A start that fails, for example because a disk is full, is tried at every check, and reported this often. */
const reportIntervalMs = 60_000;

/**
 * Watches the PostgreSQL that `openPostgres` opened with the same options. If it was killed, it is started again on its
 * port, as any other command of this data directory would do. Call `stop` of the result before `stop` of PostgreSQL.
 */
export function keepRunning(
  { port }: Pick<EmbeddedPostgres, 'port'>,
  options: EmbeddedPostgresOptions,
): { stop(): Promise<void> } {
  const log = options.log ?? (() => {});
  const clusterDir = join(realpathSync(options.dataDir), 'postgres');
  let checking: Promise<void> | null = null;
  let failedAt: number | null = null;
  const check = async (): Promise<void> => {
    if (isRunning(clusterDir) || !clusterExists(clusterDir)) return;
    if (failedAt === null) log('PostgreSQL has ended: starting it anew');
    try {
      const restarted = await openPostgres(options);
      // This releases the lease of the restart. The lease of this process stays, and so does PostgreSQL.
      await restarted.stop();
      if (restarted.port !== port) log(`its port ${port} is taken: restart this process`);
      else if (failedAt !== null) log('PostgreSQL runs again');
      failedAt = null;
    } catch (error) {
      if (failedAt !== null && performance.now() - failedAt < reportIntervalMs) return;
      failedAt = performance.now();
      log(errorText(error));
    }
  };
  const timer = setInterval(() => {
    checking ??= check().finally(() => {
      checking = null;
    });
  }, checkIntervalMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await checking;
    },
  };
}

/** Does once a minute what is due by the clock alone, in each workspace. */
import type { FastifyBaseLogger } from 'fastify';
import type { PgBoss } from 'pg-boss';
import { sweepSignIns } from './access/sign-in/sweep.ts';
import { listTenants } from './access/workspaces/store.ts';
import { hasIntelChanges, reEvaluateIntel } from './actions/intel/re-evaluate.ts';
import type { Config } from './config.ts';
import { inWorker } from './db/connection-share.ts';
import { type Database, importTx, installTx, tenantReadTx } from './db/database.ts';
import type { TenantId } from './domain/ids.ts';
import { hasForgotten } from './ingest/scans/store.ts';
import { sweepScans } from './ingest/scans/sweep.ts';
import { sendImportJob, sendPolicyJob } from './jobs/queue.ts';
import { sweepViolations } from './policies/evaluation/sweep.ts';
import { sweepTenant } from './vulnerabilities/sweep.ts';

export interface SweepDependencies {
  db: Database;
  config: Config;
  openQueue: () => Promise<PgBoss>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  /**
   * A process that answers requests leaves what takes long to a worker, which it wakes by this. A worker does all
   * itself.
   */
  wakeWorker?: () => void;
}

export interface Sweeping {
  /** False until the first sweep is done. */
  hasSwept(): boolean;
  /** Finishes the sweep that runs. */
  stop(): Promise<void>;
}

const sweepMs = 60_000;

/** The first sweep is after `firstMs`. */
export function startSweeping(dependencies: SweepDependencies, firstMs: number = sweepMs): Sweeping {
  let sweeping: Promise<void> | null = null;
  let hasSwept = false;
  const sweep = (): void => {
    sweeping ??= inWorker(() => sweepAll(dependencies)).finally(() => {
      sweeping = null;
      hasSwept = true;
    });
  };
  let timer = setTimeout(() => {
    sweep();
    timer = setInterval(sweep, sweepMs).unref();
  }, firstMs).unref();
  return {
    hasSwept: () => hasSwept,
    stop: async () => {
      clearInterval(timer);
      await sweeping;
    },
  };
}

// Longer than any import: a scan that nobody has touched for so long has lost its job with its worker.
const forgottenMs = 15 * 60_000;

/** An error in one workspace must not stop the sweep of the others. */
async function sweepAll(dependencies: SweepDependencies): Promise<void> {
  const { db, config, log, wakeWorker } = dependencies;
  try {
    await sweepSignIns(db);
    for (const tenant of await installTx(db, (tx) => listTenants(tx))) {
      const failed = (error: unknown): void => log.warn({ err: error, tenantId: tenant.id }, 'sweep failed');
      await sweepTenant(db, tenant.id, new Date(), config.activeDays).catch(failed);
      await sweepScans(db, tenant.id, new Date(), config.keepReportsDays, failed).catch(failed);
      await sweepIntel(db, tenant.id, wakeWorker).catch(failed);
      await sweepPolicies(dependencies, tenant.id).catch(failed);
      await reviveForgotten(dependencies, tenant.id, new Date(Date.now() - forgottenMs)).catch(failed);
    }
  } catch (error) {
    log.warn({ err: error }, 'sweep failed');
  }
}

async function sweepIntel(
  db: Database,
  tenantId: TenantId,
  wakeWorker: SweepDependencies['wakeWorker'],
): Promise<void> {
  if (wakeWorker === undefined) await reEvaluateIntel(db, tenantId, new Date());
  else if (await hasIntelChanges(db, tenantId)) wakeWorker();
}

async function sweepPolicies({ db, openQueue }: SweepDependencies, tenantId: TenantId): Promise<void> {
  const { pending } = await sweepViolations(db, tenantId, new Date());
  if (!pending) return;
  const boss = await openQueue();
  await importTx(db, tenantId, (tx) => sendPolicyJob(boss, tx));
}

async function reviveForgotten(
  { db, openQueue }: SweepDependencies,
  tenantId: TenantId,
  before: Date,
): Promise<void> {
  const isForgotten = await tenantReadTx(db, tenantId, (tx) => hasForgotten(tx, before));
  if (!isForgotten) return;
  const boss = await openQueue();
  await importTx(db, tenantId, (tx) => sendImportJob(boss, tx, true));
}

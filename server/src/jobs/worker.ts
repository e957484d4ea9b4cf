/**
 * The worker: takes import jobs and works through the repository that each names; once a minute it sweeps what
 * has become due. Runs in the server's process by default.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import { installTx } from '../db/database.ts';
import { importQueue } from '../db/queue-tables.ts';
import { failWaiting, type ProcessDependencies, processRepository } from '../features/scans/process-scan.ts';
import { listTenants } from '../features/tenants/store.ts';
import { sweepTenant } from '../features/vulnerabilities/sweep.ts';
import type { ImportJob } from './queue.ts';

export interface WorkerHandle {
  /** Finishes what runs, takes nothing new. */
  stop(): Promise<void>;
}

const sweepMs = 60_000;

export async function startWorker(
  dependencies: ProcessDependencies,
  boss: PgBoss,
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>,
  concurrency: number,
): Promise<WorkerHandle> {
  let stopping = false;
  await boss.work(
    importQueue,
    {
      batchSize: 1,
      localConcurrency: concurrency,
      pollingIntervalSeconds: 0.5,
      includeMetadata: true as const,
    },
    async ([job]: JobWithMetadata<ImportJob>[]): Promise<void> => {
      if (!job) return;
      const { tenantId, repositoryId } = job.data;
      try {
        const processed = await processRepository(dependencies, tenantId, repositoryId, () => stopping);
        if (processed > 0) log.info({ repositoryId, processed }, 'scans processed');
      } catch (error) {
        log.error({ err: error, repositoryId, attempt: job.retryCount }, 'scan not processed');
        if (job.retryCount < job.retryLimit) throw error;
        // The last attempt: what cannot be processed ends as failed and stops nothing behind it.
        await failWaiting(dependencies.db, tenantId, repositoryId);
        await processRepository(dependencies, tenantId, repositoryId, () => stopping);
      }
    },
  );
  const timer = setInterval(() => {
    void sweep(dependencies).catch((error) => log.warn({ err: error }, 'sweep failed'));
  }, sweepMs);
  timer.unref();
  return {
    stop: async () => {
      stopping = true;
      clearInterval(timer);
      await boss.offWork(importQueue, { wait: true });
    },
  };
}

async function sweep({ db }: ProcessDependencies): Promise<void> {
  const tenants = await installTx(db, (tx) => listTenants(tx));
  for (const tenant of tenants) await sweepTenant(db, tenant.id, new Date());
}

/**
 * The worker takes import jobs, and with each job one scan of the workspace that it names. It sweeps due work once a
 * minute, and runs the rounds of `notifications/`. It runs in the server's process or in one of its own.
 */

import type { FastifyBaseLogger } from 'fastify';
import { importQueue, policyQueue } from './db/queue-tables.ts';
import { type ProcessDependencies, processWorkspace } from './ingest/import/process-scan.ts';
import { openQueue, sendImportJob, sendLater, workOn } from './jobs/queue.ts';
import type { AttemptOutcome } from './metrics/metrics.ts';
import { startNotifying } from './notifications/notifying.ts';
import { evaluatePendingPolicies } from './policies/evaluation/evaluate-policies.ts';
import { startSweeping } from './sweep.ts';

export interface WorkerDependencies extends ProcessDependencies {
  /** Called for each attempt to deliver an event to a webhook. */
  observeDelivery?: ((outcome: AttemptOutcome) => void) | undefined;
}

export interface WorkerHandle {
  /** The time since the last job, 0 during one and until the first sweep is done. */
  idleMs(): number;
  /** Finishes running work and takes no new work. */
  stop(): Promise<void>;
}

type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;

/** The configuration sets the number of parallel imports. The first sweep is after `firstSweepMs`. */
export async function startWorker(
  { observeDelivery, ...dependencies }: WorkerDependencies,
  log: Log,
  firstSweepMs?: number,
): Promise<WorkerHandle> {
  let stopping = false;
  let jobs = 0;
  let lastJobAt = performance.now();
  const counted =
    <T>(work: (job: T) => Promise<void>) =>
    async (job: T): Promise<void> => {
      jobs++;
      try {
        await work(job);
      } finally {
        jobs--;
        lastJobAt = performance.now();
      }
    };
  const work: ProcessDependencies = {
    ...dependencies,
    warn: (data, message) => log.warn(data, message),
  };
  const boss = await openQueue(dependencies.db, { supervise: true });
  const { db, config, secret } = dependencies;
  const importer = await workOn(boss, db, importQueue, {
    concurrency: config.workers,
    work: counted(async (tenantId) => {
      const done = stopping
        ? 'later'
        : await processWorkspace(work, tenantId, (tx) => sendImportJob(boss, tx, true));
      if (done === 'later') await sendLater(boss, tenantId);
      if (done === 'processed') {
        log.info({ tenantId }, 'scan processed');
        // The worker takes the next job at once, without waiting for the next poll of the queue.
        boss.notifyWorker(importer);
      }
    }),
    failed: async (error, tenantId) => {
      log.error({ err: error, tenantId }, 'scan not processed');
      await sendLater(boss, tenantId);
    },
  });
  await workOn(boss, db, policyQueue, {
    concurrency: 1,
    work: counted(async (tenantId) => {
      const policies = await evaluatePendingPolicies(
        db,
        tenantId,
        () => stopping,
        (error) => log.error({ err: error, tenantId }, 'policies not evaluated in some repositories'),
      );
      if (policies > 0) log.info({ tenantId, policies }, 'policies evaluated');
    }),
    failed: async (error, tenantId) => {
      log.error({ err: error, tenantId }, 'policies not evaluated');
      throw error;
    },
  });
  const sweeping = startSweeping({ db, config, openQueue: async () => boss, log }, firstSweepMs);
  const notifying = startNotifying({ db, config, secret, log, observeDelivery });
  return {
    idleMs: () => (jobs > 0 || !sweeping.hasSwept() ? 0 : performance.now() - lastJobAt),
    stop: async () => {
      stopping = true;
      const ended = [sweeping.stop(), notifying.stop()];
      await Promise.all([importQueue, policyQueue].map((queue) => boss.offWork(queue, { wait: true })));
      await Promise.all(ended);
      await boss.stop({ graceful: false });
    },
  };
}

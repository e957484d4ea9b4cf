/**
 * The worker: takes import jobs, and with each one scan of the workspace that it names; once a minute it sweeps what
 * has become due. Runs in the server's process by default.
 */

import type { FastifyBaseLogger } from 'fastify';
import type { Job, PgBoss } from 'pg-boss';
import { sweepSignIns } from './access/sign-in/sweep.ts';
import { listTenants } from './access/workspaces/store.ts';
import { reEvaluateIntel } from './actions/intel/re-evaluate.ts';
import { inWorker } from './db/connection-share.ts';
import { importTx, installTx, type Tx } from './db/database.ts';
import { importQueue, policyQueue } from './db/queue-tables.ts';
import type { TenantId } from './domain/ids.ts';
import { type ProcessDependencies, processWorkspace } from './ingest/import/process-scan.ts';
import { hasForgotten } from './ingest/scans/store.ts';
import { sweepScans } from './ingest/scans/sweep.ts';
import {
  type ImportJob,
  openQueue,
  type PolicyJob,
  sendImportJob,
  sendLater,
  sendPolicyJob,
  waitForSenders,
} from './jobs/queue.ts';
import { evaluatePendingPolicies } from './policies/evaluation/evaluate-policies.ts';
import { sweepViolations } from './policies/evaluation/sweep.ts';
import { sweepTenant } from './vulnerabilities/sweep.ts';

export interface WorkerHandle {
  /** Finishes what runs, takes nothing new. */
  stop(): Promise<void>;
}

type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;

const sweepMs = 60_000;

/** As many imports side by side as the configuration says. */
export async function startWorker(dependencies: ProcessDependencies, log: Log): Promise<WorkerHandle> {
  let stopping = false;
  const work: ProcessDependencies = {
    ...dependencies,
    warn: (data, message) => log.warn(data, message),
  };
  const boss = await openQueue(dependencies.db, { supervise: true });
  // A transaction of its own, so that the lock is not held during the work.
  const afterSenders = (queue: string, tenantId: TenantId): Promise<void> =>
    importTx(dependencies.db, tenantId, (tx) => waitForSenders(tx, queue));
  const importer = await boss.work(
    importQueue,
    {
      batchSize: 1,
      localConcurrency: dependencies.config.workers,
      pollingIntervalSeconds: 0.5,
    },
    ([job]: Job<ImportJob>[]) =>
      inWorker(async () => {
        if (!job) return;
        const { tenantId } = job.data;
        const sendNext = (tx: Tx): Promise<void> => sendImportJob(boss, tx, true);
        const done = stopping
          ? 'later'
          : await afterSenders(importQueue, tenantId)
              .then(() => processWorkspace(work, tenantId, sendNext))
              .catch((error) => {
                log.error({ err: error, tenantId }, 'scan not processed');
                return 'later' as const;
              });
        if (done === 'later') await sendLater(boss, job.data);
        if (done === 'processed') {
          log.info({ tenantId }, 'scan processed');
          // The worker takes the next job at once, without waiting for the next poll of the queue.
          boss.notifyWorker(importer);
        }
      }),
  );
  await boss.work(
    policyQueue,
    { batchSize: 1, localConcurrency: 1, pollingIntervalSeconds: 0.5 },
    ([job]: Job<PolicyJob>[]) =>
      inWorker(async () => {
        if (!job) return;
        const { tenantId } = job.data;
        const policies = await afterSenders(policyQueue, tenantId)
          .then(() => evaluatePendingPolicies(dependencies.db, tenantId, () => stopping))
          .catch((error) => {
            log.error({ err: error, tenantId }, 'policies not evaluated');
            throw error;
          });
        if (policies > 0) log.info({ tenantId, policies }, 'policies evaluated');
      }),
  );
  let sweeping: Promise<void> | null = null;
  const timer = setInterval(() => {
    sweeping ??= inWorker(() => sweepAll(dependencies, boss, log)).finally(() => {
      sweeping = null;
    });
  }, sweepMs);
  timer.unref();
  return {
    stop: async () => {
      stopping = true;
      clearInterval(timer);
      await Promise.all([importQueue, policyQueue].map((queue) => boss.offWork(queue, { wait: true })));
      await sweeping;
      await boss.stop({ graceful: false });
    },
  };
}

// Longer than any import: a scan that nobody has touched for so long has lost its job with its worker.
const forgottenMs = 15 * 60_000;

/** One workspace's trouble is its own: the others are swept all the same. */
async function sweepAll(dependencies: ProcessDependencies, boss: PgBoss, log: Log): Promise<void> {
  const { db, config } = dependencies;
  try {
    await sweepSignIns(db);
    for (const tenant of await installTx(db, (tx) => listTenants(tx))) {
      const failed = (error: unknown): void => log.warn({ err: error, tenantId: tenant.id }, 'sweep failed');
      await sweepTenant(db, tenant.id, new Date(), config.activeDays).catch(failed);
      await sweepScans(db, tenant.id, new Date(), config.keepReportsDays, failed).catch(failed);
      await reEvaluateIntel(db, tenant.id, new Date()).catch(failed);
      await sweepPolicies(dependencies, boss, tenant.id).catch(failed);
      await reviveForgotten(dependencies, boss, tenant.id, new Date(Date.now() - forgottenMs)).catch(failed);
    }
  } catch (error) {
    log.warn({ err: error }, 'sweep failed');
  }
}

async function sweepPolicies({ db }: ProcessDependencies, boss: PgBoss, tenantId: TenantId): Promise<void> {
  const { pending } = await sweepViolations(db, tenantId, new Date());
  if (pending) await importTx(db, tenantId, (tx) => sendPolicyJob(boss, tx));
}

async function reviveForgotten(
  { db }: ProcessDependencies,
  boss: PgBoss,
  tenantId: TenantId,
  before: Date,
): Promise<void> {
  await importTx(db, tenantId, async (tx) => {
    if (await hasForgotten(tx, before)) await sendImportJob(boss, tx, true);
  });
}

/**
 * The worker: takes import jobs, and with each one scan of the workspace that it names; once a minute it sweeps what
 * has become due. Runs in the server's process by default.
 */

import type { FastifyBaseLogger } from 'fastify';
import type { PgBoss } from 'pg-boss';
import { sweepSignIns } from './access/sign-in/sweep.ts';
import { listTenants } from './access/workspaces/store.ts';
import { reEvaluateIntel } from './actions/intel/re-evaluate.ts';
import { inWorker } from './db/connection-share.ts';
import { importTx, installTx } from './db/database.ts';
import { importQueue, policyQueue } from './db/queue-tables.ts';
import type { TenantId } from './domain/ids.ts';
import { type ProcessDependencies, processWorkspace } from './ingest/import/process-scan.ts';
import { hasForgotten } from './ingest/scans/store.ts';
import { sweepScans } from './ingest/scans/sweep.ts';
import { openQueue, sendImportJob, sendLater, sendPolicyJob, workOn } from './jobs/queue.ts';
import { evaluatePendingPolicies } from './policies/evaluation/evaluate-policies.ts';
import { sweepViolations } from './policies/evaluation/sweep.ts';
import { sweepTenant } from './vulnerabilities/sweep.ts';

export interface WorkerHandle {
  /** Finishes what runs, takes nothing new. */
  stop(): Promise<void>;
}

type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;

const sweepMs = 60_000;

/** The configuration sets the number of parallel imports. */
export async function startWorker(dependencies: ProcessDependencies, log: Log): Promise<WorkerHandle> {
  let stopping = false;
  const work: ProcessDependencies = {
    ...dependencies,
    warn: (data, message) => log.warn(data, message),
  };
  const boss = await openQueue(dependencies.db, { supervise: true });
  const { db, config } = dependencies;
  const importer = await workOn(boss, db, importQueue, {
    concurrency: config.workers,
    work: async (tenantId) => {
      const done = stopping
        ? 'later'
        : await processWorkspace(work, tenantId, (tx) => sendImportJob(boss, tx, true));
      if (done === 'later') await sendLater(boss, tenantId);
      if (done === 'processed') {
        log.info({ tenantId }, 'scan processed');
        // The worker takes the next job at once, without waiting for the next poll of the queue.
        boss.notifyWorker(importer);
      }
    },
    failed: async (error, tenantId) => {
      log.error({ err: error, tenantId }, 'scan not processed');
      await sendLater(boss, tenantId);
    },
  });
  await workOn(boss, db, policyQueue, {
    concurrency: 1,
    work: async (tenantId) => {
      const policies = await evaluatePendingPolicies(db, tenantId, () => stopping);
      if (policies > 0) log.info({ tenantId, policies }, 'policies evaluated');
    },
    failed: async (error, tenantId) => {
      log.error({ err: error, tenantId }, 'policies not evaluated');
      throw error;
    },
  });
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

/** An error in one workspace must not stop the sweep of the others. */
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

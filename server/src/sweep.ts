/** Does once a minute the work that the clock makes due, in each workspace that has such work. */
import type { FastifyBaseLogger } from 'fastify';
import type { PgBoss } from 'pg-boss';
import { sweepSignIns } from './access/sign-in/sweep.ts';
import { hasIntelChanges, intelDue, reEvaluateIntel } from './actions/intel/re-evaluate.ts';
import type { Config } from './config.ts';
import { inWorker } from './db/connection-share.ts';
import { type Database, importTx, tenantReadTx } from './db/database.ts';
import { type DueCondition, listDueTenants } from './db/due-tenants.ts';
import { recordSweep, releaseLead, takeLead } from './db/sweep-lead.ts';
import { newId, type TenantId } from './domain/ids.ts';
import { matchDue } from './ingest/matching/match-store.ts';
import { matchWorkspace } from './ingest/matching/match-workspace.ts';
import { hasForgotten, isForgotten } from './ingest/scans/store.ts';
import { scansDue, sweepScans } from './ingest/scans/sweep.ts';
import { sendImportJob, sendPolicyJob } from './jobs/queue.ts';
import { eventsDue } from './notifications/feed/sweep-event-store.ts';
import { sweepEvents } from './notifications/feed/sweep-events.ts';
import { violationsDue } from './policies/evaluation/scope-store.ts';
import { sweepViolations } from './policies/evaluation/sweep.ts';
import { sweepTenant } from './vulnerabilities/sweep.ts';
import { vulnerabilitiesDue } from './vulnerabilities/sweep-store.ts';

export interface SweepDependencies {
  db: Database;
  config: Config;
  openQueue: () => Promise<PgBoss>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  /**
   * A process that answers requests leaves long work to a worker, which it wakes with this function. A worker does all
   * work itself.
   */
  wakeWorker?: () => void;
}

export interface Sweeping {
  /** False until the first sweep is done, also if another process did it. */
  hasSwept(): boolean;
  /** Stops a running sweep after its current workspace, and lets another process lead. */
  stop(): Promise<void>;
}

const sweepMs = 60_000;
// The lead lasts nine times as long, so that some renewals may fail.
const renewMs = 10_000;
// Packages of one workspace are matched for this long before it is the turn of the next.
const turnMs = 10_000;

/**
 * The first sweep runs after `firstMs`. One of all processes on the database sweeps. If it ends, another takes over.
 */
export function startSweeping(dependencies: SweepDependencies, firstMs: number = sweepMs): Sweeping {
  const { db, log } = dependencies;
  const holder = newId();
  let sweeping: Promise<void> | null = null;
  let renewing: Promise<unknown> = Promise.resolve();
  let hasSwept = false;
  let stopping = false;
  const goOn = async (): Promise<Date | null> => (stopping ? null : takeLead(db, holder));
  const sweep = (): void => {
    if (sweeping !== null) return;
    // One workspace may take longer than the lead lasts. A lead that is lost is noticed before the next workspace.
    const renewal = setInterval(() => {
      renewing = renewing.then(goOn).catch(() => {});
    }, renewMs).unref();
    sweeping = inWorker(() => sweepAll(dependencies, holder, goOn))
      .catch((error: unknown) => log.warn({ err: error }, 'sweep failed'))
      .finally(() => {
        clearInterval(renewal);
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
      stopping = true;
      clearInterval(timer);
      await sweeping;
      // A renewal that reaches the database after the release would take the lead back.
      await renewing;
      // Without the database the lead expires by itself.
      await releaseLead(db, holder).catch(() => {});
    },
  };
}

// Longer than any import: a scan that was not touched for so long has lost its job with its worker.
const forgottenMs = 15 * 60_000;

/** True in SQL if `sweepWorkspace` or `matchForTurn` has work. */
export function dueConditions({ activeDays, keepEventsDays, keepReportsDays }: Config): DueCondition[] {
  return [
    ...vulnerabilitiesDue(activeDays),
    ...scansDue(keepReportsDays),
    intelDue,
    matchDue,
    ...violationsDue,
    ...eventsDue(keepEventsDays),
    isForgotten('asked_tenant', `asked_at - interval '${forgottenMs} milliseconds'`),
  ];
}

/**
 * Sweeps the workspaces that have due work, as long as `goOn` gives the time. It is that of the database, because the
 * clock of a node may be wrong.
 */
async function sweepAll(
  dependencies: SweepDependencies,
  holder: string,
  goOn: () => Promise<Date | null>,
): Promise<void> {
  const begunAt = await goOn();
  if (begunAt === null) return;
  const { db, config } = dependencies;
  const startedAt = performance.now();
  await sweepSignIns(db);
  const due = await listDueTenants(db, dueConditions(config), begunAt);
  const failed = new Set<TenantId>();
  for (const tenantId of due) {
    const now = await goOn();
    if (now === null) return;
    if (!(await sweepWorkspace(dependencies, tenantId, now))) failed.add(tenantId);
  }
  const until = Math.max(startedAt + sweepMs - turnMs, performance.now());
  // The turns begin at a random workspace, because the time may be over before the last one has had a turn.
  const unmatched = await listDueTenants(db, [matchDue], begunAt);
  let turns = unmatched.splice(Math.floor(Math.random() * unmatched.length)).concat(unmatched);
  while (turns.length > 0) {
    const again: TenantId[] = [];
    for (const tenantId of turns) {
      const now = await goOn();
      if (now === null) return;
      const turn = await matchForTurn(dependencies, tenantId, now);
      if (turn === 'failed') failed.add(tenantId);
      else if (turn === 'unfinished') again.push(tenantId);
      if (performance.now() >= until) break;
    }
    turns = performance.now() < until ? again : [];
  }
  await recordSweep(db, holder, {
    ms: performance.now() - startedAt,
    workspaces: due.length,
    failed: failed.size,
  });
}

/**
 * Does all but the matching of packages. An error in one workspace must not stop the sweep of the others, and one in a
 * part of the work not the other parts. Returns false if there was an error.
 */
export async function sweepWorkspace(
  dependencies: SweepDependencies,
  tenantId: TenantId,
  now: Date,
): Promise<boolean> {
  const { db, config, log, wakeWorker } = dependencies;
  let hasFailed = false;
  const failed = (error: unknown): void => {
    hasFailed = true;
    log.warn({ err: error, tenantId }, 'sweep failed');
  };
  await sweepTenant(db, tenantId, now, config.activeDays, failed).catch(failed);
  await sweepScans(db, tenantId, now, config.keepReportsDays, failed).catch(failed);
  await sweepIntel(db, tenantId, now, wakeWorker, failed).catch(failed);
  await sweepPolicies(dependencies, tenantId, now, failed).catch(failed);
  await sweepEvents(db, tenantId, now, config.keepEventsDays).catch(failed);
  await reviveForgotten(dependencies, tenantId, new Date(now.getTime() - forgottenMs)).catch(failed);
  return !hasFailed;
}

async function sweepIntel(
  db: Database,
  tenantId: TenantId,
  now: Date,
  wakeWorker: SweepDependencies['wakeWorker'],
  failed: (error: unknown) => void,
): Promise<void> {
  if (wakeWorker === undefined) await reEvaluateIntel(db, tenantId, now, failed);
  else if (await hasIntelChanges(db, tenantId)) wakeWorker();
}

/**
 * Matches packages whose advisories have changed, and then evaluates the policies that wait for what has come of it.
 * `unfinished` says that the turn has ended, and that there may be more. A process that answers requests only wakes a
 * worker.
 */
export async function matchForTurn(
  dependencies: SweepDependencies,
  tenantId: TenantId,
  now: Date,
  ms = turnMs,
): Promise<'done' | 'unfinished' | 'failed'> {
  const { db, log, wakeWorker } = dependencies;
  if (wakeWorker !== undefined) {
    wakeWorker();
    return 'done';
  }
  let hasFailed = false;
  const failed = (error: unknown): void => {
    hasFailed = true;
    log.warn({ err: error, tenantId }, 'matching of packages failed');
  };
  const until = performance.now() + ms;
  const mayGoOn = (): boolean => performance.now() < until;
  await matchWorkspace(db, tenantId, () => new Date(), { mayGoOn, failed, skipsLocked: true }).catch(failed);
  const isDone = mayGoOn();
  await sweepPolicies(dependencies, tenantId, now, failed).catch(failed);
  if (hasFailed) return 'failed';
  return isDone ? 'done' : 'unfinished';
}

async function sweepPolicies(
  { db, openQueue }: SweepDependencies,
  tenantId: TenantId,
  now: Date,
  failed: (error: unknown) => void,
): Promise<void> {
  const { pending } = await sweepViolations(db, tenantId, now, failed);
  if (!pending) return;
  const boss = await openQueue();
  await importTx(db, tenantId, (tx) => sendPolicyJob(boss, tx));
}

async function reviveForgotten(
  { db, openQueue }: SweepDependencies,
  tenantId: TenantId,
  before: Date,
): Promise<void> {
  const isNeeded = await tenantReadTx(db, tenantId, (tx) => hasForgotten(tx, before));
  if (!isNeeded) return;
  const boss = await openQueue();
  await importTx(db, tenantId, (tx) => sendImportJob(boss, tx, true));
}

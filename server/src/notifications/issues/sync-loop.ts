/** Schedules rounds for the issue trackers with due work. The lease of a tracker decides which process works. */
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import { outboundOptionsOf } from '../outbound/outbound-rules.ts';
import {
  findDue,
  type PollingLoop,
  type RoundFailed,
  RoundScheduler,
  startScheduler,
} from '../round-scheduler.ts';
import { type SyncDependencies, syncTracker } from './sync-issues.ts';
import { listDueTrackers, trackersDue } from './tracker-store.ts';

export interface SyncLoopDependencies {
  db: Database;
  secret: InstallSecret;
  config: Pick<Config, 'webhookNetworks' | 'publicUrl'>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  now: () => Date;
}

// A round has one open request. A workspace with slow trackers has a few slots and not all of them.
const slots = 12;
const slotsPerWorkspace = 3;

/** Polls for due issue trackers every two seconds. */
export function startSyncing({ db, secret, config, log, now }: SyncLoopDependencies): PollingLoop {
  const stopping = new AbortController();
  const post = { ...outboundOptionsOf(config), stopping: stopping.signal };
  const failed: RoundFailed = (error, tenantId) =>
    log.warn({ err: error, tenantId }, 'issues not synchronized');
  const scheduler = syncScheduler({ db, secret, post, publicUrl: config.publicUrl, failed, now });
  return startScheduler(scheduler, stopping, (error) =>
    log.warn({ err: error }, 'due issue trackers not found'),
  );
}

export function syncScheduler(dependencies: SyncDependencies): RoundScheduler<'issueTracker'> {
  const { db, failed, now } = dependencies;
  return new RoundScheduler({
    slots,
    slotsPerWorkspace,
    find: findDue(db, { isDue: trackersDue, among: 'has_issue_trackers', list: listDueTrackers, now }),
    round: ({ tenantId, id }) => syncTracker(dependencies, tenantId, id),
    failed,
  });
}

/** Finds the issue trackers with something to do, and lets them have their turns. The lease of a tracker decides which process works. */
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import { findDue, type Looking, lookForTurns, Turns, type TurnsOptions } from '../turns.ts';
import { postOptionsOf } from '../webhooks/delivery-loop.ts';
import { type SyncDependencies, syncTracker } from './sync-issues.ts';
import { listDueTrackers, trackersDue } from './tracker-store.ts';

export interface SyncLoopDependencies {
  db: Database;
  secret: InstallSecret;
  config: Pick<Config, 'webhookNetworks' | 'publicUrl'>;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

// Each place has one open request. A workspace with slow trackers has a few places and not all of them.
const places = 12;
const placesOfWorkspace = 3;

/** Looks for due issue trackers every two seconds. */
export function startSyncing({ db, secret, config, log }: SyncLoopDependencies): Looking {
  const stopping = new AbortController();
  const post = { ...postOptionsOf(config), stopping: stopping.signal };
  const failed: TurnsOptions['failed'] = (error, tenantId) =>
    log.warn({ err: error, tenantId }, 'issues not synchronized');
  const turns = syncTurns({ db, secret, post, publicUrl: config.publicUrl, failed });
  return lookForTurns(turns, stopping, (error) => log.warn({ err: error }, 'due issue trackers not found'));
}

export function syncTurns(dependencies: SyncDependencies): Turns {
  const { db, failed, now = () => new Date() } = dependencies;
  return new Turns({
    places,
    placesOfWorkspace,
    find: findDue(db, { isDue: trackersDue, among: 'has_issue_trackers', list: listDueTrackers, now }),
    round: ({ tenantId, id }) => syncTracker(dependencies, tenantId, id),
    failed,
  });
}

/**
 * The stand-in: one process that answers requests looks for work, sweeps, delivers to webhooks and sends mails while no import
 * process runs. It also finds the work that other nodes and commands have sent.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startDatabaseClock } from '../../db/database-clock.ts';
import { hasWork } from '../../jobs/queue.ts';
import { startSyncing } from '../../notifications/issues/sync-loop.ts';
import { type MailLoopDependencies, startMailing } from '../../notifications/mail/mail-loop.ts';
import {
  type DeliveryLoopDependencies,
  startDelivering,
} from '../../notifications/webhooks/delivery-loop.ts';
import { type SweepDependencies, startSweeping } from '../../sweep.ts';

// A worker polls as often.
const lookMs = 500;

export interface StandIn {
  stop(): Promise<void>;
}

/** Calls `wakeWorker` as long as there is work. */
export function startStandIn(
  dependencies: Required<SweepDependencies> & Omit<DeliveryLoopDependencies & MailLoopDependencies, 'now'>,
): StandIn {
  const { db, wakeWorker } = dependencies;
  const stopping = new AbortController();
  const look = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // If the database is down, the next poll may find the work.
      if (await hasWork(db).catch(() => false)) wakeWorker();
      await sleep(lookMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  };
  const looking = look();
  const sweeping = startSweeping(dependencies);
  const clock = startDatabaseClock(db, dependencies.log);
  const { now } = clock;
  const delivering = startDelivering({ ...dependencies, now });
  const syncing = startSyncing({ ...dependencies, now });
  const mailing = startMailing({ ...dependencies, now });
  return {
    stop: async () => {
      stopping.abort();
      clock.stop();
      await Promise.all([looking, sweeping.stop(), delivering.stop(), mailing.stop(), syncing.stop()]);
    },
  };
}

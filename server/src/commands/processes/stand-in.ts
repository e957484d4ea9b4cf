/**
 * The stand-in: one process that answers requests looks for work, sweeps, delivers to webhooks and sends mails while no
 * process for imports is ready. It also finds the work that other nodes and commands have sent.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { hasWork } from '../../jobs/queue.ts';
import { type NotifyingDependencies, startNotifying } from '../../notifications/notifying.ts';
import { type SweepDependencies, startSweeping } from '../../sweep.ts';

// A worker polls as often.
const lookMs = 500;

export interface StandIn {
  stop(): Promise<void>;
}

/** Calls `wakeWorker` as long as there is work. */
export function startStandIn(dependencies: Required<SweepDependencies> & NotifyingDependencies): StandIn {
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
  const notifying = startNotifying(dependencies);
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all([looking, sweeping.stop(), notifying.stop()]);
    },
  };
}

/**
 * What one process that answers requests does while no process for imports runs: it looks for work, also for what other
 * nodes and commands have sent, and sweeps.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { hasWork } from '../../jobs/queue.ts';
import { type SweepDependencies, startSweeping } from '../../sweep.ts';

// A worker looks as often.
const lookMs = 500;

export interface StandIn {
  stop(): Promise<void>;
}

/** `wakeWorker` is called as long as there is work. */
export function startStandIn(dependencies: Required<SweepDependencies>): StandIn {
  const { db, wakeWorker } = dependencies;
  const stopping = new AbortController();
  const look = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // If the database is away, the next look may find it.
      if (await hasWork(db).catch(() => false)) wakeWorker();
      await sleep(lookMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  };
  const looking = look();
  const sweeping = startSweeping(dependencies);
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all([looking, sweeping.stop()]);
    },
  };
}

/** Metrics over messages: the supervisor asks each process, and keeps the counts of processes that have ended. */
import { isCount, sumSnapshots } from '../../metrics/exposition.ts';
import type { Snapshot } from '../../metrics/snapshot.ts';
import type { MetricsMessage, ToProcess } from './messages.ts';

export interface MetricsCollector {
  /** Adds a process that is ready. */
  add(tell: (message: ToProcess) => void): CollectedProcess;
  /** Returns the last snapshot of each process, requested now. */
  collect(): Promise<Snapshot[]>;
}

export interface CollectedProcess {
  receive(message: MetricsMessage): void;
  /** Called when the process has ended. */
  end(): void;
}

interface Asked {
  tell: (message: ToProcess) => void;
  last: Snapshot;
  answered: () => void;
}

// Longer than a process needs for the database, and shorter than Prometheus waits.
const maxWaitMs = 6_000;

export function metricsCollector(): MetricsCollector {
  const processes = new Set<Asked>();
  // The process for imports starts and ends often. Without its counts the sums would fall, which Prometheus takes for a
  // restart.
  let ended: Promise<Snapshot> = Promise.resolve([]);
  const ask = (asked: Asked, withDatabase: boolean): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        // Counters stay valid. Gauges of an ended process are no longer known.
        asked.last = asked.last.filter(isCount);
        resolve();
      }, maxWaitMs);
      asked.answered = done;
      asked.tell({ type: 'metrics', withDatabase });
    });
  return {
    add: (tell) => {
      const asked: Asked = { tell, last: [], answered: () => {} };
      processes.add(asked);
      return {
        receive: ({ snapshot }) => {
          asked.last = snapshot;
          asked.answered();
        },
        end: () => {
          processes.delete(asked);
          asked.answered();
          ended = ended.then((before) => sumSnapshots([before, asked.last]));
        },
      };
    },
    collect: async () => {
      const [first] = processes;
      await Promise.all([...processes].map((asked) => ask(asked, asked === first)));
      // Both are read at one moment, so that a process which ends just now counts once.
      const snapshots = [...processes].map(({ last }) => last);
      return [await ended, ...snapshots];
    },
  };
}

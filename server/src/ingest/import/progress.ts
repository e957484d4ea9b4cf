/**
 * How far a running scan is: written beside its import, on a connection of its own, so that others can read it while
 * the import's own transaction is open. Each word is a heartbeat too: a scan that has not moved for long has lost
 * its worker.
 */
import { type Database, tenantTx } from '../../db/database.ts';
import { type ScanProgress, updateProgress } from '../scans/store.ts';

// A person's eye needs no more; a report of a second has one row written about it, or none.
const writeEveryMs = 1_000;
const beatEveryMs = 5_000;
/** A worker that was not heard of for so long is gone: several beats, for its process may be busy. */
export const lostAfterMs = 30_000;

export interface Progress {
  step(name: string, done?: number, total?: number): void;
  /** Nothing is written after this. */
  end(): Promise<void>;
}

export function showProgress(
  db: Database,
  tenantId: string,
  scan: { id: string; attempts: number },
  watch: (step: string) => void = () => {},
): Progress {
  let current: ScanProgress | null = null;
  let written: ScanProgress | null = null;
  let writtenAt = Date.now();
  let writing: Promise<void> | null = null;
  const write = (): void => {
    if (writing !== null || current === null) return;
    if (current === written && Date.now() - writtenAt < beatEveryMs) return;
    const said = current;
    writtenAt = Date.now();
    // Best effort: the scan itself goes on, whatever becomes of a word about it.
    writing = tenantTx(db, tenantId, (tx) => updateProgress(tx, tenantId, scan, said))
      .then(() => {
        written = said;
      })
      .catch(() => {})
      .finally(() => {
        writing = null;
      });
  };
  const timer = setInterval(write, writeEveryMs);
  timer.unref();
  return {
    step: (step, done = 0, total = 0) => {
      watch(step);
      current = { step, done, total };
    },
    end: async () => {
      clearInterval(timer);
      await writing;
    },
  };
}

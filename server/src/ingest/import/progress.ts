/**
 * Progress of a running scan. It is written on its own connection, so that others can read it while the transaction of
 * the import is open. Each write is a heartbeat too: a scan without one for long has lost its worker.
 */

import { type Database, tenantTx } from '../../db/database.ts';
import type { ScanId, TenantId } from '../../domain/ids.ts';
import { type ScanProgress, updateProgress } from '../scans/store.ts';

// A person needs no faster updates, and a report that takes a second writes one progress row or none.
const writeEveryMs = 1_000;
const beatEveryMs = 5_000;
/** A worker without a heartbeat for this long is gone. The limit is six heartbeats, because its process may be busy. */
export const lostAfterMs = 30_000;

export interface Progress {
  step(name: string, done?: number, total?: number): void;
  /** Stops the writes: nothing is written after this. */
  end(): Promise<void>;
}

export function showProgress(
  db: Database,
  tenantId: TenantId,
  scan: { id: ScanId; attempts: number },
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
    // The write is best effort: a failed progress write must not fail the scan.
    writing = tenantTx(db, tenantId, (tx) => updateProgress(tx, scan, said))
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

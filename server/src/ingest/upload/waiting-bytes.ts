/**
 * The limit on the decompressed size of all reports of a workspace that wait, are processed or are being received. The
 * scan of a waiting report stores its size, so the end of the scan frees it in every case. Bodies that are being
 * received are counted in this process only, so several processes may receive more than the limit. The sum in the
 * database is checked again when a report is taken.
 */

import { type Database, tenantReadTx } from '../../db/database.ts';
import type { DomainError } from '../../domain/domain-error.ts';
import { rateLimitExceeded } from '../../domain/errors.ts';
import type { TenantId } from '../../domain/ids.ts';
import { sumWaitingBytes } from './intake-store.ts';

const receiving = new WeakMap<Database, Map<string, number>>();

// A minute is long enough for a worker to process some reports, and short enough for a job of CI to wait.
const retryAfterSeconds = 60;

export function tooMuchWaits(maxBytes: number): DomainError {
  return rateLimitExceeded(
    retryAfterSeconds,
    `Reports of this workspace that wait to be processed may have ${Math.floor(maxBytes / 1024 / 1024)} MB together, decompressed (MERLON_MAX_WAITING_MB), and this one does not fit. Send it again in ${retryAfterSeconds} seconds.`,
  );
}

/**
 * Runs `receive`, which calls `add` for each piece before it keeps it. `declared` is the Content-Length; it counts at
 * once, so that a report that does not fit is refused before its body comes. Throws 429 for a report that does not fit.
 */
export async function withinWaitingBytes<T>(
  db: Database,
  tenantId: TenantId,
  { maxBytes, declared }: { maxBytes: number; declared: number },
  receive: (add: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  const waiting = await tenantReadTx(db, tenantId, sumWaitingBytes);
  const sums = receiving.get(db) ?? new Map<string, number>();
  receiving.set(db, sums);
  let own = 0;
  let ahead = Math.max(1, declared);
  const take = (bytes: number): void => {
    const sum = (sums.get(tenantId) ?? 0) + bytes;
    if (waiting + sum > maxBytes) throw tooMuchWaits(maxBytes);
    own += bytes;
    sums.set(tenantId, sum);
  };
  try {
    take(ahead);
    return await receive((bytes) => {
      if (bytes > ahead) take(bytes - ahead);
      ahead = Math.max(0, ahead - bytes);
    });
  } finally {
    const left = (sums.get(tenantId) ?? 0) - own;
    if (left > 0) sums.set(tenantId, left);
    else sums.delete(tenantId);
  }
}

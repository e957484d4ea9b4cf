/**
 * How much may wait of a workspace: the reports that wait or are worked on, decompressed, and those that are on their way
 * in. The first stand with the scans, so that what ends gives its part back, however it ends. The second are counted in
 * this process: several nodes together may receive as much more as bodies are on their way, but take no more.
 */
import { type Database, tenantReadTx } from '../../../db/database.ts';
import { type ApiError, tooManyAtOnce } from '../../../errors.ts';
import { sumWaitingBytes } from '../store.ts';

const receiving = new WeakMap<Database, Map<string, number>>();

// Some reports are worked through within a minute, however large they are.
const retryAfterSeconds = 60;

export function tooMuchWaits(maxBytes: number): ApiError {
  return tooManyAtOnce(
    `Reports of this workspace that wait to be processed may have ${Math.floor(maxBytes / 1024 / 1024)} MB together, decompressed (MERLON_MAX_WAITING_MB), and this one does not fit. Send it again in ${retryAfterSeconds} seconds.`,
    retryAfterSeconds,
  );
}

/**
 * Runs `receive`, which tells of each piece before it keeps it. `declared`: the Content-Length, which is taken at once,
 * so that of several reports the later ones are refused, before their bodies. Throws 429 for what does not fit.
 */
export async function withinWaitingBytes<T>(
  db: Database,
  tenantId: string,
  { maxBytes, declared }: { maxBytes: number; declared: number },
  receive: (add: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  const waiting = await tenantReadTx(db, tenantId, (tx) => sumWaitingBytes(tx, tenantId));
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

import { setTimeout as sleep } from 'node:timers/promises';

const dayMs = 24 * 3600_000;
const marginMs = 2 * 60_000;

/** Waits for midnight UTC if it is near, so that the day stays the same while a file runs that counts in days. */
export async function passMidnight(): Promise<void> {
  const leftMs = dayMs - (Date.now() % dayMs);
  if (leftMs < marginMs) await sleep(leftMs);
}

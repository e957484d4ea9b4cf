/** Waits until a scan is final, and describes its end. */
import type { Answer } from '@merlon/client';
import type { RetryClock } from '../requests.ts';
import type { Session } from '../session.ts';

export type Scan = Answer<'getScan'>;

const firstPauseMs = 300;
// A key has sixty requests a minute, so polling must be slow.
const longestPauseMs = 5_000;

/** Returns the last state of the scan: final, unless the deadline came first. */
export async function waitForScan(
  { client, workspace }: Pick<Session, 'client' | 'workspace'>,
  id: string,
  deadline: number,
  { pause }: Pick<RetryClock, 'pause'>,
  onProgress: (scan: Scan) => void,
): Promise<Scan> {
  for (let wait = firstPauseMs; ; wait = Math.min(longestPauseMs, wait * 1.4)) {
    const scan = await client.getScan({ path: { tenant_slug: workspace, scan: id } });
    onProgress(scan);
    const left = deadline - Date.now();
    if (isFinal(scan) || left <= 0) return scan;
    await pause(Math.min(wait, left));
  }
}

export function isFinal({ status }: Pick<Scan, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'canceled';
}

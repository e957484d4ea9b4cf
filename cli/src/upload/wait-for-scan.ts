/** Waiting for a scan to be final, and how its end is told. */
import type { operations } from '@merlon/client';
import type { RetryClock } from '../requests.ts';
import type { Session } from '../session.ts';

export type Scan = operations['getScan']['responses'][200]['content']['application/json'];

const firstPauseMs = 300;
// Sixty requests a minute are all that a key has.
const longestPauseMs = 5_000;

/** The scan as it was last seen: final, unless the deadline came first. */
export async function waitForScan(
  { client, workspace }: Pick<Session, 'client' | 'workspace'>,
  id: string,
  deadline: number,
  { pause }: Pick<RetryClock, 'pause'>,
  onProgress: (scan: Scan) => void,
): Promise<Scan> {
  for (let wait = firstPauseMs; ; wait = Math.min(longestPauseMs, wait * 1.4)) {
    const { data } = await client.GET('/api/v1/{tenant_slug}/scans/{scan}', {
      params: { path: { tenant_slug: workspace, scan: id } },
    });
    if (!data) throw new Error('the server gave no scan');
    onProgress(data);
    const left = deadline - Date.now();
    if (isFinal(data) || left <= 0) return data;
    await pause(Math.min(wait, left));
  }
}

export function isFinal({ status }: Pick<Scan, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'canceled';
}

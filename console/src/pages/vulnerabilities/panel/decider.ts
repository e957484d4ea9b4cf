/** Finds in the history the person who made the present decision. */
import type { VulnerabilityDetail } from '../../../api/vulnerabilities.ts';

const eventOfStatus: Record<string, string> = {
  accepted: 'accepted',
  ignored: 'ignored',
  rejected: 'rejected',
  open: 'confirmed',
};

/** Returns null if the history names no person. Undone decisions do not count. */
export function deciderOf({
  status,
  history,
}: Pick<VulnerabilityDetail, 'status' | 'history'>): string | null {
  const wanted = eventOfStatus[status];
  let undone = 0;
  for (const { event, data, actor } of history) {
    if (event === 'undone' && data.undone === wanted) undone++;
    else if (event === wanted && undone > 0) undone--;
    else if (event === wanted) return actor?.display_name ?? null;
  }
  return null;
}

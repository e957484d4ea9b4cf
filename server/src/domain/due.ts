/** The due filter applies to unresolved violations only: resolved and waived ones are no longer due. */
import { dayMs } from './time.ts';

export const dueValues = ['overdue', 'soon', 'later'] as const;
export type DueValue = (typeof dueValues)[number];

// One week, because teams plan by the week.
const soonMs = 7 * dayMs;

/** Due at or after `from` and before `to`; null means no limit. */
export interface DueRange {
  from: Date | null;
  to: Date | null;
}

export function dueRange(due: DueValue | undefined, now: Date): DueRange {
  const soon = new Date(now.getTime() + soonMs);
  if (due === 'overdue') return { from: null, to: now };
  if (due === 'soon') return { from: now, to: soon };
  return { from: due === 'later' ? soon : null, to: null };
}

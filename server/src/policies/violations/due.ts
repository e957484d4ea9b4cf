/** The due filter applies to unresolved violations only: resolved and waived ones are no longer due. */
import { dayMs } from '../../domain/time.ts';

export const dueWords = ['overdue', 'soon', 'later'] as const;
export type DueWord = (typeof dueWords)[number];

// One week, because teams plan by the week.
const soonMs = 7 * dayMs;

/** Due at or after `from` and before `to`; null means no limit. */
export interface DueRange {
  from: Date | null;
  to: Date | null;
}

export function dueRange(word: DueWord | undefined, now: Date): DueRange {
  const soon = new Date(now.getTime() + soonMs);
  if (word === 'overdue') return { from: null, to: now };
  if (word === 'soon') return { from: now, to: soon };
  return { from: word === 'later' ? soon : null, to: null };
}

/** When a violation is due, in words. Of what stands only: what is resolved or waived is not due any more. */
export const dueWords = ['overdue', 'soon', 'later'] as const;
export type DueWord = (typeof dueWords)[number];

// A week: what is due sooner belongs into the plan of this one.
const soonMs = 7 * 24 * 3600 * 1000;

/** Due at or after `from` and before `to`; null: without end. */
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

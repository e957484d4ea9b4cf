/** The pages of an answer: a report that is one page of several shows only a part, so its runs count as failed. */
import type { RunOutcome } from '../report.ts';
import type { ParseContext } from './limits.ts';

/** Returns the outcome of a run whose report is one page of several if `hasMore` is true. */
export function outcomeOfPage(hasMore: boolean, context: ParseContext): RunOutcome {
  if (!hasMore) return 'succeeded';
  context.warn(
    'The report is one page of several: vulnerabilities that it does not show stay open. Join all pages into one report.',
  );
  return 'failed';
}

/** True for a list of an API whose length is a multiple of 100, because it may be a full page of several. */
export function mayBeFullPage(json: unknown): boolean {
  return Array.isArray(json) && json.length > 0 && json.length % 100 === 0;
}

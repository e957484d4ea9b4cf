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

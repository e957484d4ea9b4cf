/**
 * Owns what a report may cost: the limits, and the one object per report that counts rows and collects
 * warnings. Must never hold anything about findings.
 */
import { ReportError } from '../report.ts';

export interface Limits {
  /** Rows of one report. At about 2 KB a finding, 250,000 of them still fit in a parser's memory. */
  maxFindings: number;
  /** Brackets within brackets. The deepest of our sample reports has 15. */
  maxNesting: number;
  /** Characters of one text; a longer one is cut. */
  maxTextLength: number;
}

export const defaultLimits: Limits = { maxFindings: 250_000, maxNesting: 200, maxTextLength: 1_048_576 };

/** Lists show the title in one line; the rest stands in the description. */
export const maxTitleLength = 500;
/** Longer than any path a file system takes (4,096), so that only nonsense is cut. */
export const maxPathLength = 4096;
/** References of one finding; distributions list up to a few hundred mirrors of the same advisory. */
export const maxLinks = 30;

export class ParseContext {
  readonly limits: Limits;
  /** Texts already made safe, so that the same one is looked through and kept once: `text.ts` fills it. */
  readonly texts = new Map<string, string | null>();
  readonly #warnings = new Set<string>();
  #rows = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** The same sentence stands once, so it must not hold what differs from row to row. */
  warn(sentence: string): void {
    this.#warnings.add(sentence);
  }

  get warnings(): string[] {
    return [...this.#warnings];
  }

  get rows(): number {
    return this.#rows;
  }

  /** Counts rows of the report before they are read. Throws `LIMIT_EXCEEDED` once there are too many. */
  addRows(count: number, pointer: string): void {
    this.#rows += count;
    if (this.#rows > this.limits.maxFindings) {
      throw new ReportError(
        'LIMIT_EXCEEDED',
        `The report has more than ${this.limits.maxFindings} findings, the most that one report may have.`,
        { pointer },
      );
    }
  }
}

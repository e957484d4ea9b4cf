/**
 * The limits of a report, and the one object per report that counts rows, and collects warnings and the rows that could
 * not be parsed. It must never hold anything about findings.
 */
import type { Sentence } from '../../domain/sentence.ts';
import { ReportError, type Unreadable } from '../report.ts';

export interface Limits {
  /** Rows of one report. At about 2 KB a finding, 250,000 of them still fit in a parser's memory. */
  maxFindings: number;
  /** The depth of brackets. The deepest of our sample reports has 15. */
  maxNesting: number;
  /** The characters of one text; a longer one is cut. */
  maxTextLength: number;
  /** The bytes of all members that are read from an archive. The upload has the same limit for a compressed report. */
  maxInflatedBytes: number;
  /** The largest ratio of their decompressed size to their compressed size. */
  maxInflationRatio: number;
}

export const defaultLimits: Limits = {
  maxFindings: 250_000,
  maxNesting: 200,
  maxTextLength: 1_048_576,
  maxInflatedBytes: 256 * 1024 * 1024,
  maxInflationRatio: 100,
};

/**
 * Values of all kinds, XML elements included, for each allowed finding. The memory of a parsed text grows with their
 * number. A SARIF result has about 30, one value per 20 characters without indentation.
 */
const valuesPerFinding = 60;
/** An element with its list of children takes as much memory as three values of JSON. */
const valuesOfElement = 3;
/** Each run is its own series and costs its own SQL statements. CI that joins the logs of every job has some dozens. */
const maxRuns = 1000;

/** Lists show the title in one line; the description has the rest. */
export const maxTitleLength = 500;
/** One index has a package and two names in its key (`maxIndexedBytes`). */
export const maxNameBytes = 750;
/** Longer than any path of a file system (4,096), so that only invalid paths are cut. */
export const maxPathLength = 4096;
/**
 * Ids of one vulnerability, in a report and in all of them together. An advisory of a distribution names up to a
 * thousand CVEs, so that this has room for ten of them.
 */
export const maxAdvisories = 10_000;
/** Fixed versions of one finding; the kernel and Maven packages have some dozens of maintained branches. */
export const maxFixedVersions = 1_000;
/** Weaknesses of one finding; rules of CodeQL name up to ten. */
export const maxCwes = 100;
export const cwesWarning: Sentence = `Some findings name more than ${maxCwes} weaknesses; the rest was left out.`;
/**
 * Ids of advisories for each allowed finding, and as many fixed versions and weaknesses. A row of a report may name
 * several packages, and each of their findings then has all ids of the row. The largest of our sample reports have
 * three to a finding.
 */
export const listedPerFinding = 10;
/** Characters of a description. Each vulnerability of a row has it, and exports hold some hundreds of them. */
export const maxDescriptionLength = 65_536;
/** References of one finding; distributions list up to a few hundred mirrors of the same advisory. */
export const maxLinks = 30;

export class ParseContext {
  readonly limits: Limits;
  /** Texts that are already safe, so that a repeated text is checked and kept once. `text.ts` fills it. */
  readonly texts = new Map<string, string | null>();
  /** The same for titles. */
  readonly titles = new Map<string, string>();
  readonly unreadable: Unreadable[] = [];
  readonly #warnings = new Set<string>();
  #rows = 0;
  #locations = 0;
  #runs = 0;
  #values = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** Each sentence is kept once, so it must not hold values that differ from row to row. */
  warn(sentence: string): void {
    this.#warnings.add(sentence);
  }

  get warnings(): string[] {
    return [...this.#warnings];
  }

  /** Keeps a row that could not be parsed. It is counted by `addRows` like any other. */
  addUnreadable(pointer: string, reason: string): void {
    this.unreadable.push({ pointer, reason });
  }

  get rows(): number {
    return this.#rows;
  }

  /** Counts rows of the report before they are read. Throws `LIMIT_EXCEEDED` if there are too many. */
  addRows(count: number, pointer: string): void {
    this.#rows += count;
    if (this.#rows > this.limits.maxFindings) {
      throw new ReportError(
        'LIMIT_EXCEEDED',
        `The report has more than ${this.limits.maxFindings} findings, which is the limit for one report.`,
        { pointer },
      );
    }
  }

  /**
   * Counts the locations of a row beyond its first, against the limit of rows, although none is a row. A row without
   * any location has one less than none, which does not count.
   */
  addLocations(count: number, pointer: string): void {
    this.#locations += Math.max(0, count);
    if (this.#rows + this.#locations > this.limits.maxFindings) {
      throw new ReportError(
        'LIMIT_EXCEEDED',
        `The report has more than ${this.limits.maxFindings} locations, which is the limit for one report.`,
        { pointer },
      );
    }
  }

  /** Counts a run before it is read. Throws `LIMIT_EXCEEDED` if there are too many. */
  addRun(pointer: string): void {
    if (++this.#runs > maxRuns) {
      const message = `The report has more than ${maxRuns} runs, which is the limit for one report.`;
      throw new ReportError('LIMIT_EXCEEDED', message, { pointer });
    }
  }

  /** Counts an XML element as it opens. Throws `LIMIT_EXCEEDED` if there are too many. */
  addElement(line: number): void {
    this.#values += valuesOfElement;
    if (this.#values > maxValues(this.limits)) throw tooManyValues(this.limits, line);
  }
}

export function maxValues({ maxFindings }: Limits): number {
  return maxFindings * valuesPerFinding;
}

export function tooManyValues(limits: Limits, line: number): ReportError {
  return new ReportError(
    'LIMIT_EXCEEDED',
    `The report has more than ${maxValues(limits)} values, ${valuesPerFinding} for each of the ${limits.maxFindings} findings that one report may have.`,
    { line },
  );
}

export function tooDeep({ maxNesting }: Limits, line: number): ReportError {
  const message: Sentence = `The report is nested deeper than ${maxNesting} levels, at line ${line}.`;
  return new ReportError('LIMIT_EXCEEDED', message, { line });
}

/** Returns the number of the line at an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** Does the same for UTF-8. */
export function lineOfByte(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(0x0a); at !== -1 && at < offset; at = bytes.indexOf(0x0a, at + 1)) line++;
  return line;
}

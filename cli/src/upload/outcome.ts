/** Describes the result of one file for people. */
import { messagesOf } from '../failures.ts';
import { colour } from '../output.ts';
import type { SentScan } from './send-report.ts';
import { isFinal, type Scan } from './wait-for-scan.ts';

export interface Outcome {
  file: string;
  /** Null means that the report was not accepted. */
  scan: (SentScan & Partial<Pick<Scan, 'warnings' | 'unreadable'>>) | null;
  /** The address in the API, for programs. */
  url: string | null;
  /** The address in the console, for people. */
  page: string | null;
  error: unknown;
}

// A person does not read more in a log. --json and the scan itself have more.
const shownUnreadable = 10;

export function describeOutcome({ file, scan, page, error }: Outcome): string[] {
  const lines: string[] = [];
  if (scan !== null) lines.push(...(isFinal(scan) ? finalLines(file, scan) : [`${file}: ${scan.status}`]));
  if (error !== null) lines.push(...messagesOf(error).map((message) => `${file}: ${colour('red', message)}`));
  if (scan !== null) lines.push(`  ${page}`);
  return lines;
}

function finalLines(file: string, scan: NonNullable<Outcome['scan']>): string[] {
  const tool = scan.tools.join(', ') || scan.format;
  if (scan.error !== null) {
    const { message, pointer, line } = scan.error;
    const location = [pointer, line === null ? null : `line ${line}`]
      .filter((part) => part !== null)
      .join(', ');
    return [`${file}: ${colour('red', 'failed')}: ${message}${location === '' ? '' : ` (${location})`}`];
  }
  const dry = scan.dry_run ? ' (dry run: nothing is changed)' : '';
  const unreadable = scan.unreadable ?? [];
  const more = (scan.counts?.unreadable ?? 0) - shownUnreadable;
  return [
    `${file}: ${tool}: ${numbersOf(scan)}${dry}`,
    ...(scan.warnings ?? []).map((warning) => `  ${colour('yellow', 'warning')}: ${warning}`),
    ...unreadable
      .slice(0, shownUnreadable)
      .map(({ pointer, reason }) => `  ${colour('yellow', 'not read')}: ${pointer}: ${reason}`),
    ...(more > 0 ? [`  and ${more} more that could not be read: see --json`] : []),
  ];
}

function numbersOf({ counts, status }: NonNullable<Outcome['scan']>): string {
  if (counts === null) return status;
  const always = `${counts.new} new, ${counts.fixed} fixed, ${counts.reopened} reopened, ${counts.unchanged} unchanged`;
  const held =
    counts.closing_held > 0 ? `, ${counts.closing_held} held: would be fixed, wait for an admin` : '';
  const unreadable = counts.unreadable > 0 ? `, ${counts.unreadable} not read` : '';
  const { statements } = counts;
  const said =
    statements === undefined
      ? ''
      : `; statements: ${statements.decided} decided, ${statements.suggested} suggested, ${statements.unmatched} unmatched`;
  return `${always}${held}${unreadable}${said}`;
}

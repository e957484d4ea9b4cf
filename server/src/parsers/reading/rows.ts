/** The way from the rows of a report to its findings, and the report that a parser makes of its runs. */
import type { Report, ReportFinding, Run } from '../report.ts';
import type { RowList } from './json-rows.ts';
import type { ParseContext } from './limits.ts';

/** A row without a finding: `skip` is by intent, `unreadable` means that it could not be parsed. */
export type NoFinding = { skip: string } | { unreadable: string };

/** Adds the findings of a row to the list, or tells the context why there are none. */
export function takeRow(
  row: ReportFinding | ReportFinding[] | NoFinding,
  pointer: string,
  findings: ReportFinding[],
  context: ParseContext,
): void {
  if ('unreadable' in row) context.addUnreadable(pointer, row.unreadable);
  else if ('skip' in row) context.warn(row.skip);
  else if (!Array.isArray(row)) findings.push(row);
  else for (const finding of row) findings.push(finding);
}

/** Counts and reads the rows of the list at a pointer. */
export function readRows(
  rows: RowList | readonly unknown[],
  at: string,
  context: ParseContext,
  read: (row: unknown, pointer: string, context: ParseContext) => Parameters<typeof takeRow>[0],
): ReportFinding[] {
  context.addRows(rows.length, at);
  const findings: ReportFinding[] = [];
  for (const [index, row] of rows.entries()) {
    const pointer = `${at}/${index}`;
    takeRow(read(row, pointer, context), pointer, findings, context);
  }
  return findings;
}

/** Gives a report without statements, whose rows are those that the context has counted. */
export function newReport(format: string, context: ParseContext, runs: Run[]): Report {
  return {
    format,
    read: context.rows,
    runs,
    unreadable: context.unreadable,
    statements: [],
    warnings: context.warnings,
  };
}

/** The report that a parser makes of its runs and of all that it has told the context. */
import type { Report, Run } from '../report.ts';
import type { ParseContext } from './limits.ts';

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

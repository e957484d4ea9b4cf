/**
 * Owns the shape of a format: what each file that reads one hands to the list in `detect.ts`. Must never hold a
 * format.
 */
import type { ReportDocument } from './reading/decode.ts';
import type { ParseContext } from './reading/limits.ts';
import type { Report } from './report.ts';

export interface Format {
  /** What `format=` takes, and what the scan shows. */
  name: string;
  /** The fields that stand at the top of such a report, to name the nearest format of an unknown one. */
  marks: readonly string[];
  /** By a few fields at the top; must not walk the document, and must not throw. */
  recognises(document: ReportDocument): boolean;
  /** Pure. Throws ReportError for a report that cannot be taken at all; a bad row is `unreadable` instead. */
  parse(document: ReportDocument, context: ParseContext): Report;
}

/** The interface of a format, which each parser gives to the list in `formats.ts`. It must never hold a format. */
import type { ReportDocument } from './reading/decode.ts';
import type { ParseContext } from './reading/limits.ts';
import type { Report } from './report.ts';

export interface Format {
  /** The value for `format=`, and the name that the scan shows. */
  name: string;
  /** The top-level fields of such a report. They suggest the nearest format for an unknown report. */
  marks: readonly string[];
  /** Decides by a few top-level fields. It must not walk the document and must not throw. */
  recognises(document: ReportDocument): boolean;
  /** A report may be a bare list, which is empty or `null` if nothing was found. Only its name tells the tool then. */
  writesLists?: true;
  /**
   * True for a document that several tools write alike, so that only a name says which tool it was, such as an object
   * with an empty list of findings. It is asked only if an upload names the format. It must not throw.
   */
  alsoReads?(document: ReportDocument): boolean;
  /**
   * Fields with the time of a run, its duration or its id, at any depth of a JSON report. The findings depend on none
   * of them, but for suppressions that end, so reports that differ in nothing else are the same report.
   */
  runFields?: readonly string[];
  /** It reads long lists of rows as `RowList` (`json-rows.ts`); to any other format they are arrays. */
  readsRowLists?: true;
  /**
   * It must be pure. Throws ReportError if nothing of the report can be used; a bad row goes to `unreadable` instead.
   */
  parse(document: ReportDocument, context: ParseContext): Report;
}

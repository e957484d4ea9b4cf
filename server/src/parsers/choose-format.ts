/**
 * Chooses the format of a report, from content alone. It must never look at a file's name, and never read a finding.
 */
import type { Format } from './format.ts';
import { formats, getFormat } from './formats.ts';
import { decodeReport, type ReportDocument } from './reading/decode.ts';
import { decodeBeginning } from './reading/decode-beginning.ts';
import { defaultLimits } from './reading/limits.ts';
import { ReportError } from './report.ts';
import { unknownFormat } from './unknown-format.ts';

/**
 * Gives the format of a report by its first bytes; null if they do not show it. `wanted` is a name or `auto`. Throws
 * ReportError if the report is certainly of no format or not of the wanted one.
 *
 * An upload asks it, to refuse early and to know the fields that differ from run to run. The answer is not kept,
 * because the fields that name a format may come after those bytes.
 */
export function formatOfBeginning(bytes: Uint8Array, isWhole: boolean, wanted: string): Format | null {
  const document = isWhole ? decodeReport(bytes, defaultLimits) : decodeBeginning(bytes);
  if (document === null) return null;
  const format = chooseFormat(document, wanted);
  if (format === null && isWhole) throw unknownFormat(document);
  return format;
}

/** Gives the format of a document; null if none recognises it. Throws ReportError if it is not of the wanted format. */
export function chooseFormat(document: ReportDocument, wanted: string): Format | null {
  const named = wanted === 'auto' ? null : getFormat(wanted);
  if (named !== null && isNothing(document.json)) {
    if (named.writesLists === true) return named;
    throw new ReportError(
      'UNKNOWN_FORMAT',
      `The report is an empty list or null, which ${named.name} never is: check that the tool has written it.`,
      { pointer: '' },
    );
  }
  if (named?.alsoReads?.(document) === true) return named;
  const recognised = formats.find((format) => format.recognises(document)) ?? null;
  if (recognised !== null && named !== null && named !== recognised) {
    throw new ReportError(
      'UNKNOWN_FORMAT',
      `The report is not ${named.name}: its content is ${recognised.name}. Send it with that format, or with auto.`,
      { pointer: '' },
    );
  }
  return recognised;
}

/** Several tools write this if they found nothing. Only the name of the format tells the tool. */
function isNothing(json: unknown): boolean {
  return json === null || (Array.isArray(json) && json.length === 0);
}

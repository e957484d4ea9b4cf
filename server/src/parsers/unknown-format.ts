/** Says of a document that no format recognises what it is, what it lacks, and what its sender can do. */
import type { Sentence } from '../domain/sentence.ts';
import type { Format } from './format.ts';
import { formats } from './formats.ts';
import type { ReportDocument } from './reading/decode.ts';
import { asRecord } from './reading/json.ts';
import { ReportError } from './report.ts';
import { nameUnread } from './unread-formats.ts';

export function unknownFormat(document: ReportDocument): ReportError {
  const { json, text, archive } = document;
  if (archive !== null) {
    return new ReportError(
      'MALFORMED_REPORT',
      'The report is a ZIP archive: send the report inside it. Only archives of Black Duck and Fortify (.fpr) are read.',
    );
  }
  const unread = nameUnread(document);
  if (unread !== null) return new ReportError('UNKNOWN_FORMAT', unread, { pointer: '' });
  if (document.jsonError !== null) {
    // A text that begins like JSON was meant to be JSON. Its broken line helps more than the list of formats.
    if (!/^\s*[[{"]/.test(text)) {
      return new ReportError(
        'UNKNOWN_FORMAT',
        `The report is neither JSON nor another known format. ${known()}`,
        {
          line: 1,
        },
      );
    }
    // The first few thousand characters hold the keys at the top, even if the JSON breaks later.
    const keys = new Set(
      Array.from(text.slice(0, 4096).matchAll(/"([^"\\]{1,40})"\s*:/g), (found) => found[1] ?? ''),
    );
    const nearest = nearestFormat(keys);
    const { message } = document.jsonError;
    const described: Sentence = nearest === null ? message : `${message} It looks like ${nearest.name}.`;
    return new ReportError('MALFORMED_REPORT', described, {
      line: document.jsonError.line,
    });
  }
  if (json === null) return unknown('The report is the JSON value null: the tool wrote no report.');
  if (Array.isArray(json)) {
    const first = json.find((element) => asRecord(element) !== null);
    if (first === undefined) {
      return unknown(
        json.length === 0
          ? 'The report is an empty list, which several tools write: name the format.'
          : 'The report is a list without objects.',
      );
    }
    return nearestError(new Set(Object.keys(asRecord(first) ?? {})), '/0');
  }
  const record = asRecord(json);
  if (record === null) return unknown(`The report is a single JSON ${typeof json}.`);
  if (Object.keys(record).length === 1 && Array.isArray(record.results) && record.results.length === 0) {
    return unknown('The report is an empty list of results, which several tools write: name the format.');
  }
  return nearestError(new Set(Object.keys(record)), '');
}

function unknown(message: Sentence): ReportError {
  return new ReportError('UNKNOWN_FORMAT', `${message} ${known()}`, { pointer: '' });
}

function known(): Sentence {
  return `Known formats: ${formats.map((format) => format.name).join(', ')}.`;
}

function nearestError(keys: ReadonlySet<string>, pointer: string): ReportError {
  const nearest = nearestFormat(keys);
  if (nearest === null) return unknown('The report is of no known format.');
  const missing = nearest.marks.filter((mark) => !keys.has(mark));
  const hint =
    missing.length === 0
      ? 'but its fields do not have the expected values'
      : `but it has no ${missing.map((mark) => `"${mark}"`).join(', ')}`;
  return new ReportError(
    'UNKNOWN_FORMAT',
    `The report is of no known format. The nearest is ${nearest.name}, ${hint}. ${known()}`,
    { pointer },
  );
}

/** Returns the format with the largest share of its marks in the text; null if no format shares any. */
function nearestFormat(keys: ReadonlySet<string>): Format | null {
  let best: Format | null = null;
  let bestShare = 0;
  for (const format of formats) {
    const share = format.marks.filter((mark) => keys.has(mark)).length / format.marks.length;
    if (share > bestShare) {
      best = format;
      bestShare = share;
    }
  }
  return best;
}

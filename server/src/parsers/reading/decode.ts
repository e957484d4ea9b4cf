/**
 * The way from bytes to a document: the encoding, and the line of the first error of JSON. It must never quote the
 * report in an error, because the text there may be a secret.
 */

import { isUtf8 } from 'node:buffer';
import type { Sentence } from '../../domain/sentence.ts';
import { ReportError } from '../report.ts';
import { isArchive, ReportArchive } from './archive.ts';
import { defaultBatchLength, readJsonAround, type ScannedList, scanJson } from './json-rows.ts';
import { type Limits, lineAt } from './limits.ts';

export interface ReportDocument {
  /** The text of the whole report. Formats that are not a single JSON document (XML, JSON lines) are read from it. */
  readonly text: string;
  /**
   * The value of the single JSON document; undefined if the text is not one. Long lists of rows are `RowList`, whose
   * text is only known to be JSON once they are read.
   */
  json: unknown;
  /** The reason why `json` is undefined. */
  jsonError: ReportError | null;
  /** The ZIP archive that the report is; null for any other report. The text of an archive is empty. */
  archive: ReportArchive | null;
}

/**
 * Throws `MALFORMED_REPORT` if there are no bytes or they cannot be decoded, `LIMIT_EXCEEDED` if the nesting is too
 * deep or there are too many values.
 */
export function decodeReport(
  bytes: Uint8Array,
  limits: Limits,
  batchLength: number = defaultBatchLength,
): ReportDocument {
  if (isArchive(bytes)) {
    return { text: '', json: undefined, jsonError: null, archive: new ReportArchive(bytes, limits) };
  }
  const utf8 = utf8Of(bytes);
  const lists = scanJson(utf8, limits, batchLength);
  if (lists.length > 0) return documentWithRows(utf8, lists);
  const text = textOf(utf8);
  if (text.trim() === '') {
    throw new ReportError('MALFORMED_REPORT', 'The report is empty. Check that the tool has written it.', {
      line: 1,
    });
  }
  try {
    return { text, json: JSON.parse(text), jsonError: null, archive: null };
  } catch {
    return brokenDocument(text);
  }
}

/** The formats with lists of rows are read without the text of the whole, which is as long as the report. */
function documentWithRows(bytes: Buffer, lists: ScannedList[]): ReportDocument {
  let text: string | null = null;
  try {
    return {
      json: readJsonAround(bytes, lists),
      jsonError: null,
      archive: null,
      get text() {
        text ??= textOf(bytes);
        return text;
      },
    };
  } catch {
    return brokenDocument(textOf(bytes));
  }
}

/** Returns the document of a text that is no single JSON document. */
export function brokenDocument(text: string): ReportDocument {
  const line = lineAt(text, findJsonError(text));
  const jsonError = new ReportError('MALFORMED_REPORT', `The JSON is not valid at line ${line}.`, { line });
  return { text, json: undefined, jsonError, archive: null };
}

/** Returns the report in UTF-8, without its byte-order mark. */
function utf8Of(bytes: Uint8Array): Buffer {
  const head = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  const binary = binaryKinds.find(({ magic }) => magic === head);
  if (binary !== undefined) throw new ReportError('MALFORMED_REPORT', binary.message);
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return Buffer.from(decodeUtf16(bytes, 'utf-16le'));
  if (first === 0xfe && second === 0xff) return Buffer.from(decodeUtf16(bytes, 'utf-16be'));
  if (!isUtf8(bytes)) {
    if (bytes.includes(0)) throw notText('utf-8');
    const text = decodeAsDeclared(bytes);
    // A report may quote source in another encoding, and one bad byte must not fail the scan.
    if (text !== null) return Buffer.from(text);
  }
  const start = first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.length - start);
}

function decodeUtf16(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw notText(encoding);
  }
}

/** Returns the text of XML in the encoding that it declares; null if that is UTF-8, UTF-16 or unknown. */
function decodeAsDeclared(bytes: Uint8Array): string | null {
  const beginning = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const name = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.-]+)["']/.exec(beginning)?.[1];
  try {
    const decoder = new TextDecoder(name);
    return decoder.encoding.startsWith('utf') ? null : decoder.decode(bytes);
  } catch {
    return null;
  }
}

function notText(encoding: string): ReportError {
  const message: Sentence = `The report is not text: it cannot be decoded as ${encoding}.`;
  return new ReportError('MALFORMED_REPORT', message);
}

function textOf(utf8: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(utf8);
}

/** Returns the text of a member of an archive. Throws what reading and decoding it throws. */
export function decodeMember(archive: ReportArchive, name: string): string {
  return textOf(utf8Of(archive.read(name)));
}

/** Returns the first characters of a member, to recognise it; none if it cannot be read. It does not throw. */
export function decodeMemberBeginning(archive: ReportArchive, name: string): string {
  return new TextDecoder().decode(archive.beginning(name), { stream: true });
}

const binaryKinds: readonly { magic: string; message: Sentence }[] = [
  { magic: 'PK\u0003\u0004', message: 'The archive holds another archive in place of a report.' },
  {
    magic: '%PDF',
    message: 'The report is a PDF: send what the scanner writes for programs: SARIF, JSON or XML.',
  },
];

const scalar = /(?:true|false|null|-?(?:0|[1-9][0-9]{0,400})(?:\.[0-9]{1,400})?(?:[eE][+-]?[0-9]{1,10})?)/y;
const space = /[ \t\n\r]*/y;

/**
 * Gives the offset at which a text stops being JSON. Half of the engine's own messages name no position, and the other
 * half quote the report.
 */
export function findJsonError(text: string): number {
  const open: ('{' | '[')[] = [];
  let at = 0;
  // The tokens that may come next: a value, a key, a comma or a closing bracket.
  let expect: 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'separator' = 'value';
  for (;;) {
    space.lastIndex = at;
    space.test(text);
    at = space.lastIndex;
    const char = text[at];
    if (char === undefined) return at;
    if (expect === 'separator') {
      const top = open.at(-1);
      if (top === undefined) return at;
      if (char === ',') expect = top === '{' ? 'key' : 'value';
      else if (char === (top === '{' ? '}' : ']')) open.pop();
      else return at;
      at++;
    } else if (expect === 'key' || expect === 'key-or-end') {
      if (char === '}' && expect === 'key-or-end') {
        open.pop();
        expect = 'separator';
        at++;
        continue;
      }
      if (char !== '"') return at;
      const end = endOfValidString(text, at);
      if (!end.valid) return end.at;
      space.lastIndex = end.at + 1;
      space.test(text);
      if (text[space.lastIndex] !== ':') return space.lastIndex;
      at = space.lastIndex + 1;
      expect = 'value';
    } else if (char === ']' && expect === 'value-or-end') {
      open.pop();
      expect = 'separator';
      at++;
    } else if (char === '{' || char === '[') {
      open.push(char);
      expect = char === '{' ? 'key-or-end' : 'value-or-end';
      at++;
    } else if (char === '"') {
      const end = endOfValidString(text, at);
      if (!end.valid) return end.at;
      at = end.at + 1;
      expect = 'separator';
    } else {
      scalar.lastIndex = at;
      if (!scalar.test(text)) return at;
      at = scalar.lastIndex;
      expect = 'separator';
    }
  }
}

const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function endOfValidString(text: string, start: number): { at: number; valid: boolean } {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 0x22) return { at, valid: true };
    if (char < 0x20) return { at, valid: false };
    if (char === 0x5c) {
      escapeSequence.lastIndex = at;
      if (!escapeSequence.test(text)) return { at, valid: false };
      at = escapeSequence.lastIndex - 1;
    }
  }
  return { at: text.length, valid: false };
}

/**
 * Makes a text safe to store: no NUL, no control characters, no half of a surrogate pair, no more than the
 * limits, no secret. It must never turn text into markup or guess its meaning.
 */
import { hash } from 'node:crypto';
import type { ReportFinding } from '../report.ts';
import { maxLinks, maxNameBytes, maxTitleLength, type ParseContext } from './limits.ts';
import { redact } from './redact.ts';

/** Limits the texts of a report that are remembered, to bound the memory beside the report. */
const maxKnownTexts = 20_000;

/** Matches control characters except tab and line feed. */
const control = /[^\P{Cc}\t\n]/gu;
const anyControl = /[^\P{Cc}\t\n]/u;

/** Returns the text with line feeds as line ends. */
export function unixLines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Returns plain characters within the limit, with line feeds as line ends. A longer text is cut, with a warning. */
export function cleanText(value: string, context: ParseContext): string {
  const limit = context.limits.maxTextLength;
  let text = value;
  if (text.length > limit) {
    text = text.slice(0, limit);
    context.warn(`A text longer than ${limit} characters was cut.`);
  }
  // The carriage return is a control character, so one test finds texts that need no change.
  if (anyControl.test(text)) text = unixLines(text).replace(control, '');
  return text.toWellFormed();
}

/**
 * Gives text that may be shown: clean, and without anything that looks like a secret. Gives null if nothing is left.
 */
export function safeText(value: string | null, context: ParseContext): string | null {
  if (value === null) return null;
  const known = context.texts.get(value);
  if (known !== undefined) return known;
  const clean = redact(cleanText(value, context)).trim();
  const text = clean === '' ? null : clean;
  // Reports repeat an advisory's text for each package, so it is checked and kept once.
  if (context.texts.size < maxKnownTexts) context.texts.set(value, text);
  return text;
}

/** Returns code for identity and display: like `safeText`, but it keeps the indentation. */
export function safeCode(value: string | null, context: ParseContext): string | null {
  if (value === null) return null;
  const code = redact(cleanText(value, context));
  return code.trim() === '' ? null : code;
}

/**
 * Returns source code for identity: like `safeCode`, with the code as it is in the report if that removes something, so
 * that other code has another identity. `masked` is the value without a known secret.
 */
export function sourceCode(
  value: string | null,
  context: ParseContext,
  masked = value,
): Pick<ReportFinding, 'code' | 'rawCode'> {
  const raw = value === null ? null : cleanText(value, context);
  const code = masked === value ? (raw === null ? null : redact(raw)) : safeCode(masked, context);
  if (code === null || code.trim() === '') return { code: null, rawCode: null };
  return { code, rawCode: code === raw ? null : raw };
}

/** Returns the first non-empty line, with white space collapsed, redacted, at most 500 characters. */
export function safeTitle(value: string, context: ParseContext): string {
  const known = context.titles.get(value);
  if (known !== undefined) return known;
  const title = shortTitle(value, context);
  if (context.titles.size < maxKnownTexts) context.titles.set(value, title);
  return title;
}

function shortTitle(value: string, context: ParseContext): string {
  // This is enough for a title, so a text of a megabyte is not searched for its first line.
  const start = cleanText(value.trimStart().slice(0, 4 * maxTitleLength), context);
  const line = firstSentence(redact(firstLine(start.trim())).replace(/\s+/g, ' ').trim());
  if (line.length <= maxTitleLength) return line;
  return `${line.slice(0, maxTitleLength - 1).toWellFormed()}…`;
}

/** Messages that are wrapped by hand continue on the next line with a small letter. */
function firstLine(text: string): string {
  const lines = text.split('\n');
  const end = lines.findIndex((line, index) => index > 0 && !/^\s*\p{Ll}/u.test(line));
  return lines.slice(0, end === -1 ? lines.length : end).join(' ');
}

/**
 * Gives the first sentence of a line with more than 160 characters, which is too long for a list. A shorter line stays
 * as it is.
 */
function firstSentence(line: string): string {
  if (line.length <= 160) return line;
  return /^.{20,400}?[.!?](?=\s\p{Lu})/u.exec(line)?.[0] ?? line;
}

// Nearly all names are words without spaces.
const plainName = /^[!-~]{0,500}$/;

const encoder = new TextEncoder();
const bytesOfName = new Uint8Array(maxNameBytes);

/**
 * Returns a short name such as a rule, a version or a tool: one line, at most 500 characters and 750 bytes. Null stays
 * null.
 */
export function cleanName(value: string, context: ParseContext): string;
export function cleanName(value: string | null, context: ParseContext): string | null;
export function cleanName(value: string | null, context: ParseContext): string | null {
  if (value === null) return null;
  if (plainName.test(value)) return value;
  const start = value.slice(0, maxTitleLength);
  const name = start.slice(0, encoder.encodeInto(start, bytesOfName).read);
  if (name.length < value.length) {
    context.warn(`A name longer than ${maxTitleLength} characters or ${maxNameBytes} bytes was cut.`);
  }
  return cleanText(name, context).replace(/\s+/g, ' ').trim();
}

/** Tells products of a document apart by a digest of their names, which may hold anything. */
export function productKey(name: string | null): string | null {
  return name === null ? null : hash('sha256', name);
}

/** Returns only web addresses, each once, the first `maxLinks` in the given order. */
export function safeLinks(values: readonly (string | null)[]): string[] {
  const links = new Set<string>();
  for (const value of values) {
    if (links.size >= maxLinks) break;
    if (value === null || value.length > 2048 || !/^https?:\/\/[^\s\p{Cc}<>"]+$/iu.test(value)) continue;
    if (redact(value) === value) links.add(value.toWellFormed());
  }
  return [...links];
}

// The zones of a time that Date.parse knows.
const zone = /[+-]\d|z|ut|gmt|[ecmp][sd]t/i;
const firstOfYear10000 = Date.UTC(10_000, 0);

/**
 * Returns RFC 3339 in UTC; null if the text is no date. A time without a zone is read as UTC, because a report must be
 * read alike by every server.
 */
export function readTimestamp(value: string | null): string | null {
  if (value === null || value.length > 64 || !/^\d{4}-\d{2}-\d{2}/.test(value)) return null;
  const time = Date.parse(zone.test(value.slice('2026-01-31'.length)) ? value : `${value}Z`);
  // Trivy and Go write year 1 for "no time". An offset can lead to a year with five digits, which is no RFC 3339 and
  // which the database refuses. The comparison is also false if the text is no date.
  return time > 0 && time < firstOfYear10000 ? new Date(time).toISOString() : null;
}

/** Turns an unknown text into a short stable word: quoted parts and numbers are dropped, `-` joins the words. */
export function slug(value: string): string {
  return value
    .slice(0, 400)
    .toLowerCase()
    .replace(/'[^']*'|"[^"]*"|`[^`]*`/g, ' ')
    .replace(/[^a-z]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80);
}

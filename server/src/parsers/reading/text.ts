/**
 * Owns what may stand in a stored text: no NUL, no control characters, no half of a surrogate pair, no more
 * than the limits, no secret. Must never turn text into markup or guess at its meaning.
 */
import { maxLinks, maxTitleLength, type ParseContext } from './limits.ts';
import { redact } from './redact.ts';

/** Of a report's texts, to be recognised when they come again; a bound on what is kept beside the report. */
const maxKnownTexts = 20_000;

/** Control characters but tab and line feed. */
const control = /[^\P{Cc}\t\n]/gu;
const anyControl = /[^\P{Cc}\t\n]/u;

/** Plain characters within the limit, line ends as line feeds; cut and said so where it is longer. */
export function cleanText(value: string, context: ParseContext): string {
  const limit = context.limits.maxTextLength;
  let text = value;
  if (text.length > limit) {
    text = text.slice(0, limit);
    context.warn(`A text longer than ${limit} characters was cut.`);
  }
  // The carriage return is a control character: one test tells that there is nothing to do.
  if (anyControl.test(text)) text = text.replace(/\r\n?/g, '\n').replace(control, '');
  return text.toWellFormed();
}

/** Text to be shown: clean, and without anything that looks like a secret. Null when nothing is left. */
export function safeText(value: string | null, context: ParseContext): string | null {
  if (value === null) return null;
  const known = context.texts.get(value);
  if (known !== undefined) return known;
  const clean = redact(cleanText(value, context)).trim();
  const text = clean === '' ? null : clean;
  // One advisory is described anew for each package: the same text is looked through and kept once.
  if (context.texts.size < maxKnownTexts) context.texts.set(value, text);
  return text;
}

/** Code for identity and display: like `safeText`, with its indentation. */
export function safeCode(value: string | null, context: ParseContext): string | null {
  if (value === null) return null;
  const code = redact(cleanText(value, context));
  return code.trim() === '' ? null : code;
}

/** The first line that says something, white space collapsed, redacted, at most 500 characters. */
export function safeTitle(value: string, context: ParseContext): string {
  // Enough for a title, so that a text of a megabyte is not searched for its first line.
  const start = cleanText(value.trimStart().slice(0, 4 * maxTitleLength), context);
  const line = firstSentence(redact(firstLine(start.trim())).replace(/\s+/g, ' ').trim());
  if (line.length <= maxTitleLength) return line;
  return `${line.slice(0, maxTitleLength - 1).toWellFormed()}…`;
}

/** Messages wrapped by hand go on in the next line with a small letter. */
function firstLine(text: string): string {
  const lines = text.split('\n');
  const end = lines.findIndex((line, index) => index > 0 && !/^\s*\p{Ll}/u.test(line));
  return lines.slice(0, end === -1 ? lines.length : end).join(' ');
}

/** Of a line too long for a list, 160 characters, the first sentence; a shorter line as it is. */
function firstSentence(line: string): string {
  if (line.length <= 160) return line;
  return /^.{20,400}?[.!?](?=\s\p{Lu})/u.exec(line)?.[0] ?? line;
}

/** A short name such as a rule, a version, a tool: one line, at most 500 characters. */
export function cleanName(value: string, context: ParseContext): string {
  if (value.length > maxTitleLength) {
    context.warn(`A name longer than ${maxTitleLength} characters was cut.`);
  }
  return cleanText(value.slice(0, maxTitleLength), context).replace(/\s+/g, ' ').trim();
}

/** Web addresses only, each once, the first `maxLinks` of them, in the order given. */
export function safeLinks(values: readonly (string | null)[]): string[] {
  const links = new Set<string>();
  for (const value of values) {
    if (links.size >= maxLinks) break;
    if (value === null || value.length > 2048 || !/^https?:\/\/[^\s\p{Cc}<>"]+$/iu.test(value)) continue;
    if (redact(value) === value) links.add(value.toWellFormed());
  }
  return [...links];
}

/** RFC 3339 in UTC; null for what is no date. */
export function timestamp(value: string | null): string | null {
  if (value === null || value.length > 64 || !/^\d{4}-\d{2}-\d{2}/.test(value)) return null;
  const time = Date.parse(value);
  // Trivy and Go write year 1 for "no time".
  return Number.isNaN(time) || time <= 0 ? null : new Date(time).toISOString();
}

/** An unknown text as a short stable word: quoted parts and numbers dropped, `-` between words. */
export function slug(value: string): string {
  return value
    .slice(0, 400)
    .toLowerCase()
    .replace(/'[^']*'|"[^"]*"|`[^`]*`/g, ' ')
    .replace(/[^a-z]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80);
}

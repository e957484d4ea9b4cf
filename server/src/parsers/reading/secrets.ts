/**
 * The difference between a secret and its mask in the output of secret scanners, and the line that may be kept. It must
 * never return a text that contains a known secret.
 */
import type { ParseContext } from './limits.ts';
import { maskLine, maskSecret, redact } from './redact.ts';
import { cleanText, unixLines } from './text.ts';

/** A shorter text is a common word, so the same text in two files would mean nothing. */
const minSecret = 6;
const maxSecret = 65_536;
const maxLine = 1000;
const maxText = 8000;
/** A line with more secrets is data, and nothing of it is kept. */
const maxSecretsOfLine = 20;

/**
 * Gives the secret if the tool wrote all of it. Gives null for a mask, for the header of a key without the key (all
 * keys share it), and for a text that is too short or too long.
 */
export function wholeSecret(text: string | null): string | null {
  const value = unixLines(text?.trim() ?? '');
  if (value.length < minSecret || value.length > maxSecret) return null;
  // Masks are `REDACTED`, `****`, and `AKIA...` with a part left.
  if (/^\[?redacted\]?$/i.test(value) || /\*{3}|(?:\.{3}|…)$/.test(value)) return null;
  return /^-{2,5}BEGIN [^\n]{1,60}$/.test(value) ? null : value;
}

/**
 * Gives the secret at the end of an assignment, for scanners that report the matched text: `KEY="value"` and `key:
 * value`, also with a leftover quote. A text of one word is the secret itself.
 */
export function assignedSecret(text: string | null): string | null {
  const whole = wholeSecret(text);
  if (whole === null || whole.startsWith('-----BEGIN ')) return whole;
  const assignment = /^[^=:\n]{1,80}(?:=>|:=|[=:])[ \t]{0,8}["'`]?((?!\/\/)[^\s"'`]+)["'`;,]{0,3}$/.exec(
    whole,
  );
  // Padding at the end of base64 text is no assignment.
  if (assignment !== null && /[^=]/.test(assignment[1] ?? '')) return wholeSecret(assignment[1] ?? null);
  return /[\s"'`]/.test(whole) ? null : whole;
}

/** Returns the text without any of the secrets. Only the first `maxText` characters are kept. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let masked = text.slice(0, maxText);
  // The longest secret goes first, because one may be a part of another.
  for (const secret of secrets.toSorted((a, b) => b.length - a.length)) {
    if (secret.trim().length >= 3) masked = maskSecret(masked, secret);
  }
  return masked;
}

/**
 * Gives the line of a secret with every secret masked: known ones, other kinds of masks, and anything that may be one.
 * Gives null if nothing was masked, because the secret may then be anything in it.
 */
export function secretLine(
  line: string | null,
  secrets: readonly string[],
  context: ParseContext,
): string | null {
  if (line === null || secrets.length > maxSecretsOfLine) return null;
  // The line is masked before it is cut, so that no half of a secret is kept.
  const text = cleanText(line.slice(0, maxText), context);
  const known = withoutSecrets(text, secrets);
  const starred = known
    .slice(0, maxLine)
    .replace(/(?<![^\s"'`=:,;(){}<>])[^\s"'`=:,;(){}<>*]*\*{3,}[^\s"'`,;(){}<>]*/g, '****');
  // Stars may be those of a comment, so they alone do not show that the secret is masked.
  return known === text ? maskLine(starred) : redact(starred);
}

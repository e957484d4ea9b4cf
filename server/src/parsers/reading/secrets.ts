/**
 * Owns the telling apart of a secret from its mask in what secret scanners write, and the line that may be kept
 * of one. Must never let a value that it has been told of into a text that it gives back.
 */
import type { ParseContext } from './limits.ts';
import { maskLine, maskSecret, redact } from './redact.ts';
import { cleanText } from './text.ts';

/** Shorter ones are words that stand everywhere: the same in two files would say nothing. */
const minSecret = 6;
const maxSecret = 65_536;
const maxLine = 1000;
const maxText = 8000;
/** Secrets of one line; a line with more is data, and nothing of it is kept. */
const maxSecretsOfLine = 20;

/**
 * The secret where the tool gives the whole of it. Null for masks, for the header of a key without the key
 * (which all keys share), and for what is too short or too long to be one.
 */
export function wholeSecret(text: string | null): string | null {
  const value = text?.trim() ?? '';
  if (value.length < minSecret || value.length > maxSecret) return null;
  // `REDACTED`, `****`, and `AKIA...`, of which a part is left.
  if (/^\[?redacted\]?$/i.test(value) || /\*{3}|(?:\.{3}|…)$/.test(value)) return null;
  return /^-{2,5}BEGIN [^\n]{1,60}$/.test(value) ? null : value;
}

/**
 * The secret at the end of an assignment, as scanners write it that report what their pattern has matched:
 * `KEY="value"` and `key: value`, also where a quote is left over. A text of one word is the secret itself.
 */
export function assignedSecret(text: string | null): string | null {
  const whole = wholeSecret(text);
  if (whole === null || whole.startsWith('-----BEGIN ')) return whole;
  const assignment = /^[^=:\n]{1,80}(?:=>|:=|[=:])[ \t]{0,8}["'`]?((?!\/\/)[^\s"'`]+)["'`;,]{0,3}$/.exec(
    whole,
  );
  // Padding at the end of a base64 text is no assignment.
  if (assignment !== null && /[^=]/.test(assignment[1] ?? '')) return wholeSecret(assignment[1] ?? null);
  return /[\s"'`]/.test(whole) ? null : whole;
}

/** The text without any of the secrets, as far as a text of a scanner's own goes. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let masked = text.slice(0, maxText);
  // The longest first: one may be a part of another.
  for (const secret of secrets.toSorted((a, b) => b.length - a.length)) {
    if (secret.trim().length >= 3) masked = maskSecret(masked, secret);
  }
  return masked;
}

/**
 * The line of a secret with all of them masked: those known, masks of other kinds and lengths, and whatever
 * else may be one. Null when there was nothing to mask, for then the secret may be anything in it.
 */
export function secretLine(
  line: string | null,
  secrets: readonly string[],
  context: ParseContext,
): string | null {
  if (line === null || secrets.length > maxSecretsOfLine) return null;
  // Masked before it is cut, so that no secret is cut in two and kept.
  const known = withoutSecrets(cleanText(line.slice(0, maxText), context), secrets)
    .slice(0, maxLine)
    .replace(/(?<![^\s"'`=:,;(){}<>])[^\s"'`=:,;(){}<>*]*\*{3,}[^\s"'`,;(){}<>]*/g, '****');
  return known.includes('****') ? redact(known) : maskLine(known);
}

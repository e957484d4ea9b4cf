/**
 * Names that somebody gives and others read: on pages, on terminals, in logs, in CSV. They look as they are: no control
 * character moves the cursor, no override turns the text around.
 */
import { DomainError } from './domain-error.ts';

// The overrides, embeddings and isolates of Unicode's bidirectional algorithm; its plain marks are part of writing.
const misleading = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const misleadingAnywhere = new RegExp(misleading.source, 'gu');
// Blanks and what joins letters are nothing to read.
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

export const plainNameRule = 'Must not contain control characters or such that turn the direction of text.';
/** Longest name that the database takes. */
export const maxNameLength = 255;

export function isPlainName(text: string): boolean {
  return !misleading.test(text);
}

/** Without the blanks around it. Throws DomainError on `field`. */
export function checkedName(name: string, field: string): string {
  const trimmed = name.trim();
  if (trimmed.length > maxNameLength || !visible.test(trimmed)) {
    throw new DomainError('invalid', `a name has 1 to ${maxNameLength} characters`, field);
  }
  if (!isPlainName(trimmed)) throw new DomainError('invalid', plainNameRule, field);
  return trimmed;
}

/** Of several lines, with tabs. Throws DomainError on `field`. */
export function checkedText(text: string, field: string): string {
  if (!isPlainName(text.replaceAll(/[\n\t]/g, ''))) throw new DomainError('invalid', plainNameRule, field);
  return text;
}

/**
 * What can be kept of a name that another system gives, which nobody here can be asked to write better: without what
 * misleads, white space as single blanks, cut to what the database takes. Empty where nothing to read is left.
 */
export function cleanedName(name: string): string {
  const plain = name
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(misleadingAnywhere, '')
    .replaceAll(/ +/g, ' ')
    .trim();
  if (!visible.test(plain)) return '';
  // A cut between the halves of a character leaves none of it.
  const cut = plain.slice(0, maxNameLength);
  return (cut.isWellFormed() ? cut : cut.slice(0, -1)).trim();
}

/**
 * One person chooses a name, and others read it on pages, on terminals, in logs and in CSV. It must therefore have no
 * control character that moves the cursor, and no override that changes the direction of text.
 */
import { invalidInput } from './errors.ts';

// The overrides, embeddings and isolates of Unicode's bidirectional algorithm; its plain marks are part of writing.
const misleading = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const misleadingAnywhere = new RegExp(misleading.source, 'gu');
// A name needs a visible character: blanks and joiners alone show nothing.
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;
// People name branches with emoji, as in `♻️/refactor`, and many emoji hold joiners or U+FE0F. They are allowed within
// an emoji only, so that no name without emoji has another one that looks the same.
const emoji = /\p{RGI_Emoji}\ufe0f?/gv;
const unseen = /\p{Default_Ignorable_Code_Point}/u;

export const plainNameRule =
  'Must not contain control characters, or characters that change the direction of text.';
/** Longest name that the database can store. */
export const maxNameLength = 255;

export function isPlainName(text: string): boolean {
  return !misleading.test(text);
}

export const seenNameRule = 'Must not contain characters that are never seen, except within an emoji.';

/**
 * True if the name has a character that is never seen. The names of repositories, references and environments, and
 * e-mail addresses, must have none, because the name would look like that of another one.
 */
export function hasUnseenCharacter(text: string): boolean {
  return unseen.test(text.replaceAll(emoji, ''));
}

/** Counts as JSON Schema and PostgreSQL do: in code points. An emoji may consist of several. */
export function countCharacters(text: string): number {
  return [...text].length;
}

/** Returns the name without the blanks around it. Throws DomainError on `field`. */
export function checkedName(name: string, field: string): string {
  const trimmed = name.trim();
  if (countCharacters(trimmed) > maxNameLength || !visible.test(trimmed)) {
    throw invalidInput(`A name must have 1 to ${maxNameLength} characters.`, field);
  }
  if (!isPlainName(trimmed)) throw invalidInput(plainNameRule, field);
  return trimmed;
}

/** Returns the name of an environment without the blanks around it. Throws DomainError on `field`. */
export function checkedEnvironment(name: string, field: string): string {
  const trimmed = checkedName(name, field);
  if (hasUnseenCharacter(trimmed)) throw invalidInput(seenNameRule, field);
  return trimmed;
}

/**
 * Returns the form in which names are compared. `Production` and `production` are one environment, and so are the two
 * spellings of a letter with an accent, which look the same: as one character or as two.
 */
export function nameKeyOf(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Checks a text that may have several lines and tabs. Throws DomainError on `field`. */
export function checkedText(text: string, field: string): string {
  if (!isPlainName(text.replaceAll(/[\n\t]/g, ''))) throw invalidInput(plainNameRule, field);
  return text;
}

/**
 * Cleans a name from another system, because no person here can correct it. It drops misleading characters, turns white
 * space into single blanks, and cuts the name to the length that the database can store. The result is empty if no
 * visible character is left.
 */
export function cleanedName(name: string, maxLength = maxNameLength): string {
  const plain = name
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(misleadingAnywhere, '')
    .replaceAll(/ +/g, ' ')
    .trim();
  if (!visible.test(plain)) return '';
  // If the cut leaves half of a surrogate pair at the end, that half must go too.
  const cut = plain.slice(0, maxLength);
  return (cut.isWellFormed() ? cut : cut.slice(0, -1)).trim();
}

/** E-mail addresses. All code stores, compares and counts them in this one form. */
import { hasUnseenCharacter, isPlainName } from './plain-name.ts';

// RFC 5321 allows a path of 256 characters, which has two angle brackets.
const maxEmailLength = 254;

/** Returns the address in lower case, without the blanks around it. */
export function foldEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Returns the folded address, or undefined if the value is no e-mail address. */
export function parseEmail(value: unknown): string | undefined {
  // The folded address no longer shows letters that fold to ASCII.
  if (typeof value !== 'string' || hasTwin(value)) return undefined;
  const email = foldEmail(value);
  const isAddress =
    /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) && email.length <= maxEmailLength && isPlainName(email);
  return isAddress ? email : undefined;
}

/** True for a folded address that the sign-in with a password takes. The sign-in library refuses all others. */
export function isForPassword(email: string): boolean {
  return /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/.test(email);
}

/** True if another text looks the same: two addresses that do would be two accounts. */
export function hasTwin(text: string): boolean {
  const shown = text.trim();
  return hasUnseenCharacter(shown) || shown !== shown.normalize('NFC') || foldsToAscii(shown);
}

// The lower case of a few letters beyond ASCII is one of ASCII, such as that of the Kelvin sign. Their address would
// become that of another person.
function foldsToAscii(text: string): boolean {
  return [...text].some((letter) => letter > '\x7f' && /[a-z]/.test(letter.toLowerCase()));
}

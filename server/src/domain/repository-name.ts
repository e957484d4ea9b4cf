/** The form of the full name of a repository. */

// A name with a character that is never seen would look like that of another repository. No forge allows any.
const invisible = /\p{Default_Ignorable_Code_Point}/u;

/** True for `org/name`, and for names with nested groups. */
export function isRepositoryName(text: string): boolean {
  return /^[^/\s]+(?:\/[^/\s]+)+$/.test(text) && !invisible.test(text);
}

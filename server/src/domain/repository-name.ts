/** The form of the full name of a repository. */

/** True for `org/name`, and for names with nested groups. */
export function isRepositoryName(text: string): boolean {
  return /^[^/\s]+(?:\/[^/\s]+)+$/.test(text);
}

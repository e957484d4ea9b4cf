/** What a repository may be called. */

/** `org/name`; nested groups too. */
export function isRepositoryName(text: string): boolean {
  return /^[^/\s]+(?:\/[^/\s]+)+$/.test(text);
}

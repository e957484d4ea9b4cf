/** Names of references in requests and addresses, and for people. */

/**
 * Returns the name by which the server finds the reference. It takes a short name for that of a branch, and a tag may
 * have the name of a branch.
 */
export function referenceName({ ref, type }: { ref: string; type: string }): string {
  return type === 'tag' ? `refs/tags/${ref}` : ref;
}

/** `refs/heads/main` → `main`. */
export function shortRef(fullRef: string): string {
  return fullRef.replace(/^refs\/(?:heads|tags)\//, '');
}

/** A commit in a request: the beginning of its hash, SHA-1 or SHA-256, or the whole. */
export const commitPattern = '^[0-9a-fA-F]{7,64}$';

/**
 * SQL: true if the commit begins with the prefix. Hashes are hexadecimal, and g is the letter after f, so this is a
 * range of an index.
 */
export const sqlHasPrefix = (sha: string, prefix: string): string =>
  `(${sha} >= ${prefix} and ${sha} < ${prefix} || 'g')`;

/** A commit in a request: the beginning of its hash, SHA-1 or SHA-256, or the whole. */
export const commitPattern = '^[0-9a-fA-F]{7,64}$';

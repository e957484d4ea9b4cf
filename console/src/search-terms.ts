/** The terms of a search for vulnerabilities and their violations. */

// The server refuses shorter words.
export const minTermLength = 3;

/**
 * Leaves out words that are too short to search for, such as one that is being typed. If all are too short, the text
 * stays as it is.
 */
export function searchableTerms(typed: string): string {
  const terms = typed.split(/\s+/).filter((term) => [...term].length >= minTermLength);
  return terms.length === 0 ? typed : terms.join(' ');
}

/** The terms of a search for vulnerabilities and their violations. */

// The server refuses shorter words.
export const minTermLength = 3;

/** The words that are long enough to search for. */
export function termsOf(typed: string): string[] {
  return typed.split(/\s+/).filter((term) => [...term].length >= minTermLength);
}

/**
 * Leaves out words that are too short to search for, such as one that is being typed. If all are too short, the text
 * stays as it is.
 */
export function searchableTerms(typed: string): string {
  const terms = termsOf(typed);
  return terms.length === 0 ? typed : terms.join(' ');
}

/**
 * The search terms of the list of packages. `@acme/shell-quote` is found from the beginning of each part:
 * `acme/shell-quote`, `shell-quote`, `quote`. A search finds every term that begins with its text.
 */

// Longer terms are paths that nobody types. Their first characters find them.
const maxTermLength = 64;
const maxTerms = 20;
const separators = /[\s._@/-]+/g;

/** Returns the terms to store. */
export function packageTermsOf({ namespace, name }: { namespace: string | null; name: string }): string[] {
  const full = plainTerm(namespace === null ? name : `${namespace}/${name}`);
  const later = full
    .matchAll(separators)
    .map(({ 0: { length }, index }) => cut(full.slice(index + length)))
    .filter((term) => term !== '');
  // The name is the last part of the path, and always found.
  return [...new Set([searchedTerm(name), cut(full), ...later])].slice(0, maxTerms);
}

/** The text of a search as terms have it: `org.acme:Core` → `org.acme/core`. */
export function searchedTerm(text: string): string {
  return cut(plainTerm(text));
}

function plainTerm(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().trim().replaceAll(':', '/');
  return plain.replace(/^[._@/-]+/, '') || plain;
}

/** An upper bound, in the order of code points, for all terms that begin with this one. */
export function termEnd(term: string): string {
  return `${term}\u{10ffff}`;
}

function cut(term: string): string {
  return [...term].slice(0, maxTermLength).join('');
}

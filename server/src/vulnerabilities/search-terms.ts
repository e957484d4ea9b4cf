/**
 * The search terms of `q`: words of the title of a vulnerability and of the name of its package. The index and a
 * search cut them in the same way. A term in a search finds every term that begins with it.
 */
import { hash } from 'node:crypto';
import { advisoriesIn } from '../parsers/reading/finding.ts';

// Longer terms are digests and paths that nobody types. Their first characters find them.
const maxTermLength = 64;
const maxTerms = 60;

/** The texts by which a vulnerability is found. `package` is its package URL. */
export interface Searchable {
  title: string;
  package: string | null;
}

function textsOf({ title, package: purl }: Searchable): string[] {
  return purl === null ? [title] : [title, purl];
}

/**
 * Returns the distinct lower-case terms of three characters or more. `CVE-2021-44228` is one term, and `pkg:` is none.
 */
export function searchTermsOf(text: string): string[] {
  return cut(termsIn(text));
}

function termsIn(text: string): Iterable<string> {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('%40', '@')
    .replaceAll('pkg:', '')
    .matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}._@/-]*/gu)
    .map(([term]) => term.replace(/[._@/-]+$/, ''));
}

/**
 * Returns the terms to store for a text. A compound is also found from each of its later parts: `spring-beans` by
 * `beans`, `nodejs-shell-quote` by `shell-quote`.
 */
export function indexTermsOf(text: string): string[] {
  return cut(partsOf(termsIn(text)));
}

function* partsOf(terms: Iterable<string>): Iterable<string> {
  for (const term of terms) {
    yield term;
    for (const { 0: separator, index } of term.matchAll(/[._@/-]+/g))
      yield term.slice(index + separator.length);
  }
}

function cut(terms: Iterable<string>): string[] {
  const kept = new Set<string>();
  for (const term of terms) {
    // A character takes two units at most.
    const short = [...term.slice(0, 2 * maxTermLength)].slice(0, maxTermLength);
    if (short.length >= 3) kept.add(short.join(''));
    if (kept.size === maxTerms) break;
  }
  return [...kept];
}

/**
 * Returns the advisory whose id the term is, in the stored form: `cve-2021-44228` gives `CVE-2021-44228`. Returns null
 * for any other term.
 */
export function advisoryOf(term: string): string | null {
  const [known] = advisoriesIn(term);
  if (known?.length === term.length) return known;
  return /^(?:[a-z]{2,10}-\d{4}|snyk-[a-z0-9-]+)-\d+$/.test(term) ? term.toUpperCase() : null;
}

/** Returns an upper bound, in code point order, for all texts that begin with `term`. */
export function prefixEnd(term: string): string {
  return `${term}\u{10ffff}`;
}

/** Returns the key of a vulnerability's texts: a whole number of 64 bits with a sign, as decimal text. */
export function searchKey(found: Searchable): string {
  return keyOf(textsOf(found).join('\n'));
}

function keyOf(text: string): string {
  return hash('sha256', text, 'buffer').readBigInt64BE().toString();
}

export interface SearchRows {
  texts: { text_key: string; search_key: string }[];
  terms: { term: string; text_key: string }[];
}

/**
 * Returns the rows of `search_text` and `search_term`, without those whose keys are in `written`, which grows by the
 * others.
 */
export function searchRowsOf(found: Searchable[], written = new Set<string>()): SearchRows {
  const isNew = (key: string): boolean => written.size < written.add(key).size;
  const rows: SearchRows = { texts: [], terms: [] };
  for (const each of found) {
    const search_key = searchKey(each);
    if (!isNew(search_key)) continue;
    for (const text of textsOf(each)) {
      const text_key = keyOf(text);
      rows.texts.push({ text_key, search_key });
      if (isNew(`text ${text_key}`))
        rows.terms.push(...indexTermsOf(text).map((term) => ({ term, text_key })));
    }
  }
  return rows;
}

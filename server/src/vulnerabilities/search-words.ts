/**
 * The words that `q` looks up, from the title of a vulnerability and the name of its package. They are cut in the same
 * way for the index and for a search. A word in a search finds every word that begins with it.
 */
import { createHash } from 'node:crypto';
import { advisoriesIn } from '../parsers/reading/finding.ts';

// Longer "words" are digests and paths that nobody types; their first characters find them.
const maxWordLength = 64;
const maxWords = 60;

/** The texts by which a vulnerability is found. `package` is its package URL. */
export interface Searchable {
  title: string;
  package: string | null;
}

/**
 * Returns the distinct lower-case words of three characters or more. `CVE-2021-44228` is one word, and `pkg:` is none.
 */
export function wordsOf(text: string): string[] {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('%40', '@')
    .replaceAll('pkg:', '')
    .matchAll(/[\p{L}\p{N}][\p{L}\p{N}._@/-]*/gu)
    .map(([word]) => word.replace(/[._@/-]+$/, ''));
  return cut(words);
}

/**
 * Returns the words to store. A compound is also found from each of its later parts: `spring-beans` by `beans`,
 * `nodejs-shell-quote` by `shell-quote`.
 */
export function searchWords(found: Searchable): string[] {
  // The package comes first, because a long title leaves no room.
  return cut(
    wordsOf(`${found.package ?? ''}\n${found.title}`).flatMap((word) => [
      word,
      ...word.matchAll(/[._@/-]+/g).map(({ 0: { length }, index }) => word.slice(index + length)),
    ]),
  );
}

function cut(words: Iterable<string>): string[] {
  const kept = new Set<string>();
  for (const word of words) {
    const short = [...word].slice(0, maxWordLength).join('');
    if ([...short].length >= 3 && kept.size < maxWords) kept.add(short);
  }
  return [...kept];
}

/**
 * Returns the advisory whose id the word is, in the stored form: `cve-2021-44228` gives `CVE-2021-44228`. Returns null
 * for any other word.
 */
export function advisoryOf(word: string): string | null {
  const [known] = advisoriesIn(word);
  if (known?.length === word.length) return known;
  return /^(?:[a-z]{2,10}-\d{4}|snyk-[a-z0-9-]+)-\d+$/.test(word) ? word.toUpperCase() : null;
}

/** Returns an upper bound, in code point order, for all texts that begin with `word`. */
export function prefixEnd(word: string): string {
  return `${word}\u{10ffff}`;
}

/**
 * Returns 16 bytes as UUID text. Vulnerabilities with the same texts have the same key. The migration that added it
 * computes it too.
 */
export function searchKey(found: Searchable): string {
  const { title, package: purl } = found;
  const text = purl === null ? title : `${title}\n${purl}`;
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

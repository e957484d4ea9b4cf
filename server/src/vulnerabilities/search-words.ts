/**
 * What `q` looks up: the words of a vulnerability's title and of its package's name. They are cut the same way when they
 * are stored and when they are asked for; a word that is asked for finds every word that begins with it.
 */
import { createHash } from 'node:crypto';
import { advisoriesIn } from '../parsers/reading/finding.ts';

// Longer "words" are digests and paths that nobody types; their beginning finds them.
const maxWordLength = 64;
const maxWords = 60;

/** What a vulnerability is found by. `package`: its package URL. */
export interface Searchable {
  title: string;
  package: string | null;
}

/** Lower-case words of three characters or more, each once; `CVE-2021-44228` is one word, `pkg:` is none. */
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
 * The words to store. A compound is found from each of its parts on: `spring-beans` by `beans`, `nodejs-shell-quote`
 * by `shell-quote`.
 */
export function searchWords(found: Searchable): string[] {
  // The package first: a long title leaves no room.
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

/** The advisory whose id the word is, as it is stored: `cve-2021-44228` is `CVE-2021-44228`. Null for any other word. */
export function advisoryOf(word: string): string | null {
  const [known] = advisoriesIn(word);
  if (known?.length === word.length) return known;
  return /^(?:[a-z]{2,10}-\d{4}|snyk-[a-z0-9-]+)-\d+$/.test(word) ? word.toUpperCase() : null;
}

/** The least text after all that begin with `word`, in code point order. */
export function prefixEnd(word: string): string {
  return `${word}\u{10ffff}`;
}

/** 16 bytes as UUID text: found by the same, the same key. The migration that brought it computes it too. */
export function searchKey(found: Searchable): string {
  const { title, package: purl } = found;
  const text = purl === null ? title : `${title}\n${purl}`;
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

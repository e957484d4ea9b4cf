/**
 * Words of titles: what `q` looks up. A title is cut the same way when it is stored and when it is asked for; a
 * word that is asked for finds every word that begins with it.
 */
import { createHash } from 'node:crypto';

// Longer "words" are digests and paths that nobody types; their beginning finds them.
const maxWordLength = 64;
const maxWords = 40;

/** Lower-case words of three characters or more, each once; `CVE-2021-44228` stays one word. */
export function titleWords(title: string): string[] {
  const words = new Set<string>();
  for (const match of title
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}][\p{L}\p{N}._@/-]*/gu)) {
    const whole = match[0].replace(/[._@/-]+$/, '');
    // A compound is found by its parts too: `spring-beans` by `beans`.
    for (const word of [whole, ...whole.split(/[._@/-]+/)]) {
      const short = [...word].slice(0, maxWordLength).join('');
      if ([...short].length >= 3 && words.size < maxWords) words.add(short);
    }
  }
  return [...words];
}

/** The least text after all that begin with `word`, in code point order. */
export function prefixEnd(word: string): string {
  return `${word}\u{10ffff}`;
}

/** 16 bytes as UUID text: the same title, the same key. */
export function titleKey(title: string): string {
  return createHash('sha256').update(title).digest('hex').slice(0, 32);
}

/** True if each word of `q` is in one of the texts, for the search in a list that is loaded completely. */
export function hasWords(q: string | undefined, texts: readonly (string | null | undefined)[]): boolean {
  if (q === undefined) return true;
  const all = texts.join('\n').toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

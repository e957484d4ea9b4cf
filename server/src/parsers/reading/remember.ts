/**
 * The memory of pure functions of a text or a list: reports repeat names, paths and package URLs for many rows. It must
 * never remember without a bound.
 */

const maxRemembered = 20_000;
const maxLength = 512;

/** Returns the same function, which computes the results of repeated texts once. */
export function remember<Result>(compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, { result: Result }>();
  return (text) => {
    if (text.length > maxLength) return compute(text);
    const found = known.get(text);
    if (found !== undefined) return found.result;
    const result = compute(text);
    if (known.size === maxRemembered) known.clear();
    known.set(text, { result });
    return result;
  };
}

// A short list is read again in less time than it is found.
const longList = 50;

/** Returns the same function, which reads a long list once: thousands of rows may share one of thousands of ids. */
export function rememberLists<Result>(
  compute: (texts: readonly string[]) => Result,
): (texts: readonly string[]) => Result {
  const known = new WeakMap<readonly string[], { result: Result }>();
  return (texts) => {
    if (texts.length < longList) return compute(texts);
    const found = known.get(texts) ?? { result: compute(texts) };
    known.set(texts, found);
    return found.result;
  };
}

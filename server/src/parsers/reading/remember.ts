/**
 * The memory of pure functions of a text: reports repeat names, paths and package URLs for many rows. It must never
 * remember without a bound.
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

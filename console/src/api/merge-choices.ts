/**
 * Returns the stored choices with what a person changed from `before` to `after`, so that what somebody else has added
 * or removed meanwhile stays so.
 */
export function mergeChoices(stored: string[], before: Iterable<string>, after: Iterable<string>): string[] {
  const left = new Set(before);
  const kept = new Set(after);
  const added = [...kept].filter((choice) => !left.has(choice));
  return [...new Set([...stored.filter((choice) => kept.has(choice) || !left.has(choice)), ...added])];
}

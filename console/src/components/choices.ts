/** Returns the choices of a field or filter from their texts, in the same order, if no value is a whole number. */
export function choicesOf(texts: Record<string, string>): { value: string; label: string }[] {
  return Object.entries(texts).map(([value, label]) => ({ value, label }));
}

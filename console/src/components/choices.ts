/**
 * Returns the choices of a field or filter from their texts, in the same order, if no value is a whole number. With the
 * type of the values, `choicesOf<State>(…)` does not compile if one of them has no text.
 */
export function choicesOf<Value extends string>(
  texts: Record<Value, string>,
): { value: string; label: string }[] {
  return Object.entries<string>(texts).map(([value, label]) => ({ value, label }));
}

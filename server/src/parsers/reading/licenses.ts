/** The licenses of a package, each as one text. It must never decide which of them are allowed. */

/**
 * Separates the licenses of expressions, so that a policy finds each that applies: `AGPL-3.0-only AND MIT` is two
 * licenses. The parts need not be in SPDX's list, because tools join names of their own too.
 */
export function separateLicenses(names: readonly string[]): string[] {
  return names.flatMap((name) => (name.includes(' AND ') ? partsOf(name) : [name]));
}

/** A choice and a text whose parentheses do not match stay one text. */
function partsOf(expression: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const token of expression.split(/( (?:AND|OR) |[()])/)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (depth < 0 || (depth === 0 && token === ' OR ')) return [expression];
    if (depth === 0 && token === ' AND ') parts.push('');
    else parts[parts.length - 1] += token;
  }
  if (depth > 0) return [expression];
  if (parts.length > 1) return parts.flatMap(partsOf);
  const inner = /^\((.*)\)$/.exec(expression);
  const innerParts = inner === null ? [] : partsOf(inner[1] ?? '');
  return innerParts.length > 1 ? innerParts : [expression];
}

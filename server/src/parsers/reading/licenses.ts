/** The licenses of a package, each as one text. It must never decide which of them are allowed. */
import type { ParseContext } from './limits.ts';
import { cleanName } from './text.ts';

// Longer than any expression that a tool writes. Without these limits one package could cost as much as a report.
const maxLength = 10_000;
const maxDepth = 16;
const maxParts = 100;

/**
 * Separates the licenses of expressions, so that a policy finds each that applies: `AGPL-3.0-only AND MIT` is two
 * licenses. The parts need not be in SPDX's list, because tools join names of their own too.
 */
export function licensesOf(names: readonly string[], context: ParseContext): string[] {
  const parts = names.flatMap((name) => partsOf(name.slice(0, maxLength)));
  if (parts.length > maxParts || names.some(({ length }) => length > maxLength)) {
    context.warn('The licenses of a package were too many or too long; the rest was left out.');
  }
  return [...new Set(parts.slice(0, maxParts).map((name) => cleanName(name, context)))];
}

/**
 * The licenses of a version of a package in all its mentions together: twice as many as one mention may have. Mentions
 * join and are compared one by one, so that their licenses must stay few.
 */
export const maxLicenses = 2 * maxParts;

/** Joins the licenses of two mentions of a package, those of the first one first, and at most `maxLicenses`. */
export function joinLicenses(known: string[], more: readonly string[]): string[] {
  if (known.length >= maxLicenses) return known;
  return [...new Set([...known, ...more])].slice(0, maxLicenses);
}

/** A choice and a text whose parentheses do not match stay one text, without parentheses around all of it. */
function partsOf(expression: string): string[] {
  const text = expression.trim();
  const parts = [''];
  let isWrapped = text.startsWith('(');
  let depth = 0;
  let read = 0;
  for (const token of text.split(/(\s(?:AND|OR)\s|[()])/)) {
    const word = token.trim();
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    read += token.length;
    if (depth < 0 || depth > maxDepth || (depth === 0 && word === 'OR')) return [text];
    if (depth === 0 && read > 0 && read < text.length) isWrapped = false;
    if (depth === 0 && word === 'AND') parts.push('');
    else parts[parts.length - 1] += token;
  }
  if (depth > 0) return [text];
  if (parts.length > 1) return parts.flatMap(partsOf);
  return isWrapped ? partsOf(text.slice(1, -1)) : [text];
}

/**
 * The ids of a vulnerability: its advisory, its further ids, and the rule of the tool that found it, which is an
 * advisory in packages. The columns `identifiers` and `rule` do not repeat the advisory, and most vulnerabilities in
 * packages have no other id. This file runs no query.
 */
import { maxAdvisories } from '../parsers/reading/limits.ts';

interface Ids {
  advisory: string | null;
  /** The further ids. */
  identifiers: readonly string[];
}

/** Returns all ids of a vulnerability, its advisory first. */
export function allIds({ advisory, identifiers }: Ids): string[] {
  return [advisory ?? [], identifiers].flat();
}

/** SQL of all ids of the vulnerability with this alias, its advisory first. Empty if it has none. */
export const sqlAllIds = (alias: string): string =>
  `array_remove(array_prepend(${alias}.advisory, ${alias}.identifiers), null)`;

/** SQL of the rule of the vulnerability with this alias. It is stored only if it is not the advisory. */
export const sqlRule = (alias: string): string => `coalesce(${alias}.rule, ${alias}.advisory)`;

/** SQL of assignments to the vulnerability v: it gets this advisory, and the former one becomes a further id. */
export const sqlNewAdvisory = (advisory: string): string =>
  `advisory = ${advisory}, identifiers = nullif(array_remove(${sqlAllIds('v')}, ${advisory}), '{}'),
   rule = nullif(${sqlRule('v')}, ${advisory})`;

/**
 * Returns the ids of all lists but the advisory, each once and sorted. If they are too many, those of the first lists
 * stay, so that no report can displace a known one.
 */
export function furtherIds(advisory: string | null, ...lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())]
    .filter((id) => id !== advisory)
    .slice(0, maxAdvisories)
    .sort();
}

/** Numbers of vulnerabilities by severity, as answers show them. */
import { Type } from 'typebox';
import { severities } from '../domain/packed-state.ts';

export const BySeverity = Type.Record(Type.String(), Type.Integer(), {
  description: `${[...severities].reverse().join(', ')}: each of them, zero or not`,
});

/** Every severity, the highest first, with its number; `rows` by rank. */
export function bySeverityOf(rows: { severity: number; n: number }[]): Record<string, number> {
  const numbers = new Map(rows.map(({ severity, n }) => [severity, n]));
  return Object.fromEntries(
    severities.map((name, rank) => [name, numbers.get(rank) ?? 0] as const).reverse(),
  );
}

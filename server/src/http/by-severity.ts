/** Numbers of vulnerabilities by severity, as answers show them. */
import { Type } from 'typebox';
import { type Severity, severities } from '../domain/packed-state.ts';

export const BySeverity = Type.Record(Type.String(), Type.Integer(), {
  description: `${[...severities].reverse().join(', ')}: each of them, zero or not`,
});

/** Every severity, the highest first, with its number. */
export function bySeverityOf(rows: { severity: Severity; n: number }[]): Record<string, number> {
  const numbers = new Map(rows.map(({ severity, n }) => [severity, n]));
  return Object.fromEntries(severities.map((name) => [name, numbers.get(name) ?? 0] as const).reverse());
}

/** The same as rows: what a statement has gathered in one JSON object. */
export function severityCountsOf(
  open: Partial<Record<Severity, number>>,
): { severity: Severity; n: number }[] {
  return (Object.entries(open) as [Severity, number][]).map(([severity, n]) => ({ severity, n }));
}

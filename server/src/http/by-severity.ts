/** Numbers of vulnerabilities by severity, as the API shows them. */
import { Type } from 'typebox';
import { type Severity, severities } from '../domain/packed-state.ts';

export const BySeverity = Type.Record(Type.String(), Type.Integer(), {
  title: 'NumbersBySeverity',
  description: `${[...severities].reverse().join(', ')}: each of them, zero or not`,
});

/** Every severity with its number, also zero, from the highest to the lowest. */
export function bySeverityOf(rows: { severity: Severity; n: number }[]): Record<string, number> {
  const numbers = new Map(rows.map(({ severity, n }) => [severity, n]));
  return Object.fromEntries(severities.map((name) => [name, numbers.get(name) ?? 0] as const).reverse());
}

/** Turns a JSON object of numbers by severity into rows. */
export function severityCountsOf(
  open: Partial<Record<Severity, number>>,
): { severity: Severity; n: number }[] {
  return (Object.entries(open) as [Severity, number][]).map(([severity, n]) => ({ severity, n }));
}

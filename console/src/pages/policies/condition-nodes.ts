/**
 * The parts of a condition that the builder knows, and the default of a new part. Values may be anything that somebody
 * has written.
 */
import type { Fact } from '../../api/policies.ts';
import { isObject } from '../../components/is-object.ts';

/** The server has the same limits for the depth of groups and the number of clauses. */
export const maxDepth = 8;

export type GroupKind = 'all' | 'any';

export type ConditionNode =
  | { kind: GroupKind; parts: unknown[] }
  | { kind: 'not'; part: unknown }
  | { kind: 'clause'; fact: unknown; operator: unknown; value: unknown }
  /** A part that the builder cannot show. */
  | { kind: 'other' };

export function nodeOf(written: unknown): ConditionNode {
  if (!isObject(written)) return { kind: 'other' };
  const names = Object.keys(written);
  const [only] = names;
  if (names.length === 1 && (only === 'all' || only === 'any')) {
    const parts = written[only];
    return Array.isArray(parts) ? { kind: only, parts } : { kind: 'other' };
  }
  if (names.length === 1 && only === 'not') return { kind: 'not', part: written.not };
  const isClause = names.every((name) => name === 'fact' || name === 'operator' || name === 'value');
  if (!isClause) return { kind: 'other' };
  return { kind: 'clause', fact: written.fact, operator: written.operator, value: written.value };
}

export function factsOf(facts: Fact[], targetType: string): Fact[] {
  return facts.filter(({ target_types: targets }) => targets.includes(targetType));
}

export function isListOperator(operator: unknown): boolean {
  return operator === 'in' || operator === 'not_in' || operator === 'not_all_in';
}

/** Returns the most common clause; for severities, the high ones. */
export function newClause(facts: Fact[]): object {
  const [fact] = facts;
  return fact ? clauseAbout(fact) : { fact: '', operator: '==', value: '' };
}

/** Returns a clause about the fact, with the first operator that the fact allows. */
export function clauseAbout(fact: Fact): object {
  const operator = fact.kind === 'severity' || fact.kind === 'days' ? '>=' : (fact.operators[0] ?? '==');
  return { fact: fact.name, operator, value: valueFor(fact, operator) };
}

const usualDays = 30;

function valueFor({ kind, values }: Fact, operator: string): unknown {
  const one = {
    severity: 'high',
    enum: values?.[0] ?? '',
    boolean: true,
    number: 0,
    days: usualDays,
    date: new Date().toISOString().slice(0, 10),
    text: '',
    texts: '',
  }[kind];
  if (!isListOperator(operator)) return one;
  return one === '' ? [] : [one];
}

/** Converts the value for another operator: a single value becomes a list of one, and back. */
export function valueUnder(operator: string, value: unknown): unknown {
  if (isListOperator(operator)) return Array.isArray(value) ? value : value === '' ? [] : [value];
  return Array.isArray(value) ? (value[0] ?? '') : value;
}

/** The parts of a condition as the builder knows them, and what new ones begin with. Values are whatever has been written. */
import type { Fact } from '../../api/policies.ts';
import { isObject } from './policy-document.ts';

/** As the server takes them: groups in groups, and clauses in all. */
export const maxDepth = 8;

export type GroupKind = 'all' | 'any';

export type ConditionNode =
  | { kind: GroupKind; parts: unknown[] }
  | { kind: 'not'; part: unknown }
  | { kind: 'clause'; fact: unknown; operator: unknown; value: unknown }
  /** Nothing that the builder could show. */
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
  return operator === 'in' || operator === 'not_in';
}

/** What is most often asked: of severities those that are high. */
export function newClause(facts: Fact[]): object {
  const [fact] = facts;
  return fact ? clauseAbout(fact) : { fact: '', operator: '==', value: '' };
}

/** A clause about the fact, with the first operator that may be asked of it. */
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
    text: '',
    texts: '',
  }[kind];
  if (!isListOperator(operator)) return one;
  return one === '' ? [] : [one];
}

/** The value, fit for another operator: one becomes a list of one, and back. */
export function valueUnder(operator: string, value: unknown): unknown {
  if (isListOperator(operator)) return Array.isArray(value) ? value : value === '' ? [] : [value];
  return Array.isArray(value) ? (value[0] ?? '') : value;
}

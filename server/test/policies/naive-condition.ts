/** Conditions, evaluated one clause and one row at a time, exactly as documented. */

import type { TargetType } from '../../src/domain/policy-enums.ts';
import type { Clause, ClauseValue, Condition } from '../../src/policies/definition/condition.ts';
import { type PlainRow, type PlainValue, severityOrder } from './plain-facts.ts';

/** Called for every clause with its result, also for clauses that decide nothing. */
export type Listener = (clause: Clause, holds: boolean) => void;

export function meets(target: TargetType, condition: Condition, row: PlainRow, listen: Listener): boolean {
  if ('all' in condition) {
    return condition.all.map((child) => meets(target, child, row, listen)).every((one) => one);
  }
  if ('any' in condition) {
    return condition.any.map((child) => meets(target, child, row, listen)).some((one) => one);
  }
  if ('not' in condition) return !meets(target, condition.not, row, listen);
  const actual = row.facts.get(condition.fact);
  if (actual === undefined) throw new Error(`plain-facts.ts lacks the fact ${condition.fact} of a ${target}`);
  const holds = clauseHolds(condition, actual);
  listen(condition, holds);
  return holds;
}

function clauseHolds({ fact, operator, value }: Clause, actual: PlainValue): boolean {
  const fold = foldOf(fact);
  if (Array.isArray(actual)) return setHolds(operator, value, actual.map(fold), fold);
  // Unknown is equal to nothing, neither more nor less than anything, and different from everything.
  if (actual === null) return operator === '!=' || operator === 'not_in';
  const one = (each: unknown): unknown => (typeof each === 'string' ? fold(each) : each);
  const is = one(actual);
  const list = Array.isArray(value) ? value.map(one) : [];
  switch (operator) {
    case '==':
      return is === one(value);
    case '!=':
      return is !== one(value);
    case 'in':
      return list.includes(is);
    case 'not_in':
      return !list.includes(is);
    case 'not_all_in':
      throw new Error('not_all_in of one value');
    case 'contains':
      return String(is).includes(String(one(value)));
    case 'matches':
      return globMatches(String(one(value)), String(is));
    case '>':
      return rank(fact, is) > rank(fact, value);
    case '>=':
      return rank(fact, is) >= rank(fact, value);
    case '<':
      return rank(fact, is) < rank(fact, value);
    case '<=':
      return rank(fact, is) <= rank(fact, value);
  }
}

function setHolds(
  operator: Clause['operator'],
  value: ClauseValue,
  actual: string[],
  fold: (text: string) => string,
): boolean {
  const wanted = [value].flat().map((each) => fold(String(each)));
  switch (operator) {
    case 'in':
      return actual.some((each) => wanted.includes(each));
    case 'not_in':
      return !actual.some((each) => wanted.includes(each));
    case 'not_all_in':
      return actual.length === 0 || actual.some((each) => !wanted.includes(each));
    case 'contains':
      return actual.includes(wanted[0] ?? '');
    case 'matches':
      return actual.some((each) => globMatches(wanted[0] ?? '', each));
    default:
      throw new Error(`${operator} of a set`);
  }
}

function rank(fact: string, value: unknown): number {
  if (fact === 'kev_due_date') return Date.parse(String(value));
  return fact === 'severity' ? severityOrder.indexOf(String(value)) : Number(value);
}

/**
 * These texts are compared without case: our own names for all letters, advisories and weaknesses for A to Z only.
 * Accents of our own names and of paths are equal in both spellings.
 */
function foldOf(fact: string): (text: string) => string {
  if (['repository.full_name', 'application', 'environment_key'].includes(fact))
    return (text) => text.normalize('NFC').toLowerCase();
  if (fact === 'path') return (text) => text.normalize('NFC');
  if (fact !== 'cwe' && fact !== 'advisory_id') return (text) => text;
  return (text) =>
    [...text].map((letter) => (letter >= 'A' && letter <= 'Z' ? letter.toLowerCase() : letter)).join('');
}

/**
 * Compares by character and not by code unit. It keeps the position in the pattern, the position in the text, and the
 * last star to return to.
 */
export function globMatches(pattern: string, text: string): boolean {
  const [glob, letters] = [[...pattern], [...text]];
  let [g, t, star, from] = [0, 0, -1, 0];
  while (t < letters.length) {
    if (glob[g] === '*') {
      star = g++;
      from = t;
    } else if (g < glob.length && (glob[g] === '?' || glob[g] === letters[t])) {
      g++;
      t++;
    } else if (star >= 0) {
      g = star + 1;
      t = ++from;
    } else return false;
  }
  return glob.slice(g).every((letter) => letter === '*');
}

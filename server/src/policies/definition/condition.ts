/**
 * Conditions: `{all: […]}`, `{any: […]}`, `{not: …}` over clauses `{fact, operator, value}`. The pure functions here
 * check a document against the table of facts and give the document path of each mistake. They know no SQL.
 */

import leven from 'leven';
import { lengthRule } from '../../domain/field-rules.ts';
import type { TargetType } from '../../domain/policy-enums.ts';
import type { Sentence } from '../../domain/sentence.ts';
import { type Fact, type FactKind, factsOf, findFact } from './facts.ts';

export const operators = [
  '==',
  '!=',
  '>',
  '>=',
  '<',
  '<=',
  'in',
  'not_in',
  'not_all_in',
  'contains',
  'matches',
] as const;
/** The operators that take a list of values. */
export const listOperators: readonly string[] = ['in', 'not_in', 'not_all_in'];
export type Operator = (typeof operators)[number];

export type ClauseValue = string | number | boolean | string[] | number[];

export interface Clause {
  fact: string;
  operator: Operator;
  value: ClauseValue;
}

export type Condition = { all: Condition[] } | { any: Condition[] } | { not: Condition } | Clause;

/** Document path (`condition.all[0].value`) → the mistake there. */
export type Problems = Map<string, Sentence>;

// Limits of a condition, so that people can still read it and its evaluation stays cheap.
const maxDepth = 8;
const maxClauses = 100;
const maxValues = 200;
/** One answer lists at most this many mistakes, because nobody corrects more at once. */
export const maxProblems = 50;
const maxTextLength = 255;
// Each wildcard can match at every position of the text, so the cost grows with their number.
const maxWildcards = 8;
// A searched text may be compared in full at every position of another text, so the cost of a row grows with this
// length. Without this limit a hundred clauses could have more than ten times as many characters.
const maxSearchedLength = 2_000;

const comparing: readonly Operator[] = ['==', '!=', '>', '>=', '<', '<=', 'in', 'not_in'];

/** The operators that each kind of fact allows. */
export const operatorsOf: Record<FactKind, readonly Operator[]> = {
  severity: comparing,
  number: comparing,
  days: comparing,
  date: ['==', '!=', '>', '>=', '<', '<='],
  enum: ['==', '!=', 'in', 'not_in'],
  text: ['==', '!=', 'in', 'not_in', 'contains', 'matches'],
  texts: ['in', 'not_in', 'not_all_in', 'contains', 'matches'],
  boolean: ['==', '!='],
};

/** Returns the condition, or null after adding its mistakes to `problems`. `path` is its path in the document. */
export function checkCondition(
  document: unknown,
  target: TargetType,
  path: string,
  problems: Problems,
): Condition | null {
  const before = problems.size;
  const state = { target, problems, clauses: 0, searchedLength: 0 };
  const isGroup = isObject(document) && ('all' in document || 'any' in document || 'not' in document);
  if (!isGroup) {
    problems.set(path, 'Must be an object with all, any or not.');
    return null;
  }
  checkNode(document, path, 1, state);
  return problems.size === before ? (document as Condition) : null;
}

interface State {
  target: TargetType;
  problems: Problems;
  clauses: number;
  /** Total length of all texts that the clauses so far search for within other texts. */
  searchedLength: number;
}

function checkNode(node: unknown, path: string, depth: number, state: State): void {
  const { problems } = state;
  // Clauses after the limit are not checked, so that a huge document costs no more than an allowed one.
  if (state.clauses > maxClauses || problems.size >= maxProblems) return;
  if (!isObject(node)) {
    problems.set(path, 'Must be an object: a clause, or all, any, not.');
    return;
  }
  const [group] = ['all', 'any', 'not'].filter((name) => name in node);
  if (group === undefined) {
    checkClause(node, path, state);
    return;
  }
  if (Object.keys(node).length > 1) {
    problems.set(path, `Must have nothing beside ${group}.`);
    return;
  }
  if (depth > maxDepth) {
    problems.set(path, `Is nested deeper than ${maxDepth}.`);
    return;
  }
  const inner: unknown = node[group];
  if (group === 'not') {
    checkNode(inner, `${path}.not`, depth + 1, state);
    return;
  }
  if (!Array.isArray(inner) || inner.length === 0) {
    problems.set(`${path}.${group}`, 'Must be a list with at least one condition.');
    return;
  }
  for (const [i, child] of inner.entries()) checkNode(child, `${path}.${group}[${i}]`, depth + 1, state);
}

function checkClause(node: Record<string, unknown>, path: string, state: State): void {
  const { problems, target } = state;
  state.clauses++;
  if (state.clauses > maxClauses) {
    problems.set(path, `Is one clause too many: a condition may have at most ${maxClauses}.`);
    return;
  }
  for (const name of Object.keys(node)) {
    if (!['fact', 'operator', 'value'].includes(name)) {
      problems.set(`${path}.${name.slice(0, 80)}`, 'Is unknown: a clause has fact, operator and value.');
      return;
    }
  }
  if (typeof node.fact !== 'string') {
    problems.set(`${path}.fact`, 'Must be the name of a fact.');
    return;
  }
  const fact = findFact(target, node.fact);
  if (!fact) {
    problems.set(`${path}.fact`, unknownFact(node.fact, target));
    return;
  }
  const operator = operators.find((known) => known === node.operator);
  if (!operator || !operatorsOf[fact.kind].includes(operator)) {
    problems.set(`${path}.operator`, `Must be one of ${operatorsOf[fact.kind].join(' ')} for ${fact.name}.`);
    return;
  }
  const wrong = wrongValue(fact, operator, node.value);
  if (wrong !== null) {
    problems.set(`${path}.value`, wrong);
    return;
  }
  if (operator !== 'matches' && (operator !== 'contains' || fact.kind !== 'text')) return;
  state.searchedLength += String(node.value).length;
  if (state.searchedLength > maxSearchedLength) {
    problems.set(
      `${path}.value`,
      `Goes beyond the ${maxSearchedLength} characters that all values of matches and contains in a condition may have together: shorten them, or use == and in.`,
    );
  }
}

function unknownFact(name: string, target: TargetType): Sentence {
  const names = factsOf(target).map((fact) => fact.name);
  const [nearest] = names
    .map((known) => ({ known, distance: leven(name.slice(0, 80), known, { maxDistance: 4 }) }))
    .sort((a, b) => a.distance - b.distance);
  const unknown = `No fact ${JSON.stringify(name.slice(0, 80))} of a ${target}` as const;
  return nearest && nearest.distance <= 3
    ? `${unknown}: did you mean ${nearest.known}?`
    : `${unknown}: its facts are ${names.join(', ')}.`;
}

function wrongValue(fact: Fact, operator: Operator, value: unknown): Sentence | null {
  if (!listOperators.includes(operator)) return wrongOne(fact, operator, value);
  if (!Array.isArray(value) || value.length === 0 || value.length > maxValues) {
    return `Must be a list of 1 to ${maxValues} values.`;
  }
  for (const [i, one] of value.entries()) {
    const wrong = wrongOne(fact, '==', one);
    if (wrong !== null) return `The entry ${i + 1} is wrong. ${wrong}`;
  }
  return null;
}

function wrongOne({ kind, values = [] }: Fact, operator: Operator, value: unknown): Sentence | null {
  switch (kind) {
    case 'boolean':
      return typeof value === 'boolean' ? null : 'Must be true or false.';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? null : 'Must be a number.';
    case 'days':
      return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 36_500
        ? null
        : 'Must be whole days, 0 to 36500.';
    case 'date':
      return isDate(value) ? null : 'Must be a date, YYYY-MM-DD.';
    case 'severity':
    case 'enum':
      return values.some((known) => known === value) ? null : `Must be one of ${values.join(', ')}.`;
    case 'text':
    case 'texts':
      return wrongText(operator, value);
  }
}

function isDate(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}$/.test(value)) return false;
  const time = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value);
}

function wrongText(operator: Operator, value: unknown): Sentence | null {
  if (typeof value !== 'string') return 'Must be text.';
  if (value.length > maxTextLength) return lengthRule(maxTextLength);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
  if (/[\u0000-\u001f]/.test(value)) return 'Must not have control characters.';
  if (!value.isWellFormed()) return 'Must not contain half a character (an unpaired surrogate).';
  if ((operator === 'contains' || operator === 'matches') && value === '') return 'Must not be empty.';
  if (operator === 'matches' && (value.match(/[*]+/g) ?? []).length > maxWildcards) {
    return `Must not have more than ${maxWildcards} wildcards (*).`;
  }
  return null;
}

/** True for an object that is neither null nor an array, in a document that may hold any value. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every clause of a condition, in order. */
export function clausesOf(condition: Condition): Clause[] {
  if ('all' in condition) return condition.all.flatMap(clausesOf);
  if ('any' in condition) return condition.any.flatMap(clausesOf);
  if ('not' in condition) return clausesOf(condition.not);
  return [condition];
}

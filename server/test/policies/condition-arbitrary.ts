/** Random conditions that the validator accepts, with values that the data has, almost has, or does not have. */
import fc from 'fast-check';
import type { TargetType } from '../../src/domain/policy-enums.ts';
import {
  type Clause,
  type Condition,
  listOperators,
  operatorsOf,
} from '../../src/policies/definition/condition.ts';
import { type Fact, factsOf } from '../../src/policies/definition/facts.ts';
import { oddTexts } from './odd-rows.ts';
import type { PlainRow } from './plain-facts.ts';

// Characters that the validator refuses in a text.
const refused = /\p{Cc}/u;
const longest = 255;

/** The maximum depth is four. */
export function conditionArbitrary(target: TargetType, rows: PlainRow[]): fc.Arbitrary<Condition> {
  const clause = fc.oneof(
    ...factsOf(target).flatMap((fact) => {
      const known = knownValues(fact, rows);
      return operatorsOf[fact.kind].map((operator): fc.Arbitrary<Condition> => {
        const value = valueArbitrary(fact, operator, known);
        return value.map((one) => ({ fact: fact.name, operator, value: one }));
      });
    }),
  );
  const group = (child: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> => {
    const children = fc.array(child, { minLength: 1, maxLength: 3 });
    return fc.oneof(
      children.map((all) => ({ all })),
      children.map((any) => ({ any })),
      child.map((not) => ({ not })),
    );
  };
  const nested = (depth: number): fc.Arbitrary<Condition> =>
    depth === 0
      ? clause
      : fc.oneof({ weight: 2, arbitrary: clause }, { weight: 1, arbitrary: group(nested(depth - 1)) });
  return group(nested(3));
}

function knownValues(fact: Fact, rows: PlainRow[]): (string | number | boolean)[] {
  const values = rows.flatMap((row) => row.facts.get(fact.name) ?? []);
  return [...new Set(values)].sort();
}

function valueArbitrary(
  fact: Fact,
  operator: Clause['operator'],
  known: (string | number | boolean)[],
): fc.Arbitrary<Clause['value']> {
  if (!listOperators.includes(operator)) return oneArbitrary(fact, operator, known);
  return fc
    .array(oneArbitrary(fact, '==', known), { minLength: 1, maxLength: 4 })
    .map((list) => list as string[] | number[]);
}

function oneArbitrary(
  fact: Fact,
  operator: Clause['operator'],
  known: (string | number | boolean)[],
): fc.Arbitrary<string | number | boolean> {
  switch (fact.kind) {
    case 'boolean':
      return fc.boolean();
    case 'severity':
    case 'enum':
      return fc.constantFrom(...(fact.values ?? []));
    case 'days':
      return fc
        .tuple(fc.constantFrom(...numbers(known)), fc.constantFrom(0, 0, 1, -1))
        .map(([days, more]) => Math.min(Math.max(days + more, 0), 36_500));
    case 'date':
      return fc.constantFrom('2024-01-31', '2024-02-01', '9999-12-31', ...known.map(String));
    case 'number':
      return fc
        .tuple(
          fc.constantFrom(...numbers(known)),
          fc.constantFrom(0, 0, 0, 0.00001, -0.00001, 0.5, -1e-9, 1e9),
        )
        .map(([number, more]) => number + more);
    case 'text':
    case 'texts':
      return textArbitrary(operator, fact.kind, known.map(String)).filter(
        (text) => !refused.test(text) && text.length <= longest && (operator === '==' || text !== ''),
      );
  }
}

function numbers(known: (string | number | boolean)[]): number[] {
  return known.length === 0 ? [0] : known.map(Number);
}

function textArbitrary(
  operator: Clause['operator'],
  kind: Fact['kind'],
  known: string[],
): fc.Arbitrary<string> {
  const there = fc.constantFrom(...(known.length === 0 ? oddTexts : known));
  const whole = fc.oneof(
    { weight: 6, arbitrary: there },
    { weight: 1, arbitrary: fc.constantFrom(...oddTexts) },
    {
      weight: 2,
      arbitrary: fc.tuple(there, fc.constantFrom(...changes)).map(([text, change]) => change(text)),
    },
  );
  if (operator === '==' || (operator === 'contains' && kind === 'texts')) return whole;
  if (operator === 'contains') {
    return fc.tuple(whole, fc.nat(), fc.integer({ min: 1, max: 5 })).map(([text, from, length]) => {
      const letters = [...text];
      const start = letters.length === 0 ? 0 : from % letters.length;
      return letters.slice(start, start + length).join('');
    });
  }
  // A pattern: runs of the text become a star, letters a question mark.
  const hole = fc.tuple(fc.nat(), fc.nat({ max: 6 }), fc.constantFrom('*', '*', '?', '**'));
  return fc.tuple(whole, fc.array(hole, { maxLength: 3 })).map(([text, holes]) => {
    const letters = [...text];
    for (const [at, length, mark] of holes) {
      letters.splice(at % (letters.length + 1), mark === '?' ? 1 : length, mark);
    }
    return letters.join('');
  });
}

/** Almost the same text. */
const changes: ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => `${text}x`,
  (text) => ` ${text}`,
  (text) => text.slice(1).toWellFormed(),
  (text) => text.replaceAll('_', 'X'),
  (text) => text.replaceAll('%', 'anything'),
  (text) => text.replaceAll('\\', '\\\\'),
  (text) => text.normalize('NFD'),
];

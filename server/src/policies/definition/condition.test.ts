import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf } from '../../../test/support/fields.ts';
import { processorMs } from '../../../test/support/processor-time.ts';
import { type TargetType, targetTypes } from '../../domain/policy-enums.ts';
import {
  type Clause,
  checkCondition,
  clausesOf,
  operators,
  operatorsOf,
  type Problems,
} from './condition.ts';
import { facts, factsOf } from './facts.ts';

function problemsOf(document: unknown, target: TargetType = 'vulnerability'): Record<string, string> {
  const problems: Problems = new Map();
  const checked = checkCondition(document, target, 'condition', problems);
  assert.equal(checked === null, problems.size > 0, 'a condition, or what is wrong with it');
  if (checked !== null) assert.equal(checked, document);
  return Object.fromEntries(problems);
}

/** The problems of one clause, by the path within it. */
function clauseProblems(clause: unknown, target?: TargetType): Record<string, string> {
  return Object.fromEntries(
    Object.entries(problemsOf({ all: [clause] }, target)).map(([path, problem]) => [
      path.replace('condition.all[0]', ''),
      problem,
    ]),
  );
}

const clause: Clause = { fact: 'severity', operator: '>=', value: 'high' };

test('groups, nested as deep as they may be, and clauses in order', () => {
  const condition = {
    all: [clause, { any: [{ not: clause }, { fact: 'in_kev', operator: '==', value: true }] }],
  };
  assert.deepEqual(problemsOf(condition), {});
  assert.deepEqual(fieldOf(clausesOf(condition as Parameters<typeof clausesOf>[0]), 'fact'), [
    'severity',
    'severity',
    'in_kev',
  ]);
  let deep: unknown = clause;
  for (let i = 0; i < 8; i++) deep = { not: deep };
  assert.deepEqual(problemsOf(deep), {});
  assert.deepEqual(problemsOf({ not: deep }), {
    'condition.not.not.not.not.not.not.not.not': 'Is nested deeper than 8.',
  });
});

test('at most a hundred clauses, counted over all groups', () => {
  const hundred = Array.from({ length: 50 }, () => ({ any: [clause, clause] }));
  assert.deepEqual(problemsOf({ all: hundred }), {});
  assert.deepEqual(problemsOf({ all: [...hundred, clause] }), {
    'condition.all[50]': 'Is one clause too many: a condition may have at most 100.',
  });
});

test('an invalid group is refused with its path', () => {
  for (const document of [null, 5, 'all', [], [clause], {}, clause, { al: [clause] }]) {
    assert.deepEqual(problemsOf(document), { condition: 'Must be an object with all, any or not.' });
  }
  for (const inner of [[], {}, null, 'x', clause]) {
    assert.deepEqual(problemsOf({ any: inner }), {
      'condition.any': 'Must be a list with at least one condition.',
    });
  }
  const noNode = 'Must be an object: a clause, or all, any, not.';
  assert.deepEqual(problemsOf({ not: [clause] }), { 'condition.not': noNode });
  assert.deepEqual(problemsOf({ all: [null, 3, [clause]] }), {
    'condition.all[0]': noNode,
    'condition.all[1]': noNode,
    'condition.all[2]': noNode,
  });
  assert.deepEqual(problemsOf({ all: [clause], any: [clause] }), {
    condition: 'Must have nothing beside all.',
  });
  assert.deepEqual(problemsOf({ all: [{ ...clause, not: clause }] }), {
    'condition.all[0]': 'Must have nothing beside not.',
  });
});

test('an unknown fact is refused with the nearest one, else with all facts', () => {
  const said = (fact: unknown, target?: TargetType) => clauseProblems({ ...clause, fact }, target)['.fact'];
  assert.equal(said('severty'), 'No fact "severty" of a vulnerability: did you mean severity?');
  assert.equal(
    said('repository.fullname'),
    'No fact "repository.fullname" of a vulnerability: did you mean repository.full_name?',
  );
  const names = factsOf('repository').map((fact) => fact.name);
  assert.equal(
    said('colour', 'repository'),
    `No fact "colour" of a repository: its facts are ${names.join(', ')}.`,
  );
  assert.match(said('license') ?? '', /^No fact "license" of a vulnerability: its facts are /, 'of packages');
  assert.match(said('severity', 'package') ?? '', /^No fact "severity" of a package: /, 'of vulnerabilities');
  for (const name of ['__proto__', 'constructor', 'toString']) assert.match(said(name) ?? '', /^No fact /);
  for (const name of [undefined, null, 5, ['severity']])
    assert.equal(said(name), 'Must be the name of a fact.');
  assert.ok((said('x'.repeat(1_000_000)) ?? '').length < 2_000, 'nobody reads what is long');
});

test('every fact accepts the operators of its kind and no other', () => {
  for (const target of targetTypes) {
    for (const fact of factsOf(target)) {
      for (const operator of operators) {
        const { '.operator': said } = clauseProblems({ fact: fact.name, operator, value: null }, target);
        const expected = operatorsOf[fact.kind].includes(operator)
          ? undefined
          : `Must be one of ${operatorsOf[fact.kind].join(' ')} for ${fact.name}.`;
        assert.equal(said, expected, `${target} ${fact.name} ${operator}`);
      }
    }
  }
  for (const operator of ['=', 'IN', '=~', 'not in', undefined, null, 1, ['=='], '__proto__']) {
    assert.ok(clauseProblems({ ...clause, operator })['.operator']);
  }
});

test('a value must be of the kind of its fact', () => {
  const said = (fact: string, operator: string, value: unknown) =>
    clauseProblems({ fact, operator, value })['.value'];
  const wrong: [fact: string, operator: string, values: unknown[], problem: string][] = [
    ['in_kev', '==', ['true', 1, null, undefined, [true]], 'Must be true or false.'],
    ['cvss_score', '>', ['7.5', null, true, Number.NaN, Number.POSITIVE_INFINITY, [7]], 'Must be a number.'],
    ['age_days', '>', [1.5, -1, 36_501, '7', null], 'Must be whole days, 0 to 36500.'],
    [
      'severity',
      '==',
      ['High', 'severe', 3, null, ['high']],
      'Must be one of unknown, info, low, medium, high, critical.',
    ],
    ['reference_type', '!=', ['branches', 0], 'Must be one of branch, tag, pull_request.'],
    ['rule_id', '==', [5, true, null, ['x'], {}], 'Must be text.'],
    ['rule_id', '==', ['x'.repeat(256)], 'Must not be longer than 255 characters.'],
    ['rule_id', '==', ['a\u0000', 'a\nb', '\u001f'], 'Must not have control characters.'],
    ['rule_id', '==', ['\ud800', 'a\udc00'], 'Must not contain half a character (an unpaired surrogate).'],
    ['path', 'contains', [''], 'Must not be empty.'],
    ['path', 'matches', [''], 'Must not be empty.'],
    ['path', 'matches', ['*a'.repeat(9), '*?'.repeat(100)], 'Must not have more than 8 wildcards (*).'],
    ['cwe', 'contains', [5, ['CWE-79']], 'Must be text.'],
    ['severity', 'in', ['high', null, [], {}], 'Must be a list of 1 to 200 values.'],
    ['age_days', 'not_in', [Array(201).fill(1), Array(1_000_000)], 'Must be a list of 1 to 200 values.'],
    [
      'severity',
      'in',
      [['high', 'hihg']],
      'The entry 2 is wrong. Must be one of unknown, info, low, medium, high, critical.',
    ],
    ['advisory_id', 'in', [['CVE-1', 5]], 'The entry 2 is wrong. Must be text.'],
    ['advisory_id', 'not_in', [[['CVE-1']]], 'The entry 1 is wrong. Must be text.'],
  ];
  for (const [fact, operator, values, problem] of wrong) {
    for (const value of values) assert.equal(said(fact, operator, value), problem, `${fact} ${operator}`);
  }
  const right: [fact: string, operator: string, value: unknown][] = [
    ['cvss_score', '<=', -0.5],
    ['age_days', '>=', 36_500],
    ['rule_id', '==', ''],
    ['rule_id', '!=', 'x'.repeat(255)],
    ['path', 'matches', '*a'.repeat(8)],
    ['path', 'matches', `${'*'.repeat(100)}a?${'?'.repeat(100)}`],
    ['path', 'contains', '😀*%_\\'],
    ['advisory_id', 'in', Array(200).fill('CVE-2021-44228')],
  ];
  for (const [fact, operator, value] of right) assert.equal(said(fact, operator, value), undefined, fact);
});

test('a clause has fact, operator and value, and no inherited properties', () => {
  const unknown = 'Is unknown: a clause has fact, operator and value.';
  assert.deepEqual(clauseProblems({ ...clause, fcat: 1 }), { '.fcat': unknown });
  assert.deepEqual(clauseProblems({}), { '.fact': 'Must be the name of a fact.' });
  assert.deepEqual(clauseProblems({ fact: 'severity', operator: '==' }), {
    '.value': 'Must be one of unknown, info, low, medium, high, critical.',
  });
  const parsed: unknown = JSON.parse(
    '{"all": [{"fact": "severity", "operator": "==", "value": "low", "__proto__": 1}]}',
  );
  assert.deepEqual(problemsOf(parsed), { 'condition.all[0].__proto__': unknown });
  assert.deepEqual(problemsOf(JSON.parse('{"__proto__": {"all": []}}')), {
    condition: 'Must be an object with all, any or not.',
  });
  assert.deepEqual(problemsOf(JSON.parse('{"not": {"fact": "in_kev", "constructor": {}}}')), {
    'condition.not.constructor': unknown,
  });
});

test('several mistakes are reported at once, each with its path', () => {
  const document = {
    all: [
      { fact: 'severity', operator: '>=', value: 'severe' },
      {
        any: [
          clause,
          { fact: 'age_days', operator: 'contains', value: 1 },
          { fact: 'age_days', operator: '>', value: '30' },
          { not: { fact: 'epss', operator: '>', value: 0.5 } },
        ],
      },
      { any: [] },
    ],
  };
  const said = problemsOf(document);
  assert.deepEqual(Object.keys(said), [
    'condition.all[0].value',
    'condition.all[1].any[1].operator',
    'condition.all[1].any[2].value',
    'condition.all[1].any[3].not.fact',
    'condition.all[2].any',
  ]);
});

test('a huge condition is refused fast and with a short message', () => {
  const wide = { all: Array.from({ length: 300_000 }, () => ({ any: [] })) };
  const list: unknown[] = [];
  // A list that contains itself a hundred times.
  const endless = { all: list };
  for (let i = 0; i < 100; i++) list.push(endless);
  let deep: unknown = clause;
  for (let i = 0; i < 100_000; i++) deep = { not: deep };
  const clauses = { any: Array.from({ length: 300_000 }, () => clause) };
  const words = { all: [{ [`${'k'.repeat(1_000_000)}`]: 1 }] };
  for (const document of [wide, endless, deep, clauses, words]) {
    const start = processorMs();
    const said = problemsOf(document);
    const ms = processorMs() - start;
    assert.ok(ms < 1_000, `${ms} ms`);
    const count = Object.keys(said).length;
    assert.ok(count > 0 && count <= 50, `${count} problems`);
    assert.ok(JSON.stringify(said).length < 20_000);
  }
});

test('the table of facts has each fact once, known operators, and a source for every kind', () => {
  for (const target of targetTypes) {
    const names = factsOf(target).map((fact) => fact.name);
    assert.deepEqual(names, [...new Set(names)]);
    assert.ok(names.includes('repository.full_name'), target);
  }
  for (const fact of facts) {
    assert.equal(fact.values !== undefined, fact.kind === 'severity' || fact.kind === 'enum', fact.name);
    assert.match(fact.meaning, /^[A-Za-z].*\.$/, fact.name);
  }
});

test('all texts that a condition searches for have 2,000 characters at most, and the first clause beyond is named', () => {
  const clauses = (count: number, operator: string, fact = 'path') => ({
    any: Array.from({ length: count }, () => ({ fact, operator, value: '*'.padEnd(100, 'a') })),
  });
  assert.deepEqual(problemsOf(clauses(20, 'matches')), {});
  const [[path, problem] = ['', '']] = Object.entries(problemsOf(clauses(21, 'matches')));
  assert.equal(path, 'condition.any[20].value');
  assert.match(problem, /the 2000 characters that all values of matches and contains .* may have together/);
  assert.equal(Object.keys(problemsOf(clauses(21, 'contains'))).length, 1);
  assert.deepEqual(
    problemsOf(clauses(21, 'contains', 'cwe')),
    {},
    'equal to one of a set: nothing is searched',
  );
  assert.deepEqual(problemsOf(clauses(21, '==')), {});
});

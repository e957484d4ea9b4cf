import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyInCi } from '../../../test/support/form.ts';
import { processorMs } from '../../../test/support/processor-time.ts';
import { DomainError } from '../../domain/domain-error.ts';
import { builtinPolicies } from './builtin.ts';
import type { Problems } from './condition.ts';
import { checkPolicy, type PolicyInput, parsePolicies } from './document.ts';

const good = {
  key: 'no-criticals',
  target_type: 'vulnerability',
  enforcement_mode: 'block',
  condition: { all: [{ fact: 'severity', operator: '==', value: 'critical' }] },
} satisfies PolicyInput;

function refusalOf(text: string): DomainError {
  const start = processorMs();
  try {
    parsePolicies(text);
  } catch (error) {
    assert.ok(error instanceof DomainError, String(error));
    assert.equal(error.code, 'VALIDATION_FAILED');
    assert.ok(error.message.length < 50_000, `${error.message.length} characters`);
    const ms = processorMs() - start;
    assert.ok(ms < 10_000, `${ms} ms`);
    return error;
  }
  assert.fail(`was taken: ${text.slice(0, 200)}`);
}

function problemsIn(document: unknown): Record<string, string> {
  const error = refusalOf(JSON.stringify(document));
  return Object.fromEntries(
    Object.entries(error.data.errors ?? {}).map(([path, texts]) => [path, texts.join()]),
  );
}

test('a file holds a list of policies or one policy, in YAML or JSON', () => {
  assert.deepEqual(parsePolicies(JSON.stringify(good)), [good]);
  assert.deepEqual(parsePolicies(JSON.stringify({ policies: [good, { ...good, key: 'b' }] })), [
    good,
    { ...good, key: 'b' },
  ]);
  assert.deepEqual(parsePolicies('policies: []'), []);
  const yaml = `
policies:
  - key: old-criticals    # a comment
    name: Critical for a week
    status: draft
    target_type: vulnerability
    enforcement_mode: warn
    severity: null
    config: {snooze: {max_days: 14, max_count: 1}}
    condition:
      any:
        - &critical {fact: severity, operator: '==', value: critical}
        - all: [*critical, {fact: age_days, operator: '>', value: 7}]
    actions: {sla: {window: 2w}}
    rules:
      - {type: workspace}
      - {type: repo, id: acme/shop, action: exclude, enforcement_mode: null}
`;
  const [policy] = parsePolicies(yaml);
  assert.equal(policy?.key, 'old-criticals');
  assert.equal(policy.rules?.length, 2);
  assert.equal(JSON.stringify(policy.condition).match(/critical/g)?.length, 2);
});

test('the builtin policies pass the same checks as others', () => {
  assert.deepEqual(parsePolicies(JSON.stringify({ policies: builtinPolicies })), builtinPolicies);
});

test('all mistakes of a file are reported at once, each with its path', () => {
  const said = problemsIn({
    policies: [
      {
        ...good,
        key: 'Bad Key',
        name: 'a\nb',
        enforcement_mode: 'stop',
        severity: 'hihg',
        config: { snooze: { max_days: 91, days: 1 } },
        colour: 'red',
        actions: { sla: { window: '7 days' } },
        condition: {
          all: [
            good.condition.all[0],
            {
              any: [
                good.condition.all[0],
                good.condition.all[0],
                { fact: 'severity', operator: '>=', value: 5 },
              ],
            },
          ],
        },
        rules: [{ type: 'team' }, { type: 'org', id: '', action: 'allow' }],
      },
      {},
      null,
      { ...good, target_type: 'vulnerabilities', condition: { all: 5 } },
      good,
      { ...good, condition: [] },
    ],
    version: 1,
  });
  assert.deepEqual(said, {
    version: 'Is unknown: only policies is allowed here.',
    'policies[0].colour':
      'Is unknown: a policy has key, name, status, target_type, enforcement_mode, severity, config, condition, actions, rules.',
    'policies[0].key': 'Must be 1 to 64 lower-case letters and digits, with . _ - between them.',
    'policies[0].name': 'Must not have control characters.',
    'policies[0].enforcement_mode': 'Must be one of monitor, warn, block.',
    'policies[0].severity': 'Must be one of unknown, info, low, medium, high, critical.',
    'policies[0].config.snooze.days': 'Is unknown.',
    'policies[0].config.snooze.max_days': 'Must be <= 90.',
    'policies[0].actions.sla.window': 'Must be a number of at most four digits and h, d or w, such as 7d.',
    'policies[0].rules[0].type': 'Must be one of workspace, org, application, repo.',
    'policies[0].rules[1].id': 'Must not have fewer than 1 characters.',
    'policies[0].rules[1].action': 'Must be one of include, exclude.',
    'policies[0].condition.all[1].any[2].value': 'Must be one of unknown, info, low, medium, high, critical.',
    'policies[1].key': 'Is required.',
    'policies[1].target_type': 'Is required.',
    'policies[1].enforcement_mode': 'Is required.',
    'policies[1].condition': 'Is required.',
    'policies[2]': 'Must be an object.',
    'policies[3].target_type':
      'Must be one of vulnerability, package, package_version, manifest, analysis, provider, asset, repository.',
    'policies[5].condition': 'Must be an object with all, any or not.',
  });
});

test('a file without policies is refused', () => {
  for (const document of [null, 5, 'x', [good]]) {
    assert.deepEqual(problemsIn(document), { body: 'Must be an object.' });
  }
  assert.match(refusalOf('').message, /\n\/: Must be an object\.\n/);
  assert.deepEqual(problemsIn({ ...good, config: 5, actions: [], rules: {} }), {
    config: 'Must be object.',
    actions: 'Must be object.',
    rules: 'Must be array.',
  });
  assert.deepEqual(problemsIn({ ...good, name: '\ud800' }), { name: 'Must not have control characters.' });
  assert.deepEqual(problemsIn({ ...good, rules: [{ type: 'repo', id: 'a\u0000b' }] }), {
    'rules[0].id': 'Must not have control characters.',
  });
});

test('a key that occurs twice is refused with the path of the second', () => {
  const other = { ...good, key: 'other' };
  assert.deepEqual(problemsIn({ policies: [null, good, other, good] }), {
    'policies[0]': 'Must be an object.',
    'policies[3].key': 'Occurs twice: no-criticals.',
  });
});

test('invalid YAML is refused with its line', () => {
  assert.match(refusalOf('policies:\n  - key: [a\n').message, /line 3, column 1/);
  assert.match(refusalOf('key: a\nname: "b').message, /line 2, column 9/);
  assert.match(
    refusalOf(`${JSON.stringify(good)}\n---\n${JSON.stringify(good)}`).message,
    /multiple documents/,
  );
  const twice = refusalOf('policies:\n  - key: a\n    name: x\n    key: b\n').message;
  assert.match(twice, /\nThe key key occurs twice at line 4, column 5\.\n/);
  assert.match(refusalOf('a: *nowhere').message, /nowhere/);
});

test('tags and other versions of YAML give only values that JSON has', () => {
  const text = (value: string, head = ''): string =>
    `${head}key: a\ntarget_type: vulnerability\nenforcement_mode: warn\ncondition: {all: [{fact: rule_id, operator: '==', value: ${value}}]}\n`;
  assert.equal(parsePolicies(text('!!js/function x'))[0]?.key, 'a', 'a tag nobody knows is a text');
  for (const value of ['!!binary aGk=', '2024-01-01', '!!set {a, b}', '!!omap [a: 1]', '0x10']) {
    assert.match(refusalOf(text(value, '%YAML 1.1\n---\n')).message, /value: Must be text/);
  }
  assert.match(
    refusalOf(text('x').replace(/condition.*/, '__proto__: {condition: {all: []}}')).message,
    /__proto__: Is unknown/,
  );
});

test('aliases, depth, width and length beyond the limits are refused fast', { skip: onlyInCi }, () => {
  const letters = [...'abcdefghij'];
  const laughs = letters.map((name, i) => {
    const inner = i === 0 ? 'x' : `*${letters[i - 1]}`;
    return `${name}: &${name} [${Array(10).fill(inner)}]`;
  });
  assert.match(refusalOf(laughs.join('\n')).message, /alias/i);
  const endless = JSON.stringify(good).replace(/"condition":.*/, '"condition": &a {all: [*a, *a, *a]}}');
  assert.match(refusalOf(endless).message, /nested deeper than 8/);
  for (const text of [
    `a: ${'['.repeat(100_000)}`,
    '{"a":'.repeat(50_000) + '}'.repeat(50_000),
    Array.from({ length: 1_200 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
    `policies: [${'1,'.repeat(100_000)}]`,
    `policies: [${'[],'.repeat(200)}]`,
    Array.from({ length: 60_000 }, (_, i) => `key-${i}: 1`).join('\n'),
    'a: }\n'.repeat(20_000),
    'a: 1\n'.repeat(20_000),
    `[${Array.from({ length: 20_000 }, (_, i) => `&a${i} x, *a${i}`)}]`,
    '!a '.repeat(100_000),
    `{${Array.from({ length: 10_000 }, (_, i) => `? [${i}] : 1`)}}`,
    JSON.stringify({ ...good, rules: Array(100_000).fill({}) }),
    JSON.stringify({ ...good, condition: { all: Array(50_000).fill({ all: [] }) } }),
    JSON.stringify({ policies: Array.from({ length: 200 }, () => ({ rules: Array(20).fill(1) })) }),
    `key: ${'x'.repeat(1_000_001)}`,
  ]) {
    refusalOf(text);
  }
});

test('paths of one policy in a request begin with its own fields', () => {
  const problems: Problems = new Map();
  assert.equal(checkPolicy({ ...good, condition: { not: { fact: 'x' } } }, '', problems), null);
  assert.equal(checkPolicy({ ...good, severity: 5 }, '', problems), null);
  assert.deepEqual([...problems.keys()], ['condition.not.fact', 'severity']);
  assert.equal(checkPolicy(good, '', new Map()), good);
});

test('too many rules are refused by their number alone, before the walk over them', () => {
  const problems: Problems = new Map();
  const rules = new Array(300_000).fill(0);
  assert.equal(checkPolicy({ ...good, rules }, 'policies[0]', problems), null);
  assert.deepEqual([...problems], [['policies[0].rules', 'Must not have more than 1000 rules.']]);
});

/**
 * Tests docs/policies.md: its tables come from the code, and its examples are valid. `npm run policy-docs` writes the
 * tables again.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { targetTypes } from '../../src/domain/policy-enums.ts';
import { builtinPolicies } from '../../src/policies/definition/builtin.ts';
import { operatorsOf } from '../../src/policies/definition/condition.ts';
import { parsePolicies } from '../../src/policies/definition/document.ts';
import { type Fact, type FactKind, factsOf } from '../../src/policies/definition/facts.ts';
import { markdownTable, testGenerated } from './generated-docs.ts';

const file = new URL('../../../docs/policies.md', import.meta.url);

function factTables(): string {
  return targetTypes
    .map((target) => {
      const rows = factsOf(target).map((fact) => [`\`${fact.name}\``, fact.kind, meaningOf(fact)]);
      return `### ${target}\n\n${markdownTable(['fact', 'kind', ''], rows)}`;
    })
    .join('\n\n');
}

function meaningOf({ meaning, values }: Fact): string {
  const listed = values ? ` ${values.map((value) => `\`${value}\``).join(', ')}` : '';
  return `${meaning}${listed}`;
}

const takes: Record<FactKind, string> = {
  severity: 'one of those in the table, by rank',
  enum: 'one of those in the table',
  text: 'text of at most 255 characters',
  texts: 'text of at most 255 characters; the fact is a set of texts',
  number: 'a number',
  days: 'whole days, 0 to 36500',
  date: 'a date, `YYYY-MM-DD`',
  boolean: '`true` or `false`',
};

function operatorTable(): string {
  const rows = (Object.keys(takes) as FactKind[]).map((kind) => [
    `\`${kind}\``,
    takes[kind],
    operatorsOf[kind].map((operator) => `\`${operator}\``).join(' '),
  ]);
  return markdownTable(['kind', 'a value', 'operators'], rows);
}

function builtinTable(): string {
  const rows = builtinPolicies.map((policy) => [
    `\`${policy.key}\``,
    policy.name ?? '',
    policy.target_type,
    policy.enforcement_mode,
    policy.actions?.sla?.window ?? 'by severity',
  ]);
  return markdownTable(['key', '', 'about', 'mode', 'time to fix'], rows);
}

const tables = { facts: factTables, operators: operatorTable, builtin: builtinTable };

for (const [name, write] of Object.entries(tables)) {
  testGenerated('docs/policies.md', name, 'policy-docs', write);
}

test('the examples of docs/policies.md can be applied, and enable the builtin policies unchanged', () => {
  const text = readFileSync(file, 'utf8');
  const shown = [...text.matchAll(/```yaml\n(.*?)```/gs)].map((match) => parsePolicies(match[1] ?? ''));
  assert.ok(shown.length >= 2 && shown.every((policies) => policies.length > 0));
  const builtin = shown.flat().filter(({ key }) => builtinPolicies.some((policy) => policy.key === key));
  assert.deepEqual(
    builtin,
    builtinPolicies.map((policy) => ({ ...policy, status: 'active' })),
  );
});

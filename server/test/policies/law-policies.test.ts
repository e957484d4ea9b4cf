/** The builtin policies that laws and standards ask for, row by row of the tables that they come from. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nilId } from '../../src/domain/ids.ts';
import { readAssessment } from '../../src/ingest/advisories/ssvc-record.ts';
import { builtinPolicies } from '../../src/policies/definition/builtin.ts';
import { checkCondition, type Problems } from '../../src/policies/definition/condition.ts';
import { meets } from './naive-condition.ts';
import type { PlainRow, PlainValue } from './plain-facts.ts';

// In KEV, exposed, automatable, technical impact, timeline: https://certcc.github.io/SSVC/howto/cisa_response/
const table = `
no  no  no  partial -
yes no  no  partial 14
no  yes no  partial 60
no  no  yes partial 60
no  no  no  total   -
yes yes no  partial 14
yes no  yes partial 14
no  yes yes partial 14
yes no  no  total   14
no  yes no  total   14
no  no  yes total   60
yes yes yes partial 3
yes yes no  total   3
yes no  yes total   3
no  yes yes total   3
yes yes yes total   3`;

function matched(facts: Record<string, PlainValue>, prefix: string): string[] {
  const row: PlainRow = {
    repositoryId: nilId,
    targetId: '',
    referenceId: '',
    tracked: true,
    isDefault: true,
    severity: null,
    facts: new Map(Object.entries(facts)),
  };
  return builtinPolicies
    .filter(({ key }) => key.startsWith(prefix))
    .filter(({ condition }) => meets('vulnerability', condition, row, () => {}))
    .map(({ key, actions }) => `${key} ${actions?.sla?.window}`);
}

test('each row of the table of BOD 26-04 has exactly the policy of its timeline', () => {
  const rows = table.trim().split('\n');
  assert.equal(rows.length, 16);
  for (const line of rows) {
    const [kev, exposed, automatable, impact = '', days] = line.split(/ +/);
    const facts = {
      in_kev: kev === 'yes',
      exposed: exposed === 'yes',
      automatable: automatable === 'yes',
      technical_impact: impact,
    };
    const expected = days === '-' ? [] : [`bod-26-04-${days}-days ${days}d`];
    assert.deepEqual(matched(facts, 'bod-26-04-'), expected, line);
  }
});

test('a CVE that CISA has not assessed has a deadline by KEV alone', () => {
  const facts = (kev: boolean, exposed: boolean) => ({
    in_kev: kev,
    exposed,
    automatable: false,
    technical_impact: null,
  });
  assert.deepEqual(matched(facts(false, true), 'bod-'), []);
  assert.deepEqual(matched(facts(true, true), 'bod-'), ['bod-26-04-14-days 14d']);
});

test('every builtin condition is one that a person may write', () => {
  for (const { key, condition, target_type: target } of builtinPolicies) {
    const problems: Problems = new Map();
    checkCondition(condition, target, 'condition', problems);
    assert.deepEqual([...problems], [], key);
  }
});

test('a date is compared as a date, and any other text is refused', () => {
  const clause = (value: unknown) => ({ all: [{ fact: 'kev_due_date', operator: '<=', value }] });
  for (const [value, isValid] of [
    ['2026-02-28', true],
    ['2026-02-30', false],
    ['28.02.2026', false],
    ['0000-01-01', false],
    [20_260_228, false],
  ] as const) {
    const problems: Problems = new Map();
    checkCondition(clause(value), 'vulnerability', 'condition', problems);
    assert.equal(problems.size === 0, isValid, String(value));
  }
});

const records = fileURLToPath(new URL('../../../../shared/intel/advisories/cve/', import.meta.url));

test('only the container of CISA assesses a CVE', (t) => {
  const content = {
    options: [{ Exploitation: 'none' }, { Automatable: 'yes' }, { 'Technical Impact': 'total' }],
    timestamp: '2026-01-01T00:00:00Z',
  };
  const read = (bytes: Uint8Array) => readAssessment(bytes, new Date('2026-02-01T00:00:00Z'));
  const record = (shortName: string, options: object = {}) =>
    Buffer.from(
      JSON.stringify({
        cveMetadata: { cveId: 'CVE-2031-1000' },
        containers: {
          adp: [
            {
              providerMetadata: { shortName },
              metrics: [{ other: { type: 'ssvc', content: { ...content, ...options } } }],
            },
          ],
        },
      }),
    );
  assert.deepEqual(read(record('CISA-ADP')), {
    cve: 'CVE-2031-1000',
    exploitation: 'none',
    automatable: true,
    technicalImpact: 'total',
    assessedAt: new Date('2026-01-01T00:00:00Z'),
  });
  assert.equal(read(record('somebody')), 'unassessed');
  assert.equal(read(record('CISA-ADP', { options: [{ Automatable: 'maybe' }] })), 'unassessed');
  for (const timestamp of ['2026-02-03T00:00:00Z', '+010000-01-01T00:00:00Z', 'today']) {
    assert.equal(read(record('CISA-ADP', { timestamp })), 'unassessed', timestamp);
  }
  assert.equal(read(Buffer.from('{}')), null);
  assert.equal(read(Buffer.from('no')), null);
  if (!existsSync(records))
    return t.skip('../shared/intel/advisories/cve is not here: no real record was read');
  const real = read(readFileSync(`${records}CVE-2023-44487.json`));
  assert.deepEqual(
    real !== null && real !== 'unassessed' && [real.exploitation, real.automatable, real.technicalImpact],
    ['active', true, 'partial'],
  );
});

/**
 * Tests that conditions in SQL find exactly the rows that plain code finds: random conditions of every target, with
 * every fact and every operator, over unusual data. TEST_CONDITIONS sets their number, TEST_SEED the seed.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { tenantReadTx } from '../../src/db/database.ts';
import { batches } from '../../src/domain/batches.ts';
import type { RepositoryId } from '../../src/domain/ids.ts';
import { type TargetType, targetTypes } from '../../src/domain/policy-enums.ts';
import { type MatchQuery, type MatchRow, matchQuery } from '../../src/policies/definition/compile.ts';
import {
  type Clause,
  type Condition,
  checkCondition,
  clausesOf,
  operatorsOf,
  type Problems,
} from '../../src/policies/definition/condition.ts';
import { sourceAtLocations } from '../../src/policies/definition/fact-sources.ts';
import { factsOf } from '../../src/policies/definition/facts.ts';
import { byForm, seedOf } from '../support/form.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace } from '../support/workspace.ts';
import { conditionArbitrary } from './condition-arbitrary.ts';
import { globMatches, meets } from './naive-condition.ts';
import { createOddWorkspace } from './odd-workspace.ts';
import { type PlainRow, plainRows, readTables } from './plain-facts.ts';
import { createTwin } from './twin-workspace.ts';

const count = Number(process.env.TEST_CONDITIONS ?? byForm({ short: 20_000, ci: 20_000, full: 200_000 }));
const seed = seedOf(20_260_802);
// Vulnerabilities have most of the facts.
const shares: Partial<Record<TargetType, number>> = {
  vulnerability: 0.4,
  package_version: 0.12,
  manifest: 0.25,
};
const otherShare = 0.08;
const atOnce = 50;

const now = new Date();
const server = await createTestServer();
const twin = await createTestWorkspace(server, 'twin');
const { tenant } = await createOddWorkspace(server, 'odd', seed, now);
await createTwin(server.owner, tenant.id, twin.tenant.id);
await server.owner.query('analyze');
const tables = await readTables(server.owner, tenant.id);
const repositoryIds = tables.repository.map((row) => String(row.id) as RepositoryId).sort();
const vulnerabilityIds = tables.vulnerability.map((row) => String(row.id)).sort();

interface Evaluation {
  conditions: Condition[];
  repositories: RepositoryId[];
  ids: string[];
  /** Runs as a role without row-level security, so that only the statement separates the workspaces. */
  unprotected: boolean;
}

async function evaluate(
  target: TargetType,
  { conditions, repositories, ids, unprotected, source }: Evaluation & Pick<MatchQuery, 'source'>,
) {
  const { sql, values } = matchQuery({
    tenantId: tenant.id,
    repositoryIds: repositories,
    target,
    conditions,
    ids,
    now,
    ...(source && { source }),
  });
  if (unprotected) return (await server.owner.query<MatchRow>(sql, values)).rows;
  return tenantReadTx(server.db, tenant.id, (tx) => tx.query<MatchRow>(sql, values));
}

/** Target, fact and operator → how often it held, and how often not. */
const coverage = new Map<string, { held: number; not: number }>();
const keyOf = (target: TargetType, fact: string, operator: string): string => `${target} ${fact} ${operator}`;
for (const target of targetTypes) {
  for (const fact of factsOf(target)) {
    for (const operator of operatorsOf[fact.kind]) {
      coverage.set(keyOf(target, fact.name, operator), { held: 0, not: 0 });
    }
  }
}

function nameOf(row: PlainRow): string {
  return [row.repositoryId, row.targetId, row.referenceId, row.tracked, row.isDefault, row.severity].join(
    ' ',
  );
}

async function assertSame(target: TargetType, rows: PlainRow[], evaluation: Evaluation): Promise<void> {
  const { conditions, repositories, ids } = evaluation;
  for (const condition of conditions) {
    const problems: Problems = new Map();
    checkCondition(condition, target, 'condition', problems);
    assert.deepEqual([...problems], [], JSON.stringify(condition));
  }
  const found = new Map<string, number[]>();
  for (const row of await evaluate(target, evaluation)) {
    // The decision does not override policies, so only policies that block consider it.
    if (row.decided) continue;
    const name = [
      row.repository_id,
      row.target_id,
      row.reference_id,
      row.tracked,
      row.is_default,
      row.severity,
    ];
    assert.ok(!found.has(name.join(' ')), `twice: ${name}`);
    found.set(name.join(' '), row.met);
  }
  const listen = (clause: Clause, holds: boolean): void => {
    const seen = coverage.get(keyOf(target, clause.fact, clause.operator));
    if (!seen) throw new Error(`${target} has no ${clause.fact} ${clause.operator}`);
    seen[holds ? 'held' : 'not']++;
  };
  const byName = new Map<string, typeof rows>();
  for (const row of rows) byName.set(nameOf(row), [...(byName.get(nameOf(row)) ?? []), row]);
  for (const [name, same] of byName) {
    const [row] = same;
    if (!row || !repositories.some((id) => id === row.repositoryId)) continue;
    if (target === 'vulnerability' && !ids.includes(row.targetId)) continue;
    const met = conditions.flatMap((condition, i) =>
      same.filter((one) => meets(target, condition, one, listen)).length > 0 ? [i] : [],
    );
    const actual = found.get(name) ?? [];
    found.delete(name);
    if (met.join() === actual.join()) continue;
    const wrong = conditions.findIndex((_, i) => met.includes(i) !== actual.includes(i));
    const condition = JSON.stringify(conditions[wrong]);
    const facts = JSON.stringify(Object.fromEntries(row.facts));
    assert.fail(
      `${condition} ${met.includes(wrong) ? 'should' : 'should not'} be met by ${target} ${name}: ${facts}`,
    );
  }
  assert.deepEqual([...found], [], 'met by rows outside the evaluation');
}

/** Among many conditions one needs nearly every fact for every row. Among a few, most look-ups are left out. */
function conditionsOf(target: TargetType, rows: PlainRow[]): fc.Arbitrary<Condition[]> {
  const condition = conditionArbitrary(target, rows);
  return fc.oneof(
    fc.array(condition, { minLength: 1, maxLength: 2 * atOnce, size: 'max' }),
    fc.array(condition, { minLength: 1, maxLength: 3 }),
  );
}

describe(`conditions (seed ${seed})`, () => {
  for (const target of targetTypes) {
    test(`about a ${target} give the same result in SQL and in plain code`, async () => {
      const rows = plainRows(target, tables, now);
      assert.ok(rows.length > 0, 'no rows to test');
      const share = Math.ceil(count * (shares[target] ?? otherShare));
      let tested = 0;
      await fc.assert(
        fc.asyncProperty(
          conditionsOf(target, rows),
          fc.oneof(
            { weight: 3, arbitrary: fc.constant(repositoryIds) },
            { weight: 1, arbitrary: fc.shuffledSubarray(repositoryIds, { minLength: 1 }) },
          ),
          fc.oneof(
            { weight: 3, arbitrary: fc.constant(vulnerabilityIds) },
            { weight: 1, arbitrary: fc.shuffledSubarray(vulnerabilityIds) },
          ),
          fc.boolean(),
          async (conditions, repositories, ids, unprotected) => {
            await assertSame(target, rows, { conditions, repositories, ids, unprotected });
            tested += conditions.length;
          },
        ),
        { numRuns: Math.ceil((2 * share) / atOnce), seed },
      );
      assert.ok(tested >= share / 2, `${tested} conditions are too few`);
    });
  }

  test('every fact of a vulnerability can be read at the locations of the base of a pull request', async () => {
    const conditions = fc.sample(
      conditionArbitrary('vulnerability', plainRows('vulnerability', tables, now)),
      {
        numRuns: 1_000,
        seed,
      },
    );
    assert.deepEqual(
      [...new Set(conditions.flatMap(clausesOf).map(({ fact }) => fact))].sort(),
      factsOf('vulnerability')
        .map(({ name }) => name)
        .sort(),
    );
    const references = tables.reference.map((row) => String(row.id));
    for (const some of batches(conditions, atOnce)) {
      const found = await evaluate('vulnerability', {
        conditions: some,
        repositories: repositoryIds,
        ids: vulnerabilityIds,
        unprotected: false,
        source: (add) =>
          sourceAtLocations(
            `(${add(references)}::uuid[])[1]`,
            `select l.path, true as is_current from vulnerability_location l
              where l.tenant_id = $1 and l.vulnerability_id = v.id`,
          ),
      });
      assert.ok(found.length > 0);
    }
  });

  test('every operator of every fact was both true and false', () => {
    const onlyOne = new Set(
      targetTypes.flatMap((target) =>
        factsOf(target)
          .filter((fact) => fact.values?.length === 1)
          .flatMap((fact) => operatorsOf[fact.kind].map((operator) => keyOf(target, fact.name, operator))),
      ),
    );
    const missing = [...coverage].filter(
      ([key, { held, not }]) => held + not === 0 || (!onlyOne.has(key) && (held === 0 || not === 0)),
    );
    assert.deepEqual(missing, []);
    const all = [...coverage.values()];
    const held = all.reduce((sum, each) => sum + each.held, 0);
    const share = held / all.reduce((sum, each) => sum + each.held + each.not, 0);
    assert.ok(share > 0.3 && share < 0.7, `${share} of the clauses hold: that decides little`);
  });
});

test('the plain matcher of globs knows any run and one character, and takes all else literally', () => {
  for (const [pattern, text] of [
    ['*', ''],
    ['a*c', 'a/b/c'],
    ['a?c', 'a😀c'],
    ['**x', 'x'],
    ['a*b*c', 'abxbc'],
    ['100%_\\', '100%_\\'],
  ] as const) {
    assert.ok(globMatches(pattern, text), `${pattern} ${text}`);
  }
  for (const [pattern, text] of [
    ['', 'a'],
    ['?', ''],
    ['a', 'A'],
    ['_', 'a'],
    ['a*', 'ba'],
    ['[ab]', 'a'],
    ['.*', 'ab'],
  ] as const) {
    assert.ok(!globMatches(pattern, text), `${pattern} ${text}`);
  }
});

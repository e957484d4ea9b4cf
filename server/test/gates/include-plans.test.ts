/**
 * Tests of the plans for the fields of `include`: one statement for a page. PostgreSQL plans it as the running role,
 * under row-level security, with custom and generic plans, with statistics and without. Every row is found by a key,
 * for the rows of the page.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { recordList, type Statement } from '../../../benchmarks/statements.ts';
import { cursors } from '../../src/http/page.ts';
import type { Principal } from '../../src/http/principal.ts';
import type { IncludeName } from '../../src/vulnerabilities/includes.ts';
import { principalAs } from '../support/workspace.ts';
import { createPlanWorkspace } from './plan-workspace.ts';
import { type Mode, modes, nodesOf } from './read-plans.ts';
import { seedViolations } from './violation-rows.ts';

const perPage = 200;
const policies = 3;
const { database, workspace, owner, plansOf, seed } = await createPlanWorkspace();
const { tenant } = workspace;
const principal: Principal = {
  ...principalAs(workspace, 'member'),
  scopes: ['vulnerabilities:read', 'policy-violations:read'],
};

before(async () => {
  await seed(20_000);
  await seedViolations(owner, tenant.id, policies);
  await owner.query(
    `insert into artifact (tenant_id, id, type, name, purl)
     select $1, gen_random_uuid(), 'package_version', 'lib', 'pkg:npm/lib@1.' || n
       from generate_series(1, 5000) n`,
    [tenant.id],
  );
  await owner.query(
    `update vulnerability_location l set artifact_id = a.id
       from (select id, row_number() over () as n from artifact where tenant_id = $1) a
      where l.tenant_id = $1 and a.n = abs(hashtext(l.id::text)) % 5000 + 1`,
    [tenant.id],
  );
});

const all: IncludeName[] = ['package', 'advisory', 'fix', 'assignee', 'due', 'epss', 'open_on'];

for (const statistics of ['without', 'with'] as const) {
  describe(`${statistics} statistics of violations and artifacts`, () => {
    before(async () => {
      if (statistics === 'with') await owner.query('vacuum (analyze)');
    });

    test('each field, and all of them, are looked up by keys for the rows of the page', async () => {
      for (const include of [...all.map((name) => [name]), all]) {
        const statement = await includeStatement(include);
        for (const mode of modes) {
          assert.deepEqual(await problemsOf(statement, mode), [], `${include}, ${mode}`);
        }
      }
    });
  });
}

test('the check fails when the index of a look-up is missing', async () => {
  const statement = await includeStatement(['due']);
  for (const mode of modes) {
    assert.notDeepEqual(await problemsOf(statement, mode, 'policy_violation_target'), []);
  }
});

test('a list takes one statement more for all fields, and none without include', async () => {
  const counts = [];
  for (const include of [[], ['fix'], all] as IncludeName[][]) {
    const { statements } = await record(include);
    counts.push(statements.length);
  }
  const [none = 0, one, every] = counts;
  assert.deepEqual([one, every], [none + 1, none + 1]);
});

async function record(include: IncludeName[]): Promise<{ statements: Statement[] }> {
  const key = cursors(database.secret.key('cursor'));
  return recordList(database.db, key, principal, { ref: 'HEAD', per_page: perPage, include });
}

async function includeStatement(include: IncludeName[]): Promise<Statement> {
  const { statements } = await record(include);
  const found = statements.find(({ text }) => text.includes('as k (id, location_id, reference_id)'));
  assert.ok(found);
  assert.equal((found.values[1] as string[]).length, perPage);
  return found;
}

/** The feeds and the accounts belong to no workspace. */
const ofInstall = ['kev', 'epss', 'user_account'];

async function problemsOf(statement: Statement, mode: Mode, withoutIndex?: string): Promise<string[]> {
  const nodes = (await plansOf([statement], mode, withoutIndex)).flatMap(nodesOf);
  return nodes.flatMap((node) => {
    const table = node['Relation Name'];
    if (table === undefined || ofInstall.includes(table)) return [];
    const condition = node['Index Cond'] ?? '';
    const rows = node['Actual Rows'] * node['Actual Loops'];
    return [
      ...(node['Node Type'].startsWith('Index') ? [] : [`${table}: ${node['Node Type']}`]),
      ...(/tenant_id = .*\b(id|target_id|vulnerability_id) >?= /.test(condition)
        ? []
        : [`${table}: by ${condition}`]),
      ...(rows > perPage * policies ? [`${table}: reads ${rows} rows`] : []),
    ];
  });
}

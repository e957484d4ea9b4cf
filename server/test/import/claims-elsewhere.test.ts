/**
 * Tests of claims on references that an import does not change: they keep their part in the values of a vulnerability,
 * though an import reads them only if they can matter.
 */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import fc from 'fast-check';
import { importTx } from '../../src/db/database.ts';
import type { VulnerabilityId } from '../../src/domain/ids.ts';
import { reconcile } from '../../src/vulnerabilities/reconcile.ts';
import { byForm, seedOf } from '../support/form.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { trivy } from '../support/reports.ts';
import { gitleaks, grype } from '../support/scanner-reports.ts';
import { createTestServer } from '../support/server.ts';
import { secretReport } from '../support/tool-reports.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
afterEach(() => assertInvariants(server.owner));
const { tenant } = await createTestWorkspace(server, 'acme');
const cve = 'CVE-2021-23337';
const [first, second] = ['refs/pull/1/head', 'refs/pull/2/head'];

async function bring(repository: string, ...reports: [ref: string, report: unknown][]): Promise<void> {
  for (const [ref, report] of reports) {
    const [scan] = await importAll(server, 'acme', [reportInput(report, { repository, ref })]);
    assert.equal(scan?.error, null);
  }
}

async function listValues(repository: string): Promise<unknown[]> {
  const { rows } = await server.owner.query(
    `select v.title, v.packed_state, v.cvss_score, v.fix_version, v.exploitable_at
       from vulnerability v join repository r on r.id = v.repository_id where r.full_name = $1 order by v.id`,
    [repository],
  );
  return rows;
}

async function valuesOf(repository: string): Promise<unknown> {
  const [row, ...others] = await listValues(repository);
  assert.ok(row && others.length === 0);
  return row;
}

const packages = (more: { severity?: string; fixed?: string } = {}, score = 5) => {
  const report = trivy([{ id: cve, name: 'lodash', version: '4.17.20', severity: 'HIGH', ...more }]);
  const withScore = JSON.stringify(report).replace(
    '"VulnerabilityID"',
    `"CVSS":{"nvd":{"V3Score":${score}}},"VulnerabilityID"`,
  );
  return JSON.parse(withScore);
};
const secret = (verified: boolean) =>
  secretReport([
    { rule: 'garden', title: 'Garden', path: 'src/key.js', secret: 'gdn_Zx81Yw72Vu63Ts54', verified },
  ]);
const leak = (commit: string) => {
  const token = 'gdn_Zx81Yw72Vu63Ts54';
  return gitleaks([{ path: 'key.js', line: 1, secret: token, text: `key = "${token}"` }]).map((row) => ({
    ...row,
    Commit: commit,
  }));
};

for (const [value, plain, raised] of [
  ['severity', packages(), packages({ severity: 'CRITICAL' })],
  ['score', packages(), packages({}, 9.8)],
  ['fix', packages({ fixed: '4.17.21' }), packages({ fixed: '4.17.22' })],
  ['proof that it can be exploited', secret(false), secret(true)],
  ['source', leak('1'.repeat(40)), leak('')],
] as const) {
  test(`the ${value} that one pull request reports stays when another reports less`, async () => {
    const repository = `acme/${value.replaceAll(' ', '-')}`;
    await bring(repository, ['main', plain]);
    const before = await valuesOf(repository);
    await bring(repository, [second, raised]);
    const after = await valuesOf(repository);
    assert.notDeepEqual(after, before);
    for (const [ref, report] of [
      [first, plain],
      [first, raised],
      [first, plain],
      ['main', raised],
      ['main', plain],
    ] as const) {
      await bring(repository, [ref, report]);
      assert.deepEqual(await valuesOf(repository), after, ref);
    }
  });
}

const byGrype = (title: string) => grype([{ id: cve, package: 'lodash', version: '4.17.20', title }]);
const titleOf = async (repository: string) => ((await valuesOf(repository)) as { title: string }).title;

test('a tool with better titles on a pull request does not change the title of what the default branch shows', async () => {
  const repository = 'acme/titles';
  await bring(repository, ['main', byGrype('Of the default branch.')], [first, trivy([byTrivy])]);
  assert.equal(await titleOf(repository), 'Of the default branch.');
  await bring(repository, ['main', grype([])]);
  assert.equal(await titleOf(repository), `lodash: ${cve}`);
});
const byTrivy = { id: cve, name: 'lodash', version: '4.17.20' };

test('a title that only pull requests report is that of the best tool, also if a lesser one has the title until now', async () => {
  const repository = 'acme/only-pull-requests';
  const title = `lodash: ${cve}`;
  const later = JSON.parse(JSON.stringify(trivy([byTrivy])).replaceAll(title, `z${title}`));
  await bring(
    repository,
    ['main', trivy([])],
    [second, later],
    [first, trivy([byTrivy])],
    [first, byGrype(title)],
  );
  assert.equal(await titleOf(repository), title);
  await bring(repository, [first, trivy([])]);
  assert.equal(await titleOf(repository), `z${title}`);
});

const packageStep = fc.record({
  ref: fc.constantFrom('main', first, second, 'release'),
  tool: fc.constantFrom('trivy' as const, 'grype' as const),
  isThere: fc.constantFrom(true, true, true, false),
  severity: fc.constantFrom('LOW', 'HIGH', 'CRITICAL'),
  score: fc.constantFrom(4, 7, 9.8),
  fixed: fc.constantFrom('4.17.21', '4.17.22', '~> 4.18'),
});
const secretStep = fc.record({
  ref: fc.constantFrom('main', first, second, 'release'),
  tool: fc.constantFrom('gitleaks' as const),
  isThere: fc.constantFrom(true, true, true, false),
  verified: fc.boolean(),
});
type Step =
  | (typeof packageStep extends fc.Arbitrary<infer P> ? P : never)
  | (typeof secretStep extends fc.Arbitrary<infer S> ? S : never);

function reportOf(step: Step): unknown {
  if (step.tool === 'gitleaks') return step.isThere ? secret(step.verified) : secretReport([]);
  if (step.tool === 'trivy') {
    return step.isThere ? packages({ severity: step.severity, fixed: step.fixed }, step.score) : trivy([]);
  }
  const severity = step.severity.toLowerCase() as 'low' | 'high' | 'critical';
  const row = { id: cve, package: 'lodash', version: '4.17.20', title: `A ${severity} title.` };
  return grype(step.isThere ? [{ ...row, severity, fixed: step.fixed }] : []);
}

const sizes = { minLength: 4, maxLength: 12 };
const seed = seedOf(20_261_130);

test(`after any reports on several references the values are those that all claims give (seed ${seed})`, async () => {
  let histories = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.array(packageStep, sizes), fc.array(secretStep, sizes)) as fc.Arbitrary<Step[]>,
      async (steps) => {
        const repository = `acme/any-${++histories}`;
        for (const step of steps) {
          await bring(repository, [step.ref, reportOf(step)]);
          const shown = await listValues(repository);
          await reconcileAll(repository);
          assert.deepEqual(await listValues(repository), shown);
        }
      },
    ),
    { numRuns: byForm({ short: 8, ci: 40, full: 400 }), seed, endOnFailure: true },
  );
});

/** Reads all claims, because no reference is named as changed. */
async function reconcileAll(repository: string): Promise<void> {
  const { rows } = await server.owner.query<{ id: VulnerabilityId }>(
    'select v.id from vulnerability v join repository r on r.id = v.repository_id where r.full_name = $1',
    [repository],
  );
  const cause = { scanId: null, actorId: null, at: new Date() };
  await importTx(server.db, tenant.id, (tx) => reconcile(tx, { ids: rows.map(({ id }) => id), cause }));
}

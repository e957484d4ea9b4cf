/**
 * Tests of the evaluation on the references that a change is about: matches on other references stay, and facts that
 * all references share are evaluated on all of them.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { importTx } from '../../src/db/database.ts';
import type { ReferenceId, RepositoryId, VulnerabilityId } from '../../src/domain/ids.ts';
import { applyPolicies } from '../../src/policies/definition/apply.ts';
import { parsePolicies } from '../../src/policies/definition/document.ts';
import { evaluateRepositories } from '../../src/policies/evaluation/evaluate-repositories.ts';
import { sweepTenant } from '../../src/vulnerabilities/sweep.ts';
import { bom } from '../support/boms.ts';
import { succeeded } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { packageIs, policiesOf, policyOf } from '../support/policies.ts';
import { trivy } from '../support/reports.ts';
import { grype } from '../support/scanner-reports.ts';
import { secretReport } from '../support/tool-reports.ts';
import { reportInput } from '../support/workspace.ts';
import { createPolicyWorkspace, vulnerable } from './policy-workspace.ts';

const { server, tenant, client, apply, gate, violations } = await createPolicyWorkspace();
const [first, second, third] = ['refs/pull/1/head', 'refs/pull/2/head', 'refs/pull/3/head'];

/** The references on which the policy matches, the one that its violation shows first. */
async function matches(policy: string, repo: string): Promise<string[]> {
  const { rows } = await server.owner.query<{ ref: string }>(
    `select f.full_ref as ref from policy p
       join policy_violation v on v.tenant_id = p.tenant_id and v.policy_id = p.id
       join repository r on r.id = v.repository_id and r.full_name = $3
       join violation_reference m on m.tenant_id = v.tenant_id and m.violation_id = v.id and m.cleared_at is null
       join reference f on f.tenant_id = m.tenant_id and f.id = m.reference_id
      where p.tenant_id = $1 and p.key = $2
      order by v.id, m.reference_id = v.reference_id desc, f.full_ref`,
    [tenant.id, policy, repo],
  );
  return rows.map(({ ref }) => ref);
}

let repositories = 0;
const newRepository = () => `acme/one-${repositories++}`;

const take = async (repo: string, report: unknown, ...refs: string[]): Promise<void> => {
  for (const ref of refs) {
    const [done] = await importAll(server, 'acme', [reportInput(report, { repository: repo, ref })]);
    assert.equal(done?.status, 'completed', JSON.stringify(done?.error));
  }
  await assertInvariants(server.owner);
};

test('a violation shows the next reference when the one that it shows is fixed or ends', async () => {
  await apply(policyOf('kept', packageIs('kept')));
  const repo = newRepository();
  const [with_, without] = [trivy([vulnerable('kept'), vulnerable('else')]), trivy([vulnerable('else')])];
  await take(repo, with_, 'main', first, second, third);
  assert.deepEqual(await matches('kept', repo), ['refs/heads/main', first, second, third]);
  await take(repo, without, second);
  assert.deepEqual(await matches('kept', repo), ['refs/heads/main', first, third]);
  await take(repo, without, 'main');
  assert.deepEqual(await matches('kept', repo), [third, first]);
  await take(repo, with_, second);
  assert.deepEqual(await matches('kept', repo), [second, first, third]);
  await server.owner.query(
    `update reference set last_scanned_at = now() - interval '31 days' where full_ref = $1`,
    [second],
  );
  await sweepTenant(server.db, tenant.id, new Date(), 30);
  await assertInvariants(server.owner);
  assert.deepEqual(await matches('kept', repo), [third, first]);
  await take(repo, without, third, first);
  const [resolved] = await violations({ repo, status: 'resolved' });
  assert.equal(resolved?.policy.key, 'kept');
  await take(repo, with_, first);
  assert.deepEqual(await matches('kept', repo), [first]);
});

test('a severity that a report of one reference raises counts on all', async () => {
  await apply(policyOf('grave', "{fact: severity, operator: '==', value: critical}"));
  const repo = newRepository();
  await take(repo, trivy([vulnerable('grave', 'MEDIUM')]), 'main', first);
  await take(repo, trivy([vulnerable('grave', 'CRITICAL')]), second);
  assert.deepEqual(await matches('grave', repo), ['refs/heads/main', first, second]);
});

test('a violation keeps its severity when it ends on a reference that it does not show', async () => {
  await apply(`policies: [{key: graded, target_type: vulnerability, enforcement_mode: block, severity: critical,
    actions: {sla: {window: 9d}}, condition: {all: [${packageIs('graded')}]}}]`);
  const repo = newRepository();
  await take(repo, trivy([vulnerable('graded', 'MEDIUM'), vulnerable('else')]), 'main', first);
  await take(repo, trivy([vulnerable('else')]), first);
  assert.deepEqual(await matches('graded', repo), ['refs/heads/main']);
  const { rows } = await server.owner.query(
    `select v.severity from policy_violation v join policy p on p.id = v.policy_id where p.key = 'graded'`,
  );
  assert.deepEqual(rows, [{ severity: 'medium' }]);
});

test('a name or a weakness that one reference teaches counts on all', async () => {
  await apply(
    policiesOf(
      policyOf('weak', "{fact: cwe, operator: contains, value: 'CWE-79'}"),
      policyOf('named', "{fact: advisory_id, operator: contains, value: 'GHSA-aaaa-bbbb-cccc'}"),
    ),
  );
  const repo = newRepository();
  const found = vulnerable('taught');
  await take(repo, trivy([found]), 'main', first);
  const taught = trivy([found]);
  for (const { Vulnerabilities } of taught.Results)
    for (const each of Vulnerabilities) Object.assign(each, { CweIDs: ['CWE-79'] });
  await take(repo, taught, second);
  assert.deepEqual(await matches('weak', repo), ['refs/heads/main', first, second]);
  const advisory = { ...found, id: 'GHSA-aaaa-bbbb-cccc', aliases: [found.id], package: found.name };
  await take(repo, grype([{ ...advisory, severity: 'critical', fixed: '2.0.0' }]), third);
  assert.deepEqual(await matches('named', repo), ['refs/heads/main', first, second, third]);
});

test('a tool that reports on one reference counts on all', async () => {
  await apply(policyOf('told', '{fact: reported_by, operator: contains, value: grype}'));
  const repo = newRepository();
  const found = vulnerable('told');
  const byGrype = grype([
    { ...found, aliases: [], package: found.name, severity: 'critical', fixed: '2.0.0' },
  ]);
  await take(repo, trivy([found]), 'main', first);
  assert.deepEqual(await matches('told', repo), []);
  await take(repo, byGrype, first);
  assert.deepEqual(await matches('told', repo), ['refs/heads/main', first]);
  await take(repo, grype([]), first);
  assert.deepEqual(await matches('told', repo), []);
});

test('a rejected secret that a tool has verified on one reference counts on all', async () => {
  await apply(policyOf('works', "{fact: confirmed, operator: '==', value: true}"));
  const repo = newRepository();
  const secret = (verified: boolean) =>
    secretReport([
      { rule: 'garden', title: 'Garden', path: 'src/key.js', secret: 'gdn_Zx81Yw72Vu63Ts54', verified },
    ]);
  await take(repo, secret(false), 'main', first);
  const { items } = succeeded(
    await client.get<{ items: { id: string }[] }>(`/api/v1/acme/vulnerabilities?repo=${repo}`),
  );
  await client.post('/manage/v1/acme/vulnerabilities/decisions', {
    action: 'reject',
    reason: 'An example.',
    vulnerabilities: [{ id: items[0]?.id }],
  });
  // As if a member had rejected it, who may not overrule policies that block, and a tool said that it can be exploited.
  await server.owner.query(
    `update vulnerability set decision_overrides_policy = false, exploitable_at = introduced_at
      where decided_by = 'person'`,
  );
  await server.owner.query(
    `update vulnerability_reporter set exploitable = true
      where vulnerability_id in (select id from vulnerability where decided_by = 'person')`,
  );
  await take(repo, secret(true), first);
  assert.deepEqual(await matches('works', repo), ['refs/heads/main', first]);
});

test('the due date of a changed policy is that of all matches, also before the policy is evaluated', async () => {
  const policies = (window: string) => policiesOf(policyOf('paced', packageIs('paced'), { window }));
  await apply(policies('9d'));
  const repo = newRepository();
  await take(repo, trivy([vulnerable('paced')]), 'main', first);
  const boss = await server.queue.open();
  const changed = parsePolicies(policies('3d'));
  await importTx(server.db, tenant.id, (tx) => applyPolicies(tx, boss, changed, { actorId: null }));
  await take(repo, trivy([vulnerable('paced')]), second);
  assert.deepEqual(await matches('paced', repo), ['refs/heads/main', first, second]);
});

test('a match that has ended keeps the mode and the due date of its end, and one that returns gets those of today', async () => {
  const policies = (window: string, mode: string) =>
    policiesOf(policyOf('ended', packageIs('ended'), { window, mode }));
  await apply(policies('9d', 'block'));
  const repo = newRepository();
  await take(repo, trivy([vulnerable('ended')]), 'main', first, second);
  await take(repo, trivy([]), first, second);
  const shownOn = async (ref: string, status: string) =>
    (await violations({ repo, ref, status }))
      .filter(({ policy }) => policy.key === 'ended')
      .map(({ enforcement_mode, due_at }) => [enforcement_mode, due_at]);
  const endedOn = (ref: string) => shownOn(ref, 'resolved');
  const [before] = await endedOn(first);
  assert.equal(before?.[0], 'block');
  await apply(policies('3d', 'warn'));
  assert.deepEqual(await endedOn(first), [before]);
  await take(repo, trivy([vulnerable('ended')]), second);
  assert.deepEqual(await endedOn(second), []);
  assert.deepEqual(await endedOn(first), [before]);
  const [open] = await shownOn(second, 'open');
  assert.equal(open?.[0], 'warn');
  assert.ok(String(open?.[1]) < String(before?.[1]), 'it is due earlier');
});

test('a policy is evaluated in transactions of as many matches as are allowed', async () => {
  await apply(policyOf('many', packageIs('many')));
  const repo = newRepository();
  const many = Array.from({ length: 10 }, (_, n) => ({ ...vulnerable('many'), id: `CVE-2032-${1000 + n}` }));
  await take(repo, trivy(many), 'main', first, second);
  await importTx(server.db, tenant.id, async (tx) =>
    applyPolicies(
      tx,
      await server.queue.open(),
      parsePolicies(policyOf('many', packageIs('many'), { window: '3d' })),
      { actorId: null },
    ),
  );
  const { rows: found } = await server.owner.query('select id from repository where full_name = $1', [repo]);
  await evaluateRepositories(server.db, tenant.id, [found[0].id], null, 12);
  const { rows } = await server.owner.query(
    `select count(distinct v.id)::int as violations, count(distinct m.xmin::text)::int as transactions, count(*)::int as matches
       from policy_violation v join violation_reference m on m.tenant_id = v.tenant_id and m.violation_id = v.id
       join policy p on p.id = v.policy_id where p.key = 'many'`,
  );
  assert.deepEqual(rows, [{ violations: 10, transactions: 3, matches: 30 }]);
});

test('a package and a manifest match on the references that have them', async () => {
  await apply(
    policiesOf(
      policyOf('copyleft', '{fact: license, operator: contains, value: GPL-3.0}', {
        target: 'package_version',
      }),
      policyOf('has-package', "{fact: name, operator: '==', value: left}", { target: 'package' }),
      policyOf('manifests', '{fact: manifest_type, operator: in, value: [sbom, npm]}', {
        target: 'manifest',
      }),
    ),
  );
  const repo = newRepository();
  const [left, right] = ['pkg:npm/left@1.0.0', 'pkg:npm/right@1.0.0'];
  const both = bom([
    { purl: left, license: 'GPL-3.0' },
    { purl: right, license: 'MIT' },
  ]);
  const one = bom([{ purl: right, license: 'MIT' }]);
  await take(repo, both, 'main', first, second);
  for (const key of ['copyleft', 'has-package']) {
    assert.deepEqual(await matches(key, repo), ['refs/heads/main', first, second], key);
  }
  assert.deepEqual(await matches('manifests', repo), ['refs/heads/main', first, second]);
  await take(repo, one, first);
  assert.deepEqual(await matches('copyleft', repo), ['refs/heads/main', second]);
  await take(repo, one, 'main');
  for (const key of ['copyleft', 'has-package']) assert.deepEqual(await matches(key, repo), [second], key);
  await take(repo, one, second);
  assert.deepEqual(await matches('copyleft', repo), []);
  const again = await violations({ repo, status: 'resolved' });
  assert.deepEqual(again.map(({ policy }) => policy.key).sort(), ['copyleft', 'has-package']);
  await take(repo, both, first);
  assert.deepEqual(await matches('copyleft', repo), [first]);
  assert.deepEqual(await matches('manifests', repo), ['refs/heads/main', first, second]);
});

test('a license that a version gains on one reference counts on all that name none', async () => {
  await apply(
    policyOf('gained', '{fact: license, operator: contains, value: AGPL-3.0}', { target: 'package_version' }),
  );
  const repo = newRepository();
  const purl = 'pkg:npm/gains@1.0.0';
  await take(repo, bom([{ purl }]), 'main', first);
  assert.deepEqual(await matches('gained', repo), []);
  await take(repo, bom([{ purl, license: 'AGPL-3.0' }]), second);
  assert.deepEqual(await matches('gained', repo), ['refs/heads/main', first, second]);
});

test('of several references that change together, one that ends is not shown any more', async () => {
  await apply(policyOf('pair', packageIs('pair')));
  const repo = newRepository();
  await take(repo, trivy([vulnerable('pair')]), first, second, third);
  assert.deepEqual(await matches('pair', repo), [third, first, second]);
  const { rows } = await server.owner.query<{ id: VulnerabilityId; repository_id: RepositoryId }>(
    `update vulnerability_reference r set live = false from vulnerability v
      where v.id = r.vulnerability_id and v.title like 'pair:%' and r.full_ref = $1 returning v.id, v.repository_id`,
    [third],
  );
  const { rows: references } = await server.owner.query<{ id: ReferenceId }>(
    'select f.id from reference f join repository r on r.id = f.repository_id where r.full_name = $1 and f.full_ref = any($2)',
    [repo, [first, third]],
  );
  await importTx(server.db, tenant.id, async ({ changes }) => {
    for (const { id, repository_id: repositoryId } of rows)
      changes.markChangedOn(
        id,
        repositoryId,
        references.map((row) => row.id),
      );
  });
  assert.deepEqual(await matches('pair', repo), [second, first]);
});

describe('the commits of several tools', () => {
  const found = vulnerable('shown');
  const byGrype = grype([
    { ...found, aliases: [], package: found.name, severity: 'critical', fixed: '2.0.0' },
  ]);
  const [a, b] = ['a'.repeat(40), 'b'.repeat(40)] as const;
  /** A repository with these reports of main, each with the verdict of its commit afterwards. */
  const scanned = async (...reports: [report: object, sha: string][]) => {
    await apply(policyOf('shown', packageIs('shown')));
    const repository = newRepository();
    const inputs = reports.map(([report, sha]) => reportInput(report, { repository, sha }));
    await importAll(server, 'acme', inputs);
    return async (sha?: string) => (await gate({ repo: repository, ref: 'main', sha })).verdict;
  };

  test('the scan of an earlier commit keeps its verdict when another tool scans the next one', async () => {
    const verdictOf = await scanned([trivy([]), a], [byGrype, b]);
    assert.deepEqual([await verdictOf(a), await verdictOf(b)], ['pass', 'block']);
  });

  test('a commit that one tool has left and another one shows keeps the verdict of its scans', async () => {
    const verdictOf = await scanned([trivy([found]), a], [trivy([]), b], [grype([]), a]);
    assert.deepEqual([await verdictOf(), await verdictOf(a)], ['pass', 'block']);
  });
});

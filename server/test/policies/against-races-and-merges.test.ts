/** Tests of races with imports and policies, merges, documents and bases: none of them turns a gate green. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { mergeVulnerabilities } from '../../src/actions/merge/merge.ts';
import { importTx } from '../../src/db/database.ts';
import { formatId, parseId, type ViolationId, type VulnerabilityId } from '../../src/domain/ids.ts';
import { importSsvc } from '../../src/ingest/advisories/import-ssvc.ts';
import { evaluatePolicies } from '../../src/policies/evaluation/evaluate-policies.ts';
import { sweepViolations } from '../../src/policies/evaluation/sweep.ts';
import { sweepTenant } from '../../src/vulnerabilities/sweep.ts';
import { queryOf, succeeded } from '../support/client.ts';
import { evaluateChanges, loadScores } from '../support/epss.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { factIs, packageIs, policiesOf, policyOf } from '../support/policies.ts';
import { createDirectory } from '../support/process.ts';
import { trivy } from '../support/reports.ts';
import { type Advisory, openvex, osvScanner } from '../support/scanner-reports.ts';
import { ssvcRecord } from '../support/ssvc.ts';
import { blockCritical, vulnerable } from './policy-workspace.ts';
import { bad, clean, createUploadWorkspace, hoursAgo, newCase, sha } from './upload-workspace.ts';

const W = await createUploadWorkspace();
const {
  server,
  tenant,
  apply,
  gate,
  member,
  upload: up,
  process,
  holdCounters,
  holdImport,
  applyDuringImport,
} = W;
const {
  client: admin,
  violations,
  decideViolation,
  vulnerabilities,
  decide,
  except,
  newRepository,
  memberKey: M,
  adminKey: A,
} = W;

test('a policy that is applied while an import ends covers the findings of that import', async () => {
  const { repo, release, importing } = await applyDuringImport('b1');
  const evaluation = evaluatePolicies(server.db, tenant.id);
  await untilLockWaits(server.owner, 2);
  await release();
  await Promise.all([importing, evaluation]);
  await sweepViolations(server.db, tenant.id, new Date());
  await evaluatePolicies(server.db, tenant.id);
  assert.equal((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'block');
});

for (const others of [0, 10_001]) {
  test(`a score that is loaded with ${others} others while an import ends is followed in that import`, async () => {
    const scored = vulnerable(others === 0 ? 'few' : 'many', 'LOW');
    await apply(policiesOf(policyOf('likely', "{fact: epss_score, operator: '>=', value: 0.5}")));
    await loadScores(server, [[scored.id, 0.3]]);
    const { repo, release, importing } = await holdImport(scored);
    const more = Array.from({ length: others }, (_, i) => [`CVE-2000-${10_000 + i}`, 0.7] as const);
    await loadScores(server, [[scored.id, 0.7], ...more]);
    await release();
    await importing;
    await followIntel();
    assert.equal((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'block');
  });

  test(`an assessment that is loaded with ${others} others while an import ends is followed in that import`, async () => {
    const assessed = vulnerable(others === 0 ? 'first' : 'second', 'LOW');
    await apply(policiesOf(policyOf('wormable', factIs('automatable', true))));
    const { repo, release, importing } = await holdImport(assessed);
    const ids = [assessed.id, ...Array.from({ length: others }, (_, i) => `CVE-2000-${10_000 + i}`)];
    const directory = createDirectory();
    for (const id of ids) {
      const record = ssvcRecord(id, { automatable: true, total: false }, '2026-01-02');
      writeFileSync(join(directory, `${id}.json`), JSON.stringify(record));
    }
    await importSsvc(server.db, { paths: [directory], force: false }, new Date());
    await release();
    await importing;
    await followIntel();
    assert.equal((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'block');
  });
}

test('a policy about scores that is evaluated while scores are loaded is evaluated with these too', async () => {
  const scored = vulnerable('loaded', 'LOW');
  await loadScores(server, [[scored.id, 0.11]]);
  const repo = newRepository();
  await up(A, { repo, ref: 'main', sha: sha('a') }, trivy([scored]));
  const holder = new pg.Client({ connectionString: server.ownerUrl });
  await holder.connect();
  await holder.query('begin');
  // The load has looked for policies when it writes this row, and is not yet committed.
  const lock = "select 1 from intel_change where tenant_id = $1 and cve = 'EPSS' for update";
  assert.equal((await holder.query(lock, [tenant.id])).rowCount, 1);
  const loading = loadScores(server, [[scored.id, 0.13]]);
  await untilLockWaits(server.owner);
  await apply(policiesOf(policyOf('meanwhile', "{fact: epss_score, operator: '>=', value: 0.12}")));
  await evaluatePolicies(server.db, tenant.id);
  await holder.query('commit');
  await holder.end();
  await loading;
  await followIntel();
  assert.equal((await gate({ repo, ref: 'main', sha: sha('a') })).verdict, 'block');
});

async function followIntel(): Promise<void> {
  await evaluateChanges(server, tenant.id);
  await evaluatePolicies(server.db, tenant.id);
}

test('a decision that began before an import raised the severity does not stop the block', async () => {
  const repo = newRepository();
  const s = await up(
    M,
    { repo, ref: 'main', sha: sha('a') },
    trivy([vulnerable('seed', 'LOW'), vulnerable('rising', 'HIGH')]),
  );
  const [v] = (await vulnerabilities(repo)).filter((x) => x.title.startsWith('rising'));
  await up(
    M,
    { repo, ref: 'main', sha: sha('b') },
    trivy([vulnerable('seed', 'LOW'), vulnerable('rising', 'CRITICAL')]),
    false,
  );
  const release = await holdCounters();
  const importing = process(s.repositoryId);
  await untilLockWaits(server.owner);
  const deciding = decide(member, 'reject', v?.id);
  await untilLockWaits(server.owner, 2);
  await release();
  await importing;
  await deciding;
  assert.equal((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'block');
});

for (const [given, isGiven] of [
  ['with', true],
  ['without', false],
] as const) {
  test(`a decision ${given} a status_version that is made while an import joins another name waits, and is refused`, async () => {
    const { repo, id, release, importing } = await holdJoin();
    const { body } = await admin.get<{ status_version: string }>(`/api/v1/acme/vulnerabilities/${id}`);
    const deciding = admin.post('/manage/v1/acme/vulnerabilities/decisions', {
      action: 'reject',
      vulnerabilities: [isGiven ? { id, status_version: body.status_version } : { id }],
      reason: 'Not reachable.',
    });
    await Promise.race([deciding, untilLockWaits(server.owner, 2)]);
    await release();
    await importing;
    assert.equal((await deciding).status, 409);
    assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
  });
}

test('a decision without a status_version is refused if a whole import joins another name while it waits', async () => {
  const { repo, repositoryId, ids } = await uploadJoin('low');
  const release = await holdVulnerability(ids[0] ?? '');
  const deciding = admin.post('/manage/v1/acme/vulnerabilities/decisions', {
    action: 'reject',
    vulnerabilities: ids.map((id) => ({ id })),
    reason: 'Not reachable.',
  });
  await untilLockWaits(server.owner);
  await process(repositoryId);
  await release();
  assert.equal((await deciding).status, 409);
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
});

test('a decision that waits for another vulnerability does not cover a name that an import joins meanwhile', async () => {
  const { repo, cve, ghsa, advisory, teaching } = newCase();
  const other: Advisory = { ...advisory(`${cve}9`), package: 'other', severity: 'low' };
  await up(A, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
  await up(A, { repo, ref: 'main' }, osvScanner([advisory(cve), other]));
  await up(M, { repo, ref: 'side', partial: 'true' }, teaching);
  const both = osvScanner([advisory(cve), advisory(ghsa), other]);
  const { repositoryId } = await up(M, { repo, ref: 'main' }, both, false);
  const ids = (await vulnerabilities(repo, { ref: 'main' })).map(({ id }) => id).sort();
  const release = await holdVulnerability(ids[1] ?? '');
  const deciding = admin.post('/manage/v1/acme/vulnerabilities/decisions', {
    action: 'reject',
    vulnerabilities: ids.map((id) => ({ id })),
    reason: 'Not reachable.',
  });
  await untilLockWaits(server.owner);
  const importing = process(repositoryId);
  await untilLockWaits(server.owner, 2);
  await release();
  assert.equal((await deciding).status, 200);
  await importing;
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
});

for (const [given, give] of [
  ['an exception', except],
  ['a snooze', (violation?: string) => decideViolation(admin, 'snooze', violation)],
] as const) {
  test(`${given} that is given while an import joins another name ends with that import`, async () => {
    const { repo, id, release, importing } = await holdJoin();
    const found = await violations({ repo, ref: 'main', status: 'open' });
    await give(found.find(({ target }) => target.id === id)?.id);
    assert.notEqual((await gate({ repo, ref: 'main' })).verdict, 'block');
    await release();
    await importing;
    assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
  });
}

/** Begins an import that has joined another name to a vulnerability, and waits for the row of an older one. */
async function holdJoin() {
  const { repo, repositoryId, ids } = await uploadJoin('medium');
  const [held = '', joined = ''] = ids;
  const release = await holdVulnerability(held);
  const importing = process(repositoryId);
  await untilLockWaits(server.owner);
  return { repo, id: joined, release, importing };
}

/**
 * Uploads a report that will join another name to the second of two vulnerabilities, and that says this severity of the
 * first one, which is low.
 */
async function uploadJoin(severity: 'low' | 'medium') {
  const { repo, cve, ghsa, advisory, teaching } = newCase();
  const older: Advisory = { ...advisory(`${cve}9`), package: 'older', severity: 'low' };
  await up(A, { repo, ref: 'main' }, osvScanner([older]));
  await up(A, { repo, ref: 'main' }, osvScanner([older, advisory(cve)]));
  await up(M, { repo, ref: 'side', partial: 'true' }, teaching);
  const both = osvScanner([{ ...older, severity }, advisory(cve), advisory(ghsa)]);
  const { repositoryId } = await up(M, { repo, ref: 'main' }, both, false);
  const ids = (await vulnerabilities(repo, { ref: 'main' })).map(({ id }) => id).sort();
  return { repo, repositoryId, ids };
}

/** Locks the row of a vulnerability until the returned function is called. */
async function holdVulnerability(id: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: server.ownerUrl });
  await client.connect();
  await client.query('begin');
  const lock = 'select 1 from vulnerability where tenant_id = $1 and id = $2 for no key update';
  await client.query(lock, [tenant.id, parseId('vulnerability', id)]);
  return async () => {
    await client.query('commit');
    await client.end();
  };
}

test('a policy that is evaluated during a merge leaves no violation and no exception of the merged vulnerability', async () => {
  const repo = newRepository();
  await up(
    A,
    { repo, ref: 'main', sha: sha('a') },
    trivy([vulnerable('kept', 'LOW'), vulnerable('merged', 'LOW')]),
  );
  const [into, from] = (await vulnerabilities(repo)).map(({ id }) => parseId('vulnerability', id) ?? '');
  assert.ok(into && from);
  const merges = [{ from: from as VulnerabilityId, into: into as VulnerabilityId }];
  let ended: ViolationId | undefined;
  await importTx(server.db, tenant.id, async (tx) => {
    const cause = { scanId: null, actorId: null, at: new Date() };
    await mergeVulnerabilities(tx, { merges, cause, reason: 'The same.' });
    await apply(policiesOf(policyOf('during-merge', factIs('severity', 'low'))));
    assert.equal(await countViolations(from), 1);
    [ended] = await violationsOf(from);
    await except(ended && formatId('violation', ended));
  });
  assert.equal(await countViolations(from), 0);
  assert.equal(await countViolations(into), 1);
  const { rows } = await server.owner.query('select status from policy_exception where violation_id = $1', [
    ended,
  ]);
  assert.deepEqual(rows, [{ status: 'withdrawn' }]);
});

test('a merge that waits for an evaluation leaves the violations to it until then', async () => {
  const [into, from] = await pairThatViolates('before-merge', 'HIGH');
  const evaluating = await holdEvaluations();
  let attempts = 0;
  const merging = merge(into, from, () => attempts++);
  try {
    await untilLockWaits(server.owner);
    // PostgreSQL would end the merge as a deadlock, and it would be repeated, if it had changed the violations before.
    const { rowCount } = await evaluating.query(
      'update policy_violation set packed_state = packed_state where target_id = any($1::uuid[])',
      [[from, into]],
    );
    assert.notEqual(rowCount, 0);
  } finally {
    await evaluating.query('commit');
    await evaluating.end();
    await merging;
  }
  const { rows } = await server.owner.query(
    'select distinct target_id from policy_violation where target_id = any($1::uuid[])',
    [[from, into]],
  );
  assert.deepEqual(rows, [{ target_id: into }]);
  assert.equal(attempts, 1, 'no deadlock');
});

test('an exception that is requested during a merge does not stay open for a violation that ends', async () => {
  const [into, from] = await pairThatViolates('requested-during-merge', 'MEDIUM');
  const ids = await violationsOf(from);
  const evaluating = await holdEvaluations();
  let attempts = 0;
  const merging = merge(into, from, () => attempts++);
  await untilLockWaits(server.owner);
  const requesting = member.post('/manage/v1/acme/exceptions', {
    violations: ids.map((id) => formatId('violation', id)),
    reason: 'Not reachable.',
  });
  await untilLockWaits(server.owner, 2);
  await evaluating.query('commit');
  await evaluating.end();
  await merging;
  await requesting;
  const { rows } = await server.owner.query(
    "select status from policy_exception where violation_id = any($1::uuid[]) and status in ('requested', 'approved')",
    [ids],
  );
  assert.deepEqual(rows, []);
  assert.notEqual(ids.length, 0);
  assert.equal(attempts, 1, 'no deadlock');
});

test('a request for a policy in a repository covers the violation that an import creates meanwhile', async () => {
  await apply(policiesOf(policyOf('requested-during-import', packageIs('excused'))));
  const repo = newRepository();
  const seed = vulnerable('seed', 'LOW');
  await up(M, { repo, ref: 'main', sha: sha('a') }, trivy([seed]));
  const next = { repo, ref: 'main', sha: sha('b') };
  const { repositoryId } = await up(M, next, trivy([seed, vulnerable('excused', 'LOW')]), false);
  const release = await holdCounters();
  const importing = process(repositoryId);
  await untilLockWaits(server.owner);
  const request = { policy: 'requested-during-import', repo, reason: 'Not reachable.' };
  const requesting = member.post('/manage/v1/acme/exceptions', request);
  await Promise.race([requesting, untilLockWaits(server.owner, 2)]);
  await release();
  await importing;
  succeeded(await requesting);
  const { body } = await member.get<{ items: { status: string }[] }>(
    `/api/v1/acme/policy-violations${queryOf({ repo, policy: request.policy })}`,
  );
  assert.deepEqual(
    body.items.map(({ status }) => status),
    ['pending_review'],
  );
});

test('an exception that reaches its end during a merge is ended once, and the merge does not wait for it', async () => {
  const [into, from] = await pairThatViolates('ended-during-merge', 'MEDIUM');
  const ids = await violationsOf(from);
  for (const id of ids) await except(formatId('violation', id));
  const evaluating = await holdEvaluations();
  let attempts = 0;
  const merging = merge(into, from, () => attempts++);
  const exceptions = 'policy_exception where tenant_id = $1 and violation_id = any($2::uuid[])';
  try {
    await untilLockWaits(server.owner);
    await server.owner.query(
      `update policy_exception set ends_at = now() - interval '1 minute' where violation_id = any($1::uuid[])`,
      [ids],
    );
    const sweeping = sweepViolations(server.db, tenant.id, new Date());
    await untilLockWaits(server.owner, 2);
    const { rowCount } = await evaluating.query(`select 1 from ${exceptions} for update nowait`, [
      tenant.id,
      ids,
    ]);
    assert.equal(rowCount, ids.length, 'the sweep holds none of them');
    await evaluating.query('commit');
    await sweeping;
  } finally {
    await evaluating.end();
    await merging;
  }
  const { rows } = await server.owner.query(`select distinct status from ${exceptions}`, [tenant.id, ids]);
  assert.notEqual(ids.length, 0);
  assert.deepEqual(rows, [{ status: 'withdrawn' }]);
  assert.equal(attempts, 1, 'no deadlock');
});

/** The ids of two vulnerabilities of a new repository, of which each violates a policy about this severity. */
async function pairThatViolates(policyKey: string, severity: 'MEDIUM' | 'HIGH') {
  const repo = newRepository();
  const findings = ['kept', 'merged'].map((name) => vulnerable(name, severity));
  await up(A, { repo, ref: 'main', sha: sha('a') }, trivy(findings));
  await apply(policiesOf(policyOf(policyKey, factIs('severity', severity.toLowerCase()))));
  const [into, from] = (await vulnerabilities(repo)).map(({ id }) => parseId('vulnerability', id));
  assert.ok(into && from);
  return [into, from] as const;
}

function merge(into: VulnerabilityId, from: VulnerabilityId, begun = () => {}): Promise<void> {
  return importTx(server.db, tenant.id, (tx) => {
    begun();
    const cause = { scanId: null, actorId: null, at: new Date() };
    return mergeVulnerabilities(tx, {
      merges: [{ from, into }],
      cause,
      reason: 'The same.',
    });
  });
}

/** Returns a connection that holds the evaluation of each repository until it commits. */
async function holdEvaluations(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server.ownerUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from repository_evaluation where tenant_id = $1 for update', [tenant.id]);
  return client;
}

async function violationsOf(targetId: string): Promise<ViolationId[]> {
  const { rows } = await server.owner.query('select id from policy_violation where target_id = $1', [
    targetId,
  ]);
  return rows.map(({ id }) => id);
}

async function countViolations(targetId: string): Promise<number> {
  const { rows } = await server.owner.query(
    `select count(*)::int as n from policy_violation v join policy p on p.tenant_id = v.tenant_id and p.id = v.policy_id
      where v.target_id = $1 and p.key = 'during-merge'`,
    [targetId],
  );
  return rows[0]?.n;
}

test('a taught alias that merges a blocking vulnerability into an accepted one does not stop the block', async () => {
  const repo = newRepository();
  const low = { id: 'CVE-2031-7777', package: 'leaky', version: '1.0.0', severity: 'low' as const };
  const crit = { ...low, id: 'GHSA-aaaa-bbbb-cccc', severity: 'critical' as const };
  await up(A, { repo, ref: 'main', sha: sha('a') }, osvScanner([low, crit]));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
  assert.equal((await vulnerabilities(repo)).length, 2);
  const [accepted] = await vulnerabilities(repo, { severity: 'low' });
  await decide(member, 'accept', accepted?.id);
  await up(
    A,
    { repo: 'acme/play', ref: 'main', partial: 'true' },
    osvScanner([{ ...low, package: 'else', aliases: [crit.id] }]),
  );
  await up(A, { repo, ref: 'main', sha: sha('b') }, osvScanner([low, crit]));
  assert.equal((await vulnerabilities(repo)).length, 1);
  assert.equal((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'block');
});

test('a VEX statement by a member before any blocking policy does not cover a later vulnerability', async () => {
  await apply(blockCritical.replace('- key: critical\n', '- key: critical\n    status: disabled\n'));
  const { rows } = await server.owner.query("update policy set status = status where key = 'x'");
  void rows;
  // Other blocking violations must be absent at this moment.
  await server.owner.query(
    "update policy set status = 'disabled', revision = revision + 1 where enforcement_mode = 'block'",
  );
  await evaluatePolicies(server.db, tenant.id);
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, clean());
  await up(
    M,
    { repo, ref: 'main', sha: sha('a') },
    openvex([{ id: vulnerable('lodash').id, status: 'not_affected' }], null),
  );
  await apply(blockCritical);
  await up(A, { repo, ref: 'main', sha: sha('b') }, bad());
  assert.equal((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'block');
});

const licensed = (licenses: readonly string[], name = 'gnu') => ({
  SchemaVersion: 2,
  ArtifactName: '.',
  ArtifactType: 'filesystem',
  Results: [
    {
      Target: 'package-lock.json',
      Class: 'lang-pkgs',
      Type: 'npm',
      Packages: [
        {
          ID: `${name}@1.0.0`,
          Name: name,
          Version: '1.0.0',
          Licenses: licenses,
          Identifier: { PURL: `pkg:npm/${name}@1.0.0` },
        },
      ],
    },
  ],
});
const agpl = policyOf('agpl', "{fact: license, operator: matches, value: 'AGPL*'}", {
  target: 'package_version',
});

test('a partial report of another repository does not change a license, and the gate still blocks', async () => {
  await apply(agpl);
  const repo = newRepository();
  await up(A, { repo, ref: 'main', sha: sha('a') }, licensed(['AGPL-3.0-only']));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
  await up(M, { repo: 'acme/play', ref: 'main' }, licensed(['MIT']));
  // The same correct report again, and another change of the packages.
  await up(A, { repo, ref: 'main', sha: sha('b') }, licensed(['AGPL-3.0-only']));
  await up(M, { repo, ref: 'main', sha: sha('c'), environment: 'x' }, licensed(['AGPL-3.0-only']));
  assert.equal((await gate({ repo, ref: 'main', sha: sha('c') })).verdict, 'block');
});

test('a license that is joined with others by AND counts, and a list of allowed ones holds for each', async () => {
  const clause = "{fact: license, operator: not_all_in, value: [MIT, Zlib, 'MIT OR AGPL-3.0-only']}";
  const allowed = policyOf('agpl', clause, { target: 'package_version' });
  for (const [policy, licenses, verdict] of [
    [agpl, ['(Zlib AND AGPL-3.0-only) AND MIT'], 'block'],
    [agpl, ['MIT OR AGPL-3.0-only'], 'pass'],
    [allowed, ['MIT AND Zlib'], 'pass'],
    [allowed, ['MIT AND AGPL-3.0-only'], 'block'],
    [allowed, ['MIT', 'AGPL-3.0-only'], 'block'],
    [allowed, ['MIT OR AGPL-3.0-only'], 'pass'],
  ] as const) {
    await apply(policy);
    const repo = newRepository();
    await up(A, { repo, ref: 'main' }, licensed(licenses, repo.replace('/', '-')));
    assert.equal((await gate({ repo, ref: 'main' })).verdict, verdict, licenses.join());
  }
});

test('a package whose license nobody names is not among the allowed ones', async () => {
  await apply(
    policyOf('agpl', '{fact: license, operator: not_all_in, value: [MIT]}', { target: 'package_version' }),
  );
  const repo = newRepository();
  await up(A, { repo, ref: 'main' }, licensed([], 'unknown-license'));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
});

test('a report of another repository does not make a license allowed', async () => {
  await apply(`
key: allowed
target_type: package_version
enforcement_mode: block
condition: {not: {any: [{fact: license, operator: in, value: [MIT]}]}}
`);
  const verdict = async (repo: string) => (await gate({ repo, ref: 'main' })).verdict;
  const [repo, attacker] = [newRepository(), newRepository()];
  await up(A, { repo, ref: 'main' }, licensed(['AGPL-3.0-only'], 'own'));
  await up(M, { repo: attacker, ref: 'main' }, licensed(['MIT'], 'own'));
  await up(A, { repo, ref: 'main' }, licensed(['AGPL-3.0-only'], 'own'));
  assert.deepEqual([await verdict(repo), await verdict(attacker)], ['block', 'pass']);

  // The attacker comes first.
  await up(M, { repo: attacker, ref: 'main' }, licensed(['MIT'], 'own2'));
  await up(A, { repo, ref: 'main' }, licensed(['AGPL-3.0-only'], 'own2'));
  assert.deepEqual([await verdict(repo), await verdict(attacker)], ['block', 'pass']);

  // A partial report does not replace what the last complete one says.
  for (const named of [['MIT'], []]) {
    await up(M, { repo, ref: 'main', partial: 'true' }, licensed(named, 'own2'));
    assert.equal(await verdict(repo), 'block');
  }

  // A repository whose reports name no license has those of the others.
  const silent = newRepository();
  await up(A, { repo, ref: 'main' }, licensed(['MIT'], 'own3'));
  await up(A, { repo: silent, ref: 'main' }, licensed([], 'own3'));
  assert.equal(await verdict(silent), 'pass');
});

test('a license counts although another list of the same file names a different one', async () => {
  await apply(agpl);
  const [mit, copyleft] = [licensed(['MIT']), licensed(['AGPL-3.0-only'])];
  for (const Results of [
    [...mit.Results, ...copyleft.Results],
    [...copyleft.Results, ...mit.Results],
  ]) {
    const repo = newRepository();
    await up(A, { repo, ref: 'main' }, { ...mit, Results });
    assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
  }
});

test('a quiet branch that returns with the same packages blocks again', async () => {
  const repo = newRepository();
  await apply(agpl);
  await up(A, { repo, ref: 'main', sha: sha('a') }, clean());
  const report = licensed(['AGPL-3.0-only'], 'gnu2');
  const old = hoursAgo(40 * 24);
  await up(A, { repo, ref: 'feature', sha: sha('b'), scanned_at: old }, report);
  assert.equal((await gate({ repo, ref: 'feature' })).verdict, 'block');
  await sweepTenant(server.db, tenant.id, new Date(), 30);
  await up(A, { repo, ref: 'feature', sha: sha('c') }, report);
  assert.equal((await gate({ repo, ref: 'feature', sha: sha('c') })).verdict, 'block');
});

test('a late and empty partial report of the base does not move the base', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a'), scanned_at: hoursAgo(100) }, clean());
  await up(M, { repo, ref: 'main', sha: sha('b'), scanned_at: hoursAgo(50) }, bad());
  const pr = { repo, ref: 'refs/pull/1/head', base_ref: 'main', base_sha: sha('a') };
  await up(M, { ...pr, sha: sha('c') }, bad());
  assert.equal((await gate({ repo, ref: pr.ref, sha: sha('c') })).verdict, 'block');
  await up(M, { repo, ref: 'main', sha: sha('f'), partial: 'true', scanned_at: hoursAgo(101) }, clean());
  assert.equal((await gate({ repo, ref: pr.ref, sha: sha('c') })).verdict, 'block');
});

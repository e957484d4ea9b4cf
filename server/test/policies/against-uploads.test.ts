/** Tests of the uploads of a member or a CI key: none of them turns a gate green. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importTx } from '../../src/db/database.ts';
import { applyPolicies } from '../../src/policies/definition/apply.ts';
import { parsePolicies } from '../../src/policies/definition/document.ts';
import { evaluatePolicies } from '../../src/policies/evaluation/evaluate-policies.ts';
import { sweepViolations } from '../../src/policies/evaluation/sweep.ts';
import { sweepTenant } from '../../src/vulnerabilities/sweep.ts';
import { queryOf, succeeded } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { factIs, packageIs, policyOf } from '../support/policies.ts';
import { sarif, trivy } from '../support/reports.ts';
import { openvex } from '../support/scanner-reports.ts';
import { vulnerable } from './policy-workspace.ts';
import { bad, clean, createUploadWorkspace, hoursAgo, low, sha } from './upload-workspace.ts';

const W = await createUploadWorkspace();
const { server, tenant, apply, gate, violations, upload: up, newRepository } = W;
const { client: admin, member, vulnerabilities, decide, decideViolation, except } = W;
const { memberKey: M, adminKey: A } = W;
const failedRun = () => {
  const report = sarif([]);
  return {
    ...report,
    runs: report.runs.map((run) => ({ ...run, invocations: [{ executionSuccessful: false }] })),
  };
};

/** References without scans become inactive. */
const after40Days = () => sweepTenant(server.db, tenant.id, new Date(Date.now() + 40 * 86400_000), 30);

async function scanVerdict(id: string) {
  const a = await admin.get<{ verdict: string; status: string }>(`/api/v1/acme/scans/${id}`);
  return a.body.verdict;
}

test('a report dated 4 minutes ahead does not make the next report of a bad commit pass as late', async () => {
  const repo = newRepository();
  await up(
    M,
    { repo, ref: 'main', sha: sha('a'), scanned_at: new Date(Date.now() + 4 * 60_000).toISOString() },
    clean(),
  );
  await up(M, { repo, ref: 'main', sha: sha('b') }, bad());
  assert.notEqual((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'pass');
});

test('a bad commit with scanned_at in the past does not pass', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, clean());
  await up(M, { repo, ref: 'main', sha: sha('b'), scanned_at: hoursAgo(1) }, bad());
  assert.notEqual((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'pass');
});

test('main blocks for everything even if an upload gives it a base', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, bad());
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
  await up(M, { repo, ref: 'evil', sha: sha('e') }, bad());
  await up(M, { repo, ref: 'main', sha: sha('a'), base_ref: 'evil', partial: 'true' }, clean());
  // A later trusted report, which names no base:
  await up(A, { repo, ref: 'main', sha: sha('c') }, bad());
  assert.equal((await gate({ repo, ref: 'main', sha: sha('c') })).verdict, 'block');
});

test('an upload does not move the default branch away from a policy about it', async () => {
  await apply(policyOf('on-default', `${factIs('is_default_branch', true)}, ${packageIs('dflt')}`));
  const repo = newRepository();
  await up(A, { repo, ref: 'main', sha: sha('a'), default_branch: 'main' }, low('dflt'));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
  await up(M, { repo, ref: 'other', sha: sha('b'), default_branch: 'other', partial: 'true' }, clean());
  assert.equal((await gate({ repo })).verdict, 'block');
  assert.equal((await gate({ repo, ref: 'main', sha: sha('a') })).verdict, 'block');
});

test('an upload does not change the environment that a policy is about', async () => {
  await apply(policyOf('prod', `${factIs('environment_key', 'production')}, ${packageIs('envy')}`));
  const repo = newRepository();
  await up(A, { repo, ref: 'main', sha: sha('a'), environment: 'production' }, low('envy'));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
  await up(
    M,
    {
      repo,
      ref: 'main',
      sha: sha('a'),
      environment: 'dev',
      partial: 'true',
      scanned_at: '1999-01-01T00:00:00Z',
    },
    clean(),
  );
  assert.equal((await gate({ repo, ref: 'main', sha: sha('a') })).verdict, 'block');
});

test('an upload does not rename a repository out of the organization of a rule', async () => {
  await apply(policyOf('org-rule', packageIs('orgy'), { rule: '{type: org, id: acme}' }));
  const repo = newRepository();
  const id = { repo_source: 'ghc', repo_external_id: '4711' };
  const s = await up(A, { repo, ref: 'main', sha: sha('a'), ...id }, low('orgy'));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
  await up(M, { repo: 'sandbox/x', ref: 'zzz', sha: sha('b'), ...id, partial: 'true' }, clean());
  await sweepViolations(server.db, tenant.id, new Date());
  assert.equal((await gate({ repo: s.repository.id, ref: 'main', sha: sha('a') })).verdict, 'block');
});

test('a repository with another external id takes the name, and the rule stays with the old one', async () => {
  const repo = newRepository();
  await up(A, { repo, ref: 'main', sha: sha('a'), repo_source: 'ghc', repo_external_id: '1' }, low('nm'));
  await apply(policyOf('repo-rule', packageIs('nm'), { rule: `{type: repo, id: ${repo}}` }));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
  const { id } = await up(
    M,
    { repo, ref: 'main', sha: sha('a'), repo_source: 'ghc', repo_external_id: '2' },
    low('nm'),
  );
  assert.equal((await gate({ repo, ref: 'main', sha: sha('a') })).verdict, 'block');
  const scan = await admin.get<{ warnings: string[] }>(`/api/v1/acme/scans/${id}`);
  assert.match(
    scan.body.warnings.join(),
    /^The report counts for a new repository, because another one has /,
  );
});

test('a member’s acceptance before a policy applies does not stop it from blocking later', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, trivy([vulnerable('later', 'HIGH')]));
  const [v] = await violations({ repo });
  await decide(member, 'accept', v?.target.id);
  await up(M, { repo, ref: 'main', sha: sha('b') }, trivy([vulnerable('later', 'CRITICAL')]));
  assert.equal((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'block');
});

test('a member’s rejection on a feature branch does not stop a policy about the default branch after the merge', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, clean());
  await up(M, { repo, ref: 'feature', sha: sha('b') }, low('dflt'));
  const [found] = await vulnerabilities(repo, { ref: 'feature' });
  await decide(member, 'reject', found?.id);
  await up(M, { repo, ref: 'main', sha: sha('c') }, low('dflt'));
  assert.equal((await gate({ repo, ref: 'main', sha: sha('c') })).verdict, 'block');
});

test('a snooze while the policy warns does not stop it from blocking later', async () => {
  const inMode = (mode: string) => policyOf('raising', packageIs('raise'), { mode });
  await apply(inMode('warn'));
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, low('raise'));
  const [v] = await violations({ repo });
  assert.equal(await decideViolation(member, 'snooze', v?.id), 200);
  await apply(inMode('block'));
  assert.equal((await gate({ repo, ref: 'main', sha: sha('a') })).verdict, 'block');
});

test('a member’s decision before a new policy is evaluated does not stop the block', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, low('gap'));
  const boss = await server.queue.open();
  await importTx(server.db, tenant.id, (tx) =>
    applyPolicies(tx, boss, parsePolicies(policyOf('gap', packageIs('gap'))), { actorId: null }),
  );
  const [found] = await vulnerabilities(repo);
  await decide(member, 'accept', found?.id);
  await evaluatePolicies(server.db, tenant.id);
  assert.equal((await gate({ repo, ref: 'main', sha: sha('a') })).verdict, 'block');
});

test('a member’s rejection of a secret does not stop the block once a tool has verified it', async () => {
  await apply(
    policyOf(
      'works',
      "{fact: type, operator: '==', value: secret}, {fact: confirmed, operator: '==', value: true}",
    ),
  );
  const repo = newRepository();
  const secret = (Verified: boolean) => ({
    SourceMetadata: { Data: { Filesystem: { file: 'src/key.js', line: 4 } } },
    DetectorName: 'Garden',
    Verified,
    Raw: 'gdn_Zx81Yw72Vu63Ts54',
  });
  await up(M, { repo, ref: 'main', sha: sha('a') }, secret(false));
  const [found] = await vulnerabilities(repo);
  await decide(member, 'reject', found?.id);
  assert.equal((await gate({ repo, ref: 'main', sha: sha('a') })).verdict, 'pass');
  await up(M, { repo, ref: 'main', sha: sha('b') }, secret(true));
  const open = await violations({ repo, status: 'open', policy: 'works' });
  assert.deepEqual(fieldOf(open, 'blocking'), [true]);
});

test('a second location that sorts first does not hide the path', async () => {
  await apply(
    policyOf(
      'not-tests',
      "{fact: package.name, operator: '==', value: paths}, {not: {fact: path, operator: matches, value: 'test/*'}}",
    ),
  );
  const repo = newRepository();
  const at = (...paths: string[]) => trivy(paths.map((path) => ({ ...vulnerable('paths', 'LOW'), path })));
  await up(M, { repo, ref: 'main', sha: sha('a') }, at('package-lock.json'));
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
  await up(M, { repo, ref: 'main', sha: sha('b') }, at('package-lock.json', 'test/package-lock.json'));
  assert.equal((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'block');
});

test('a second scan of the base commit by another tool does not change what the base had', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, clean());
  await up(M, { repo, ref: 'main', sha: sha('b') }, bad());
  const pr = { repo, ref: 'refs/pull/1/head', base_ref: 'main', base_sha: sha('a') };
  await up(M, { ...pr, sha: sha('c') }, bad());
  assert.equal((await gate({ repo, ref: pr.ref, sha: sha('c') })).verdict, 'block');
  await up(M, { repo, ref: 'main', sha: sha('a') }, sarif([]));
  assert.equal((await gate({ repo, ref: pr.ref, sha: sha('c') })).verdict, 'block');
});

test('a backdated first report of the pull request does not choose the time of the base', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a'), scanned_at: hoursAgo(100) }, bad());
  await up(M, { repo, ref: 'main', sha: sha('b'), scanned_at: hoursAgo(50) }, clean());
  const pr = { repo, ref: 'refs/pull/1/head', base_ref: 'main', base_sha: sha('d') };
  await up(M, { ...pr, sha: sha('c'), scanned_at: hoursAgo(80) }, bad());
  assert.equal((await gate({ repo, ref: pr.ref, sha: sha('c') })).verdict, 'block');
});

test('a backdated second report of the pull request does not choose the time of the base', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a'), scanned_at: hoursAgo(100) }, bad());
  await up(M, { repo, ref: 'main', sha: sha('b'), scanned_at: hoursAgo(50) }, clean());
  const pr = { repo, ref: 'refs/pull/1/head', base_ref: 'main', base_sha: sha('d') };
  await up(M, { ...pr, sha: sha('c') }, bad());
  assert.equal((await gate({ repo, ref: pr.ref, sha: sha('c') })).verdict, 'block');
  await up(M, { ...pr, sha: sha('c'), partial: 'true', scanned_at: hoursAgo(80) }, clean());
  assert.equal((await gate({ repo, ref: pr.ref, sha: sha('c') })).verdict, 'block');
});

test('a partial first report of the pull request does not choose the time of the base', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, bad());
  const pr = { repo, ref: 'refs/pull/1/head', base_ref: 'main', base_sha: sha('d') };
  await up(M, { ...pr, sha: sha('c'), partial: 'true' }, clean());
  await up(M, { repo, ref: 'main', sha: sha('b') }, clean());
  await up(M, { ...pr, sha: sha('c') }, bad());
  assert.equal((await gate({ repo, ref: pr.ref, sha: sha('c') })).verdict, 'block');
});

test('a partial report of the commit of the base does not choose what the base had', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, clean());
  await up(M, { repo, ref: 'main', sha: sha('b') }, bad());
  await up(M, { repo, ref: 'main', sha: sha('a'), partial: 'true' }, clean());
  const pr = { repo, ref: 'refs/pull/1/head', base_ref: 'main', base_sha: sha('a') };
  await up(M, { ...pr, sha: sha('c') }, bad());
  assert.equal((await gate({ repo, ref: pr.ref, sha: sha('c') })).verdict, 'block');
});

test('a gate does not pass because its branch becomes inactive', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, clean());
  await up(M, { repo, ref: 'feature', sha: sha('b') }, bad());
  assert.equal((await gate({ repo, ref: 'feature', sha: sha('b') })).verdict, 'block');
  await after40Days();
  assert.notEqual((await gate({ repo, ref: 'feature', sha: sha('b') })).verdict, 'pass');
});

test('the same commit under another reference does not change the gate by sha alone', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, bad());
  assert.equal((await gate({ repo, sha: sha('a') })).verdict, 'block');
  await up(M, { repo, ref: 'mine', sha: sha('a'), base_ref: 'main', base_sha: sha('a') }, bad());
  assert.equal((await gate({ repo, sha: sha('a') })).verdict, 'block');
});

test('the gate by sha alone counts all references: a block on one is not hidden by the tool of another', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, sarif([]));
  await up(M, { repo, ref: 'feature', sha: sha('a') }, bad());
  assert.equal((await gate({ repo, ref: 'main', sha: sha('a') })).verdict, 'pass');
  const g = await gate({ repo, sha: sha('a'), expect: 'trivy' });
  assert.equal(g.verdict, 'block');
  assert.equal(g.reference?.ref, 'feature', 'the reference that decides is shown');
  assert.equal(g.violations.length, 1);
  await up(A, { repo, ref: 'main', sha: sha('a') }, sarif([]));
  const { page, scans } = await gate({ repo, sha: sha('a') });
  assert.deepEqual(
    scans.filter(({ id }) => page?.endsWith(id)).map(({ reference }) => reference.ref),
    ['feature'],
    'its page is that of a scan of this reference',
  );
  assert.deepEqual(g.missing, [], 'a tool may have scanned the commit on another reference');
  await up(M, { repo, ref: 'feature', sha: sha('b') }, clean());
  assert.equal((await gate({ repo, sha: sha('a') })).verdict, 'block', 'also after the next commit');
  await up(
    M,
    { repo, ref: 'docs', sha: sha('a') },
    openvex([{ id: 'CVE-2031-1', status: 'affected' }], null),
  );
  assert.equal((await gate({ repo, sha: sha('a') })).verdict, 'block', 'a document is no scan of the commit');
});

test('the gate by sha alone has no verdict while a run on another reference has failed or waits', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, clean());
  assert.equal((await gate({ repo, sha: sha('a') })).verdict, 'pass');
  await up(M, { repo, ref: 'feature', sha: sha('a') }, failedRun());
  assert.equal((await gate({ repo, sha: sha('a') })).verdict, null);
  await up(M, { repo, ref: 'feature', sha: sha('a') }, sarif([]));
  assert.equal((await gate({ repo, sha: sha('a') })).verdict, 'pass');
  await up(M, { repo, ref: 'other', sha: sha('a') }, clean(), false);
  const g = await gate({ repo, sha: sha('a') });
  assert.deepEqual([g.status, g.verdict], ['queued', null]);
});

test('a block that is stored with a scan of an inactive reference is not hidden by a clean report of another', async () => {
  const repo = newRepository();
  await up(A, { repo, ref: 'main', sha: sha('f') }, clean());
  await up(A, { repo, ref: 'old', sha: sha('a') }, bad());
  await up(A, { repo, ref: 'merged', sha: sha('b') }, clean());
  await after40Days();
  assert.equal((await gate({ repo, sha: sha('a') })).verdict, 'block');
  await up(M, { repo, ref: 'fresh', sha: sha('a') }, sarif([]));
  const g = await gate({ repo, sha: sha('a') });
  assert.deepEqual(
    [g.verdict, g.reference?.ref, g.superseded, g.violations.length],
    ['block', 'old', true, 1],
  );
  await up(M, { repo, ref: 'old', sha: sha('a') }, sarif([]));
  assert.equal((await gate({ repo, sha: sha('a') })).verdict, 'block', 'also after it is active again');
  assert.equal((await gate({ repo, sha: sha('b') })).verdict, null, 'a stored pass alone is no verdict');
  await up(A, { repo, ref: 'main', sha: sha('b') }, clean());
  assert.equal((await gate({ repo, sha: sha('b') })).verdict, 'pass', 'as after the merge of a branch');
  await up(A, { repo, ref: 'broken', sha: sha('b') }, failedRun());
  await after40Days();
  assert.equal((await gate({ repo, sha: sha('b') })).verdict, null, 'a run failed there');
});

test('a commit on more references than the gate reads is refused: nobody pushes out the one that blocks', async () => {
  const repo = newRepository();
  const { repositoryId } = await up(M, { repo, ref: 'feature', sha: sha('a') }, bad());
  await server.owner.query(
    `insert into reference (tenant_id, id, repository_id, full_ref, type)
     select $1, gen_random_uuid(), $2, 'refs/heads/branch-' || n, 'branch' from generate_series(1, 20) n`,
    [tenant.id, repositoryId],
  );
  await server.owner.query(
    `insert into scan (tenant_id, id, repository_id, reference_id, sha, format, status, scanned_at, digest, content_digest)
     select tenant_id, gen_random_uuid(), repository_id, id, $3, 'trivy', 'queued', now(), '', ''
       from reference where tenant_id = $1 and repository_id = $2 and starts_with(full_ref, 'refs/heads/branch-')`,
    [tenant.id, repositoryId, sha('a')],
  );
  const refused = await member.get(`/api/v1/acme/gate${queryOf({ repo, sha: sha('a') })}`);
  assert.equal(refused.status, 422, refused.text);
  assert.match(refused.text, /name one with ref/);
  assert.equal((await gate({ repo, ref: 'feature', sha: sha('a') })).verdict, 'block');
  await server.owner.query(
    `delete from scan where repository_id = $1
        and reference_id = (select id from reference where repository_id = $1 and full_ref = 'refs/heads/branch-1')`,
    [repositoryId],
  );
  assert.equal((await gate({ repo, sha: sha('a') })).verdict, null);
});

test('a report about another commit does not keep a gate green after its exception is withdrawn', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, clean());
  const pr = { repo, ref: 'refs/pull/1/head', base_ref: 'main', base_sha: sha('a') };
  await up(M, { ...pr, sha: sha('b') }, bad());
  const [{ id = '' } = {}] = await violations({ repo, ref: pr.ref });
  const path = await except(id);
  await up(M, { ...pr, sha: sha('c') }, bad());
  const verdicts = async () => {
    const state = await admin.get<{ verdict: string }>(
      `/api/v1/acme/scans/status${queryOf({ repo, sha: sha('b') })}`,
    );
    return [(await gate({ repo, ref: pr.ref, sha: sha('b') })).verdict, state.body.verdict];
  };
  assert.deepEqual(await verdicts(), ['pass', 'pass']);
  assert.equal((await admin.post(`${path}/withdraw`, { reason: 'Not so.' })).status, 200);
  assert.deepEqual(await verdicts(), ['block', 'block']);
});

test('an exempt violation does not count at an older commit', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, bad());
  const pr = { repo, ref: 'refs/pull/1/head', base_ref: 'main', base_sha: sha('a') };
  await up(M, { ...pr, sha: sha('b') }, bad());
  await up(M, { ...pr, sha: sha('c') }, clean());
  const older = { repo, ref: pr.ref, sha: sha('b'), all: 'true' };
  assert.equal((await gate(older)).verdict, 'block');
  await except((await violations({ repo }))[0]?.id);
  const { verdict, superseded } = await gate(older);
  assert.deepEqual([verdict, superseded], ['pass', true]);
});

test('an older commit blocks again when an exception ends under which its violation has left the pull request', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, bad());
  const ref = 'refs/pull/1/head';
  await up(M, { repo, ref, sha: sha('b') }, bad());
  const path = await except((await violations({ repo }))[0]?.id);
  await up(M, { repo, ref, sha: sha('c') }, clean());
  const older = { repo, ref, sha: sha('b'), all: 'true' };
  assert.equal((await gate(older)).verdict, 'pass');
  assert.equal((await admin.post(`${path}/withdraw`, { reason: 'Not so.' })).status, 200);
  assert.equal((await gate(older)).verdict, 'block');
});

test('an older commit still blocks after main has fixed the violation that left the pull request while it was exempt', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, bad());
  const ref = 'refs/pull/1/head';
  await up(M, { repo, ref, sha: sha('b') }, bad());
  const path = await except((await violations({ repo }))[0]?.id);
  await up(M, { repo, ref, sha: sha('c') }, clean());
  succeeded(await admin.post(`${path}/withdraw`, { reason: 'Not so.' }));
  const older = { repo, ref, sha: sha('b'), all: 'true' };
  assert.equal((await gate(older)).verdict, 'block');
  await up(M, { repo, ref: 'main', sha: sha('d') }, clean());
  const { verdict, violations: shown } = await gate(older);
  assert.deepEqual([verdict, shown.map(({ blocking }) => blocking)], ['block', [true]]);
});

test('an older commit passes after main has fixed a violation that was exempt at its end', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, bad());
  const pr = { repo, ref: 'refs/pull/1/head', base_ref: 'main', base_sha: sha('a') };
  await up(M, { ...pr, sha: sha('b') }, bad());
  await up(M, { ...pr, sha: sha('c') }, clean());
  const older = { repo, ref: pr.ref, sha: sha('b'), all: 'true' };
  assert.equal((await gate(older)).verdict, 'block');
  await except((await violations({ repo }))[0]?.id);
  assert.equal((await gate(older)).verdict, 'pass');
  await up(M, { repo, ref: 'main', sha: sha('d') }, clean());
  assert.equal((await gate(older)).verdict, 'pass');
});

test('a pull request is compared with nothing once its base was the default branch of a repository that has ended', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, bad());
  const references = await admin.get<{ items: { id: string }[] }>(`/api/v1/acme/references?repo=${repo}`);
  const main = `/manage/v1/acme/references/${references.body.items[0]?.id}`;
  assert.equal((await admin.patch(main, { deleted: true })).status, 200);
  const pr = { repo, ref: 'refs/pull/1/head', base_ref: 'main', base_sha: sha('a'), sha: sha('b') };
  const { id } = await up(M, pr, bad());
  const { verdict, base } = await gate({ repo, ref: pr.ref, sha: pr.sha });
  assert.deepEqual([verdict, base?.state, await scanVerdict(id)], ['block', 'missing', 'block']);
  const repository = `/manage/v1/acme/repositories/${encodeURIComponent(repo)}`;
  assert.equal((await admin.patch(repository, { default_branch: 'main' })).status, 200);
  const again = await gate({ repo, ref: pr.ref, sha: pr.sha });
  assert.equal(
    await scanVerdict(id),
    again.verdict,
    'the stored verdict is that of the gate once the base is active',
  );
  assert.equal(again.verdict, 'pass');
});

test('an older commit of a pull request has the same verdict as its list of violations', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, bad());
  const pr = { repo, ref: 'refs/pull/1/head', base_ref: 'main', base_sha: sha('a') };
  await up(M, { ...pr, sha: sha('b') }, bad());
  await up(M, { ...pr, sha: sha('c') }, bad());
  const g = await gate({ repo, ref: pr.ref, sha: sha('b') });
  assert.equal(g.summary.blocking, 0);
});

test('the stored verdict is that of the gate when the base is scanned later', async () => {
  const repo = newRepository();
  const pr = { repo, ref: 'refs/pull/1/head', base_ref: 'main', base_sha: sha('a') };
  const s = await up(M, { ...pr, sha: sha('b') }, bad());
  await up(M, { repo, ref: 'main', sha: sha('a') }, bad());
  const g = await gate({ repo, ref: pr.ref, sha: sha('b') });
  assert.equal(await scanVerdict(s.id), g.verdict);
});

test('a late report does not move the base back', async () => {
  const repo = newRepository();
  await up(M, { repo, ref: 'main', sha: sha('a') }, bad());
  await up(M, { repo, ref: 'main', sha: sha('b') }, clean());
  const pr = { repo, ref: 'refs/pull/1/head', base_ref: 'main' };
  await up(M, { ...pr, base_sha: sha('b'), sha: sha('d') }, bad());
  assert.equal((await gate({ repo, ref: pr.ref, sha: sha('d') })).verdict, 'block');
  await up(M, { ...pr, base_sha: sha('a'), sha: sha('c'), scanned_at: hoursAgo(1) }, bad());
  assert.equal((await gate({ repo, ref: pr.ref, sha: sha('d') })).verdict, 'block');
});

/**
 * Tests of code and secrets that take the place of decided ones: a decision, an exception and a snooze cover only what
 * the default branch has shown.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { policyOf } from '../support/policies.ts';
import { type CodeResult, sarif } from '../support/reports.ts';
import { gitleaks, trivySecrets } from '../support/scanner-reports.ts';
import { createUploadWorkspace, sha } from './upload-workspace.ts';

const W = await createUploadWorkspace(
  policyOf('no-leaks', '{fact: type, operator: in, value: [sast, iac, secret]}'),
);
const {
  gate,
  vulnerabilities,
  onlyVulnerability,
  decide,
  upload: up,
  newRepository,
  memberKey: M,
  adminKey: A,
} = W;

const dummy: CodeResult = { rule: 'eval', path: 'src/a.ts', line: 10, code: 'eval("1 + 1")' };
const evilCode = 'eval(request.body.expression)';
const evil: CodeResult = { ...dummy, code: evilCode };

const { code: _, ...dummyWithoutCode }: CodeResult = dummy;
const fingerprint = 'ab'.repeat(20);

/** The question to the gate about an upload. */
const asked = ({
  base_sha: _,
  ...upload
}: {
  repo: string;
  ref: string;
  sha: string;
  base_ref: string;
  base_sha: string;
}) => upload;

/** A repository whose default branch shows only this, and an admin has rejected it. */
async function rejected(...reports: object[]) {
  const repo = newRepository();
  for (const report of reports) await up(A, { repo, ref: 'main', sha: sha('a') }, report);
  const { id } = await onlyVulnerability(repo);
  await decide(W.client, 'reject', id);
  assert.equal((await gate({ repo, ref: 'main', sha: sha('a') })).verdict, 'pass');
  const main = { repo, ref: 'main', sha: sha('e') };
  const pull = { repo, ref: 'refs/pull/7/merge', sha: sha('b'), base_ref: 'main', base_sha: sha('a') };
  const mainVerdict = async (report: object) => {
    await up(A, main, report);
    return (await gate(main)).verdict;
  };
  return { repo, id, pull, mainVerdict };
}

test('code that is edited in its line is a new vulnerability after a decision', async () => {
  const { repo, id, mainVerdict } = await rejected(sarif([dummy]));
  assert.equal(await mainVerdict(sarif([evil])), 'block');
  const open = (await vulnerabilities(repo, { state: 'open' })).map((row) => row.id);
  assert.equal(open.length, 1);
  assert.notEqual(open[0], id);
});

test('code that is edited in its line is a new vulnerability after an exception', async () => {
  const repo = newRepository();
  await up(A, { repo, ref: 'main', sha: sha('a') }, sarif([dummy]));
  const blocked = await gate({ repo, ref: 'main', sha: sha('a') });
  await W.except(blocked.violations[0]?.id);
  assert.equal((await gate({ repo, ref: 'main', sha: sha('a') })).verdict, 'pass');
  await up(A, { repo, ref: 'main', sha: sha('e') }, sarif([evil]));
  assert.equal((await gate({ repo, ref: 'main', sha: sha('e') })).verdict, 'block');
});

test('code that moves, with or without its text, keeps the decision', async () => {
  const { mainVerdict } = await rejected(sarif([dummy]));
  assert.equal(await mainVerdict(sarif([{ ...dummy, line: 200 }])), 'pass');
  assert.equal(await mainVerdict(sarif([{ ...dummy, path: 'src/b.ts' }])), 'pass');
  assert.equal(await mainVerdict(sarif([{ ...dummyWithoutCode, path: 'src/b.ts' }])), 'pass');
  assert.equal(await mainVerdict(sarif([{ ...dummyWithoutCode, path: 'src/b.ts', line: 40 }])), 'pass');
});

test('edited code with the same fingerprint is a new vulnerability after a decision', async () => {
  const { mainVerdict } = await rejected(sarif([{ ...dummy, fingerprint }]));
  assert.equal(await mainVerdict(sarif([{ ...dummy, fingerprint, line: 11 }])), 'pass');
  assert.equal(await mainVerdict(sarif([{ ...evil, fingerprint }])), 'block');
});

test('code that another report shows without its text or under another fingerprint does not cover edited code', async () => {
  const { repo, mainVerdict } = await rejected(sarif([dummy]));
  const other = { repo, ref: 'main', category: 'other' };
  const steps: CodeResult[] = [
    dummyWithoutCode,
    { ...dummyWithoutCode, line: 40 },
    { ...dummy, fingerprint },
  ];
  for (const step of [...steps, { ...evil, fingerprint }, dummy]) await up(M, other, sarif([step]));
  assert.equal(await mainVerdict(sarif([dummy])), 'pass');
  assert.equal(await mainVerdict(sarif([evil])), 'block');
});

test('code without its text in reports is covered by its fingerprint', async () => {
  const print = 'ef'.repeat(20);
  const { pull, mainVerdict } = await rejected(sarif([{ ...dummyWithoutCode, fingerprint }]));
  for (const step of [dummyWithoutCode, { ...dummyWithoutCode, fingerprint: print }]) {
    await up(M, pull, sarif([step]));
  }
  assert.equal(await mainVerdict(sarif([{ ...dummyWithoutCode, line: 300, fingerprint: print }])), 'block');
  assert.equal(await mainVerdict(sarif([{ ...dummyWithoutCode, line: 300, fingerprint }])), 'pass');
});

test('code that was decided on a pull request covers no other code there, nor after the merge', async () => {
  const repo = newRepository();
  await up(A, { repo, ref: 'main', sha: sha('a') }, sarif([]));
  const pull = { repo, ref: 'refs/pull/7/merge', sha: sha('b'), base_ref: 'main', base_sha: sha('a') };
  await up(A, pull, sarif([dummy]));
  const { id } = await onlyVulnerability(repo);
  await decide(W.client, 'reject', id);
  assert.equal((await gate(asked(pull))).verdict, 'pass');
  for (const step of [{ ...dummy, fingerprint }, { ...evil, fingerprint }, dummyWithoutCode]) {
    await up(M, pull, sarif([step]));
  }
  await up(M, { ...pull, ref: 'refs/pull/8/merge' }, sarif([dummyWithoutCode]));
  for (const ref of ['refs/pull/7/merge', 'refs/pull/8/merge']) {
    await up(A, { ...pull, ref }, sarif([evil]));
    assert.equal((await gate(asked({ ...pull, ref }))).verdict, 'block');
  }
  const main = { repo, ref: 'main', sha: sha('e') };
  await up(A, main, sarif([evil]));
  assert.equal((await gate(main)).verdict, 'block');
});

test('decided code that moves to another file keeps its decision, although other code of the rule is near its line', async () => {
  const { repo, mainVerdict } = await rejected(sarif([dummy]));
  await mainVerdict(
    sarif([
      { ...dummy, path: 'src/b.ts' },
      { ...evil, line: 12 },
    ]),
  );
  const states = (await vulnerabilities(repo)).map((row) => row.status).sort();
  assert.deepEqual(states, ['open', 'rejected']);
});

test('a pull request that edits decided code is blocked, and so is its merge', async () => {
  const { pull, mainVerdict } = await rejected(sarif([dummy]));
  await up(M, pull, sarif([evil]));
  assert.equal((await gate(asked(pull))).verdict, 'block');
  assert.equal(await mainVerdict(sarif([evil])), 'block');
});

const elsewhere: CodeResult = { ...evil, path: 'src/evil.ts', line: 7 };
for (const [title, steps] of [
  ['that has edited it', [dummy, evil, elsewhere]],
  ['that leaves its text out', [dummy, dummyWithoutCode, evil, elsewhere]],
  [
    'that gives it a fingerprint',
    [{ ...dummy, fingerprint: 'cd'.repeat(20) }, { ...evil, fingerprint: 'cd'.repeat(20) }, elsewhere],
  ],
  [
    'that moves it under the fingerprint of the new code',
    [{ ...dummy, path: 'src/evil.ts', fingerprint: 'ef'.repeat(20) }],
  ],
] as const) {
  test(`a pull request ${title} brings no other code under the decision when the decided code goes`, async () => {
    const { pull, mainVerdict } = await rejected(sarif([dummy]));
    for (const step of steps) await up(M, pull, sarif([step]));
    assert.equal(await mainVerdict(sarif([{ ...elsewhere, fingerprint: 'ef'.repeat(20) }])), 'block');
    assert.equal(await mainVerdict(sarif([elsewhere])), 'block');
  });
}

const secretOf = (mark: string) => `k${`${mark}xW9`.repeat(8)}`;
const leaked = (secret: string) =>
  gitleaks([{ path: 'app.env', line: 3, secret, text: `API_KEY=${secret}` }]);
const masked = (text = 'API_KEY=****', line = 3) => trivySecrets([{ path: 'app.env', line, masked: text }]);

test('a rotated secret is a new vulnerability, although another tool shows the line masked', async () => {
  const { mainVerdict } = await rejected(leaked(secretOf('1')), masked());
  assert.equal(await mainVerdict(leaked(secretOf('2'))), 'block');
});

test('a secret that a tool masks in another way is a new vulnerability, although another tool shows it bare', async () => {
  const { mainVerdict } = await rejected(leaked(secretOf('1')), masked());
  assert.equal(await mainVerdict(masked('PASSWORD=****')), 'block');
});

test('a bare secret in the line of a masked one that is decided is a new vulnerability', async () => {
  const { repo, pull, mainVerdict } = await rejected(masked());
  await up(M, pull, masked('API_KEY=****', 90));
  const pulled = gitleaks([{ path: 'app.env', line: 90, secret: secretOf('3'), text: 'K=' }]);
  await up(M, pull, pulled);
  assert.equal((await gate(asked(pull))).verdict, 'block');
  assert.equal(await mainVerdict(pulled), 'block');
  assert.equal((await vulnerabilities(repo)).length, 2);
});

test('a report that gives a rule another type gives no other type to what honest reports show', async () => {
  const repo = newRepository();
  const typed = (name: string) => {
    const report = sarif([{ rule: 'AVD-AWS-0001', path: 'main.tf', line: 4, code: 'acl = "public"' }], {
      tool: 'Trivy',
    });
    const [run] = report.runs;
    return {
      ...report,
      runs: [{ ...run, tool: { driver: { ...run?.tool.driver, rules: [{ id: 'AVD-AWS-0001', name }] } } }],
    };
  };
  await up(A, { repo, ref: 'main', sha: sha('a') }, sarif([]));
  const pull = { repo, ref: 'refs/pull/7/merge', sha: sha('b'), base_ref: 'main', base_sha: sha('a') };
  await up(M, pull, typed('License'));
  await up(M, pull, typed('Misconfiguration'));
  assert.equal((await gate(asked(pull))).verdict, 'block');
  const main = { repo, ref: 'main', sha: sha('e') };
  await up(A, main, typed('Misconfiguration'));
  assert.equal((await gate(main)).verdict, 'block');
});

test('a bare secret that a pull request has joined with a masked one is not covered in another file', async () => {
  const repo = newRepository();
  await up(A, { repo, ref: 'main', sha: sha('a') }, masked());
  const { id } = await onlyVulnerability(repo);
  const pull = { repo, ref: 'refs/pull/7/merge', sha: sha('b'), base_ref: 'main', base_sha: sha('a') };
  await up(M, pull, masked());
  await up(M, pull, leaked(secretOf('4')));
  assert.equal((await vulnerabilities(repo)).length, 1);
  await decide(W.client, 'reject', id);
  const main = { repo, ref: 'main', sha: sha('e') };
  const report = gitleaks([{ path: 'prod.env', line: 1, secret: secretOf('4'), text: 'K=' }]);
  await up(A, main, report);
  assert.equal((await gate(main)).verdict, 'block');
});

test('a report that says of a package of the code that it is of the system gives no other type to honest reports', async () => {
  const repo = newRepository();
  const shown = (name: string) => {
    const message =
      'Package: leaky\nInstalled Version: 1.0.0\nVulnerability CVE-2031-7777\nSeverity: CRITICAL';
    const report = sarif([{ rule: 'CVE-2031-7777', path: 'package-lock.json', line: 1, message }], {
      tool: 'Trivy',
    });
    const [run] = report.runs;
    const rules = [{ id: 'CVE-2031-7777', name, properties: { purls: ['pkg:npm/leaky@1.0.0'] } }];
    return { ...report, runs: [{ ...run, tool: { driver: { ...run?.tool.driver, rules } } }] };
  };
  for (const name of ['OsPackageVulnerability', 'LanguageSpecificPackageVulnerability']) {
    await up(M, { repo, ref: 'main', sha: sha('a'), category: name }, shown(name));
  }
  const { body } = await W.client.get<{ items: { type: string }[] }>(
    `/api/v1/acme/vulnerabilities?repo=${repo}`,
  );
  assert.deepEqual(
    body.items.map(({ type }) => type),
    ['dependency'],
  );
});

test('a member who reopens a vulnerability, shows other code there and undoes the action gets no decision about that code', async () => {
  const { id, mainVerdict } = await rejected(sarif([dummy]));
  await decide(W.member, 'reopen', id);
  assert.equal(await mainVerdict(sarif([evil])), 'block');
  const undo = { action: 'undo', vulnerabilities: [{ id }] };
  await W.member.post('/manage/v1/acme/vulnerabilities/decisions', undo);
  assert.equal(await mainVerdict(sarif([evil])), 'block');
});

test('code that another category of the default branch shows in the line of known code is another vulnerability', async () => {
  const repo = newRepository();
  const main = { repo, ref: 'main', sha: sha('a') };
  await up(A, main, sarif([dummy]));
  const { id } = await onlyVulnerability(repo);
  await up(M, { ...main, category: 'other' }, sarif([evil]));
  await decide(W.client, 'reject', id);
  await up(A, { ...main, sha: sha('b') }, sarif([evil]));
  assert.equal((await gate({ repo, ref: 'main', sha: sha('b') })).verdict, 'block');
});

test('a secret that was joined with a decided one is a vulnerability of its own in each further file', async () => {
  const repo = newRepository();
  const main = { repo, ref: 'main', sha: sha('a') };
  await up(A, main, masked());
  await up(A, main, leaked(secretOf('5')));
  await decide(W.client, 'reject', (await onlyVulnerability(repo)).id);
  const inFiles = (...paths: string[]) =>
    gitleaks(paths.map((path) => ({ path, line: 3, secret: secretOf('5'), text: 'API_KEY=' })));
  await up(A, main, inFiles('app.env', 'b.env'));
  const [open, ...others] = await vulnerabilities(repo, { state: 'open' });
  assert.deepEqual([open === undefined, others.length], [false, 0]);
  await decide(W.client, 'reject', open?.id);
  await up(A, main, inFiles('app.env', 'b.env', 'c.env'));
  const states = (await vulnerabilities(repo)).map((row) => row.status).sort();
  assert.deepEqual(states, ['open', 'rejected', 'rejected']);
  await up(A, main, inFiles('app.env', 'b.env', 'c.env'));
  await up(A, { ...main, ref: 'release' }, inFiles('app.env', 'b.env', 'c.env'));
  assert.equal((await vulnerabilities(repo)).length, 3);
});

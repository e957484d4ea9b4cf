/**
 * Tests of attacks with names of advisories and with VEX documents: a report that calls a new problem another name of a
 * decided one never turns a gate green, and no suggestion replaces a document that may decide.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf, walk } from '../support/client.ts';
import { openvex, osvScanner } from '../support/scanner-reports.ts';
import { createTestKey } from '../support/workspace.ts';
import { createUploadWorkspace, newCase } from './upload-workspace.ts';

const W = await createUploadWorkspace();
const { server, people, gate, violations, client: admin, member, upload, adminKey, verdictOf } = W;
/** This key may upload, and decide nothing. */
const { key: uploadKey } = await createTestKey(server, {
  userId: people.member.user.id,
  role: 'member',
  scopes: ['scans:read', 'scans:write'],
});
const manage = '/manage/v1/acme';

async function onlyVulnerability(repo: string): Promise<{ id: string; status: string }> {
  const { body } = await admin.get<{ items: { id: string; status: string }[] }>(
    `/api/v1/acme/vulnerabilities?repo=${encodeURIComponent(repo)}`,
  );
  assert.equal(body.items.length, 1, JSON.stringify(body.items));
  return body.items[0] ?? { id: '', status: '' };
}

async function reject(repo: string): Promise<void> {
  const { id } = await onlyVulnerability(repo);
  const answer = await admin.post(`${manage}/vulnerabilities/decisions`, {
    action: 'reject',
    vulnerabilities: [{ id }],
    reason: 'Not reachable.',
  });
  assert.equal(answer.status, 200, answer.text);
}

for (const [where, otherRepository] of [
  ['to another repository', 'acme/elsewhere'],
  ['to the same repository', null],
] as const) {
  test(`a name taught ${where} after the decision joins a vulnerability that blocks until a person decides again`, async () => {
    const { repo, cve, ghsa, advisory } = newCase();
    await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
    await reject(repo);
    assert.equal(await verdictOf(repo), 'pass');
    const poison = osvScanner([{ ...advisory(cve, [ghsa]), package: 'anything' }]);
    await upload(uploadKey, { repo: otherRepository ?? repo, ref: 'main', partial: 'true' }, poison);
    await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve), advisory(ghsa)]));
    assert.equal(await verdictOf(repo), 'block');
    if (otherRepository !== null) return;
    // The two are joined, and the old decision is shown. It counts again once an admin has seen both and decides.
    const joined = (
      await admin.get<{ items: { id: string; title: string }[] }>(
        `/api/v1/acme/vulnerabilities?repo=${encodeURIComponent(repo)}&state=rejected`,
      )
    ).body.items;
    assert.equal(joined.length, 1);
    const { body } = await admin.get<{
      joined_names: { name: string }[];
      decision_overrides_policy: boolean;
    }>(`/api/v1/acme/vulnerabilities/${joined[0]?.id}`);
    assert.deepEqual(
      [body.joined_names.map(({ name }) => name), body.decision_overrides_policy],
      [[ghsa], false],
    );
    const again = await admin.post(`${manage}/vulnerabilities/decisions`, {
      action: 'reject',
      vulnerabilities: [{ id: joined[0]?.id }],
      reason: 'Neither is reachable.',
    });
    assert.equal(again.status, 200, again.text);
    const open = (await violations({ repo })).filter(({ status, target }) => {
      return status === 'open' && target.id === joined[0]?.id;
    });
    assert.deepEqual(open, [], 'the decision binds again');
  });
}

test('a decision does not cover a name that a key without decisions taught before it', async () => {
  const { repo, cve, ghsa, advisory } = newCase();
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
  const poison = osvScanner([{ ...advisory(cve, [ghsa]), package: 'anything' }]);
  await upload(uploadKey, { repo, ref: 'side', partial: 'true' }, poison);
  const { body } = await admin.get<{ items: { id: string; location: { path: string } }[] }>(
    `/api/v1/acme/vulnerabilities?repo=${encodeURIComponent(repo)}&ref=main`,
  );
  await admin.post(`${manage}/vulnerabilities/decisions`, {
    action: 'reject',
    vulnerabilities: [{ id: body.items[0]?.id }],
    reason: 'Not reachable.',
  });
  assert.equal(await verdictOf(repo), 'pass');
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve), advisory(ghsa)]));
  assert.equal(await verdictOf(repo), 'block');
});

test('a decision covers a name that a key which may decide taught before it, in the whole workspace', async () => {
  const { repo, cve, ghsa, advisory } = newCase();
  const teach = osvScanner([{ ...advisory(cve, [ghsa]), package: 'anything' }]);
  await upload(adminKey, { repo: 'acme/teacher', ref: 'main', partial: 'true' }, teach);
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
  await reject(repo);
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve), advisory(ghsa)]));
  assert.equal((await onlyVulnerability(repo)).status, 'rejected');
  assert.equal(await verdictOf(repo), 'pass');
});

for (const [what, cover, known] of [
  ['an exception', except, 'cve'],
  ['a snooze', snooze, 'cve'],
  ['an exception of the other name', except, 'ghsa'],
  ['a snooze of the other name', snooze, 'ghsa'],
] as const) {
  test(`a name taught after ${what} joins a violation that blocks until an admin has seen both`, async () => {
    const { repo, cve, ghsa, advisory } = newCase();
    await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(known === 'cve' ? cve : ghsa)]));
    await cover(repo);
    assert.equal(await verdictOf(repo), cover === snooze ? 'warn' : 'pass');
    const poison = osvScanner([{ ...advisory(cve, [ghsa]), package: 'anything' }]);
    await upload(uploadKey, { repo, ref: 'side', partial: 'true' }, poison);
    await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve), advisory(ghsa)]));
    assert.equal(await verdictOf(repo), 'block');
    await cover(repo);
    await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(ghsa), advisory(cve)]));
    assert.notEqual(await verdictOf(repo), 'block', 'it covers both now');
  });
}

async function onlyViolation(repo: string): Promise<string> {
  const [only, ...others] = await violations({ repo, ref: 'main', status: 'open' });
  assert.deepEqual(others, []);
  return only?.id ?? '';
}

async function except(repo: string): Promise<void> {
  const requested = await member.post<{ items: { id: string }[] }>(`${manage}/exceptions`, {
    violations: [await onlyViolation(repo)],
    reason: 'Not reachable.',
  });
  const path = `${manage}/exceptions/${requested.body.items[0]?.id}/review`;
  const answer = await admin.post(path, { decision: 'approve' });
  assert.equal(answer.status, 200, answer.text);
}

async function snooze(repo: string): Promise<void> {
  const answer = await admin.post(`${manage}/policy-violations/decisions`, {
    action: 'snooze',
    violations: [{ id: await onlyViolation(repo) }],
    until: new Date(Date.now() + 5 * 86_400_000).toISOString(),
    reason: 'Next week.',
  });
  assert.equal(answer.status, 200, answer.text);
}

test('a VEX document decides about the name that it has, and not about others by a taught name', async () => {
  const { repo, cve, ghsa, advisory } = newCase();
  const purl = 'pkg:npm/leaky';
  const document = openvex([{ status: 'not_affected', purl, id: ghsa }], new Date('2026-01-01T00:00:00Z'));
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(ghsa)]));
  await upload(adminKey, { repo, ref: 'main' }, document);
  assert.equal(await verdictOf(repo), 'pass');
  // The report calls the new problem by the decided name. Its own report does not.
  await upload(
    uploadKey,
    { repo, ref: 'side', partial: 'true' },
    osvScanner([{ ...advisory(cve, [ghsa]), package: 'x' }]),
  );
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(ghsa), advisory(cve)]));
  assert.equal(await verdictOf(repo), 'block');
  const later = newCase();
  await upload(adminKey, { repo: later.repo, ref: 'main' }, osvScanner([]));
  await upload(
    uploadKey,
    { repo: later.repo, ref: 'side', partial: 'true' },
    osvScanner([{ ...later.advisory(later.cve, [later.ghsa]), package: 'x' }]),
  );
  await upload(
    adminKey,
    { repo: later.repo, ref: 'main' },
    openvex([{ status: 'not_affected', purl, id: later.ghsa }], new Date('2026-01-01T00:00:00Z')),
  );
  await upload(adminKey, { repo: later.repo, ref: 'main' }, osvScanner([later.advisory(later.cve)]));
  assert.equal(await verdictOf(later.repo), 'block', 'the name was taught before the document came');
});

test('a suggestion dated in the future does not keep out a document that may decide', async () => {
  const { repo, cve, advisory } = newCase();
  const purl = 'pkg:npm/leaky';
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
  const ahead = new Date(Date.now() + 365 * 24 * 3600 * 1000);
  await upload(uploadKey, { repo, ref: 'main' }, openvex([{ status: 'affected', purl, id: cve }], ahead));
  await upload(
    adminKey,
    { repo, ref: 'main' },
    openvex([{ status: 'not_affected', purl, id: cve }], new Date('2026-01-01T00:00:00Z')),
  );
  assert.equal((await onlyVulnerability(repo)).status, 'rejected');
  await upload(uploadKey, { repo, ref: 'main' }, openvex([{ status: 'affected', purl, id: cve }], ahead));
  assert.equal((await onlyVulnerability(repo)).status, 'rejected', 'nor does it take its place');
});

test('a document dated in the future counts as of now, and a later one replaces it', async () => {
  const { repo, cve, advisory } = newCase();
  const purl = 'pkg:npm/leaky';
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
  const ahead = new Date(Date.now() + 365 * 24 * 3600 * 1000);
  await upload(adminKey, { repo, ref: 'main' }, openvex([{ status: 'not_affected', purl, id: cve }], ahead));
  assert.equal(await verdictOf(repo), 'pass');
  await upload(adminKey, { repo, ref: 'main' }, openvex([{ status: 'affected', purl, id: cve }], new Date()));
  assert.equal(await verdictOf(repo), 'block');
});

test('an undo restores a decision with its time, so that it covers no name that was taught since', async () => {
  const { repo, cve, ghsa, advisory } = newCase();
  const { key } = await createTestKey(server, {
    userId: people.member.user.id,
    role: 'member',
    scopes: ['vulnerabilities:read', 'vulnerabilities:write'],
  });
  const member = clientOf(server.app, key);
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
  await reject(repo);
  // An admin's key teaches the name, so it counts from now on wherever it joins something.
  await upload(
    adminKey,
    { repo: 'acme/elsewhere', ref: 'main', partial: 'true' },
    osvScanner([{ ...advisory(cve, [ghsa]), package: 'x' }]),
  );
  const { id } = await onlyVulnerability(repo);
  const reopen = { action: 'reopen', vulnerabilities: [{ id }], reason: 'Look again.' };
  assert.equal((await member.post(`${manage}/vulnerabilities/decisions`, reopen)).status, 200);
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve), advisory(ghsa)]));
  const { body } = await member.get<{ status_version: string }>(`/api/v1/acme/vulnerabilities/${id}`);
  const undo = { vulnerabilities: [{ id, status_version: body.status_version }] };
  assert.equal((await member.post(`${manage}/vulnerabilities/undo`, undo)).status, 200);
  assert.equal((await onlyVulnerability(repo)).status, 'rejected');
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
});

test('an admin sees each taught name with its sender, forgets a name, and restores it', async () => {
  const { repo, cve, ghsa, advisory } = newCase();
  const teach = () => osvScanner([{ ...advisory(cve, [ghsa]), package: 'anything' }]);
  const scan = await upload(uploadKey, { repo, ref: 'side', partial: 'true' }, teach());
  interface Name {
    id: string;
    name: string;
    advisory: string;
    state: string;
    repository: { full_name: string } | null;
    taught_by: { email: string } | null;
    scan_id: string | null;
  }
  const find = async () =>
    (await admin.get<{ items: Name[] }>(`${manage}/advisory-names?name=${ghsa}`)).body.items;
  const [learned] = await find();
  assert.deepEqual(
    [learned?.name, learned?.advisory, learned?.state, learned?.repository?.full_name, learned?.scan_id],
    [ghsa, cve, 'joins', repo, scan.id],
  );
  assert.equal(learned?.taught_by?.email, people.member.user.email);
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve), advisory(ghsa)]));
  const onMain = async () => {
    const { body } = await admin.get<{ items: { id: string }[] }>(
      `/api/v1/acme/vulnerabilities?repo=${encodeURIComponent(repo)}&ref=main`,
    );
    return body.items.map(({ id }) => id);
  };
  const [joined = '', ...others] = await onMain();
  assert.deepEqual(others, [], 'one by the name');
  await admin.post(`${manage}/vulnerabilities/decisions`, {
    action: 'reject',
    vulnerabilities: [{ id: joined }],
    reason: 'Not reachable.',
  });
  const blocking = async () => (await gate({ repo, ref: 'main' })).summary.blocking;
  assert.equal(await blocking(), 0);
  const path = `${manage}/advisory-names/${learned?.id}`;
  assert.equal((await member.patch(path, { forgotten: true })).status, 403);
  const answer = await admin.patch<Name>(path, { forgotten: true });
  assert.deepEqual([answer.status, answer.body.state], [200, 'forgotten'], answer.text);
  assert.equal(await blocking(), 1, 'the decision about both must be made again');
  // After the same key teaches it again the name stays forgotten, so its next finding is another vulnerability.
  await upload(uploadKey, { repo, ref: 'side', partial: 'true' }, teach());
  assert.equal((await find())[0]?.state, 'forgotten');
  await upload(adminKey, { repo, ref: 'other' }, osvScanner([advisory(ghsa)]));
  const { body } = await admin.get<{ items: { id: string }[] }>(
    `/api/v1/acme/vulnerabilities?repo=${encodeURIComponent(repo)}&ref=other`,
  );
  assert.notEqual(body.items[0]?.id, joined);
  assert.equal((await admin.patch<Name>(path, { forgotten: false })).body.state, 'joins');
  const events = await admin.get<{ items: { action: string; data: { name: string } }[] }>(
    `${manage}/audit?per_page=200`,
  );
  assert.deepEqual(
    events.body.items.filter(({ data }) => data.name === ghsa).map(({ action }) => action),
    ['advisory_name.restore', 'advisory_name.forget'],
  );
});

test('a name that was reported for two CVEs joins nothing, even if an admin wants it', async () => {
  const { repo, cve, ghsa, advisory } = newCase();
  const other = `${cve}9`;
  for (const id of [cve, other]) {
    await upload(adminKey, { repo, ref: 'side', partial: 'true' }, osvScanner([advisory(id, [ghsa])]));
  }
  const path = `${manage}/advisory-names`;
  const listed = await admin.get<{ items: { id: string; state: string }[] }>(`${path}?name=${ghsa}`);
  assert.deepEqual(
    listed.body.items.map(({ state }) => state),
    ['ambiguous'],
  );
  const id = listed.body.items[0]?.id ?? '';
  for (const forgotten of [true, false]) {
    const answer = await admin.patch<{ state: string }>(`${path}/${id}`, { forgotten });
    assert.equal(answer.body.state, 'ambiguous', answer.text);
  }
});

test('a name that is longer than a cursor hides no name after it', async () => {
  const { repo, cve, ghsa, advisory } = newCase();
  const long = `${ghsa}-${'x'.repeat(400)}`;
  const last = `${ghsa}-y`;
  await upload(uploadKey, { repo, ref: 'side' }, osvScanner([advisory(cve, [ghsa, long, last])]));
  const names = await walk<{ name: string }>(admin, `${manage}/advisory-names`, { per_page: 1 });
  assert.deepEqual(
    names.map(({ name }) => name).filter((name) => name.startsWith(ghsa)),
    [ghsa, long, last],
  );
});

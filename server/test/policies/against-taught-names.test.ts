/**
 * Tests of attacks with names of advisories and with VEX documents: a report that calls a new problem another name of a
 * decided one never turns a gate green, and no suggestion replaces a document that may decide.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf, walk } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { openvex, osvScanner } from '../support/scanner-reports.ts';
import { createTestKey } from '../support/workspace.ts';
import { createUploadWorkspace, newCase, vexOf } from './upload-workspace.ts';

const W = await createUploadWorkspace();
const { server, people, gate, violations, client: admin, member, upload, adminKey, verdictOf } = W;
/** This key may upload, and decide nothing. */
const { key: uploadKey } = await createTestKey(server, {
  userId: people.member.user.id,
  role: 'member',
  scopes: ['scans:read', 'scans:write'],
});
const { vulnerabilities, onlyVulnerability, decide, decideViolation, except } = W;
const manage = '/manage/v1/acme';
const newYear = new Date('2026-01-01T00:00:00Z');

async function reject(repo: string): Promise<void> {
  await decide(admin, 'reject', (await onlyVulnerability(repo)).id);
}

for (const [where, otherRepository] of [
  ['to another repository', 'acme/elsewhere'],
  ['to the same repository', null],
] as const) {
  test(`a name taught ${where} after the decision joins a vulnerability that blocks until a person decides again`, async () => {
    const { repo, cve, ghsa, advisory, teaching } = newCase();
    await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
    await reject(repo);
    assert.equal(await verdictOf(repo), 'pass');
    await upload(uploadKey, { repo: otherRepository ?? repo, ref: 'main', partial: 'true' }, teaching);
    await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve), advisory(ghsa)]));
    assert.equal(await verdictOf(repo), 'block');
    if (otherRepository !== null) return;
    // The two are joined, and the old decision is shown. It counts again once an admin has seen both and decides.
    const [joined, ...others] = await vulnerabilities(repo, { state: 'rejected' });
    assert.deepEqual([joined === undefined, others.length], [false, 0]);
    const { body } = await admin.get<{
      joined_names: { name: string }[];
      decision_overrides_policy: boolean;
    }>(`/api/v1/acme/vulnerabilities/${joined?.id}`);
    assert.deepEqual(
      [body.joined_names.map(({ name }) => name), body.decision_overrides_policy],
      [[ghsa], false],
    );
    await decide(admin, 'reject', joined?.id);
    const open = (await violations({ repo })).filter(({ status, target }) => {
      return status === 'open' && target.id === joined?.id;
    });
    assert.deepEqual(open, [], 'the decision binds again');
  });
}

test('a name taught after a rejection is not denied in a VEX document until an admin rejects again', async () => {
  const { repo, cve, ghsa, advisory } = newCase();
  const stated = async () => {
    const path = `/export/v1/acme/vex?format=openvex&repo=${encodeURIComponent(repo)}`;
    return fieldOf((await admin.get<{ statements: { status: string }[] }>(path)).body.statements, 'status');
  };
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(ghsa)]));
  await reject(repo);
  assert.deepEqual(await stated(), ['not_affected']);
  await upload(uploadKey, { repo, ref: 'main' }, osvScanner([advisory(ghsa, [cve]), advisory(cve)]));
  assert.equal((await onlyVulnerability(repo)).status, 'rejected');
  assert.deepEqual(await stated(), ['under_investigation']);
  await reject(repo);
  assert.deepEqual(await stated(), ['not_affected']);
});

test('a decision does not cover a name that a key without decisions taught before it', async () => {
  const { repo, cve, ghsa, advisory, teaching } = newCase();
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
  await upload(uploadKey, { repo, ref: 'side', partial: 'true' }, teaching);
  const [found] = await vulnerabilities(repo, { ref: 'main' });
  await decide(admin, 'reject', found?.id);
  assert.equal(await verdictOf(repo), 'pass');
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve), advisory(ghsa)]));
  assert.equal(await verdictOf(repo), 'block');
});

test('a decision covers a name that a key which may decide taught before it, in the whole workspace', async () => {
  const { repo, cve, ghsa, advisory, teaching } = newCase();
  await upload(adminKey, { repo: 'acme/teacher', ref: 'main', partial: 'true' }, teaching);
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
  await reject(repo);
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve), advisory(ghsa)]));
  assert.equal((await onlyVulnerability(repo)).status, 'rejected');
  assert.equal(await verdictOf(repo), 'pass');
});

for (const [what, cover, known] of [
  ['an exception', exempt, 'cve'],
  ['a snooze', snooze, 'cve'],
  ['an exception of the other name', exempt, 'ghsa'],
  ['a snooze of the other name', snooze, 'ghsa'],
] as const) {
  test(`a name taught after ${what} joins a violation that blocks until an admin has seen both`, async () => {
    const { repo, cve, ghsa, advisory, teaching } = newCase();
    await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(known === 'cve' ? cve : ghsa)]));
    await cover(repo);
    assert.equal(await verdictOf(repo), cover === snooze ? 'warn' : 'pass');
    await upload(uploadKey, { repo, ref: 'side', partial: 'true' }, teaching);
    await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve), advisory(ghsa)]));
    assert.equal(await verdictOf(repo), 'block');
    await cover(repo);
    await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(ghsa), advisory(cve)]));
    assert.notEqual(await verdictOf(repo), 'block', 'it covers both now');
  });
}

test('a decision with the status_version from before a name joined is refused', async () => {
  const { repo, cve, ghsa, advisory, teaching } = newCase();
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
  const seen = await withVersion((await onlyVulnerability(repo)).id);
  await upload(uploadKey, { repo, ref: 'side', partial: 'true' }, teaching);
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve), advisory(ghsa)]));
  assert.equal(await rejectSeen(seen), 409);
  assert.equal(await verdictOf(repo), 'block');
  assert.equal(await rejectSeen(await withVersion(seen.id)), 200);
});

test('a decision with the status_version from before another vulnerability was merged into it is refused', async () => {
  const { repo, cve, ghsa, advisory, teaching } = newCase();
  const both = osvScanner([advisory(cve), advisory(ghsa)]);
  await upload(adminKey, { repo, ref: 'main' }, both);
  const seen = await Promise.all(
    (await vulnerabilities(repo, { ref: 'main' })).map(({ id }) => withVersion(id)),
  );
  assert.equal(seen.length, 2);
  await upload(uploadKey, { repo, ref: 'side', partial: 'true' }, teaching);
  await upload(adminKey, { repo, ref: 'main' }, both);
  assert.equal((await vulnerabilities(repo, { ref: 'main' })).length, 1);
  for (const each of seen) assert.equal(await rejectSeen(each), 409);
  assert.equal(await verdictOf(repo), 'block');
});

async function withVersion(id: string): Promise<{ id: string; status_version: string }> {
  const { body } = await admin.get<{ status_version: string }>(`/api/v1/acme/vulnerabilities/${id}`);
  return { id, status_version: body.status_version };
}

async function rejectSeen(seen: { id: string; status_version: string }): Promise<number> {
  const decision = { action: 'reject', vulnerabilities: [seen], reason: 'Not reachable.' };
  return (await admin.post(`${manage}/vulnerabilities/decisions`, decision)).status;
}

test('a request for an exception is withdrawn when a name joins, so that nobody approves it unseen', async () => {
  const { repo, cve, ghsa, advisory, teaching } = newCase();
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
  const request = { violations: [await onlyViolation(repo)], reason: 'Not reachable.' };
  const { body } = await member.post<{ items: { id: string }[] }>(`${manage}/exceptions`, request);
  await upload(uploadKey, { repo, ref: 'side', partial: 'true' }, teaching);
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve), advisory(ghsa)]));
  const path = `${manage}/exceptions/${body.items[0]?.id}/review`;
  assert.equal((await admin.post(path, { decision: 'approve' })).status, 409);
  assert.equal(await verdictOf(repo), 'block');
});

async function onlyViolation(repo: string): Promise<string> {
  const [only, ...others] = await violations({ repo, ref: 'main', status: 'open' });
  assert.deepEqual(others, []);
  return only?.id ?? '';
}

async function exempt(repo: string): Promise<void> {
  await except(await onlyViolation(repo));
}

async function snooze(repo: string): Promise<void> {
  assert.equal(await decideViolation(admin, 'snooze', await onlyViolation(repo)), 200);
}

test('a VEX document decides about the name that it has, and not about others by a taught name', async () => {
  const { repo, cve, ghsa, advisory, teaching } = newCase();
  const document = vexOf(ghsa, 'not_affected', newYear);
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(ghsa)]));
  await upload(adminKey, { repo, ref: 'main' }, document);
  assert.equal(await verdictOf(repo), 'pass');
  // The report calls the new problem by the decided name. Its own report does not.
  await upload(uploadKey, { repo, ref: 'side', partial: 'true' }, teaching);
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(ghsa), advisory(cve)]));
  assert.equal(await verdictOf(repo), 'block');
  const later = newCase();
  await upload(adminKey, { repo: later.repo, ref: 'main' }, osvScanner([]));
  await upload(uploadKey, { repo: later.repo, ref: 'side', partial: 'true' }, later.teaching);
  await upload(adminKey, { repo: later.repo, ref: 'main' }, vexOf(later.ghsa, 'not_affected', newYear));
  await upload(adminKey, { repo: later.repo, ref: 'main' }, osvScanner([later.advisory(later.cve)]));
  assert.equal(await verdictOf(later.repo), 'block', 'the name was taught before the document came');
});

test('a suggestion dated in the future does not keep out a document that may decide', async () => {
  const { repo, cve, advisory } = newCase();
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
  const ahead = new Date(Date.now() + 365 * 24 * 3600 * 1000);
  await upload(uploadKey, { repo, ref: 'main' }, vexOf(cve, 'affected', ahead));
  await upload(adminKey, { repo, ref: 'main' }, vexOf(cve, 'not_affected', newYear));
  assert.equal((await onlyVulnerability(repo)).status, 'rejected');
  await upload(uploadKey, { repo, ref: 'main' }, vexOf(cve, 'affected', ahead));
  assert.equal((await onlyVulnerability(repo)).status, 'rejected', 'nor does it take its place');
});

test('a document dated in the future counts as of now, and a later one replaces it', async () => {
  const { repo, cve, advisory } = newCase();
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
  const ahead = new Date(Date.now() + 365 * 24 * 3600 * 1000);
  await upload(adminKey, { repo, ref: 'main' }, vexOf(cve, 'not_affected', ahead));
  assert.equal(await verdictOf(repo), 'pass');
  await upload(adminKey, { repo, ref: 'main' }, vexOf(cve, 'affected', new Date()));
  assert.equal(await verdictOf(repo), 'block');
});

test('an undo restores a decision with its time, so that it covers no name that was taught since', async () => {
  const { repo, cve, ghsa, advisory, teaching } = newCase();
  const { key } = await createTestKey(server, {
    userId: people.member.user.id,
    role: 'member',
    scopes: ['vulnerabilities:read', 'vulnerabilities:write'],
  });
  const member = clientOf(server.app, key);
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
  await reject(repo);
  // An admin's key teaches the name, so it counts from now on wherever it joins something.
  await upload(adminKey, { repo: 'acme/elsewhere', ref: 'main', partial: 'true' }, teaching);
  const { id } = await onlyVulnerability(repo);
  await decide(member, 'reopen', id);
  const undo = { vulnerabilities: [await withVersion(id)] };
  assert.equal((await member.post(`${manage}/vulnerabilities/undo`, undo)).status, 200);
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve), advisory(ghsa)]));
  assert.equal((await onlyVulnerability(repo)).status, 'rejected');
  assert.equal((await gate({ repo, ref: 'main' })).verdict, 'block');
});

test('a decision is not undone after a name has joined', async () => {
  const { repo, cve, ghsa, advisory, teaching } = newCase();
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
  await reject(repo);
  const { id } = await onlyVulnerability(repo);
  await decide(member, 'reopen', id);
  await upload(uploadKey, { repo, ref: 'side', partial: 'true' }, teaching);
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve), advisory(ghsa)]));
  const undo = { vulnerabilities: [await withVersion(id)] };
  assert.equal((await member.post(`${manage}/vulnerabilities/undo`, undo)).status, 409);
});

test('of two statements of a document that become one, that of an affected product counts', async () => {
  for (const affected of [0, 1]) {
    const { repo, cve, ghsa, advisory } = newCase();
    const names = [ghsa, ghsa.replace('bbbb', 'cccc')];
    const document = openvex(
      names.map((id, i) => ({
        id,
        status: i === affected ? 'affected' : 'not_affected',
        purl: 'pkg:npm/leaky',
      })),
      newYear,
    );
    await upload(adminKey, { repo, ref: 'main' }, osvScanner(names.map((id) => advisory(id))));
    await upload(adminKey, { repo, ref: 'main' }, document);
    const teaching = osvScanner([{ ...advisory(cve, names), package: 'anything' }]);
    await upload(adminKey, { repo, ref: 'side', partial: 'true' }, teaching);
    await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
    const { rows } = await server.owner.query<{ status: string }>(
      'select status from vex_statement where tenant_id = $1 and advisory = $2',
      [W.tenant.id, cve],
    );
    assert.deepEqual(fieldOf(rows, 'status'), ['affected']);
  }
});

test('an admin sees each taught name with its sender, forgets a name, and restores it', async () => {
  const { repo, cve, ghsa, advisory, teaching } = newCase();
  const scan = await upload(uploadKey, { repo, ref: 'side', partial: 'true' }, teaching);
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
  const [joined, ...others] = await vulnerabilities(repo, { ref: 'main' });
  assert.deepEqual(others, [], 'one by the name');
  await decide(admin, 'reject', joined?.id);
  const blocking = async () => (await gate({ repo, ref: 'main' })).summary.blocking;
  assert.equal(await blocking(), 0);
  const path = `${manage}/advisory-names/${learned?.id}`;
  assert.equal((await member.patch(path, { forgotten: true })).status, 403);
  const answer = await admin.patch<Name>(path, { forgotten: true });
  assert.deepEqual([answer.status, answer.body.state], [200, 'forgotten'], answer.text);
  assert.equal(await blocking(), 1, 'the decision about both must be made again');
  // After the same key teaches it again the name stays forgotten, so its next finding is another vulnerability.
  await upload(uploadKey, { repo, ref: 'side', partial: 'true' }, teaching);
  assert.equal((await find())[0]?.state, 'forgotten');
  await upload(adminKey, { repo, ref: 'other' }, osvScanner([advisory(ghsa)]));
  const [other] = await vulnerabilities(repo, { ref: 'other' });
  assert.notEqual(other?.id, joined?.id);
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
  assert.deepEqual(fieldOf(listed.body.items, 'state'), ['ambiguous']);
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

test('a report that calls a new advisory an alias of a decided one brings no honest report of it under the decision', async () => {
  const { repo, cve, ghsa, advisory } = newCase();
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
  await reject(repo);
  await upload(uploadKey, { repo, ref: 'main' }, osvScanner([advisory(cve), advisory(ghsa, [cve])]));
  const honest = advisory(ghsa, [cve.replace('2033', '2034')]);
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve), honest]));
  assert.equal(await verdictOf(repo), 'block');
});

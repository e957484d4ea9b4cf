/**
 * Tests of a person's waiting tasks: exceptions that they may review, and overdue violations of vulnerabilities that
 * are assigned to them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMember } from '../../src/access/members/service.ts';
import { createUser } from '../../src/access/users/service.ts';
import { installTx, tenantTx } from '../../src/db/database.ts';
import { clientOf, succeeded } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { applyAndEvaluate, policyOf } from '../support/policies.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs } from '../support/session.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const path = '/manage/v1/acme/waiting';
const list = '/api/v1/acme/vulnerabilities';
const server = await createTestServer();
const { tenant, people } = await createTestWorkspace(server, 'acme');
const other = await createTestWorkspace(server, 'globex');
const key = clientOf(server.app, people.admin.key);
const secondAdmin = await installTx(server.db, (tx) => createUser(tx, 'second@acme.example', 'Second', null));
await tenantTx(server.db, tenant.id, (tx) => addMember(tx, secondAdmin.id, 'admin'));
const admin = await signInAs(server, people.admin.user.id);
const second = await signInAs(server, secondAdmin.id);
const member = await signInAs(server, people.member.user.id);

await applyAndEvaluate(
  server,
  tenant.id,
  policyOf('severe', "{fact: severity, operator: '>=', value: high}", { window: '12d' }),
);
const dayMs = 86_400_000;
const report = (repository: string, days: number, names: string[], severity: string) =>
  reportInput(
    trivy(
      names.map((name, at) => ({ id: `CVE-2030-${days}${1000 + at}`, name, version: '1.0.0', severity })),
    ),
    { repository, scannedAt: new Date(Date.now() - days * dayMs) },
  );
const many = Array.from({ length: 120 }, (_, at) => `lib-${at}`);
await importAll(server, 'acme', [
  report('acme/old', 30, ['a', 'b', 'c'], 'CRITICAL'),
  report('acme/calm', 30, ['d'], 'LOW'),
  report('acme/new', 2, ['e'], 'CRITICAL'),
  report('acme/many', 31, many, 'HIGH'),
]);

interface Item {
  id: string;
  title: string;
}
const find = async (repo: string) =>
  (await key.get<{ items: Item[] }>(`${list}?repo=${repo}&per_page=200`)).body.items;
async function assign(repo: string, email: string): Promise<void> {
  const items = await find(repo);
  const { status, text } = await key.post('/manage/v1/acme/vulnerabilities/assignments', {
    assignee: email,
    vulnerabilities: items.map(({ id }) => ({ id })),
  });
  assert.equal(status, 200, text);
}
async function waitingFor(who: SessionClient) {
  return succeeded(await who.get<{ exceptions: number; overdue: number }>(path));
}

test('open vulnerabilities of the caller with an overdue violation are counted as in the list', async () => {
  for (const repo of ['acme/old', 'acme/calm', 'acme/new']) await assign(repo, people.member.user.email);
  assert.deepEqual(await waitingFor(member), { exceptions: 0, overdue: 3 });
  const memberKey = clientOf(server.app, people.member.key);
  const listed = `${list}?assignee=me&due=overdue&state=open&scope=tracked`;
  const { body } = await memberKey.get<{ items: Item[] }>(listed);
  assert.equal(body.items.length, 3);
  assert.deepEqual(await waitingFor(admin), { exceptions: 0, overdue: 0 });
  // Decided and unassigned vulnerabilities no longer wait for the person.
  const [first, next] = await find('acme/old');
  const decided = await key.post('/manage/v1/acme/vulnerabilities/decisions', {
    action: 'accept',
    reason: 'known',
    vulnerabilities: [{ id: first?.id }],
  });
  assert.equal(decided.status, 200, decided.text);
  const freed = await key.post('/manage/v1/acme/vulnerabilities/assignments', {
    assignee: 'unassigned',
    vulnerabilities: [{ id: next?.id }],
  });
  assert.equal(freed.status, 200, freed.text);
  assert.deepEqual(await waitingFor(member), { exceptions: 0, overdue: 1 });
});

test('the count stops at 100, which means 100 or more', async () => {
  await assign('acme/many', secondAdmin.email);
  assert.equal((await waitingFor(second)).overdue, 100);
});

test('requests wait for the admins who may review them, not for members or their requester', async () => {
  const { body } = await key.get<{ items: { id: string; target: { title: string } }[] }>(
    '/api/v1/acme/policy-violations/all?repo=acme/old&status=open',
  );
  const [byMember, byAdmin] = body.items.map(({ id }) => id);
  const requestException = async (who: SessionClient, violation?: string) => {
    const answer = await who.post<{ items: { id: string }[] }>('/manage/v1/acme/exceptions', {
      violations: [violation],
      reason: 'not reachable',
    });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.items[0]?.id;
  };
  const requested = await requestException(member, byMember);
  await requestException(admin, byAdmin);
  assert.equal((await waitingFor(admin)).exceptions, 1);
  assert.equal((await waitingFor(second)).exceptions, 2);
  assert.equal((await waitingFor(member)).exceptions, 0);
  const reviewed = await admin.post(`/manage/v1/acme/exceptions/${requested}/review`, {
    decision: 'approve',
  });
  assert.equal(reviewed.status, 200, reviewed.text);
  assert.equal((await waitingFor(admin)).exceptions, 0);
  assert.equal((await waitingFor(second)).exceptions, 1);
});

test('a person of another workspace gets only their own counts', async () => {
  const stranger = await signInAs(server, other.people.admin.user.id);
  assert.equal((await stranger.get(path)).status, 403);
  const own = await stranger.get('/manage/v1/globex/waiting');
  assert.deepEqual(own.body, { exceptions: 0, overdue: 0 });
});

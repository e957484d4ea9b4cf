/** Tests of the routes of issue trackers and issues: permissions and refusals. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { formatId, nilId, type VulnerabilityId } from '../../src/domain/ids.ts';
import { clientOf, refusalOn, succeeded } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs } from '../support/session.ts';
import { createTestKey, createTestWorkspace, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
const acme = await createTestWorkspace(server, 'acme');
const path = '/manage/v1/acme/issue-trackers';
const valid = { name: 'Shop team', kind: 'github', project: 'acme/shop', token: 'ghp_secret7' };

interface Tracker {
  id: string;
  url: string;
  [field: string]: unknown;
}

let admin: SessionClient;
let vulnerability = '';
before(async () => {
  admin = await signInAs(server, acme.people.admin.user.id);
  const found = [
    { id: 'CVE-2035-1', name: 'alpha', version: '1.0.0' },
    { id: 'CVE-2035-2', name: 'alpha', version: '1.0.0' },
  ];
  await importAll(server, 'acme', [reportInput(trivy(found))]);
  const { rows } = await server.owner.query<{ id: VulnerabilityId }>(
    'select id from vulnerability order by id',
  );
  vulnerability = formatId('vulnerability', rows[0]?.id ?? nilId);
});

async function make(more: object = {}): Promise<Tracker> {
  return succeeded(await admin.post<Tracker>(path, { ...valid, ...more }), 201);
}

const errorOn = (field: string, body: object): Promise<string> =>
  refusalOn(admin, path, { ...valid, ...body }, field);

describe('an admin', () => {
  test('creates, lists, changes and deletes a tracker; each is in the audit log, and no answer contains the token', async () => {
    const made = await make({ rule: { least_severity: 'high' } });
    assert.deepEqual([made.url, made.enabled], ['https://github.com', true]);
    const { body: list, text } = await admin.get<{ items: Tracker[] }>(path);
    assert.deepEqual(list.items, [made]);
    assert.ok(!text.includes(valid.token));
    const one = `${path}/${made.id}`;
    const changed = await admin.patch<Tracker>(one, { name: 'Other', enabled: false });
    assert.deepEqual([changed.status, changed.body.name, changed.body.rule], [200, 'Other', made.rule]);
    const { rows } = await server.owner.query<{ sealed: Buffer }>('select sealed from issue_tracker');
    assert.ok(rows.every(({ sealed }) => !sealed.includes(valid.token)));
    assert.equal((await admin.delete(one)).status, 204);
    assert.equal((await admin.delete(one)).status, 404);
    const { body: log } = await admin.get<{ items: { action: string }[] }>('/manage/v1/acme/audit?limit=3');
    assert.deepEqual(fieldOf(log.items, 'action'), [
      'issue_tracker.delete',
      'issue_tracker.change',
      'issue_tracker.create',
    ]);
    assert.ok(!JSON.stringify(log).includes(valid.token));
  });

  test('must send the token again with another address, so that the stored one is not sent to that address', async () => {
    const { id } = await make();
    const url = 'https://github.evil.example';
    assert.equal((await admin.patch(`${path}/${id}`, { url })).status, 422);
    assert.equal((await admin.patch(`${path}/${id}`, { url, token: 'another' })).status, 200);
    await admin.delete(`${path}/${id}`);
  });

  test('gets 422 with the invalid field', async () => {
    assert.match(await errorOn('url', { url: 'https://10.0.0.1' }), /Must be a public address/);
    assert.match(await errorOn('url', { url: 'http://github.example.com' }), /https/);
    assert.match(await errorOn('url', { url: 'https://user:word@github.com' }), /no user and no password/);
    assert.match(await errorOn('url', { url: 'https://github.com/?x=1' }), /without query/);
    assert.match(await errorOn('url', { url: `https://github.com/${'x'.repeat(240)}` }), /longer than 255/);
    assert.match(await errorOn('url', { kind: 'jira', project: 'SHOP' }), /address of Jira/);
    for (const project of ['shop', '../shop', 'acme/..', 'acme/shop/issues?x']) {
      assert.match(await errorOn('project', { project }), /such as acme\/shop/);
    }
    assert.match(
      await errorOn('project', { kind: 'jira', url: 'https://j.example.com', project: 'x" or 1' }),
      /key/,
    );
    assert.match(await errorOn('token', { token: 'a\r\nHost: x' }), /^Must be a token/);
    assert.match(await errorOn('user', { user: 'bot@acme.example' }), /only Jira has it/);
    assert.match(await errorOn('labels', { labels: ['a,b'] }), /letters/);
    assert.match(
      await errorOn('repositories', { rule: { repositories: ['repo_x'] } }),
      /no such repository/i,
    );
  });

  test('creates at most twenty trackers', async () => {
    const made: Tracker[] = [];
    for (let i = 0; i < 20; i++) made.push(await make({ enabled: false }));
    assert.equal((await admin.post(path, valid)).status, 409);
    for (const { id } of made) await admin.delete(`${path}/${id}`);
  });
});

test('a member creates an issue, a viewer sees it, and neither of them nor a key can manage trackers', async () => {
  const { id: tracker } = await make();
  const issues = `/manage/v1/acme/vulnerabilities/${vulnerability}/issues`;
  const member = await signInAs(server, acme.people.member.user.id);
  const viewer = await signInAs(server, acme.people.viewer.user.id);
  assert.equal((await viewer.post(issues, { tracker })).status, 403);
  for (const client of [member, viewer]) {
    assert.equal((await client.get(path)).status, 403);
    assert.equal((await client.post(path, valid)).status, 403);
  }
  const key = clientOf(server.app, acme.people.admin.key);
  assert.equal((await key.post(path, valid)).status, 403, 'only a person at the console gives a token');
  const { key: uploadKey } = await createTestKey(server, {
    userId: acme.people.admin.user.id,
    role: 'admin',
    scopes: ['scans:write'],
  });
  assert.equal((await clientOf(server.app, uploadKey).post(issues, { tracker })).status, 403);

  const both = await Promise.all([
    member.post(issues, { tracker }),
    member.post(issues, { tracker, group: true }),
  ]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 409], 'of two at once one is made');
  const { body } = await viewer.get<{ items: object[]; trackers: object[] }>(
    `/console/api/v1/acme/vulnerabilities/${vulnerability}/issues`,
  );
  assert.deepEqual([body.items.length, body.trackers.length], [1, 0]);
  assert.equal((await viewer.delete(`${issues}/${(body.items[0] as Tracker).id}`)).status, 403);
  await admin.delete(`${path}/${tracker}`);
});

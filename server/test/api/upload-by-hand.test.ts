/**
 * Tests of reports that people upload at the console: the same pipeline as CI, with a session, and refused from other
 * sites.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { processRepository } from '../../src/ingest/import/process-scan.ts';
import { clientOf, type Json, send } from '../support/client.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs } from '../support/session.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const server = await createTestServer({ MERLON_UPLOADS_PER_MINUTE: '0', MERLON_MAX_UPLOAD_MB: '1' });
const { tenant, people } = await createTestWorkspace(server, 'acme');
const member = await signInAs(server, people.member.user.id);
const path = '/manage/v1/acme/scans';
const report = trivy([{ id: 'CVE-2030-1', name: 'lodash', version: '1.0.0', severity: 'HIGH' }]);
const query = (repo: string, more = ''): string => `${path}?repo=${repo}&ref=main${more}`;

async function count(): Promise<number> {
  const { rows } = await server.owner.query(
    'select (select count(*) from scan)::int + (select count(*) from scan_report)::int as n',
  );
  return rows[0].n;
}

test('a report by session is accepted like one by key, with the sender recorded', async () => {
  const answer = await member.post<{ id: string; status: string; file_name: string }>(
    query('acme/shop', '&sha=abcdef1&file_name=trivy.json'),
    report,
  );
  assert.equal(answer.status, 202, answer.text);
  assert.deepEqual([answer.body.status, answer.body.file_name], ['queued', 'trivy.json']);
  assert.equal(answer.headers.location, `/console/api/v1/acme/scans/${answer.body.id}`);
  const shown = await member.get<{ id: string }>(answer.headers.location);
  assert.equal(shown.body.id, answer.body.id);
  const { rows } = await server.owner.query(
    'select repository_id, uploaded_by, may_decide, may_override_policy from scan',
  );
  assert.deepEqual(rows[0], {
    repository_id: rows[0].repository_id,
    uploaded_by: people.member.user.id,
    may_decide: true,
    may_override_policy: false,
  });
  await processRepository(server, tenant.id, rows[0].repository_id);
  const list = await clientOf(server.app, people.viewer.key).get<{ summary: { total: number } }>(
    '/api/v1/acme/vulnerabilities?repo=acme/shop',
  );
  assert.equal(list.body.summary.total, 1);
});

test('a file of any type is accepted, compressed or not, and the same file twice gives one scan', async () => {
  const sent = async (headers: Record<string, string>, body: Buffer) => {
    const answer = await server.app.inject({
      method: 'POST',
      url: query('acme/file'),
      headers: { ...member.headers, ...headers },
      payload: body,
    });
    assert.equal(answer.statusCode, 202, answer.body);
    return (answer.json() as Json).id;
  };
  const bytes = Buffer.from(JSON.stringify(report));
  const first = await sent({ 'content-type': 'application/octet-stream' }, bytes);
  assert.equal(await sent({ 'content-type': 'application/json' }, bytes), first);
  await sent({ 'content-encoding': 'gzip' }, gzipSync(bytes));
});

test('the same works by key', async () => {
  const answer = await send<{ id: string }>(server.app, {
    method: 'POST',
    path: query('acme/by-key'),
    authorization: `Bearer ${people.member.key}`,
    body: report,
  });
  assert.equal(answer.status, 202, answer.text);
  assert.equal(answer.headers.location, `/api/v1/acme/scans/${answer.body.id}`);
});

test('an upload without the CSRF token, from another site, by a viewer or in another workspace is refused', async () => {
  const elsewhere = await createTestWorkspace(server, 'elsewhere');
  const [stranger, viewer] = await Promise.all(
    [elsewhere.people.admin, people.viewer].map(({ user }) => signInAs(server, user.id)),
  );
  const before = await count();
  const { 'x-csrf-token': _, ...without } = member.headers;
  const cases: [Record<string, string>, number][] = [
    [without, 403],
    [{ ...member.headers, origin: 'https://evil.example' }, 403],
    [{ ...member.headers, 'x-csrf-token': (viewer as SessionClient).headers['x-csrf-token'] ?? '' }, 403],
    [(viewer as SessionClient).headers, 403],
    [(stranger as SessionClient).headers, 403],
    [{ origin: 'http://localhost', host: 'localhost' }, 401],
  ];
  for (const [headers, status] of cases) {
    const answer = await server.app.inject({
      method: 'POST',
      url: query('acme/forged'),
      headers: { 'content-type': 'application/json', ...headers },
      payload: JSON.stringify(report),
    });
    assert.equal(answer.statusCode, status, answer.body);
  }
  // No session is checked on this path.
  const ingest = await member.post('/ingest/v1/acme/scans?repo=acme/forged&ref=main', report);
  assert.equal(ingest.status, 401);
  assert.equal(await count(), before);
});

test('only an admin may skip the mass-closure check; a report that is too large or invalid leaves nothing', async () => {
  const before = await count();
  const force = await member.post(query('acme/forced', '&force=true'), report);
  assert.deepEqual([force.status, Object.keys(force.body.errors as Json)], [422, ['force']]);
  const large = await member.post(query('acme/large'), `{"SchemaVersion":2,"a":"${'x'.repeat(1_100_000)}"}`);
  assert.equal(large.status, 413, large.text);
  const nonsense = await member.post(query('acme/nonsense'), 'no report at all');
  assert.equal(nonsense.status, 422, nonsense.text);
  assert.equal(await count(), before);
});

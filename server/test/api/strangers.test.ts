/** Tests of people who are not members of a workspace, or have left it: they cannot read it or use up its limits. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatInvitationToken } from '../../src/access/members/invitation-token.ts';
import { newId } from '../../src/domain/ids.ts';
import { clientOf, send, succeeded } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestKey, createTestWorkspace, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
const strange = await createTestWorkspace(server, 'strange');
const quiet = await createTestWorkspace(server, 'quiet');
await importAll(server, 'quiet', [
  reportInput(trivy([{ id: 'CVE-2030-1', name: 'left', version: '1.0.0', severity: 'HIGH' }])),
]);
await server.app.listen({ port: 0, host: '127.0.0.1' });
const { port } = server.app.server.address() as AddressInfo;
const url = `http://127.0.0.1:${port}`;
const stranger = clientOf(server.app, strange.people.admin.key);
const viewer = clientOf(server.app, quiet.people.viewer.key);

// More than the share and the queue of a workspace together.
const many = <T>(sendRequest: () => Promise<T>): Promise<T>[] => Array.from({ length: 300 }, sendRequest);

test('a member of another workspace who sends many requests to this one takes none of its connections', async () => {
  await stranger.get('/api/v1/quiet/scans');
  await viewer.get('/api/v1/quiet/scans');
  const flood = many(() => stranger.get('/api/v1/quiet/scans'));
  succeeded(await viewer.get('/api/v1/quiet/scans'));
  for (const { status, text } of await Promise.all(flood)) assert.ok([403, 503].includes(status), text);
});

test('a stranger who sends made-up invitations of a workspace takes none of its connections', async () => {
  const made = () => formatInvitationToken(quiet.tenant.id, newId(), randomBytes(32));
  const flood = many(() =>
    send(server.app, {
      method: 'POST',
      path: '/console/invitations/preview',
      headers: { origin: 'http://localhost', host: 'localhost' },
      body: { token: made() },
    }),
  );
  succeeded(await viewer.get('/api/v1/quiet/scans'));
  for (const { status, text } of await Promise.all(flood)) assert.ok([404, 503].includes(status), text);
});

for (const path of ['gate', 'scans/status']) {
  test(`a key that is revoked while it waits for an answer of ${path} gets none`, async () => {
    const { id, key } = await createTestKey(server, {
      userId: quiet.people.viewer.user.id,
      role: 'viewer',
      scopes: ['scans:read'],
    });
    const waiting = clientOf(server.app, key).get(
      `/api/v1/quiet/${path}?repo=acme/shop&ref=main&expect=gitleaks&wait=3`,
    );
    await sleep(500);
    await server.owner.query('update api_key set disabled_at = now() where id = $1', [id]);
    const answer = await waiting;
    assert.equal(answer.status, 401, answer.text);
  });
}

for (const { what, path, table, role, scope, row } of [
  {
    what: 'an export',
    path: '/export/v1/quiet/vulnerabilities?format=csv',
    table: 'vulnerability_reporter',
    role: 'viewer',
    scope: 'vulnerabilities:read',
    row: /CVE-2030-1/,
  },
  {
    what: 'an export of the audit log',
    path: '/manage/v1/quiet/audit/export',
    table: 'audit_event',
    role: 'admin',
    scope: 'workspace:admin',
    row: /member\.set/,
  },
] as const) {
  test(`${what} ends when its key is revoked`, async () => {
    const { id, key } = await createTestKey(server, {
      userId: quiet.people[role].user.id,
      role,
      scopes: [scope],
    });
    const read = () => fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    assert.match(await (await read()).text(), row);
    const client = await server.owner.connect();
    await client.query(`begin; lock table ${table} in access exclusive mode`);
    const answer = await read();
    assert.equal(answer.status, 200);
    await untilLockWaits(server.owner);
    await server.owner.query('update api_key set disabled_at = now() where id = $1', [id]);
    await sleep(1_000);
    await client.query('rollback');
    client.release();
    let text = '';
    await assert.rejects(async () => {
      for await (const part of answer.body ?? []) text += Buffer.from(part).toString();
    });
    assert.doesNotMatch(text, row);
  });
}

test('an export that its client does not read counts as open no longer than its key is valid', async () => {
  // More than the buffers between server and client hold.
  await server.owner.query(
    `insert into audit_event (tenant_id, id, at, action, target_type, target_id, data)
     select $1, gen_random_uuid(), now(), 'member.set', 'user', $2, jsonb_build_object('text', repeat('x', 2000))
       from generate_series(1, 10000)`,
    [quiet.tenant.id, quiet.people.admin.user.id],
  );
  const { id, key } = await createTestKey(server, {
    userId: quiet.people.admin.user.id,
    role: 'admin',
    scopes: ['workspace:admin'],
  });
  const areAllFree = async (): Promise<boolean> => {
    const all = await Promise.allSettled(
      Array.from({ length: 50 }, () => server.db.shares.export.take(quiet.tenant.id)),
    );
    for (const one of all) if (one.status === 'fulfilled') one.value();
    return all.every(({ status }) => status === 'fulfilled');
  };
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    `GET /manage/v1/quiet/audit/export HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n\r\n`,
  );
  await sleep(2_000);
  assert.equal(await areAllFree(), false);
  await server.owner.query('update api_key set disabled_at = now() where id = $1', [id]);
  for (const until = Date.now() + 15_000; Date.now() < until && !(await areAllFree()); await sleep(200));
  const isFree = await areAllFree();
  socket.destroy();
  assert.equal(isFree, true);
});

/** Sends the body in two halves, and runs `meanwhile` between them. */
async function sendSlowly(
  path: string,
  { key, body, type }: { key: string; body: unknown; type: string },
  meanwhile: () => Promise<unknown>,
) {
  const text = JSON.stringify(body);
  const slowly = async function* () {
    yield text.slice(0, 20);
    await sleep(300);
    await meanwhile();
    await sleep(1_000);
    yield text.slice(20);
  };
  return server.app.inject({
    method: 'POST',
    url: path,
    headers: { authorization: `Bearer ${key}`, 'content-type': type, 'content-length': String(text.length) },
    payload: Readable.from(slowly(), { objectMode: false }),
  });
}

const upload = {
  path: '/ingest/v1/quiet/scans?repo=acme/late&ref=main',
  body: trivy([{ id: 'CVE-2030-2', name: 'late', version: '1.0.0', severity: 'HIGH' }]),
  type: 'application/octet-stream',
  scope: 'scans:write',
} as const;
const invitation = {
  path: '/manage/v1/quiet/invitations',
  body: { email: 'friend@example.com', role: 'member' },
  type: 'application/json',
  scope: 'workspace:admin',
} as const;

for (const { what, path, scope, ...request } of [
  { what: 'a report', ...upload },
  { what: 'a body of JSON', ...invitation },
]) {
  test(`${what} whose key is revoked while its body comes is refused`, async () => {
    const { id, key } = await createTestKey(server, {
      userId: quiet.people.admin.user.id,
      role: 'admin',
      scopes: [scope],
    });
    const answer = await sendSlowly(path, { key, ...request }, () =>
      server.owner.query('update api_key set disabled_at = now() where id = $1', [id]),
    );
    assert.equal(answer.statusCode, 401, answer.body);
    const { rows } = await server.owner.query(
      `select (select count(*) from scan_report r where not exists (select 1 from scan where id = r.scan_id))::int as reports,
              (select count(*) from invitation)::int as invitations`,
    );
    assert.deepEqual(rows[0], { reports: 0, invitations: 0 });
  });
}

test('an admin who becomes a member while a report comes has no rights of an admin for it', async () => {
  const { user } = quiet.people.admin;
  const { key } = await createTestKey(server, { userId: user.id, role: 'admin', scopes: ['scans:write'] });
  const setRole = (role: string) =>
    server.owner.query('update member set role = $3 where tenant_id = $1 and user_id = $2', [
      quiet.tenant.id,
      user.id,
      role,
    ]);
  const answer = await sendSlowly(`${upload.path}&force=true`, { key, ...upload }, () => setRole('member'));
  await setRole('admin');
  assert.equal(answer.statusCode, 403, answer.body);
});

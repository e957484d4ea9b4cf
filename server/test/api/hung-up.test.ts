/** Tests of senders that hang up before the server reads their body, or never end it. */
import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { processRepository } from '../../src/ingest/import/process-scan.ts';
import { send } from '../support/client.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestKey, createTestWorkspace } from '../support/workspace.ts';

const server = await createTestServer({
  MERLON_UPLOADS_PER_MINUTE: '0',
  MERLON_MAX_WAITING_MB: '1',
  MERLON_MAX_INFLATED_MB: '1',
});
const { people } = await createTestWorkspace(server, 'acme');
// Node looks for requests that take too long at this interval. It is read when the server begins to listen.
Object.assign(server.app.server, { connectionsCheckingInterval: 200 });
await server.app.listen({ port: 0, host: '127.0.0.1' });
const { port } = server.app.server.address() as AddressInfo;

/** Begins an upload that takes all room of the workspace for reports, and sends only this much of its body. */
async function beginUpload(key: string, body: string, before: () => Promise<unknown> = async () => {}) {
  const { rows } = await server.owner.query(
    "select tenant_id, repository_id from scan where status = 'queued'",
  );
  for (const row of rows) await processRepository(server, row.tenant_id, row.repository_id);
  await before();
  // Such a sender does not close its side when the server closes the other one.
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write(
    `POST /ingest/v1/acme/scans?repo=acme/gone&ref=main HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\ncontent-length: ${1024 * 1024}\r\n\r\n${body}`,
  );
  return socket;
}

let uploads = 0;

function upload() {
  return send(server.app, {
    method: 'POST',
    path: `/ingest/v1/acme/scans?repo=acme/shop-${uploads++}&ref=main`,
    authorization: `Bearer ${people.member.key}`,
    body: trivy([{ id: 'CVE-2030-1', name: 'left', version: '1.0.0', severity: 'HIGH' }]),
  });
}

async function uploadWhenFree(): Promise<number> {
  let status = 429;
  for (const end = Date.now() + 30_000; status === 429 && Date.now() < end; await sleep(200)) {
    ({ status } = await upload());
  }
  return status;
}

for (const [sent, body] of [
  ['one byte', '{'],
  ['no byte', ''],
] as const) {
  test(`an upload whose client disconnects after ${sent} of its body keeps no room for reports`, async () => {
    const client = await server.owner.connect();
    const socket = await beginUpload(people.member.key, body, () =>
      client.query('begin; lock table scan in access exclusive mode'),
    );
    await sleep(500);
    socket.resetAndDestroy();
    await sleep(200);
    await client.query('rollback');
    client.release();
    assert.equal(await uploadWhenFree(), 202);
  });

  test(`an upload that stops after ${sent} of its body keeps no room for reports once its key is revoked`, async () => {
    const { id, key } = await createTestKey(server, {
      userId: people.member.user.id,
      role: 'member',
      scopes: ['scans:write'],
    });
    const socket = await beginUpload(key, body);
    let answered = '';
    socket.on('data', (chunk: Buffer) => {
      answered += chunk.toString();
    });
    await sleep(500);
    assert.equal((await upload()).status, 429);
    await server.owner.query('update api_key set disabled_at = now() where id = $1', [id]);
    const status = await uploadWhenFree();
    socket.destroy();
    assert.equal(status, 202);
    assert.match(answered, /^HTTP\/1\.1 401 /);
  });
}

test('an upload without a byte keeps no room for reports, also if its key is revoked before the server reads its body', async () => {
  const { id, key } = await createTestKey(server, {
    userId: people.member.user.id,
    role: 'member',
    scopes: ['scans:write'],
  });
  const client = await server.owner.connect();
  const socket = await beginUpload(key, '', () =>
    client.query('begin; lock table scan in access exclusive mode'),
  );
  await sleep(500);
  await server.owner.query('update api_key set disabled_at = now() where id = $1', [id]);
  await sleep(2_500);
  await client.query('rollback');
  client.release();
  const status = await uploadWhenFree();
  socket.destroy();
  assert.equal(status, 202);
});

test('an upload that does not end within an hour keeps no room for reports, also while its key is valid', async () => {
  const { server: http } = server.app;
  assert.equal(http.requestTimeout, 3_600_000);
  Object.assign(http, { requestTimeout: 5_000, headersTimeout: 5_000 });
  const socket = await beginUpload(people.member.key, '{');
  await sleep(300);
  assert.equal((await upload()).status, 429);
  const status = await uploadWhenFree();
  socket.destroy();
  assert.equal(status, 202);
});

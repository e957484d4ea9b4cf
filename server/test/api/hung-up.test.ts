/** Tests of senders that hang up before the server reads their body. */
import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '../support/client.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const server = await createTestServer({ MERLON_MAX_WAITING_MB: '1', MERLON_MAX_INFLATED_MB: '1' });
const { people } = await createTestWorkspace(server, 'acme');
await server.app.listen({ port: 0, host: '127.0.0.1' });
const { port } = server.app.server.address() as AddressInfo;

for (const [sent, body] of [
  ['one byte', '{'],
  ['no byte', ''],
] as const) {
  test(`an upload whose client disconnects after ${sent} of its body keeps no room for reports`, async () => {
    const client = await server.owner.connect();
    await client.query('begin; lock table scan in access exclusive mode');
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST /ingest/v1/acme/scans?repo=acme/gone&ref=main HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${people.member.key}\r\ncontent-length: ${1024 * 1024}\r\n\r\n${body}`,
    );
    await sleep(500);
    socket.resetAndDestroy();
    await sleep(200);
    await client.query('rollback');
    client.release();
    await sleep(1_000);
    const answer = await send(server.app, {
      method: 'POST',
      path: `/ingest/v1/acme/scans?repo=acme/shop-${body.length}&ref=main`,
      authorization: `Bearer ${people.member.key}`,
      body: trivy([{ id: 'CVE-2030-1', name: 'left', version: '1.0.0', severity: 'HIGH' }]),
    });
    assert.equal(answer.status, 202, answer.text);
  });
}

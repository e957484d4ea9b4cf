/**
 * Tests of the commands of webhooks: those of the operator make and change them, those of a key list and send again.
 */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { after, test } from 'node:test';
import { getId } from '../../server/src/domain/ids.ts';
import { networksOf } from '../../server/src/notifications/outbound/public-address.ts';
import { deliverRound } from '../../server/src/notifications/webhooks/deliver.ts';
import { importAll } from '../../server/test/support/import.ts';
import { merlondHere } from '../../server/test/support/merlond-here.ts';
import { merlond } from '../../server/test/support/process.ts';
import { trivy } from '../../server/test/support/reports.ts';
import { runHere } from '../../server/test/support/run-here.ts';
import { createTestServer } from '../../server/test/support/server.ts';
import { nodeSettings } from '../../server/test/support/serving.ts';
import { startReceiver } from '../../server/test/support/webhook-receiver.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import { main } from '../src/main.ts';

const server = await createTestServer();
const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
const { tenant, people } = await createTestWorkspace(server, 'acme');
const settings = { ...nodeSettings(server), MERLON_WEBHOOK_NETWORKS: '127.0.0.0/8' };

async function operator(args: string[], code = 0) {
  const run = await merlondHere(['webhook', ...args, '--workspace', 'acme'], settings);
  assert.equal(run.code, code, `${args.join(' ')}\n${run.stdout}${run.stderr}`);
  return run;
}

async function merlon(args: string[], code = 0, role: 'admin' | 'viewer' = 'admin') {
  const env = { MERLON_URL: url, MERLON_TOKEN: people[role].key, MERLON_WORKSPACE: 'acme' };
  const run = await runHere(main, ['webhook', ...args], { cwd: tmpdir(), env });
  assert.equal(run.code, code, `${args.join(' ')}\n${run.stdout}${run.stderr}`);
  return run;
}

const receiver = await startReceiver();
after(() => receiver.close());

test('the operator makes a webhook, and a key lists its deliveries and sends events again', async () => {
  const made = await operator(['create', '--name', 'Chat', '--url', receiver.url]);
  const secret = made.stdout.trim();
  assert.match(secret, /^whsec_/);
  receiver.secret = secret;
  const [{ id }] = JSON.parse((await operator(['list', '--json'])).stdout);
  assert.ok(!(await operator(['list'])).stdout.includes(secret));
  await importAll(server, 'acme', [
    reportInput(trivy([{ id: 'CVE-2030-1', name: 'alpha', version: '1.0.0' }])),
  ]);
  const deliver = () =>
    deliverRound(
      {
        db: server.db,
        secret: server.secret,
        post: { allowed: networksOf(['127.0.0.0/8']), usesSystemNames: true },
        publicUrl: null,
        now: () => new Date(),
      },
      tenant.id,
      getId('webhook', id),
    );
  await deliver();
  const sent = receiver.received.length;
  assert.ok(sent > 0);
  assert.equal(receiver.refused, 0);

  const { items } = JSON.parse((await merlon(['deliveries', id, '--json'])).stdout);
  assert.equal(items.length, sent);
  assert.match((await merlon(['deliveries', id])).stdout, /scan\.completed +delivered +1 +204/);
  assert.match((await merlon(['list'])).stdout, /Chat +enabled +0/);
  assert.match((await merlon(['replay', id, items[0].event])).stdout, /1 events are sent again/);
  await deliver();
  assert.equal(receiver.received.at(-1)?.id, items[0].event);
  assert.match((await merlon(['replay', id, '--failed'])).stdout, /0 events/);
  await merlon(['replay', id], 2);
  await merlon(['list'], 3, 'viewer');

  const address = ['create', '--name', 'Team', '--url', '-', '--format', 'slack', '--workspace', 'acme'];
  const chat = await merlond(['webhook', ...address], settings, `${receiver.url}\n`);
  assert.deepEqual([chat.stdout, /"Team" is made/.test(chat.stderr)], ['', true]);
  assert.match((await operator(['list'])).stdout, /Team +slack +enabled/);
  await operator(['create', '--name', 'Team', '--url', receiver.url, '--format', 'fax'], 2);
  await operator(['delete', JSON.parse((await operator(['list', '--json'])).stdout)[0].id]);

  const rotated = (await operator(['rotate-secret', id])).stdout.trim();
  assert.notEqual(rotated, secret);
  await operator(['disable', id]);
  assert.match((await operator(['list'])).stdout, /disabled/);
  await operator(['enable'], 2);
  assert.match((await operator(['enable', '--all'])).stderr, /"Chat" is enabled/);
  assert.match((await operator(['replay', id])).stderr, /0 events/);
  await operator(['delete', id]);
  await operator(['delete', id], 3);
  await operator(['create', '--name', 'Inside', '--url', 'https://10.0.0.1/'], 2);
  assert.deepEqual(JSON.parse((await operator(['list', '--json'])).stdout), []);
});

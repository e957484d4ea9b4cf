/**
 * Tests of SIGKILL to servers in the middle of deliveries to a webhook: each event arrives, in order for its object,
 * and signed. The first server has processes, one of which stands in for the worker; the last one is a single process.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { importTx } from '../../src/db/database.ts';
import { newId } from '../../src/domain/ids.ts';
import type { WorkspaceEvent } from '../../src/domain/workspace-event.ts';
import { networksOf } from '../../src/notifications/outbound/public-address.ts';
import { createWebhook, withDefaults } from '../../src/notifications/webhooks/webhook-service.ts';
import { createTestDatabase } from '../support/database.ts';
import { exitOf } from '../support/process.ts';
import { nodeSettings, startServing, stop } from '../support/serving.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const database = await createTestDatabase();
const { db, owner, secret } = database;
const { tenant, people } = await createTestWorkspace(database, 'acme');
const receiver = await startReceiver();
after(() => receiver.close());

const objects = 20;
const eventsOfObject = 6;
const kills = 3;

test('servers that are killed while they deliver lose no event and keep the order of each object', async () => {
  const made = await importTx(db, tenant.id, (tx) =>
    createWebhook(
      tx,
      { actorId: people.admin.user.id },
      withDefaults({ name: 'Receiver', url: receiver.url }),
      { secret, allowed: networksOf(['127.0.0.0/8']), allowsHttp: true },
    ),
  );
  receiver.secret = made.secret;
  receiver.answer = (_event, response) => {
    setTimeout(() => response.writeHead(204).end(), 100);
  };
  const ids = Array.from({ length: objects }, () => newId<'key'>());
  for (let round = 0; round < eventsOfObject; round++) {
    await importTx(db, tenant.id, async (tx) => {
      for (const [i, objectId] of ids.entries()) {
        const event: WorkspaceEvent = {
          type: 'key.created',
          objectId,
          repositoryId: null,
          scanId: null,
          actorId: null,
          at: new Date(),
          data: { kind: 'workspace', name: `${i}:${round}`, expires_at: null },
        };
        tx.changes.addEvent(event);
      }
    });
  }
  const settings = { ...nodeSettings(database), MERLON_WEBHOOK_NETWORKS: '127.0.0.0/8' };
  for (let kill = 0; kill < kills; kill++) {
    const before = receiver.received.length;
    const { child } = await startServing({ ...settings, MERLON_PROCESSES: kill % 2 === 0 ? '2' : '0' });
    await until(() => receiver.received.length >= before + 12, 'twelve events arrive');
    child.kill('SIGKILL');
    await exitOf(child);
    // Requests of the killed server are still being answered.
    await sleep(500);
    const { rows } = await owner.query('select leased_until from webhook');
    assert.ok(rows[0].leased_until !== null, 'the server died in the middle of a round');
    // Its lease ends within a minute, which this test does not wait for.
    await owner.query('update webhook set leased_until = now()');
  }
  const last = await startServing({ ...settings, MERLON_PROCESSES: '0' });
  const isDone = async (): Promise<boolean> => {
    const { rows } = await owner.query(
      `select count(*) filter (where status = 'delivered')::int as delivered from webhook_delivery`,
    );
    return rows[0].delivered === objects * eventsOfObject;
  };
  await until(isDone, 'all is delivered');
  await stop(last.child);

  assert.equal(receiver.refused, 0, 'each request has a right signature');
  const names = receiver.received.map(({ event }) => (event.data.key as { name: string }).name);
  assert.ok(names.length > objects * eventsOfObject, 'what was not noted has come again');
  for (const i of ids.keys()) {
    const own = names.filter((name) => name.startsWith(`${i}:`));
    const first = own.filter((name, at) => own.indexOf(name) === at);
    assert.deepEqual(
      first,
      Array.from({ length: eventsOfObject }, (_, round) => `${i}:${round}`),
    );
    assert.deepEqual(own, own.toSorted(), 'an event that comes again comes before the next of its object');
  }
});

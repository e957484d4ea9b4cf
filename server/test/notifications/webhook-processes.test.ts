/** Tests of the processes that deliver events, also of killed ones, and of the log of deliveries. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../src/domain/ids.ts';
import { databaseMetrics } from '../../src/metrics/database-metrics.ts';
import { sweepEvents } from '../../src/notifications/feed/sweep-events.ts';
import { type DeliveryDependencies, deliverRound } from '../../src/notifications/webhooks/deliver.ts';
import { deliveryScheduler, startDelivering } from '../../src/notifications/webhooks/delivery-loop.ts';
import { vulnerable } from '../policies/policy-workspace.ts';
import { fieldOf, fieldsOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { trivy } from '../support/reports.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';
import { createWebhookWorkspace, hourMs, minuteMs } from './webhook-workspace.ts';

const {
  server,
  tenant,
  db,
  secret,
  owner,
  current,
  dependencies,
  webhook,
  writeEvent,
  namesReceived,
  deliver,
  stored,
  log,
  eventsSince,
  cursorOfNow,
} = await createWebhookWorkspace();

describe('processes', () => {
  test('after a process is killed between an answer and its record, the events are sent again and none is lost', async () => {
    const cursor = await cursorOfNow();
    for (let i = 0; i < 30; i++) await writeEvent(newId(), `event ${i}`);
    // The process dies after the answers: it has recorded nothing of the round, and its lease stays.
    const killed: DeliveryDependencies = {
      ...dependencies,
      db: new Proxy(db, {
        get: (target, key) => {
          if (key === 'importPool' && current.receiver.received.length > 0) throw new Error('killed');
          return target[key as keyof typeof target];
        },
      }),
    };
    await assert.rejects(deliverRound(killed, tenant.id, current.hook.id), /killed/);
    assert.equal(current.receiver.received.length, 30);
    assert.deepEqual(new Set((await log()).map(({ status }) => status)), new Set(['pending']));
    current.clock += 30_000;
    await deliver();
    assert.equal(current.receiver.received.length, 30, 'the lease holds others off');
    current.clock += 31_000;
    await deliver();
    assert.deepEqual(new Set(current.receiver.ids()), new Set(await eventsSince(cursor)));
    assert.deepEqual(new Set((await log()).map(({ status }) => status)), new Set(['delivered']));
  });

  test('a process whose lease has ended does not overwrite the record of the process that has taken over', async () => {
    await writeEvent(newId(), 'late');
    current.receiver.answer = async (_event, response) => {
      if (current.receiver.received.length === 1) {
        current.clock += 61_000;
        await deliver();
      }
      response.writeHead(current.receiver.received.length === 1 ? 500 : 200).end();
    };
    const first = { ...dependencies, post: { ...dependencies.post, timeoutMs: 5_000 } };
    assert.equal(await deliverRound(first, tenant.id, current.hook.id), false);
    assert.deepEqual(fieldsOf(await log(), 'status', 'attempts'), [['delivered', 1]]);
    assert.equal((await stored()).leased_until, null);
  });

  test('two processes at once send each event once', async () => {
    for (let i = 0; i < 300; i++) await writeEvent(newId(), `event ${i}`);
    await Promise.all([deliver(), deliver(), deliver()]);
    assert.equal(current.receiver.received.length, 300);
    assert.equal(new Set(current.receiver.ids()).size, 300);
  });

  test('slow receivers of one workspace do not delay the events of another one', async () => {
    const slow = await startReceiver();
    slow.answer = () => {};
    const other = await createTestWorkspace(server, 'neighbour');
    const quick = await startReceiver();
    for (let i = 0; i < 20; i++) {
      const { rowCount } = await owner.query('select 1 from webhook where tenant_id = $1', [tenant.id]);
      if ((rowCount ?? 0) < 20) await webhook({ url: slow.url });
    }
    const { secret: theirs } = await webhook({ url: quick.url }, other.tenant.id);
    quick.secret = theirs;
    for (let i = 0; i < 20; i++) await writeEvent(newId(), `slow ${i}`);
    await importAll(server, 'neighbour', [reportInput(trivy([vulnerable('eta')]))]);
    const scheduler = deliveryScheduler({
      ...dependencies,
      post: { ...dependencies.post, timeoutMs: 30_000 },
    });
    await scheduler.poll();
    await until(
      () => quick.received.length >= 2,
      'the neighbour is served before the slow ones time out',
      20_000,
    );
    await slow.close();
    await scheduler.stop();
    await quick.close();
  });

  test('an event that no process has taken counts for the age of the oldest waiting event', async () => {
    const metrics = await databaseMetrics(db);
    const readAge = async () => {
      const found = (await metrics.read()).find(
        ({ name }) => name === 'merlon_webhook_events_waiting_oldest_seconds',
      );
      return Number(found?.values[0]?.value);
    };
    await deliver();
    assert.equal(await readAge(), 0);
    await writeEvent(newId(), 'not taken up');
    await owner.query(`update event_batch set created_at = created_at - interval '1 hour'`);
    assert.ok((await readAge()) >= 3_600);
    await deliver();
    assert.equal(await readAge(), 0);
  });

  test('the loop of a process delivers by itself, and a stop ends open requests at once', async () => {
    const delivering = startDelivering({
      db,
      secret,
      config: server.config,
      log: { warn: assert.fail },
      now: () => new Date(),
    });
    await writeEvent(newId(), 'by itself');
    for (let i = 0; i < 100 && current.receiver.received.length === 0; i++) await sleep(100);
    assert.deepEqual(namesReceived(), ['by itself']);
    current.receiver.answer = () => {};
    await writeEvent(newId(), 'unanswered');
    for (let i = 0; i < 100 && current.receiver.received.length === 1; i++) await sleep(100);
    const startedAt = performance.now();
    await delivering.stop();
    assert.ok(performance.now() - startedAt < 8_000, 'before the request times out');
    assert.deepEqual(
      fieldsOf(await log(), 'status', 'attempts'),
      [
        ['delivered', 1],
        ['pending', 0],
      ],
      'an attempt that the stop has ended does not count',
    );
    current.receiver.answer = 200;
    current.clock = Date.now() + 1_000;
    await deliver();
    assert.deepEqual(namesReceived(), ['by itself', 'unanswered', 'unanswered']);
  });
});

describe('the log', () => {
  test('its rows are deleted with their events, and a webhook that was disabled for longer counts the missed ones', async () => {
    await writeEvent(newId(), 'old');
    await deliver();
    await owner.query('update webhook set enabled = false where id = $1', [current.hook.id]);
    for (const name of ['missed 1', 'missed 2']) await writeEvent(newId(), name);
    await owner.query(`update event_batch set created_at = now() - interval '40 days' where tenant_id = $1`, [
      tenant.id,
    ]);
    await sweepEvents(db, tenant.id, new Date(), 30);
    assert.deepEqual(await log(), []);
    await owner.query('update webhook set enabled = true where id = $1', [current.hook.id]);
    await writeEvent(newId(), 'kept');
    await deliver();
    assert.deepEqual(namesReceived(), ['old', 'kept']);
    assert.equal((await stored()).missed, '2');
  });

  test('events that are deleted while a receiver is unavailable count as missed, and do not delay its recovery', async () => {
    current.receiver.answer = 500;
    for (let i = 0; i < 12; i++) await writeEvent(newId(), `old ${i}`);
    await deliver();
    assert.notEqual((await stored()).retry_at, null, 'the receiver is away');
    await owner.query(`update event_batch set created_at = now() - interval '40 days' where tenant_id = $1`, [
      tenant.id,
    ]);
    await sweepEvents(db, tenant.id, new Date(), 30);
    assert.deepEqual([await log(), (await stored()).missed], [[], '12']);
    current.receiver.answer = 200;
    await writeEvent(newId(), 'new');
    current.clock += hourMs;
    current.receiver.secret = null;
    await deliver();
    assert.deepEqual(namesReceived().slice(-1), ['new']);
    assert.deepEqual(fieldOf(await log(), 'status'), ['delivered']);
  });

  test('an event that is deleted while it waits has failed, with the reason', async () => {
    current.receiver.answer = 500;
    await writeEvent(newId(), 'waits');
    await deliver();
    await owner.query('delete from event_batch where tenant_id = $1', [tenant.id]);
    current.clock += minuteMs;
    await deliver();
    assert.deepEqual(fieldsOf(await log(), 'status', 'error'), [
      ['failed', 'the event is not kept any more'],
    ]);
  });
});

/** Tests of the delivery of events to receivers that fail: retries, order, and failed events that are sent again. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { installSecret } from '../../src/db/install-secret.ts';
import { formatId, newId } from '../../src/domain/ids.ts';
import { networksOf } from '../../src/notifications/outbound/public-address.ts';
import { attemptWaitsMs } from '../../src/notifications/outbound/retries.ts';
import { fieldOf, fieldsOf } from '../support/fields.ts';
import { seedOf } from '../support/form.ts';
import { randomOf } from '../support/random.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { createWebhookWorkspace, hourMs, minuteMs, nameOf } from './webhook-workspace.ts';

const { admin, current, dependencies, writeEvent, namesReceived, deliver, pass, stored, log } =
  await createWebhookWorkspace();

describe('a receiver that fails', () => {
  test('an event that is answered with 500 is sent again after growing waits, and fails after most of a day', async () => {
    current.receiver.answer = 500;
    // The library accepts timestamps within five minutes of its clock, and the clock of this test is ahead.
    current.receiver.secret = null;
    await writeEvent(newId(), 'hopeless');
    await deliver();
    assert.deepEqual(fieldsOf(await log(), 'status', 'attempts', 'response_status'), [['pending', 1, 500]]);
    await pass(24 * hourMs, 5 * minuteMs);
    const [entry] = await log();
    assert.deepEqual([entry?.status, entry?.attempts], ['failed', attemptWaitsMs.length + 1]);
    assert.equal(current.receiver.received.length, attemptWaitsMs.length + 1);
    assert.equal(new Set(current.receiver.ids()).size, 1, 'each attempt has the same id');
    const total = attemptWaitsMs.reduce((sum, ms) => sum + ms, 0);
    assert.ok(total > 20 * hourMs && total < 24 * hourMs);
  });

  test('a receiver that is down for an hour gets all events, in order for each object, and none with a wrong signature', async () => {
    const port = new URL(current.receiver.url).port;
    await current.receiver.close();
    const objects = Array.from({ length: 5 }, () => newId<'key'>());
    const sent: string[] = [];
    for (let round = 0; round < 12; round++) {
      for (const [i, object] of objects.entries()) {
        await writeEvent(object, `${i}:${round}`);
        sent.push(`${i}:${round}`);
      }
      await pass(5 * minuteMs, minuteMs);
    }
    assert.equal((await log()).filter(({ status }) => status !== 'pending').length, 0);
    current.receiver = await startReceiver(Number(port));
    await pass(hourMs, minuteMs);
    assert.deepEqual(namesReceived().toSorted(), sent.toSorted());
    for (const i of objects.keys()) {
      const own = namesReceived().filter((name) => name.startsWith(`${i}:`));
      assert.deepEqual(
        own,
        sent.filter((name) => name.startsWith(`${i}:`)),
        'the order of the object',
      );
    }
    for (const { id, headers, body } of current.receiver.received) {
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      assert.equal(headers['webhook-signature'], new Webhook(current.hook.secret).sign(id, at, body));
    }
  });

  test('while a receiver is unavailable only one event at a time is tried', async () => {
    current.receiver.answer = 503;
    for (let i = 0; i < 50; i++) await writeEvent(newId(), `event ${i}`);
    await deliver();
    const first = current.receiver.received.length;
    assert.ok(first <= 10, `${first} requests`);
    current.clock += 40_000;
    await deliver();
    assert.equal(current.receiver.received.length, first + 1);
    assert.ok((await stored()).retry_at !== null);
    current.receiver.answer = 200;
    await pass(10 * minuteMs, minuteMs);
    assert.equal(new Set(current.receiver.ids()).size, 50);
    const { failures, retry_at: retryAt } = await stored();
    assert.deepEqual([failures, retryAt], [0, null]);
  });

  test('a receiver that accepts only one event at a time gets all of them, and none fails', async () => {
    // The library accepts timestamps within five minutes of its clock, and the clock of this test is ahead.
    current.receiver.secret = null;
    let takenAt = 0;
    current.receiver.answer = (_, response) => {
      response.writeHead(takenAt === current.clock ? 429 : 204).end();
      takenAt = current.clock;
    };
    for (let i = 0; i < 40; i++) await writeEvent(newId(), `event ${i}`);
    const below = randomOf(seedOf(20_260_101));
    const takeOne = async (ms: number, stepMs: number) => {
      for (const end = current.clock + ms; current.clock < end; ) {
        current.clock += stepMs;
        await deliver({ random: () => below(2 ** 32) / 2 ** 32 });
      }
    };
    await takeOne(hourMs, 20_000);
    await takeOne(12 * hourMs, 2 * minuteMs);
    assert.deepEqual(
      (await log()).filter(({ status }) => status !== 'delivered'),
      [],
    );
  });

  for (const [status, count, longestMs] of [
    // The receiver is available, and refuses only these events.
    [422, 30, 10_000],
    // The receiver counts as unavailable, and a later event is tried before these.
    [500, 8, minuteMs],
  ] as const) {
    test(`events that a receiver always refuses with ${status} do not delay others`, async () => {
      current.receiver.secret = null;
      current.receiver.answer = ({ event }, response) => {
        response.writeHead(nameOf(event).startsWith('refused') ? status : 204).end();
      };
      for (let i = 0; i < count; i++) await writeEvent(newId(), `refused ${i}`);
      await deliver();
      for (let i = 1; i <= 10; i++) {
        for (let one = 0; one < 5; one++) await writeEvent(newId(), `taken ${i}.${one}`);
        await pass(longestMs, 10_000);
        assert.equal(namesReceived().filter((name) => name.startsWith('taken')).length, 5 * i);
      }
    });
  }

  test('a receiver that refuses every event counts as failing, and not as unavailable', async () => {
    current.receiver.answer = (_, response) => response.writeHead(400).end();
    for (let i = 0; i < 5; i++) await writeEvent(newId(), `event ${i}`);
    await deliver();
    const { failures, retry_at: retryAt } = await stored();
    assert.deepEqual([failures, retryAt], [2, null]);
  });

  test('a later event of an object waits for an earlier one that fails, and events of others do not', async () => {
    const [stuck, free] = [newId<'key'>(), newId<'key'>()];
    current.receiver.answer = (event, response) => {
      response.writeHead(nameOf(event.event) === 'first' ? 500 : 200).end();
    };
    await writeEvent(stuck, 'first');
    await writeEvent(stuck, 'second');
    await writeEvent(free, 'other');
    await deliver();
    await deliver();
    assert.deepEqual(namesReceived().toSorted(), ['first', 'other']);
    current.receiver.answer = 200;
    await pass(minuteMs, 10_000);
    assert.deepEqual(namesReceived().slice(2), ['first', 'second']);
  });

  test('a request that times out counts as failed, and is sent again', async () => {
    current.receiver.answer = () => {};
    await writeEvent(newId(), 'slow');
    await deliver({ post: { ...dependencies.post, timeoutMs: 200 } });
    const [entry] = await log();
    assert.deepEqual([entry?.status, entry?.error], ['pending', 'no answer within 0.2 seconds']);
    current.receiver.answer = 200;
    current.clock += minuteMs;
    await deliver();
    assert.deepEqual(fieldOf(await log(), 'status'), ['delivered']);
  });

  test('a redirect is not followed, and all events are sent to the new address once an admin sets it', async () => {
    const moved = await startReceiver();
    current.receiver.answer = (_event, response) => response.writeHead(301, { location: moved.url }).end();
    for (const name of ['a', 'b', 'c']) await writeEvent(newId(), name);
    await deliver();
    assert.deepEqual(moved.received, []);
    assert.equal((await log())[0]?.error, 'redirects are not followed');
    const { status, text } = await admin.patch(
      `/manage/v1/acme/webhooks/${formatId('webhook', current.hook.id)}`,
      {
        url: moved.url,
      },
    );
    assert.equal(status, 200, text);
    moved.secret = current.hook.secret;
    await deliver();
    assert.deepEqual(namesReceived(moved).toSorted(), ['a', 'b', 'c']);
    assert.equal(moved.refused, 0);
    await moved.close();
  });

  test('failures of the old address do not delay requests to an address that is set meanwhile', async (context) => {
    const moved = await startReceiver();
    context.after(() => moved.close());
    const names = ['a', 'b', 'c', 'd'];
    let answered = 0;
    const all = Promise.withResolvers<void>();
    current.receiver.answer = async (_event, response) => {
      if (++answered === names.length) {
        const path = `/manage/v1/acme/webhooks/${formatId('webhook', current.hook.id)}`;
        assert.equal((await admin.patch(path, { url: moved.url })).status, 200);
        all.resolve();
      }
      await all.promise;
      response.writeHead(500).end();
    };
    for (const name of names) await writeEvent(newId(), name);
    await deliver();
    assert.deepEqual(namesReceived(moved).toSorted(), names);
    const { failures, retry_at } = await stored();
    assert.deepEqual([failures, retry_at], [0, null]);
  });

  test('410 disables the webhook, and waiting events are sent once an admin enables it', async () => {
    current.receiver.answer = 410;
    await writeEvent(newId(), 'gone');
    await deliver();
    const { enabled, disabled_reason: reason } = await stored();
    assert.deepEqual([enabled, reason], [false, 'The receiver has answered 410 Gone.']);
    await writeEvent(newId(), 'meanwhile');
    await pass(hourMs, 10 * minuteMs);
    assert.deepEqual(namesReceived(), ['gone']);
    current.receiver.answer = 200;
    current.receiver.secret = null;
    await admin.patch(`/manage/v1/acme/webhooks/${formatId('webhook', current.hook.id)}`, { enabled: true });
    await deliver();
    assert.deepEqual(namesReceived().slice(1).toSorted(), ['gone', 'meanwhile']);
    assert.equal((await stored()).disabled_reason, null);
  });

  test('an address that the server no longer allows gets nothing', async () => {
    await writeEvent(newId(), 'inside');
    await deliver({ post: { ...dependencies.post, allowed: networksOf([]) } });
    assert.deepEqual(current.receiver.received, []);
    assert.match((await log())[0]?.error ?? '', /not public/);
  });

  test('a webhook of an install with another secret is disabled, and sends nothing', async () => {
    await writeEvent(newId(), 'other install');
    await deliver({ secret: installSecret(Buffer.alloc(32, 9)) });
    assert.deepEqual(current.receiver.received, []);
    assert.match((await stored()).disabled_reason ?? '', /another secret of the install/);
  });

  test('the log of deliveries does not contain the answer of the receiver', async () => {
    current.receiver.answer = (_event, response) => {
      response.writeHead(500, { 'x-inside': 'private' }).end('private text of the network');
    };
    await writeEvent(newId(), 'reading');
    await deliver();
    const { text } = await admin.get(
      `/manage/v1/acme/webhooks/${formatId('webhook', current.hook.id)}/deliveries`,
    );
    assert.match(text, /"response_status":500/);
    assert.doesNotMatch(text, /private/);
  });
});

describe('replay', () => {
  test('failed events, or those of a list, are sent again under their ids', async () => {
    const path = `/manage/v1/acme/webhooks/${formatId('webhook', current.hook.id)}`;
    current.receiver.answer = 500;
    await writeEvent(newId(), 'once failed');
    await deliver();
    await pass(24 * hourMs, 10 * minuteMs);
    current.receiver.answer = 200;
    current.receiver.secret = null;
    const before = current.receiver.received.length;
    const failed = await admin.post(`${path}/replay`, { failed: true });
    assert.deepEqual([failed.status, failed.body], [200, { replayed: 1 }]);
    current.clock = Math.max(current.clock, Date.now() + 1_000);
    await pass(hourMs, 10 * minuteMs);
    assert.equal(current.receiver.received.length, before + 1);
    const id = current.receiver.ids().at(-1);
    const again = await admin.post(`${path}/replay`, {
      events: [id, formatId('event', newId()), 'nonsense'],
    });
    assert.deepEqual(again.body, { replayed: 1 });
    await deliver();
    assert.deepEqual(current.receiver.ids().slice(before), [id, id]);
    assert.equal((await admin.post(`${path}/replay`, {})).status, 422);
  });
});

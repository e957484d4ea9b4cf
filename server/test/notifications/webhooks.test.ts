/** Tests of the delivery of events: signatures, retries, order, all failures of receivers, and killed processes. */
import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { importTx } from '../../src/db/database.ts';
import { installSecret } from '../../src/db/install-secret.ts';
import { formatId, newId, type WebhookId } from '../../src/domain/ids.ts';
import type { EventObjectId, WorkspaceEvent, WorkspaceEventType } from '../../src/domain/workspace-event.ts';
import { databaseMetrics } from '../../src/metrics/database-metrics.ts';
import { sweepEvents } from '../../src/notifications/feed/sweep-events.ts';
import {
  type DeliveryDependencies,
  deliverRound,
  waitsMs,
} from '../../src/notifications/webhooks/deliver.ts';
import { deliveryScheduler, startDelivering } from '../../src/notifications/webhooks/delivery-loop.ts';
import { networksOf } from '../../src/notifications/webhooks/public-address.ts';
import type { WebhookInput } from '../../src/notifications/webhooks/webhook-input.ts';
import { createWebhook, withDefaults } from '../../src/notifications/webhooks/webhook-service.ts';
import { blockCritical, createPolicyWorkspace, vulnerable } from '../policies/policy-workspace.ts';
import { fieldOf, fieldsOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { trivy } from '../support/reports.ts';
import { type SessionClient, signInAs } from '../support/session.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const { server, tenant, people, apply, scan } = await createPolicyWorkspace({
  MERLON_WEBHOOK_NETWORKS: '127.0.0.0/8',
});
const { db, secret, owner } = server;
const actor = { actorId: people.admin.user.id };
const rules = { secret, allowed: networksOf(['127.0.0.0/8']), allowsHttp: true };
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let admin: SessionClient;
let receiver: Receiver;
let hook: { id: WebhookId; secret: string };
// The clock of the deliveries. It moves without waiting.
let clock = Date.now();
const dependencies: DeliveryDependencies = {
  db,
  secret,
  post: { allowed: rules.allowed, usesSystemNames: true, timeoutMs: 1_000 },
  publicUrl: 'https://merlon.example',
  now: () => new Date(clock),
  random: () => 0.5,
};

before(async () => {
  await apply(blockCritical);
  admin = await signInAs(server, people.admin.user.id);
});
beforeEach(async () => {
  clock = Date.now() + 1_000;
  receiver = await startReceiver();
  hook = await webhook({ url: receiver.url });
  receiver.secret = hook.secret;
});
afterEach(async () => {
  await receiver.close();
  await owner.query('delete from webhook');
});

async function webhook(
  input: Partial<WebhookInput>,
  tenantId = tenant.id,
): Promise<{ id: WebhookId; secret: string }> {
  const fields = withDefaults({ name: 'A receiver', url: '', ...input });
  const made = await importTx(db, tenantId, (tx) => createWebhook(tx, actor, fields, rules));
  return { id: made.row.id, secret: made.secret ?? '' };
}

/** Writes an event about an object. Its text is in the name of the key. */
async function writeEvent(
  objectId: EventObjectId,
  name: string,
  type: WorkspaceEventType = 'key.created',
): Promise<void> {
  const event: WorkspaceEvent = {
    type,
    objectId,
    repositoryId: null,
    scanId: null,
    actorId: null,
    at: new Date(),
    data: { kind: 'workspace', name, expires_at: null },
  };
  await importTx(db, tenant.id, async (tx) => tx.changes.addEvent(event));
}

const nameOf = (event: { data: object }): string => (event.data as { key: { name: string } }).key.name;
const namesReceived = (from = receiver): string[] => from.received.map(({ event }) => nameOf(event));

/** Delivers until nothing is due at the time of the clock. */
async function deliver(more: Partial<DeliveryDependencies> = {}): Promise<void> {
  const scheduler = deliveryScheduler({ ...dependencies, ...more }, (error) => {
    throw error;
  });
  await scheduler.poll();
  await scheduler.idle();
}

/** Moves the clock in steps, and delivers after each step. */
async function pass(ms: number, stepMs: number): Promise<void> {
  for (const end = clock + ms; clock < end; ) {
    clock += stepMs;
    await deliver();
  }
}

interface Stored {
  enabled: boolean;
  disabled_reason: string | null;
  failures: number;
  retry_at: Date | null;
  missed: string;
  leased_until: Date | null;
}

async function stored(id = hook.id): Promise<Stored> {
  const { rows } = await owner.query<Stored>('select * from webhook where id = $1', [id]);
  return rows[0] ?? assert.fail('no webhook');
}

interface Logged {
  status: string;
  attempts: number;
  error: string | null;
  response_status: number | null;
}

async function log(id = hook.id): Promise<Logged[]> {
  const { rows } = await owner.query<Logged>(
    'select * from webhook_delivery where webhook_id = $1 order by number',
    [id],
  );
  return rows;
}

/** Returns the ids of all events of the workspace since the cursor, in order. */
async function eventsSince(cursor: string): Promise<string[]> {
  const { text } = await admin.get(
    `/console/export/v1/acme/events?since=${encodeURIComponent(cursor)}&limit=5000`,
  );
  return text
    .trimEnd()
    .split('\n')
    .flatMap((line) => (JSON.parse(line) as { id?: string }).id ?? []);
}

async function cursorOfNow(): Promise<string> {
  const { text } = await admin.get('/console/export/v1/acme/events?since=latest');
  return JSON.parse(text).cursor;
}

describe('a receiver that works', () => {
  test('gets each event of an import once, signed, as the feed shows it', async () => {
    const cursor = await cursorOfNow();
    await scan([vulnerable('alpha'), vulnerable('beta', 'LOW')]);
    await deliver();
    assert.equal(receiver.refused, 0, 'the library of Standard Webhooks verifies each request');
    const expected = await eventsSince(cursor);
    assert.ok(expected.length >= 4);
    assert.deepEqual(receiver.ids().toSorted(), expected.toSorted());
    const { text } = await admin.get(`/console/export/v1/acme/events?since=${encodeURIComponent(cursor)}`);
    const lines = text.trimEnd().split('\n');
    for (const { body } of receiver.received) assert.ok(lines.includes(body));
    await deliver();
    assert.equal(receiver.received.length, expected.length, 'nothing is sent twice');
    assert.deepEqual(
      fieldOf(await log(), 'status'),
      expected.map(() => 'delivered'),
    );
  });

  test('gets events at its whole address, also after a change of another field of the webhook', async () => {
    const { id } = await webhook({ url: `${receiver.url}?token=t1` });
    receiver.secret = null;
    await admin.patch(`/manage/v1/acme/webhooks/${formatId('webhook', id)}`, { name: 'Renamed' });
    await writeEvent(newId(), 'with a query');
    await deliver();
    assert.deepEqual(receiver.received.map(({ path }) => path).toSorted(), ['/hook', '/hook?token=t1']);
  });

  test('gets no events from before the webhook was created', async () => {
    await writeEvent(newId(), 'later');
    await deliver();
    assert.deepEqual(namesReceived(), ['later']);
  });

  test('during a rotation each request is signed with both secrets, and after a day with the new one only', async () => {
    const answer = await admin.post<{ secret: string }>(
      `/manage/v1/acme/webhooks/${formatId('webhook', hook.id)}/secret`,
      {},
    );
    assert.equal(answer.status, 201, answer.text);
    const { secret: next } = answer.body;
    assert.notEqual(next, hook.secret);
    await writeEvent(newId(), 'rotated');
    await deliver();
    const [first] = receiver.received;
    assert.ok(first);
    assert.equal(first.headers['webhook-signature']?.split(' ').length, 2);
    new Webhook(next).verify(first.body, first.headers);
    new Webhook(hook.secret).verify(first.body, first.headers);
    receiver.secret = null;
    clock += 25 * hourMs;
    await writeEvent(newId(), 'a day later');
    await deliver();
    const last = receiver.received.at(-1);
    assert.equal(last?.headers['webhook-signature']?.split(' ').length, 1);
    // The timestamp is in the future for the library, so the test compares the signature instead of verifying it.
    const at = new Date(Number(last.headers['webhook-timestamp']) * 1000);
    assert.equal(last.headers['webhook-signature'], new Webhook(next).sign(last.id, at, last.body));
  });

  test('gets all events of a large import', async () => {
    const cursor = await cursorOfNow();
    await scan(
      Array.from({ length: 700 }, (_, i) => ({ ...vulnerable(`package-${i}`), id: `CVE-2030-${1000 + i}` })),
    );
    await deliver();
    const expected = await eventsSince(cursor);
    assert.ok(expected.length > 1_400);
    assert.deepEqual(new Set(receiver.ids()), new Set(expected));
    assert.equal(receiver.received.length, expected.length);
  });
});

describe('filters', () => {
  test('types, severity, repository and application choose the events', async () => {
    await importAll(server, 'acme', [reportInput(trivy([]), { repository: 'acme/other' })]);
    const idOf = async (name: string): Promise<string> => {
      const { rows } = await owner.query('select id from repository where full_name = $1', [name]);
      return formatId('repository', rows[0].id);
    };
    const { body: application } = await admin.post<{ id: string }>('/manage/v1/acme/applications', {
      name: 'Other things',
    });
    await admin.put(`/manage/v1/acme/applications/${application.id}/repositories`, {
      repositories: [await idOf('acme/other')],
    });
    const paths: Record<string, Partial<WebhookInput>> = {
      types: { types: ['scan.completed'] },
      severe: { least_severity: 'high', types: ['vulnerability.opened', 'scan.completed'] },
      repository: { repositories: [await idOf('acme/other')], types: ['scan.completed'] },
      application: { applications: [application.id], types: ['scan.completed', 'key.created'] },
    };
    for (const [path, input] of Object.entries(paths)) {
      await webhook({ url: receiver.url.replace('hook', path), ...input });
    }
    receiver.secret = null;
    await writeEvent(newId(), 'about no repository');
    await scan([vulnerable('gamma'), vulnerable('delta', 'LOW')], { repository: 'acme/third' });
    await importAll(server, 'acme', [
      reportInput(trivy([vulnerable('epsilon', 'MEDIUM')]), { repository: 'acme/other' }),
    ]);
    await deliver();
    const got = (path: string): string[] =>
      receiver.received
        .filter((one) => one.path === `/${path}`)
        .map(({ event }) => `${event.type} ${event.data.repository?.full_name}`)
        .toSorted();
    assert.deepEqual(got('types'), ['scan.completed acme/other', 'scan.completed acme/third']);
    assert.deepEqual(got('severe'), [
      'scan.completed acme/other',
      'scan.completed acme/third',
      'vulnerability.opened acme/third',
    ]);
    assert.deepEqual(got('repository'), ['scan.completed acme/other']);
    assert.deepEqual(got('application'), ['scan.completed acme/other']);
  });

  test('a filter by severity lets the event pass that lowers the severity below it, and no later one', async () => {
    await webhook({ url: receiver.url.replace('hook', 'severe'), least_severity: 'high' });
    receiver.secret = null;
    for (const severity of ['HIGH', 'LOW']) {
      await scan([vulnerable('theta', severity)], { repository: 'acme/sinking' });
    }
    await scan([], { repository: 'acme/sinking' });
    await deliver();
    const got = receiver.received.filter(({ path }) => path === '/severe').map(({ event }) => event.type);
    assert.deepEqual(
      got.filter((type) => type.startsWith('vulnerability.')),
      ['vulnerability.opened', 'vulnerability.status_changed'],
    );
  });

  test('a filter by a deleted application lets no event pass', async () => {
    const { body } = await admin.post<{ id: string }>('/manage/v1/acme/applications', {
      name: 'Short-lived',
    });
    await webhook({ url: receiver.url.replace('hook', 'filtered'), applications: [body.id] });
    await admin.delete(`/manage/v1/acme/applications/${body.id}`);
    receiver.secret = null;
    await scan([vulnerable('zeta')]);
    await deliver();
    assert.ok(receiver.received.length > 0);
    assert.deepEqual(
      receiver.received.filter(({ path }) => path === '/filtered'),
      [],
    );
  });
});

describe('a receiver that fails', () => {
  test('an event that is answered with 500 is sent again after growing waits, and fails after most of a day', async () => {
    receiver.answer = 500;
    // The library accepts timestamps within five minutes of its clock, and the clock of this test is ahead.
    receiver.secret = null;
    await writeEvent(newId(), 'hopeless');
    await deliver();
    assert.deepEqual(fieldsOf(await log(), 'status', 'attempts', 'response_status'), [['pending', 1, 500]]);
    await pass(24 * hourMs, 5 * minuteMs);
    const [entry] = await log();
    assert.deepEqual([entry?.status, entry?.attempts], ['failed', waitsMs.length + 1]);
    assert.equal(receiver.received.length, waitsMs.length + 1);
    assert.equal(new Set(receiver.ids()).size, 1, 'each attempt has the same id');
    const total = waitsMs.reduce((sum, ms) => sum + ms, 0);
    assert.ok(total > 20 * hourMs && total < 24 * hourMs);
  });

  test('a receiver that is down for an hour gets all events, in order for each object, and none with a wrong signature', async () => {
    const port = new URL(receiver.url).port;
    await receiver.close();
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
    receiver = await startReceiver(Number(port));
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
    for (const { id, headers, body } of receiver.received) {
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      assert.equal(headers['webhook-signature'], new Webhook(hook.secret).sign(id, at, body));
    }
  });

  test('while a receiver is unavailable only one event at a time is tried', async () => {
    receiver.answer = 503;
    for (let i = 0; i < 50; i++) await writeEvent(newId(), `event ${i}`);
    await deliver();
    const first = receiver.received.length;
    assert.ok(first <= 10, `${first} requests`);
    clock += 40_000;
    await deliver();
    assert.equal(receiver.received.length, first + 1);
    assert.ok((await stored()).retry_at !== null);
    receiver.answer = 200;
    await pass(10 * minuteMs, minuteMs);
    assert.equal(new Set(receiver.ids()).size, 50);
    const { failures, retry_at: retryAt } = await stored();
    assert.deepEqual([failures, retryAt], [0, null]);
  });

  test('a receiver that accepts only one event at a time gets all of them, and none fails', async () => {
    // The library accepts timestamps within five minutes of its clock, and the clock of this test is ahead.
    receiver.secret = null;
    let takenAt = 0;
    receiver.answer = (_, response) => {
      response.writeHead(takenAt === clock ? 429 : 204).end();
      takenAt = clock;
    };
    for (let i = 0; i < 40; i++) await writeEvent(newId(), `event ${i}`);
    const takeOne = async (ms: number, stepMs: number) => {
      for (const end = clock + ms; clock < end; ) {
        clock += stepMs;
        await deliver({ random: Math.random });
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
      receiver.secret = null;
      receiver.answer = ({ event }, response) => {
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
    receiver.answer = (_, response) => response.writeHead(400).end();
    for (let i = 0; i < 5; i++) await writeEvent(newId(), `event ${i}`);
    await deliver();
    const { failures, retry_at: retryAt } = await stored();
    assert.deepEqual([failures, retryAt], [2, null]);
  });

  test('a later event of an object waits for an earlier one that fails, and events of others do not', async () => {
    const [stuck, free] = [newId<'key'>(), newId<'key'>()];
    receiver.answer = (event, response) => {
      response.writeHead(nameOf(event.event) === 'first' ? 500 : 200).end();
    };
    await writeEvent(stuck, 'first');
    await writeEvent(stuck, 'second');
    await writeEvent(free, 'other');
    await deliver();
    await deliver();
    assert.deepEqual(namesReceived().toSorted(), ['first', 'other']);
    receiver.answer = 200;
    await pass(minuteMs, 10_000);
    assert.deepEqual(namesReceived().slice(2), ['first', 'second']);
  });

  test('a request that times out counts as failed, and is sent again', async () => {
    receiver.answer = () => {};
    await writeEvent(newId(), 'slow');
    await deliver({ post: { ...dependencies.post, timeoutMs: 200 } });
    const [entry] = await log();
    assert.deepEqual([entry?.status, entry?.error], ['pending', 'no answer within 0.2 seconds']);
    receiver.answer = 200;
    clock += minuteMs;
    await deliver();
    assert.deepEqual(fieldOf(await log(), 'status'), ['delivered']);
  });

  test('a redirect is not followed, and all events are sent to the new address once an admin sets it', async () => {
    const moved = await startReceiver();
    receiver.answer = (_event, response) => response.writeHead(301, { location: moved.url }).end();
    for (const name of ['a', 'b', 'c']) await writeEvent(newId(), name);
    await deliver();
    assert.deepEqual(moved.received, []);
    assert.equal((await log())[0]?.error, 'redirects are not followed');
    const { status, text } = await admin.patch(`/manage/v1/acme/webhooks/${formatId('webhook', hook.id)}`, {
      url: moved.url,
    });
    assert.equal(status, 200, text);
    moved.secret = hook.secret;
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
    receiver.answer = async (_event, response) => {
      if (++answered === names.length) {
        const path = `/manage/v1/acme/webhooks/${formatId('webhook', hook.id)}`;
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
    receiver.answer = 410;
    await writeEvent(newId(), 'gone');
    await deliver();
    const { enabled, disabled_reason: reason } = await stored();
    assert.deepEqual([enabled, reason], [false, 'The receiver has answered 410 Gone.']);
    await writeEvent(newId(), 'meanwhile');
    await pass(hourMs, 10 * minuteMs);
    assert.deepEqual(namesReceived(), ['gone']);
    receiver.answer = 200;
    receiver.secret = null;
    await admin.patch(`/manage/v1/acme/webhooks/${formatId('webhook', hook.id)}`, { enabled: true });
    await deliver();
    assert.deepEqual(namesReceived().slice(1).toSorted(), ['gone', 'meanwhile']);
    assert.equal((await stored()).disabled_reason, null);
  });

  test('an address that the server no longer allows gets nothing', async () => {
    await writeEvent(newId(), 'inside');
    await deliver({ post: { ...dependencies.post, allowed: networksOf([]) } });
    assert.deepEqual(receiver.received, []);
    assert.match((await log())[0]?.error ?? '', /not public/);
  });

  test('a webhook of an install with another secret is disabled, and sends nothing', async () => {
    await writeEvent(newId(), 'other install');
    await deliver({ secret: installSecret(Buffer.alloc(32, 9)) });
    assert.deepEqual(receiver.received, []);
    assert.match((await stored()).disabled_reason ?? '', /another secret of the install/);
  });

  test('the log of deliveries does not contain the answer of the receiver', async () => {
    receiver.answer = (_event, response) => {
      response.writeHead(500, { 'x-inside': 'private' }).end('private text of the network');
    };
    await writeEvent(newId(), 'reading');
    await deliver();
    const { text } = await admin.get(`/manage/v1/acme/webhooks/${formatId('webhook', hook.id)}/deliveries`);
    assert.match(text, /"response_status":500/);
    assert.doesNotMatch(text, /private/);
  });
});

interface SlackMessage {
  text: string;
  blocks: { type: string; text?: { text: string }; elements?: object[] }[];
}

describe('a chat', () => {
  let chat: { id: WebhookId };
  const messages = (): SlackMessage[] =>
    receiver.received
      .filter(({ path }) => path === '/chat')
      .map(({ body }) => JSON.parse(body) as SlackMessage);
  /** All texts and addresses of a message, with the names of their fields. */
  const leavesOf = (value: unknown, name = ''): { name: string; text: string }[] =>
    typeof value === 'string'
      ? [{ name, text: value }]
      : typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, one]) => leavesOf(one, Array.isArray(value) ? name : key))
        : [];

  beforeEach(async () => {
    // No other webhook exists.
    await owner.query('delete from webhook');
    receiver.secret = null;
    chat = await webhook({ url: receiver.url.replace('hook', 'chat'), format: 'slack' });
  });

  test('a report with 150 new vulnerabilities is one message, with counts and the most severe with their pages', async () => {
    const packages = (severity: string, count: number) =>
      Array.from({ length: count }, (_, i) => ({
        ...vulnerable(`${severity.toLowerCase()}-${i}`, severity),
        id: `CVE-2032-${severity.length}${1000 + i}`,
      }));
    await scan([...packages('LOW', 40), ...packages('HIGH', 107), ...packages('CRITICAL', 3)], {
      repository: 'acme/chat',
    });
    await deliver();
    const [message, ...others] = messages();
    assert.ok(message);
    assert.equal(others.length, 0);
    assert.equal(message.text, 'acme: 110 vulnerabilities opened');
    const leaves = leavesOf(message.blocks);
    const texts = leaves.filter(({ name }) => name === 'text').map(({ text }) => text);
    assert.ok(texts.includes('110 vulnerabilities opened: 3 critical, 107 high'), texts.join('\n'));
    assert.equal(
      texts.filter((text) => text.includes('critical, vulnerability opened, acme/chat')).length,
      3,
    );
    assert.ok(texts.includes('and 105 more. '));
    const urls = leaves.filter(({ name }) => name === 'url').map(({ text }) => text);
    assert.equal(urls.length, 6);
    assert.match(urls[0] ?? '', /^https:\/\/merlon\.example\/w\/acme\/vulnerabilities\?v=vc_/);
    assert.equal(urls[5], 'https://merlon.example/w/acme/');
    const rows = await log(chat.id);
    assert.deepEqual(
      [rows.length, new Set(rows.map(({ status, attempts }) => `${status} ${attempts}`))],
      [110, new Set(['delivered 1'])],
    );
    const [request] = receiver.received;
    assert.deepEqual(
      Object.keys(request?.headers ?? {}).filter((name) => name.startsWith('webhook-')),
      [],
      'a chat gets no signature',
    );
  });

  test('a title of a report makes no link, no mention and no markup', async () => {
    const report = trivy([vulnerable('theta')]);
    const title = '<!channel> <https://evil.example|fix> [fix](https://evil.example) *b* & @here';
    for (const { Vulnerabilities } of report.Results) for (const row of Vulnerabilities) row.Title = title;
    const teams = receiver.url.replace('hook', 'teams');
    await webhook({ url: teams, format: 'teams' });
    await importAll(server, 'acme', [reportInput(report, { repository: 'acme/hostile' })]);
    await deliver();
    const [slack] = messages();
    assert.doesNotMatch(slack?.text ?? '', /[<>]/);
    const shown = receiver.received.map(({ body, path }) => ({ path, leaves: leavesOf(JSON.parse(body)) }));
    assert.deepEqual(shown.map(({ path }) => path).toSorted(), ['/chat', '/teams']);
    for (const { leaves } of shown) {
      for (const { name, text } of leaves) {
        if (name === 'url') assert.ok(text.startsWith('https://merlon.example/w/acme/'), text);
        if (text.includes('evil')) assert.deepEqual([name, text], [name === 'title' ? name : 'text', title]);
      }
    }
    // Both formats read markup from some elements alone; the title is in none of them.
    const inMarkup = (value: object): object[] => {
      const { type, text } = value as { type?: unknown; text?: unknown };
      const here =
        (type === 'mrkdwn' || type === 'TextBlock') && String(text).includes('evil') ? [value] : [];
      const inside = Object.values(value).filter((one) => typeof one === 'object' && one !== null);
      return [...here, ...inside.flatMap(inMarkup)];
    };
    for (const { body } of receiver.received) assert.deepEqual(inMarkup(JSON.parse(body)), []);
  });

  test('events in the minute after a message are in the next message', async () => {
    await writeEvent(newId(), 'first', 'key.expiring');
    await deliver();
    for (const name of ['second', 'third']) await writeEvent(newId(), name, 'key.expiring');
    await pass(50_000, 10_000);
    assert.deepEqual(fieldOf(messages(), 'text'), ['acme: 1 key expiring soon']);
    await pass(20_000, 10_000);
    assert.deepEqual(fieldOf(messages(), 'text'), [
      'acme: 1 key expiring soon',
      'acme: 2 keys expiring soon',
    ]);
  });

  test('a chat that was down gets one message about everything, and nothing twice', async () => {
    receiver.answer = 503;
    for (let i = 0; i < 30; i++) {
      await writeEvent(newId(), `event ${i}`, 'key.expiring');
      await pass(minuteMs, minuteMs);
    }
    const attempts = messages().length;
    assert.ok(attempts < 12, `${attempts} requests`);
    receiver.answer = 200;
    await pass(hourMs, minuteMs);
    const arrived = messages().slice(attempts);
    assert.deepEqual(fieldOf(arrived, 'text'), ['acme: 30 keys expiring soon']);
    assert.deepEqual(new Set((await log(chat.id)).map(({ status }) => status)), new Set(['delivered']));
  });

  test('low severities and informational events are left out by default', async () => {
    await scan([vulnerable('iota', 'LOW')], { repository: 'acme/quiet' });
    await writeEvent(newId(), 'made');
    await deliver();
    assert.deepEqual(messages(), []);
  });
});

describe('replay', () => {
  test('failed events, or those of a list, are sent again under their ids', async () => {
    const path = `/manage/v1/acme/webhooks/${formatId('webhook', hook.id)}`;
    receiver.answer = 500;
    await writeEvent(newId(), 'once failed');
    await deliver();
    await pass(24 * hourMs, 10 * minuteMs);
    receiver.answer = 200;
    receiver.secret = null;
    const before = receiver.received.length;
    const failed = await admin.post(`${path}/replay`, { failed: true });
    assert.deepEqual([failed.status, failed.body], [200, { replayed: 1 }]);
    clock = Math.max(clock, Date.now() + 1_000);
    await pass(hourMs, 10 * minuteMs);
    assert.equal(receiver.received.length, before + 1);
    const id = receiver.ids().at(-1);
    const again = await admin.post(`${path}/replay`, {
      events: [id, formatId('event', newId()), 'nonsense'],
    });
    assert.deepEqual(again.body, { replayed: 1 });
    await deliver();
    assert.deepEqual(receiver.ids().slice(before), [id, id]);
    assert.equal((await admin.post(`${path}/replay`, {})).status, 422);
  });
});

describe('processes', () => {
  test('after a process is killed between an answer and its record, the events are sent again and none is lost', async () => {
    const cursor = await cursorOfNow();
    for (let i = 0; i < 30; i++) await writeEvent(newId(), `event ${i}`);
    // The process dies after the answers: it has recorded nothing of the round, and its lease stays.
    const killed: DeliveryDependencies = {
      ...dependencies,
      db: new Proxy(db, {
        get: (target, key) => {
          if (key === 'importPool' && receiver.received.length > 0) throw new Error('killed');
          return target[key as keyof typeof target];
        },
      }),
    };
    await assert.rejects(deliverRound(killed, tenant.id, hook.id), /killed/);
    assert.equal(receiver.received.length, 30);
    assert.deepEqual(new Set((await log()).map(({ status }) => status)), new Set(['pending']));
    clock += 30_000;
    await deliver();
    assert.equal(receiver.received.length, 30, 'the lease holds others off');
    clock += 31_000;
    await deliver();
    assert.deepEqual(new Set(receiver.ids()), new Set(await eventsSince(cursor)));
    assert.deepEqual(new Set((await log()).map(({ status }) => status)), new Set(['delivered']));
  });

  test('a process whose lease has ended does not overwrite the record of the process that has taken over', async () => {
    await writeEvent(newId(), 'late');
    receiver.answer = async (_event, response) => {
      if (receiver.received.length === 1) {
        clock += 61_000;
        await deliver();
      }
      response.writeHead(receiver.received.length === 1 ? 500 : 200).end();
    };
    const first = { ...dependencies, post: { ...dependencies.post, timeoutMs: 5_000 } };
    assert.equal(await deliverRound(first, tenant.id, hook.id), false);
    assert.deepEqual(fieldsOf(await log(), 'status', 'attempts'), [['delivered', 1]]);
    assert.equal((await stored()).leased_until, null);
  });

  test('two processes at once send each event once', async () => {
    for (let i = 0; i < 300; i++) await writeEvent(newId(), `event ${i}`);
    await Promise.all([deliver(), deliver(), deliver()]);
    assert.equal(receiver.received.length, 300);
    assert.equal(new Set(receiver.ids()).size, 300);
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
    const startedAt = performance.now();
    const scheduler = deliveryScheduler({
      ...dependencies,
      post: { ...dependencies.post, timeoutMs: 3_000 },
    });
    await scheduler.poll();
    while (quick.received.length < 2 && performance.now() - startedAt < 10_000) await sleep(20);
    const ms = performance.now() - startedAt;
    assert.ok(quick.received.length >= 2, 'the neighbour is served');
    assert.ok(ms < 2_500, `after ${Math.round(ms)} ms`);
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
    for (let i = 0; i < 100 && receiver.received.length === 0; i++) await sleep(100);
    assert.deepEqual(namesReceived(), ['by itself']);
    receiver.answer = () => {};
    await writeEvent(newId(), 'unanswered');
    for (let i = 0; i < 100 && receiver.received.length === 1; i++) await sleep(100);
    const startedAt = performance.now();
    await delivering.stop();
    assert.ok(performance.now() - startedAt < 2_000);
    assert.deepEqual(
      fieldsOf(await log(), 'status', 'attempts'),
      [
        ['delivered', 1],
        ['pending', 0],
      ],
      'an attempt that the stop has ended does not count',
    );
    receiver.answer = 200;
    clock = Date.now() + 1_000;
    await deliver();
    assert.deepEqual(namesReceived(), ['by itself', 'unanswered', 'unanswered']);
  });
});

describe('the log', () => {
  test('its rows are deleted with their events, and a webhook that was disabled for longer counts the missed ones', async () => {
    await writeEvent(newId(), 'old');
    await deliver();
    await owner.query('update webhook set enabled = false where id = $1', [hook.id]);
    for (const name of ['missed 1', 'missed 2']) await writeEvent(newId(), name);
    await owner.query(`update event_batch set created_at = now() - interval '40 days' where tenant_id = $1`, [
      tenant.id,
    ]);
    await sweepEvents(db, tenant.id, new Date(), 30);
    assert.deepEqual(await log(), []);
    await owner.query('update webhook set enabled = true where id = $1', [hook.id]);
    await writeEvent(newId(), 'kept');
    await deliver();
    assert.deepEqual(namesReceived(), ['old', 'kept']);
    assert.equal((await stored()).missed, '2');
  });

  test('events that are deleted while a receiver is unavailable count as missed, and do not delay its recovery', async () => {
    receiver.answer = 500;
    for (let i = 0; i < 12; i++) await writeEvent(newId(), `old ${i}`);
    await deliver();
    assert.notEqual((await stored()).retry_at, null, 'the receiver is away');
    await owner.query(`update event_batch set created_at = now() - interval '40 days' where tenant_id = $1`, [
      tenant.id,
    ]);
    await sweepEvents(db, tenant.id, new Date(), 30);
    assert.deepEqual([await log(), (await stored()).missed], [[], '12']);
    receiver.answer = 200;
    await writeEvent(newId(), 'new');
    clock += hourMs;
    receiver.secret = null;
    await deliver();
    assert.deepEqual(namesReceived().slice(-1), ['new']);
    assert.deepEqual(fieldOf(await log(), 'status'), ['delivered']);
  });

  test('an event that is deleted while it waits has failed, with the reason', async () => {
    receiver.answer = 500;
    await writeEvent(newId(), 'waits');
    await deliver();
    await owner.query('delete from event_batch where tenant_id = $1', [tenant.id]);
    clock += minuteMs;
    await deliver();
    assert.deepEqual(fieldsOf(await log(), 'status', 'error'), [
      ['failed', 'the event is not kept any more'],
    ]);
  });
});

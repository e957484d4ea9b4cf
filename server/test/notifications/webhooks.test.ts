/** Tests of the delivery of events to receivers that work and to chats: signatures, filters and messages. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { formatId, newId, type WebhookId } from '../../src/domain/ids.ts';
import type { WebhookInput } from '../../src/notifications/webhooks/webhook-input.ts';
import { vulnerable } from '../policies/policy-workspace.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { trivy } from '../support/reports.ts';
import { reportInput } from '../support/workspace.ts';
import { createWebhookWorkspace, hourMs, minuteMs } from './webhook-workspace.ts';

const {
  server,
  scan,
  owner,
  admin,
  current,
  webhook,
  writeEvent,
  namesReceived,
  deliver,
  pass,
  log,
  eventsSince,
  cursorOfNow,
} = await createWebhookWorkspace();

describe('a receiver that works', () => {
  test('gets each event of an import once, signed, as the feed shows it', async () => {
    const cursor = await cursorOfNow();
    await scan([vulnerable('alpha'), vulnerable('beta', 'LOW')]);
    await deliver();
    assert.equal(current.receiver.refused, 0, 'the library of Standard Webhooks verifies each request');
    const expected = await eventsSince(cursor);
    assert.ok(expected.length >= 4);
    assert.deepEqual(current.receiver.ids().toSorted(), expected.toSorted());
    const { text } = await admin.get(`/console/export/v1/acme/events?since=${encodeURIComponent(cursor)}`);
    const lines = text.trimEnd().split('\n');
    for (const { body } of current.receiver.received) assert.ok(lines.includes(body));
    await deliver();
    assert.equal(current.receiver.received.length, expected.length, 'nothing is sent twice');
    assert.deepEqual(
      fieldOf(await log(), 'status'),
      expected.map(() => 'delivered'),
    );
  });

  test('gets events at its whole address, also after a change of another field of the webhook', async () => {
    const { id } = await webhook({ url: `${current.receiver.url}?token=t1` });
    current.receiver.secret = null;
    await admin.patch(`/manage/v1/acme/webhooks/${formatId('webhook', id)}`, { name: 'Renamed' });
    await writeEvent(newId(), 'with a query');
    await deliver();
    assert.deepEqual(current.receiver.received.map(({ path }) => path).toSorted(), [
      '/hook',
      '/hook?token=t1',
    ]);
  });

  test('gets no events from before the webhook was created', async () => {
    await writeEvent(newId(), 'later');
    await deliver();
    assert.deepEqual(namesReceived(), ['later']);
  });

  test('during a rotation each request is signed with both secrets, and after a day with the new one only', async () => {
    const answer = await admin.post<{ secret: string }>(
      `/manage/v1/acme/webhooks/${formatId('webhook', current.hook.id)}/secret`,
      {},
    );
    assert.equal(answer.status, 201, answer.text);
    const { secret: next } = answer.body;
    assert.notEqual(next, current.hook.secret);
    await writeEvent(newId(), 'rotated');
    await deliver();
    const [first] = current.receiver.received;
    assert.ok(first);
    assert.equal(first.headers['webhook-signature']?.split(' ').length, 2);
    new Webhook(next).verify(first.body, first.headers);
    new Webhook(current.hook.secret).verify(first.body, first.headers);
    current.receiver.secret = null;
    current.clock += 25 * hourMs;
    await writeEvent(newId(), 'a day later');
    await deliver();
    const last = current.receiver.received.at(-1);
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
    assert.deepEqual(new Set(current.receiver.ids()), new Set(expected));
    assert.equal(current.receiver.received.length, expected.length);
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
      await webhook({ url: current.receiver.url.replace('hook', path), ...input });
    }
    current.receiver.secret = null;
    await writeEvent(newId(), 'about no repository');
    await scan([vulnerable('gamma'), vulnerable('delta', 'LOW')], { repository: 'acme/third' });
    await importAll(server, 'acme', [
      reportInput(trivy([vulnerable('epsilon', 'MEDIUM')]), { repository: 'acme/other' }),
    ]);
    await deliver();
    const got = (path: string): string[] =>
      current.receiver.received
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
    await webhook({ url: current.receiver.url.replace('hook', 'severe'), least_severity: 'high' });
    current.receiver.secret = null;
    for (const severity of ['HIGH', 'LOW']) {
      await scan([vulnerable('theta', severity)], { repository: 'acme/sinking' });
    }
    await scan([], { repository: 'acme/sinking' });
    await deliver();
    const got = current.receiver.received
      .filter(({ path }) => path === '/severe')
      .map(({ event }) => event.type);
    assert.deepEqual(
      got.filter((type) => type.startsWith('vulnerability.')),
      ['vulnerability.opened', 'vulnerability.status_changed'],
    );
  });

  test('a filter by a deleted application lets no event pass', async () => {
    const { body } = await admin.post<{ id: string }>('/manage/v1/acme/applications', {
      name: 'Short-lived',
    });
    await webhook({ url: current.receiver.url.replace('hook', 'filtered'), applications: [body.id] });
    await admin.delete(`/manage/v1/acme/applications/${body.id}`);
    current.receiver.secret = null;
    await scan([vulnerable('zeta')]);
    await deliver();
    assert.ok(current.receiver.received.length > 0);
    assert.deepEqual(
      current.receiver.received.filter(({ path }) => path === '/filtered'),
      [],
    );
  });
});

interface SlackMessage {
  text: string;
  blocks: { type: string; text?: { text: string }; elements?: object[] }[];
}

describe('a chat', () => {
  let chat: { id: WebhookId };
  const messages = (): SlackMessage[] =>
    current.receiver.received
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
    current.receiver.secret = null;
    chat = await webhook({ url: current.receiver.url.replace('hook', 'chat'), format: 'slack' });
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
    const [request] = current.receiver.received;
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
    const teams = current.receiver.url.replace('hook', 'teams');
    await webhook({ url: teams, format: 'teams' });
    await importAll(server, 'acme', [reportInput(report, { repository: 'acme/hostile' })]);
    await deliver();
    const [slack] = messages();
    assert.doesNotMatch(slack?.text ?? '', /[<>]/);
    const shown = current.receiver.received.map(({ body, path }) => ({
      path,
      leaves: leavesOf(JSON.parse(body)),
    }));
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
    for (const { body } of current.receiver.received) assert.deepEqual(inMarkup(JSON.parse(body)), []);
  });

  test('events in the minute after a message are in the next message', async () => {
    const first = newId<'key'>();
    await writeEvent(first, 'first', 'key.expiring');
    await deliver();
    assert.deepEqual(
      leavesOf(messages()[0]?.blocks)
        .filter(({ name }) => name === 'url')
        .map(({ text }) => text),
      [`/keys?kind=workspace&key=${formatId('key', first)}`, '/'].map(
        (path) => `https://merlon.example/w/acme${path}`,
      ),
    );
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
    current.receiver.answer = 503;
    for (let i = 0; i < 30; i++) {
      await writeEvent(newId(), `event ${i}`, 'key.expiring');
      await pass(minuteMs, minuteMs);
    }
    const attempts = messages().length;
    assert.ok(attempts < 12, `${attempts} requests`);
    current.receiver.answer = 200;
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

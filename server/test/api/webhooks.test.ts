/** Tests of the routes of webhooks: permissions, refusals, and that a secret is shown once. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { tenantTx } from '../../src/db/database.ts';
import { formatId, newId } from '../../src/domain/ids.ts';
import { workspaceEventTypes } from '../../src/domain/workspace-event.ts';
import { networksOf } from '../../src/notifications/outbound/public-address.ts';
import { createWebhook, withDefaults } from '../../src/notifications/webhooks/webhook-service.ts';
import { clientOf, refusalOn, succeeded } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs } from '../support/session.ts';
import { createTestKey, createTestWorkspace } from '../support/workspace.ts';

const server = await createTestServer();
const acme = await createTestWorkspace(server, 'acme');
const other = await createTestWorkspace(server, 'other');
const path = '/manage/v1/acme/webhooks';
const valid = { name: 'Chat bot', url: 'https://receiver.example.com/merlon?channel=7' };

interface Webhook {
  id: string;
  url: string;
  enabled: boolean;
  types: string[];
  [field: string]: unknown;
}
interface Made {
  webhook: Webhook;
  secret: string;
}

let admin: SessionClient;
before(async () => {
  admin = await signInAs(server, acme.people.admin.user.id);
});

async function make(more: object = {}): Promise<Made> {
  return succeeded(await admin.post<Made>(path, { ...valid, ...more }), 201);
}

const errorOn = (field: string, body: object): Promise<string> =>
  refusalOn(admin, path, { ...valid, ...body }, field);

describe('an admin', () => {
  test('creates, lists, changes and deletes a webhook; each is in the audit log', async () => {
    const { webhook, secret } = await make({ types: ['scan.completed', 'vulnerability.opened'] });
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.deepEqual(webhook.types, ['vulnerability.opened', 'scan.completed']);
    assert.equal(webhook.url, 'https://receiver.example.com/…');
    assert.ok(!JSON.stringify(webhook).includes('channel'), 'the query is not shown');
    const { body: list, text } = await admin.get<{ items: Webhook[] }>(path);
    assert.deepEqual(list.items, [webhook]);
    assert.ok(!text.includes(secret), 'the list has no secret');
    const changed = await admin.patch<Webhook>(`${path}/${webhook.id}`, { name: 'Other', enabled: false });
    assert.deepEqual([changed.status, changed.body.name, changed.body.enabled], [200, 'Other', false]);
    assert.deepEqual(changed.body.types, webhook.types, 'what is not named stays');
    const rotated = succeeded(await admin.post<Made>(`${path}/${webhook.id}/secret`, {}), 201);
    assert.notEqual(rotated.secret, secret);
    assert.ok(rotated.webhook.previous_secret_until);
    assert.equal((await admin.delete(`${path}/${webhook.id}`)).status, 204);
    assert.equal((await admin.delete(`${path}/${webhook.id}`)).status, 404);
    const { body: log } = await admin.get<{ items: { action: string; data: object }[] }>(
      '/manage/v1/acme/audit?limit=4',
    );
    assert.deepEqual(fieldOf(log.items, 'action'), [
      'webhook.delete',
      'webhook.rotate_secret',
      'webhook.change',
      'webhook.create',
    ]);
    assert.ok(!/whsec_|channel/.test(JSON.stringify(log)), 'the log has no secret');
  });

  test('a webhook of a chat has default filters unless others are chosen, no secret, and always the same format', async () => {
    const { webhook, secret } = await make({ format: 'slack' });
    assert.deepEqual([webhook.format, webhook.least_severity, secret], ['slack', 'high', null]);
    assert.ok(webhook.types.includes('violation.overdue') && !webhook.types.includes('scan.completed'));
    const one = `${path}/${webhook.id}`;
    assert.equal((await admin.post(`${one}/secret`, {})).status, 409);
    assert.equal((await admin.patch(one, { format: 'standard' })).status, 422);
    const all = await make({ format: 'teams', types: [], least_severity: 'unknown' });
    assert.deepEqual([all.webhook.types, all.webhook.least_severity], [[], 'unknown']);
    assert.equal((await admin.post(path, { ...valid, format: 'fax' })).status, 422);
    for (const { id } of [webhook, all.webhook]) await admin.delete(`${path}/${id}`);
  });

  test('the secret and the address are stored encrypted', async () => {
    const { webhook, secret } = await make();
    const { rows } = await server.owner.query<{ sealed: Buffer }>('select sealed from webhook');
    assert.ok(rows.length > 0);
    const key = secret.slice('whsec_'.length);
    for (const { sealed } of rows) {
      for (const text of [key, Buffer.from(key, 'base64'), 'channel=7']) assert.ok(!sealed.includes(text));
    }
    await admin.delete(`${path}/${webhook.id}`);
  });

  test('a webhook with all types also gets types that are added later', async () => {
    const { webhook } = await make({ types: workspaceEventTypes });
    assert.deepEqual(webhook.types, []);
    const { body } = await admin.patch<Webhook>(`${path}/${webhook.id}`, { types: ['key.created'] });
    assert.deepEqual(body.types, ['key.created']);
    await admin.delete(`${path}/${webhook.id}`);
  });

  test('a twenty-first webhook is refused with 409', async () => {
    const made: Made[] = [];
    for (let i = 0; i < 20; i++) made.push(await make({ enabled: false }));
    const { status, text } = await admin.post(path, valid);
    assert.equal(status, 409, text);
    assert.match(text, /20 webhooks/);
    for (const { webhook } of made) await admin.delete(`${path}/${webhook.id}`);
  });

  test('simultaneous requests create at most twenty webhooks', async () => {
    const others = await Promise.all([1, 2, 3, 4].map(() => signInAs(server, acme.people.admin.user.id)));
    for (let i = 0; i < 19; i++) await make({ enabled: false });
    const answers = await Promise.all(
      others.map((client) => client.post(path, { ...valid, enabled: false })),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409, 409]);
    await server.owner.query('delete from webhook where tenant_id = $1', [acme.tenant.id]);
  });

  test('a webhook whose network the operator no longer allows can be renamed and disabled', async () => {
    const networks = { secret: server.secret, allowed: networksOf(['10.0.0.0/8']), allowsHttp: true };
    const { row } = await tenantTx(server.db, acme.tenant.id, (tx) =>
      createWebhook(
        tx,
        { actorId: null },
        withDefaults({ name: 'Inside', url: 'http://10.1.2.3/' }),
        networks,
      ),
    );
    const one = `${path}/${formatId('webhook', row.id)}`;
    const { status, text } = await admin.patch(one, { name: 'Inside, off', enabled: false });
    assert.equal(status, 200, text);
    assert.equal((await admin.patch(one, { url: 'http://10.1.2.4/' })).status, 422);
    await admin.delete(one);
  });

  test('a cursor of the deliveries of one webhook is refused for another one', async () => {
    const [first, second] = [await make(), await make()];
    await server.owner.query(
      `insert into webhook_delivery (tenant_id, webhook_id, number, event_id, type, object_id, status, due_at, created_at)
       select w.tenant_id, w.id, n, gen_random_uuid(), 'key.created', gen_random_uuid(),
              case when n = 2 then 'failed' else 'delivered' end, now(), now()
         from webhook w, generate_series(1, 3) n where w.tenant_id = $1`,
      [acme.tenant.id],
    );
    const deliveries = `${path}/${first.webhook.id}/deliveries`;
    const page = await admin.get<{ items: { status: string }[]; next_cursor: string }>(
      `${deliveries}?per_page=2`,
    );
    assert.deepEqual(fieldOf(page.body.items, 'status'), ['delivered', 'failed']);
    const rest = await admin.get<{ items: object[]; next_cursor: null }>(
      `${deliveries}?per_page=2&cursor=${page.body.next_cursor}`,
    );
    assert.deepEqual([rest.body.items.length, rest.body.next_cursor], [1, null]);
    const failed = await admin.get<{ items: object[] }>(`${deliveries}?status=failed`);
    assert.equal(failed.body.items.length, 1);
    const wrong = await admin.get(`${path}/${second.webhook.id}/deliveries?cursor=${page.body.next_cursor}`);
    assert.equal(wrong.status, 422);
    for (const { webhook } of [first, second]) await admin.delete(`${path}/${webhook.id}`);
  });
});

describe('refused input', () => {
  test('an invalid address, and one with a password, over http or not public', async () => {
    assert.match(await errorOn('url', { url: 'receiver' }), /must be an address/i);
    assert.match(await errorOn('url', { url: 'file:///etc/passwd' }), /must be an address/i);
    assert.match(await errorOn('url', { url: 'gopher://receiver.example/' }), /must be an address/i);
    assert.match(await errorOn('url', { url: 'https://me:secret@receiver.example/' }), /no password/);
    assert.match(
      await errorOn('url', { url: 'http://receiver.example/' }),
      /https:.*MERLON_WEBHOOK_NETWORKS/,
    );
    assert.match(await errorOn('url', { url: 'https://receiver.example/…' }), /whole address/);
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:10.0.0.1]',
      '169.254.169.254',
      '10.0.0.1',
    ]) {
      assert.match(await errorOn('url', { url: `https://${host}/` }), /Must be a public address/, host);
    }
    assert.match(await errorOn('url', { url: `https://receiver.example/${'ä'.repeat(2_000)}` }), /2048/);
  });

  test('a name without letters, and unknown types, repositories and applications', async () => {
    await errorOn('name', { name: '  ' });
    await errorOn('name', { name: 'turned \u202e' });
    assert.match(await errorOn('repositories', { repositories: ['repo_x'] }), /no such repository: repo_x/i);
    const unknown = formatId('application', newId());
    assert.match(await errorOn('applications', { applications: [unknown] }), /no such application/i);
    assert.equal((await admin.post(path, { ...valid, types: ['everything'] })).status, 422);
    assert.equal((await admin.post(path, { ...valid, secret: 'whsec_mine' })).status, 422);
  });

  test('the same is refused in a change, which then changes nothing', async () => {
    const { webhook } = await make();
    const answer = await admin.patch(`${path}/${webhook.id}`, { name: 'New', url: 'https://127.0.0.1/' });
    assert.equal(answer.status, 422);
    const { body } = await admin.get<{ items: Webhook[] }>(path);
    assert.deepEqual(body.items, [webhook]);
    await admin.delete(`${path}/${webhook.id}`);
  });
});

describe('other callers', () => {
  test('a viewer and a member are refused at each route with 403', async () => {
    const { webhook } = await make();
    const one = `${path}/${webhook.id}`;
    for (const role of ['viewer', 'member'] as const) {
      const person = await signInAs(server, acme.people[role].user.id);
      const answers = await Promise.all([
        person.get(path),
        person.post(path, valid),
        person.patch(one, { name: 'Mine' }),
        person.post(`${one}/secret`, {}),
        person.delete(one),
        person.get(`${one}/deliveries`),
        person.post(`${one}/replay`, { failed: true }),
      ]);
      assert.deepEqual(fieldOf(answers, 'status'), Array(7).fill(403));
    }
    await admin.delete(one);
  });

  test('a key of an admin cannot create, change or rotate a webhook, because events would exceed its scopes', async () => {
    const { webhook } = await make();
    const one = `${path}/${webhook.id}`;
    const { key } = await createTestKey(server, {
      userId: acme.people.admin.user.id,
      role: 'admin',
      scopes: ['workspace:admin'],
    });
    const client = clientOf(server.app, key);
    const refused = [
      await client.post(path, valid),
      await client.patch(one, { url: 'https://elsewhere.example/' }),
      await client.post(`${one}/secret`, {}),
    ];
    assert.deepEqual(fieldOf(refused, 'status'), [403, 403, 403]);
    assert.equal((await client.get(path)).status, 200);
    assert.equal((await client.get(`${one}/deliveries`)).status, 200);
    assert.equal((await client.post(`${one}/replay`, { failed: true })).status, 200);
    const { key: narrow } = await createTestKey(server, {
      userId: acme.people.admin.user.id,
      role: 'admin',
      scopes: ['vulnerabilities:read'],
    });
    assert.equal((await clientOf(server.app, narrow).get(path)).status, 403);
    await admin.delete(one);
  });

  test('an admin who signed in more than an hour ago must sign in again to create a webhook', async () => {
    const old = await signInAs(server, acme.people.admin.user.id, {
      signedInAt: new Date(Date.now() - 2 * 3_600_000),
    });
    const { status, text } = await old.post(path, valid);
    assert.equal(status, 403);
    assert.match(text, /SIGN_IN_AGAIN/);
  });

  test('the id of a webhook of another workspace is 404 at each route, like an unknown id', async () => {
    const { webhook } = await make();
    const stranger = await signInAs(server, other.people.admin.user.id);
    for (const id of [webhook.id, formatId('webhook', newId()), 'whk_x', 'nonsense']) {
      const one = `/manage/v1/other/webhooks/${id}`;
      const answers = await Promise.all([
        stranger.patch(one, { name: 'Mine' }),
        stranger.post(`${one}/secret`, {}),
        stranger.delete(one),
        stranger.get(`${one}/deliveries`),
        stranger.post(`${one}/replay`, { failed: true }),
      ]);
      assert.deepEqual(fieldOf(answers, 'status'), Array(5).fill(404), id);
    }
    assert.deepEqual((await stranger.get<{ items: object[] }>('/manage/v1/other/webhooks')).body.items, []);
    await admin.delete(`${path}/${webhook.id}`);
  });
});

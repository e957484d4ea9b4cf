/** Tests of the event feed: order, scopes, cursors and events of the clock; no event is lost or duplicated. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Check, Errors } from 'typebox/schema';
import { revokeWorkspaceKey } from '../../src/access/api-keys/workspace-keys.ts';
import { importTx, tenantTx } from '../../src/db/database.ts';
import { formatId, newId } from '../../src/domain/ids.ts';
import { subjectOf, type WorkspaceEvent } from '../../src/domain/workspace-event.ts';
import type { KeyScope } from '../../src/http/principal.ts';
import { type EventItem, eventSchemas } from '../../src/notifications/feed/event-schema.ts';
import { sweepEvents } from '../../src/notifications/feed/sweep-events.ts';
import { blockCritical, createPolicyWorkspace, vulnerable } from '../policies/policy-workspace.ts';
import { clientOf, queryOf, send } from '../support/client.ts';
import { assertMirrorEqualsTables } from '../support/event-mirror.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { applyAndEvaluate } from '../support/policies.ts';
import { trivy } from '../support/reports.ts';
import {
  createTestKey,
  createTestWorkspace,
  createTestWorkspaceKey,
  reportInput,
} from '../support/workspace.ts';

const { server, tenant, people, apply, scan, client } = await createPolicyWorkspace();
const member = clientOf(server.app, people.member.key);
const other = await createTestWorkspace(server, 'other');
const keepDays = 30;
const dayMs = 24 * 60 * 60 * 1000;

interface Feed {
  items: EventItem[];
  cursor: string;
  more: boolean;
}

async function read(query: Record<string, string | undefined> = {}, key = people.admin.key): Promise<Feed> {
  const answer = await send(server.app, {
    path: `/export/v1/acme/events${queryOf(query)}`,
    authorization: `Bearer ${key}`,
  });
  assert.equal(answer.status, 200, answer.text);
  const lines = answer.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const end = lines.pop();
  assert.deepEqual(Object.keys(end), ['cursor', 'more']);
  return { items: lines, ...end };
}

async function keyWith(scope: KeyScope): Promise<string> {
  const options = { userId: people.admin.user.id, role: 'admin' as const, scopes: [scope] };
  return (await createTestKey(server, options)).key;
}

const now = async (): Promise<string> => (await read({ since: 'latest' })).cursor;
const typesOf = ({ items }: Feed): string[] => items.map(({ type }) => type);

async function vulnerabilityNamed(name: string): Promise<{ id: string; status_version: string }> {
  const { body } = await client.get<{ items: { id: string }[] }>(`/api/v1/acme/vulnerabilities?q=${name}`);
  const id = body.items[0]?.id ?? '';
  return (await client.get<{ id: string; status_version: string }>(`/api/v1/acme/vulnerabilities/${id}`))
    .body;
}

before(() => apply(blockCritical));

describe('the events of changes', () => {
  test('an import gives events of vulnerabilities, violations and the scan with its verdict, in order', async () => {
    const since = await now();
    await scan([vulnerable('alpha'), vulnerable('beta', 'LOW')]);
    const feed = await read({ since });
    assert.deepEqual(typesOf(feed), [
      'vulnerability.opened',
      'vulnerability.opened',
      'violation.opened',
      'scan.completed',
    ]);
    const data = feed.items.map((item) => item.data as Record<string, Record<string, unknown>>);
    assert.deepEqual(
      data.map((each) => each.repository?.full_name),
      Array(4).fill('acme/shop'),
    );
    assert.equal(data[2]?.violation?.status, 'open');
    assert.equal((data[2]?.violation?.policy as { key: string } | undefined)?.key, 'critical');
    assert.equal(data[3]?.scan?.verdict, 'block');
    assert.deepEqual(data[3]?.scan?.counts, { new: 2, fixed: 0, reopened: 0, closing_held: 0 });
  });

  test('a report without a finding gives the event fixed, and the next one with it the event reopened', async () => {
    const since = await now();
    await scan([vulnerable('beta', 'LOW')]);
    await scan([vulnerable('alpha'), vulnerable('beta', 'LOW')]);
    assert.deepEqual(typesOf(await read({ since })), [
      'vulnerability.fixed',
      'violation.resolved',
      'scan.completed',
      'vulnerability.reopened',
      'violation.opened',
      'scan.completed',
    ]);
  });

  test('actions of people give events with the person: decision, assignment, snooze, exception, review', async () => {
    const since = await now();
    const beta = await vulnerabilityNamed('beta');
    const decided = await client.post('/manage/v1/acme/vulnerabilities/decisions', {
      action: 'accept',
      reason: 'for a week',
      vulnerabilities: [{ id: beta.id, status_version: beta.status_version }],
    });
    assert.equal(decided.status, 200, decided.text);
    await client.patch(`/api/v1/acme/vulnerabilities/${beta.id}/assignment`, { assignee: 'me' });
    const { body } = await client.get<{ items: { id: string }[] }>(
      '/api/v1/acme/policy-violations?repo=acme/shop',
    );
    const violation = body.items[0]?.id ?? '';
    const until = new Date(Date.now() + 5 * dayMs).toISOString();
    const snoozed = await client.post('/manage/v1/acme/policy-violations/decisions', {
      action: 'snooze',
      violations: [{ id: violation }],
      reason: 'release week',
      until,
    });
    assert.equal(snoozed.status, 200, snoozed.text);
    const requested = await member.post<{ items: { id: string }[] }>('/manage/v1/acme/exceptions', {
      violations: [violation],
      reason: 'no fix yet',
    });
    assert.ok(requested.status < 300, requested.text);
    const reviewed = await client.post(`/manage/v1/acme/exceptions/${requested.body.items[0]?.id}/review`, {
      decision: 'approve',
    });
    assert.equal(reviewed.status, 200, reviewed.text);
    const feed = await read({ since });
    assert.deepEqual(typesOf(feed), [
      'vulnerability.status_changed',
      'vulnerability.assigned',
      'violation.snoozed',
      'exception.requested',
      'exception.approved',
      'violation.resolved',
    ]);
    const [accepted] = feed.items.map((item) => item.data as Record<string, Record<string, unknown>>);
    assert.equal(accepted?.vulnerability?.status, 'accepted');
    assert.deepEqual(accepted?.vulnerability?.previous, {
      status: 'open',
      triaged: false,
      resolution: null,
    });
    assert.equal(accepted?.vulnerability?.reason, 'for a week');
    assert.match(String(accepted?.cause?.user), /^usr_/);
  });

  test('a failed scan, a created key and a revoked key give events', async () => {
    const since = await now();
    const [failed] = await importAll(server, 'acme', [reportInput('no report')]);
    assert.equal(failed?.status, 'failed');
    const { id } = await createTestWorkspaceKey(server, tenant, 'member');
    await revokeWorkspaceKey(server.db, tenant.id, formatId('key', id), { actorId: null });
    const feed = await read({ since });
    assert.deepEqual(typesOf(feed), ['scan.failed', 'key.created', 'key.revoked']);
    assert.match(String((feed.items[0]?.data.scan as { error: string } | undefined)?.error), /^[A-Z_]+$/);
  });

  test('a workspace without active policies has events of vulnerabilities too', async () => {
    const [done] = await importAll(server, 'other', [reportInput(trivy([vulnerable('alpha')]))]);
    assert.equal(done?.status, 'completed');
    const answer = await send(server.app, {
      path: '/export/v1/other/events?types=vulnerability.opened',
      authorization: `Bearer ${other.people.admin.key}`,
    });
    assert.equal(answer.text.trimEnd().split('\n').length, 2);
  });

  test('every event has the schema of its type', async () => {
    const { items } = await read();
    assert.ok(items.length > 15);
    for (const item of items) {
      const schema = eventSchemas[subjectOf(item.type)];
      assert.ok(
        schema && Check(schema, item),
        `${JSON.stringify(item)} ${JSON.stringify(schema && Errors(schema, item))}`,
      );
    }
    assert.equal(new Set(items.map(({ id }) => id)).size, items.length);
  });

  test('a mirror of the feed shows what the tables show', () => assertMirrorEqualsTables(server.owner));
});

describe('the clock', () => {
  test('a violation gives one event due_soon and one overdue, however often the sweep runs', async () => {
    await scan([vulnerable('alpha'), vulnerable('beta', 'LOW'), vulnerable('gamma')]);
    const { rows } = await server.owner.query<{ due_at: Date }>(
      'select max(due_at) as due_at from policy_violation where resolved_at is null',
    );
    const due = rows[0]?.due_at.getTime() ?? 0;
    const since = await now();
    const at = (ms: number) => sweepEvents(server.db, tenant.id, new Date(due + ms), keepDays);
    for (const ms of [-4 * dayMs, -2 * dayMs, -2 * dayMs + 60_000, -60_000, 60_000, 60_000, 120_000])
      await at(ms);
    const types = typesOf(await read({ since, types: 'violation.due_soon,violation.overdue' }));
    assert.deepEqual(types, ['violation.due_soon', 'violation.overdue']);
  });

  test('violations that are due at one time give one event each, in pages of several sweeps, also if one breaks off', async () => {
    const many = await createTestWorkspace(server, 'many');
    await applyAndEvaluate(server, many.tenant.id, blockCritical);
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    await importAll(server, 'many', [reportInput(trivy(names.map((name) => vulnerable(name))))]);
    const due = Date.now() + 20 * dayMs;
    for (const table of ['policy_violation', 'violation_reference']) {
      await server.owner.query(
        `update ${table} set due_at = $2::timestamptz + interval '3 microseconds' where tenant_id = $1`,
        [many.tenant.id, new Date(due)],
      );
    }
    const sweep = (ms: number, pages: number) =>
      sweepEvents(server.db, many.tenant.id, new Date(due + ms), keepDays, { pageSize: 2, pages });
    const events = async () => {
      const answer = await send(server.app, {
        path: '/export/v1/many/events?types=violation.due_soon,violation.overdue',
        authorization: `Bearer ${many.people.admin.key}`,
      });
      return answer.text
        .trimEnd()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as EventItem)
        .map(
          ({ type, data }) => `${type} ${(data as unknown as { violation: { id: string } }).violation.id}`,
        );
    };
    await sweep(-4 * dayMs, 1);
    assert.deepEqual(await events(), []);
    await sweep(-dayMs, 2);
    assert.equal((await events()).length, 4, 'two pages of two');
    await server.owner.query(`
      create function refuse_batch() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
      create trigger refuse_batch before insert on event_batch for each row execute function refuse_batch()`);
    await assert.rejects(sweep(-dayMs, 2), /refused/);
    await server.owner.query('drop trigger refuse_batch on event_batch; drop function refuse_batch()');
    assert.equal((await events()).length, 4);
    await sweep(dayMs, 1);
    assert.equal((await events()).length, 6);
    await sweep(dayMs, 10);
    await sweep(2 * dayMs, 10);
    const all = await events();
    assert.equal(all.length, 14);
    assert.equal(new Set(all).size, 14);
    assert.equal(all.filter((event) => event.startsWith('violation.overdue')).length, 7);
  });

  test('an exception gives one event a week before its end, and none if it is approved later with that end', async () => {
    const until = (days: number): string => new Date(Date.now() + days * dayMs).toISOString();
    await scan([vulnerable('early'), vulnerable('late')]);
    const { body } = await client.get<{ items: { id: string }[] }>(
      '/api/v1/acme/policy-violations?repo=acme/shop&status=open',
    );
    const since = await now();
    const ends = [until(20), until(5)];
    for (const [i, end] of ends.entries()) {
      const requested = await member.post<{ items: { id: string }[] }>('/manage/v1/acme/exceptions', {
        violations: [body.items[i]?.id],
        reason: 'no fix yet',
        until: end,
      });
      assert.equal(requested.status, 200, requested.text);
      const review = `/manage/v1/acme/exceptions/${requested.body.items[0]?.id}/review`;
      assert.equal((await client.post(review, { decision: 'approve' })).status, 200);
    }
    for (const days of [1, 12, 14, 15, 16]) {
      await sweepEvents(server.db, tenant.id, new Date(until(days)), keepDays);
    }
    const { items } = await read({ since, types: 'exception.approved,exception.expiring' });
    const shown = items.map(({ type, data }) => [
      type,
      (data as unknown as { exception: { until: string } }).exception.until,
    ]);
    assert.deepEqual(shown, [
      ['exception.approved', ends[0]],
      ['exception.approved', ends[1]],
      ['exception.expiring', ends[0]],
    ]);
  });

  test('a violation that a report opens as overdue gives its event at once, and none in a later sweep', async () => {
    const since = await now();
    // The clock has been moved to the due date of the test before, which is days ahead.
    await scan([vulnerable('delta', 'CRITICAL')], {
      ref: 'topic',
      scannedAt: new Date(Date.now() - 60 * dayMs),
    });
    await sweepEvents(server.db, tenant.id, new Date(), keepDays);
    const types = typesOf(await read({ since, types: 'violation.opened,violation.overdue' }));
    assert.deepEqual(types, ['violation.opened', 'violation.overdue']);
  });
});

describe('the clock of keys', () => {
  test('a key gives an event a week before it expires, and one when it has expired', async () => {
    const { id } = await createTestWorkspaceKey(server, tenant, 'viewer');
    const since = await now();
    const { rows } = await server.owner.query<{ swept_until: Date }>(
      'select swept_until from event_clock where tenant_id = $1',
      [tenant.id],
    );
    const from = rows[0]?.swept_until.getTime() ?? 0;
    await server.owner.query('update api_key set expires_at = $2 where id = $1', [
      id,
      new Date(from + 8 * dayMs),
    ]);
    for (const days of [0.5, 1.5, 2, 7.5, 8.5, 9]) {
      await sweepEvents(server.db, tenant.id, new Date(from + days * dayMs), keepDays);
    }
    const { items } = await read({ since, types: 'key.expiring,key.expired' });
    const ofKey = items.filter(({ data }) => (data.key as { id: string }).id === formatId('key', id));
    assert.deepEqual(fieldOf(ofKey, 'type'), ['key.expiring', 'key.expired']);
  });
});

describe('access of a key', () => {
  test('a key gets only the types of its scopes, and 403 if it names others', async () => {
    const key = await keyWith('vulnerabilities:read');
    const { items } = await read({}, key);
    assert.ok(items.length > 0);
    assert.deepEqual(
      items.filter(({ type }) => !type.startsWith('vulnerability.')),
      [],
    );
    const named = await send(server.app, {
      path: '/export/v1/acme/events?types=key.created',
      authorization: `Bearer ${key}`,
    });
    assert.equal(named.status, 403);
    assert.match(String(named.headers['www-authenticate']), /workspace:admin/);
  });

  test('a member does not see events of keys, and a key without any of the scopes gets 403', async () => {
    assert.deepEqual(
      (await read({}, people.member.key)).items.filter(({ type }) => type.startsWith('key.')),
      [],
    );
    const key = await keyWith('tenants:read');
    const answer = await send(server.app, { path: '/export/v1/acme/events', authorization: `Bearer ${key}` });
    assert.equal(answer.status, 403);
  });

  test('a key with workspace:admin shows no events of keys where its user is no admin', async () => {
    // Its user is an admin in another workspace.
    const options = { userId: people.member.user.id, role: 'admin' as const };
    const { key } = await createTestKey(server, options);
    const { items } = await read({}, key);
    assert.ok(items.length > 0);
    assert.deepEqual(
      items.filter(({ type }) => type.startsWith('key.')),
      [],
    );
    const named = await send(server.app, {
      path: '/export/v1/acme/events?types=key.created',
      authorization: `Bearer ${key}`,
    });
    assert.equal(named.status, 403);
    assert.match(String(named.headers['www-authenticate']), /role admin/);
  });

  test('the cursor of another workspace is refused with 422', async () => {
    const foreign = await send(server.app, {
      path: '/export/v1/other/events?since=latest',
      authorization: `Bearer ${other.people.admin.key}`,
    });
    const { cursor } = JSON.parse(foreign.text);
    const answer = await client.get(`/export/v1/acme/events?since=${cursor}`);
    assert.equal(answer.status, 422);
  });
});

describe('cursors', () => {
  test('pages of two give each event once, in the order of one page', async () => {
    const whole = await read();
    const paged: EventItem[] = [];
    let since: string | undefined;
    for (let more = true; more; ) {
      const page: Feed = await read({ limit: '2', since });
      paged.push(...page.items);
      ({ cursor: since, more } = page);
    }
    assert.deepEqual(paged, whole.items);
  });

  test('transactions that overlap are seen in the order of their commits, and none is missed', async () => {
    const since = await now();
    const event = (at: Date): WorkspaceEvent => ({
      type: 'key.revoked',
      objectId: newId(),
      repositoryId: null,
      scanId: null,
      actorId: null,
      at,
      data: { kind: 'workspace', name: 'x', expires_at: null },
    });
    const seen: string[] = [];
    let cursor = since;
    let writing = true;
    const reader = (async () => {
      for (;;) {
        const isLast = !writing;
        const page = await read({ since: cursor });
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.cursor;
        if (isLast && !page.more) return;
      }
    })();
    await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        (i % 2 === 0 ? importTx : tenantTx)(server.db, tenant.id, async (tx) => {
          await tx.query('select pg_sleep($1)', [((i * 7) % 5) / 100]);
          for (let n = 0; n <= i % 3; n++) tx.changes.addEvent(event(new Date()));
          if (i % 10 === 9) throw new Error('rolled back');
        }).catch((error: Error) => assert.equal(error.message, 'rolled back')),
      ),
    );
    writing = false;
    await reader;
    assert.deepEqual(seen, fieldOf((await read({ since })).items, 'id'));
    assert.equal(seen.length, new Set(seen).size);
    await assertMirrorEqualsTables(server.owner);
  });

  test('a cursor before deleted events, and one of a database before its restore, are refused with 409', async () => {
    const start = await read({ limit: '1' });
    const end = await now();
    await server.owner.query(
      `update event_batch set created_at = now() - interval '40 days' where first_number < 5`,
    );
    await sweepEvents(server.db, tenant.id, new Date(), keepDays);
    const late = await client.get(`/export/v1/acme/events?since=${start.cursor}`);
    assert.equal(late.status, 409, late.text);
    assert.equal(late.body.code, 'CURSOR_EXPIRED');
    assert.ok(
      (await read()).items.length > 0,
      'a reader without a cursor begins with the oldest that is kept',
    );
    // After a restore the same numbers are those of other events.
    await server.owner.query('update event_batch set id = gen_random_uuid() where tenant_id = $1', [
      tenant.id,
    ]);
    const restored = await client.get(`/export/v1/acme/events?since=${end}`);
    assert.equal(restored.body.code, 'CURSOR_EXPIRED');
  });
});

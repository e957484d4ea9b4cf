/** Tests of saved views: private and shared ones, permissions for changes, and limits. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json, Schemas } from '../support/client.ts';
import { succeeded } from '../support/client.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs } from '../support/session.ts';
import { createTestWorkspace } from '../support/workspace.ts';

type View = Schemas['SavedView'];

const path = '/manage/v1/acme/saved-views';
const server = await createTestServer();
const { tenant, people } = await createTestWorkspace(server, 'acme');
const admin = await signInAs(server, people.admin.user.id);
const member = await signInAs(server, people.member.user.id);
const viewer = await signInAs(server, people.viewer.user.id);

const fields = (name: string, more: Json = {}) => ({
  name,
  page: 'vulnerabilities',
  query: 'state=open&severity=high',
  ...more,
});
const save = (who: SessionClient, name: string, more: Json = {}) => who.post<View>(path, fields(name, more));
const namesFor = async (who: SessionClient) => {
  const { body } = await who.get<{ items: View[] }>(path);
  return body.items.map(({ name, own }) => `${name}${own ? '' : ' of another'}`);
};

describe('who sees and changes a view', () => {
  test('only the owner sees a view until it is shared, and then everybody can read it', async () => {
    const made = succeeded(await save(viewer, 'mine'), 201);
    assert.deepEqual([made.shared, made.own, made.query], [false, true, 'state=open&severity=high']);
    assert.equal((await save(member, 'for all', { shared: true })).status, 201);
    assert.deepEqual(await namesFor(viewer), ['for all of another', 'mine']);
    assert.deepEqual(await namesFor(admin), ['for all of another']);
    assert.equal((await admin.patch(`${path}/${made.id}`, { name: 'x' })).status, 404);
    assert.equal((await admin.delete(`${path}/${made.id}`)).status, 404);
  });

  test('a viewer cannot share a view, and only the owner can change a shared one', async () => {
    assert.equal((await save(viewer, 'shout', { shared: true })).status, 403);
    const mine = (await save(viewer, 'quiet')).body;
    assert.equal((await viewer.patch(`${path}/${mine.id}`, { shared: true })).status, 403);
    const shared = (await save(member, 'team', { shared: true })).body;
    for (const who of [admin, viewer]) {
      assert.equal((await who.patch(`${path}/${shared.id}`, { name: 'taken over' })).status, 403);
    }
    const changed = await member.patch<View>(`${path}/${shared.id}`, { name: 'Team', query: '' });
    assert.deepEqual([changed.body.name, changed.body.query, changed.body.shared], ['Team', '', true]);
    assert.equal((await viewer.delete(`${path}/${shared.id}`)).status, 403);
    assert.equal((await admin.delete(`${path}/${shared.id}`)).status, 204);
    assert.equal((await admin.delete(`${path}/${shared.id}`)).status, 404);
  });

  test('the audit log has the text of a shared view, and nothing of another', async () => {
    const kept = (await save(member, 'secret plan', { query: 'q=plan' })).body;
    const shared = (await save(member, 'open plan', { shared: true })).body;
    const eventsOf = async (id: string) => {
      const { body } = await admin.get<{ items: { action: string; data: Json; target: Json }[] }>(
        `/manage/v1/acme/audit?target=${id}`,
      );
      return body.items.map(({ action, data, target }) => ({ action, data, name: target.name }));
    };
    assert.deepEqual(await eventsOf(kept.id), [
      { action: 'saved_view.create', data: { shared: false }, name: null },
    ]);
    assert.deepEqual(await eventsOf(shared.id), [
      {
        action: 'saved_view.create',
        data: { name: 'open plan', query: 'state=open&severity=high', shared: true },
        name: 'open plan',
      },
    ]);
  });

  test('the shared views of a removed member stay, and the others are deleted', async () => {
    await save(member, 'left behind', { shared: true });
    const before = await server.owner.query('select 1 from saved_view where not shared and owner_id = $1', [
      people.member.user.id,
    ]);
    assert.ok(before.rows.length > 0);
    const { body } = await admin.get<{ items: { id: string; email: string }[] }>('/manage/v1/acme/members');
    const id = body.items.find(({ email }) => email === people.member.user.email)?.id;
    assert.equal((await admin.delete(`/manage/v1/acme/members/${id}`)).status, 204);
    const { rows } = await server.owner.query<{ shared: boolean }>(
      'select shared from saved_view where tenant_id = $1 and owner_id = $2',
      [tenant.id, people.member.user.id],
    );
    assert.ok(rows.length > 0 && rows.every(({ shared }) => shared));
  });
});

describe('limits', () => {
  test('names and queries are plain text of limited length, and a name is unique', async () => {
    await save(admin, 'Once');
    const refused: [Json, string][] = [
      [fields('ONCE'), 'name'],
      [fields(' '), 'name'],
      [fields('a\u202eb'), 'name'],
      [fields('n'.repeat(101)), 'name'],
      [fields('long', { query: 'q'.repeat(2_001) }), 'query'],
      [fields('odd', { query: 'q=a\u0000b' }), 'query'],
      [fields('where', { page: 'elsewhere' }), 'page'],
      [fields('more', { owner: people.viewer.user.id }), 'owner'],
    ];
    for (const [body, field] of refused) {
      const answer = await admin.post(path, body);
      assert.ok(answer.status === 422 || answer.status === 409, `${field}: ${answer.text}`);
      if (answer.status === 422) assert.deepEqual(Object.keys(answer.body.errors as Json), [field]);
    }
  });

  test('a person has a hundred views at most, also when they are saved at once', async () => {
    const answers = await Promise.all(Array.from({ length: 110 }, (_, i) => save(viewer, `view ${i}`)));
    const refused = answers.filter(({ status }) => status !== 201);
    assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([409]));
    const { body } = await viewer.get<{ items: View[] }>(path);
    assert.equal(body.items.filter(({ own }) => own).length, 100);
  });
});

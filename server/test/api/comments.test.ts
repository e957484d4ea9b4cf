/**
 * Tests of comments: they are written, read and deleted, with permissions, and kept when vulnerabilities are merged.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatId, parseId } from '../../src/domain/ids.ts';
import { type Answer, clientOf, type Json, type Schemas, send, succeeded, walk } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { signInAs } from '../support/session.ts';
import { createTestKey, createTestWorkspace, createTestWorkspaceKey } from '../support/workspace.ts';
import { createDecisionWorkspace } from './decision-workspace.ts';

const { server, tenant, people, client, createOpenVulnerabilities, detailOf } =
  await createDecisionWorkspace();

type Comment = Schemas['Comment'];

const readPath = (id: string): string => `/api/v1/acme/vulnerabilities/${id}/comments`;
const path = (id: string): string => `/manage/v1/acme/vulnerabilities/${id}/comments`;

async function one(): Promise<string> {
  return (await createOpenVulnerabilities(1)).ids[0] ?? '';
}

async function say(id: string, body: string, key = people.member.key): Promise<Comment> {
  return succeeded(await clientOf(server.app, key).post<Comment>(path(id), { body }), 201);
}

async function remove(id: string, comment: string, key: string, slug = 'acme'): Promise<Answer> {
  return send(server.app, {
    method: 'DELETE',
    path: `/manage/v1/${slug}/vulnerabilities/${id}/comments/${comment}`,
    authorization: `Bearer ${key}`,
  });
}

const bodies = async (id: string, perPage = 200): Promise<string[]> =>
  (await walk<Comment>(client, readPath(id), { per_page: perPage })).map((comment) => comment.body);

describe('comments', () => {
  test('are returned as written, newest last, with their authors', async () => {
    const id = await one();
    const text = 'See\n\n  <script>alert(1)</script> 👍 \u202eabc';
    const comment = await say(id, text);
    const { user } = people.member;
    assert.match(comment.id, /^cmt_/);
    assert.deepEqual(comment.author, {
      id: formatId('user', user.id),
      display_name: user.name,
      email: user.email,
    });
    await say(id, 'second', people.admin.key);
    const list = await clientOf(server.app, people.viewer.key).get<{ items: Comment[] }>(readPath(id));
    assert.equal(list.status, 200, list.text);
    assert.deepEqual(list.body.items[0], comment);
    assert.deepEqual(fieldOf(list.body.items, 'body'), [text, 'second']);
    assert.equal((await detailOf(id)).status_version, '1', 'what is said changes nothing');
  });

  test('each comment is returned once across pages, whatever is added meanwhile', async () => {
    const id = await one();
    const said = Array.from({ length: 7 }, (_, i) => `comment ${i}`);
    for (const body of said) await say(id, body);
    assert.deepEqual(await bodies(id, 3), said);
    const other = await one();
    await say(other, 'elsewhere');
    const page = await client.get(`${readPath(id)}?per_page=3`);
    const foreign = await client.get(`${readPath(other)}?per_page=3&cursor=${page.body.next_cursor}`);
    assert.deepEqual([foreign.status, Object.keys(foreign.body.errors as Json)], [422, ['cursor']]);
  });

  test('an empty, too long or unstorable text is refused', async () => {
    const id = await one();
    const long = 'ä'.repeat(10_000);
    assert.equal((await say(id, long)).body, long);
    for (const body of ['', '   \n', `${long}x`, 'a\0b', 'half \ud83d']) {
      const answer = await client.post(path(id), { body });
      assert.deepEqual([answer.status, Object.keys(answer.body.errors as Json)], [422, ['body']]);
    }
    for (const body of [{}, { body: null }, { body: 'x', author: 'y' }]) {
      assert.equal((await client.post(path(id), body)).status, 422);
    }
    assert.deepEqual(await bodies(id), [long]);
  });

  test('the audit log records author and deletion, not the text', async () => {
    const id = await one();
    const { id: comment } = await say(id, 'a secret of ours');
    assert.equal((await remove(id, comment, people.admin.key)).status, 204);
    const { rows } = await server.owner.query(
      `select action, actor_id, target_id, data from audit_event where tenant_id = $1 order by id desc limit 2`,
      [tenant.id],
    );
    const recorded = { target_id: parseId('vulnerability', id), data: { comment } };
    assert.deepEqual(rows, [
      { action: 'vulnerability.delete_comment', actor_id: people.admin.user.id, ...recorded },
      { action: 'vulnerability.comment', actor_id: people.member.user.id, ...recorded },
    ]);
  });

  test('a session may write like a key, but not without the CSRF token', async () => {
    const id = await one();
    const person = await signInAs(server, people.member.user.id);
    assert.equal((await person.post(path(id), { body: 'from the console' })).status, 201);
    const list = await person.get<{ items: Comment[] }>(`/console${readPath(id)}`);
    assert.equal(list.body.items[0]?.body, 'from the console');
    const { 'x-csrf-token': _, ...without } = person.headers;
    const forged = await server.app.inject({
      method: 'POST',
      url: path(id),
      headers: without,
      payload: { body: 'forged' },
    });
    assert.equal(forged.statusCode, 403);
    succeeded(await person.delete(`${path(id)}/${list.body.items[0]?.id}`), 204);
    assert.deepEqual(await bodies(id), []);
  });
});

describe('who may', () => {
  test('viewers may read; writing needs the role member and the scope', async () => {
    const id = await one();
    const viewer = await createTestKey(server, {
      userId: people.viewer.user.id,
      role: 'member',
      scopes: ['vulnerabilities:write', 'vulnerabilities:read'],
    });
    const reading = await createTestKey(server, {
      userId: people.member.user.id,
      role: 'member',
      scopes: ['vulnerabilities:read', 'scans:write'],
    });
    const { id: comment } = await say(id, 'stays');
    for (const { key } of [viewer, reading]) {
      const answer = await clientOf(server.app, key).post(path(id), { body: 'x' });
      assert.deepEqual([answer.status, answer.body.code], [403, 'TOKEN_ABILITY_DENIED']);
      assert.equal((await remove(id, comment, key)).status, 403);
      assert.equal((await clientOf(server.app, key).get(readPath(id))).status, 200);
    }
    const blind = await createTestKey(server, {
      userId: people.admin.user.id,
      role: 'admin',
      scopes: ['vulnerabilities:write'],
    });
    assert.equal((await clientOf(server.app, blind.key).get(readPath(id))).status, 403);
    assert.deepEqual(await bodies(id), ['stays']);
  });

  test('the author may delete a comment, and an admin any', async () => {
    const id = await one();
    const service = await createTestWorkspaceKey(server, tenant, 'member');
    const mine = await say(id, 'mine');
    const theirs = await say(id, 'theirs', people.admin.key);
    const machines = await say(id, 'a machine’s', service.key);
    for (const comment of [theirs, machines]) {
      const answer = await remove(id, comment.id, people.member.key);
      assert.deepEqual([answer.status, answer.body.code], [403, 'TOKEN_ABILITY_DENIED']);
    }
    assert.equal((await remove(id, mine.id, service.key)).status, 403);
    assert.equal((await remove(id, mine.id, people.member.key)).status, 204);
    assert.equal((await remove(id, machines.id, people.admin.key)).status, 204);
    assert.equal((await remove(id, mine.id, people.member.key)).status, 404, 'twice');
    assert.deepEqual(await bodies(id), ['theirs']);
  });

  test('a comment is 404 from another workspace or by another vulnerability', async () => {
    const id = await one();
    const other = await one();
    const { id: comment } = await say(id, 'here');
    const elsewhere = await createTestWorkspace(server, 'elsewhere');
    const { key } = elsewhere.people.admin;
    assert.equal((await remove(id, comment, key)).status, 403);
    assert.equal((await remove(id, comment, key, 'elsewhere')).status, 404);
    const foreign = clientOf(server.app, key);
    assert.equal((await foreign.get(readPath(id).replace('acme', 'elsewhere'))).status, 404);
    assert.equal((await foreign.post(path(id).replace('acme', 'elsewhere'), { body: 'x' })).status, 404);
    assert.equal((await remove(other, comment, people.admin.key)).status, 404);
    for (const wrong of ['x', 'cmt_00000000000000000000000000', formatId('user', people.admin.user.id)]) {
      assert.equal((await remove(id, wrong, people.admin.key)).status, 404, wrong);
    }
    assert.deepEqual(await bodies(id), ['here']);
  });
});

test('a merge moves the comments, including one written at that moment', async () => {
  const { ids } = await createOpenVulnerabilities(2);
  const [into = '', from = ''] = ids;
  await say(into, 'stays');
  await say(from, 'moves');
  const [merged, ...said] = await Promise.all([
    clientOf(server.app, people.admin.key).post(`/manage/v1/acme/vulnerabilities/${into}/merge`, {
      others: [from],
      reason: 'the same',
    }),
    ...Array.from({ length: 8 }, (_, i) => say(from, `meanwhile ${i}`)),
  ]);
  assert.equal(merged.status, 200, merged.text);
  const expected = ['stays', 'moves', ...said.map((comment) => comment.body)].sort();
  for (const id of ids) assert.deepEqual((await bodies(id)).sort(), expected, 'by either id');
  const [comment] = said;
  assert.equal((await remove(from, comment?.id ?? '', people.member.key)).status, 204);
});

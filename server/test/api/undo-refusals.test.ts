/**
 * Tests of actions that cannot be undone: those of other people, old ones, those followed by another action, and any
 * action twice.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addMember } from '../../src/access/members/service.ts';
import { createUser } from '../../src/access/users/service.ts';
import { installTx, tenantTx } from '../../src/db/database.ts';
import { getId, parseId } from '../../src/domain/ids.ts';
import { type Answer, clientOf, type Json, send } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { signInAs } from '../support/session.ts';
import { trivyReport } from '../support/tool-reports.ts';
import {
  createTestKey,
  createTestWorkspace,
  createTestWorkspaceKey,
  reportInput,
} from '../support/workspace.ts';
import { type Act, type Acted, createUndoWorkspace, undoPath } from './undo-workspace.ts';

const { server, tenant, people, createOpenVulnerabilities, detailOf, actOn, tryUndo, undo, stored } =
  await createUndoWorkspace();

function assertRefused(answer: Answer, status: number, code: string, message?: RegExp): void {
  assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text);
  if (message) assert.match(String(answer.body.message), message);
}

/** A vulnerability with an action of the member on it. */
async function actedOn(act: Act = { action: 'ignore' }): Promise<Acted> {
  const [acted] = await actOn('member', (await createOpenVulnerabilities(1)).ids, act);
  assert.ok(acted?.changed);
  return acted;
}

async function now({ id }: Acted): Promise<Acted> {
  return { id, changed: false, status_version: (await detailOf(id)).status_version };
}

describe('who may undo', () => {
  test('another person, whatever the role, or a key of the workspace may not undo', async () => {
    const acted = await actedOn();
    const service = await createTestWorkspaceKey(server, tenant, 'admin');
    for (const key of [people.admin.key, service.key]) {
      assertRefused(await tryUndo(key, [acted]), 409, 'INVALID_TRANSITION', /of yours/);
    }
    const other = await createTestKey(server, { userId: people.member.user.id, role: 'member' });
    assert.equal((await tryUndo(other.key, [acted])).status, 200, 'by another key of the same person');
  });

  test('a viewer, a reading key, no key or another workspace may not undo', async () => {
    const acted = await actedOn();
    const viewer = await createTestKey(server, {
      userId: people.viewer.user.id,
      role: 'member',
      scopes: ['vulnerabilities:write'],
    });
    const reading = await createTestKey(server, {
      userId: people.member.user.id,
      role: 'member',
      scopes: ['vulnerabilities:read', 'policy-violations:write'],
    });
    for (const { key } of [viewer, reading]) {
      assertRefused(await tryUndo(key, [acted]), 403, 'TOKEN_ABILITY_DENIED');
    }
    const body = { vulnerabilities: [{ id: acted.id, status_version: acted.status_version }] };
    const bare = await send(server.app, { method: 'POST', path: undoPath, body });
    assertRefused(bare, 401, 'AUTHENTICATION_REQUIRED');
    const elsewhere = await createTestWorkspace(server, 'elsewhere');
    const { key } = elsewhere.people.admin;
    assertRefused(await tryUndo(key, [acted]), 403, 'TOKEN_INVALID_FOR_TENANT');
    const foreign = await clientOf(server.app, key).post('/manage/v1/elsewhere/vulnerabilities/undo', body);
    assertRefused(foreign, 404, 'RESOURCE_NOT_FOUND');
    const session = await signInAs(server, elsewhere.people.admin.user.id);
    assertRefused(await session.post(undoPath, body), 403, 'TOKEN_INVALID_FOR_TENANT');
    assert.equal((await detailOf(acted.id)).status, 'ignored');
  });

  test('a person who is no longer a member may not undo', async () => {
    const user = await installTx(server.db, (tx) => createUser(tx, 'goer@acme.example', 'Goer', null));
    await tenantTx(server.db, tenant.id, (tx) => addMember(tx, user.id, 'member'));
    const { key } = await createTestKey(server, { userId: user.id, role: 'member' });
    const [id = ''] = (await createOpenVulnerabilities(1)).ids;
    const body = { action: 'ignore', reason: 'x', vulnerabilities: [{ id }] };
    const decided = await clientOf(server.app, key).post<{ items: Acted[] }>(
      '/manage/v1/acme/vulnerabilities/decisions',
      body,
    );
    assert.equal(decided.status, 200);
    await server.owner.query('delete from member where user_id = $1', [user.id]);
    assertRefused(await tryUndo(key, decided.body.items), 403, 'TOKEN_INVALID_FOR_TENANT');
  });
});

describe('what can be undone', () => {
  test('an act cannot be undone twice', async () => {
    const acted = await actedOn();
    const [first] = await undo('member', [acted]);
    assertRefused(await tryUndo(people.member.key, [acted]), 409, 'STATUS_VERSION_CONFLICT');
    assert.ok(first);
    assertRefused(await tryUndo(people.member.key, [first]), 409, 'INVALID_TRANSITION');
    assert.equal((await detailOf(acted.id)).history.filter(({ event }) => event === 'undone').length, 1);
  });

  test('of two acts on one vulnerability only the last can be undone', async () => {
    const first = await actedOn({ action: 'accept' });
    const [second] = await actOn('member', [first.id], { assignee: 'me' });
    assert.ok(second);
    const [undone] = await undo('member', [second]);
    assert.ok(undone);
    assertRefused(await tryUndo(people.member.key, [undone]), 409, 'INVALID_TRANSITION');
    assert.equal((await detailOf(first.id)).status, 'accepted');
  });

  test('without an act of a person, or without a change, there is nothing to undo', async () => {
    const { ids } = await createOpenVulnerabilities(2);
    const [untouched = '', noted = ''] = ids;
    const version = (await detailOf(untouched)).status_version;
    const nothing = await tryUndo(people.member.key, [{ id: untouched, status_version: version }]);
    assertRefused(nothing, 409, 'INVALID_TRANSITION');
    const [reopened] = await actOn('member', [noted], { action: 'reopen' });
    const [unassigned] = await actOn('member', [noted], { assignee: null });
    assert.deepEqual([reopened?.changed, unassigned?.changed], [false, false]);
    assert.ok(unassigned);
    assertRefused(await tryUndo(people.member.key, [unassigned]), 409, 'INVALID_TRANSITION');
  });

  test('an act older than 15 minutes cannot be undone', async () => {
    const acted = await actedOn();
    const age = (minutes: number) =>
      server.owner.query(
        `update vulnerability_event set at = now() - make_interval(mins => $2)
          where vulnerability_id = $1 and kind not in ('opened', 'fixed')`,
        [parseId('vulnerability', acted.id), minutes],
      );
    await age(16);
    assertRefused(await tryUndo(people.member.key, [acted]), 409, 'INVALID_TRANSITION', /15 minutes/);
    await age(14);
    await undo('member', [acted]);
  });

  test('nothing is undone if somebody else has decided or assigned since, even the same', async () => {
    const acts: Act[] = [
      { action: 'ignore' },
      { action: 'accept', until: '2099-01-01T00:00:00Z' },
      { assignee: 'me' },
    ];
    for (const act of acts) {
      const acted = await actedOn({ action: 'ignore' });
      await actOn('admin', [acted.id], act);
      const after = await stored(acted.id);
      const answer = await tryUndo(people.member.key, [await now(acted)]);
      assertRefused(answer, 409, 'INVALID_TRANSITION', /of yours/);
      assert.deepEqual(await stored(acted.id), after);
    }
  });

  test('nothing is undone if a report has changed it since', async () => {
    const { repo, ids } = await createOpenVulnerabilities(1);
    const [acted] = await actOn('member', ids, { assignee: 'me' });
    assert.ok(acted);
    await importAll(server, 'acme', [reportInput(trivyReport({}), { repository: repo })]);
    const stale = await tryUndo(people.member.key, [acted]);
    assertRefused(stale, 409, 'STATUS_VERSION_CONFLICT');
    const current = await now(acted);
    assert.deepEqual(stale.body.details, { current: { [acted.id]: current.status_version } });
    const answer = await tryUndo(people.member.key, [current]);
    assertRefused(answer, 409, 'INVALID_TRANSITION', /changed since/);
  });

  test('nothing is undone if it was merged since, neither by its old id nor by its new one', async () => {
    const { ids } = await createOpenVulnerabilities(2);
    const [into = '', from = ''] = ids;
    await actOn('member', ids, { action: 'ignore' });
    const merged = await clientOf(server.app, people.admin.key).post(
      `/manage/v1/acme/vulnerabilities/${into}/merge`,
      { others: [from], reason: 'the same' },
    );
    assert.equal(merged.status, 200, merged.text);
    const { status_version } = await detailOf(into);
    for (const id of ids) {
      assertRefused(await tryUndo(people.member.key, [{ id, status_version }]), 409, 'INVALID_TRANSITION');
    }
  });

  test('an acceptance that has expired is not restored', async () => {
    const [id = ''] = (await createOpenVulnerabilities(1)).ids;
    await actOn('admin', [id], { action: 'accept', until: new Date(Date.now() + 3_600_000).toISOString() });
    await server.owner.query('update vulnerability set accepted_until = now() where id = $1', [
      getId('vulnerability', id),
    ]);
    const reopened = await actOn('member', [id], { action: 'reopen' });
    assertRefused(
      await tryUndo(people.member.key, reopened),
      409,
      'INVALID_TRANSITION',
      /acceptance has ended/,
    );
    assert.equal((await detailOf(id)).status, 'open');
  });

  test('an assignment to a person who has left is not restored', async () => {
    const user = await installTx(server.db, (tx) => createUser(tx, 'left@acme.example', 'Left', null));
    await tenantTx(server.db, tenant.id, (tx) => addMember(tx, user.id, 'member'));
    const [id = ''] = (await createOpenVulnerabilities(1)).ids;
    await actOn('admin', [id], { assignee: user.email });
    const taken = await actOn('member', [id], { assignee: 'me' });
    await server.owner.query('delete from member where user_id = $1', [user.id]);
    assertRefused(await tryUndo(people.member.key, taken), 409, 'INVALID_TRANSITION', /has left/);
    assert.equal((await stored(id)).assignee_id, people.member.user.id);
  });
});

describe('all or none', () => {
  test('one vulnerability that cannot be undone leaves all others unchanged', async () => {
    const { ids } = await createOpenVulnerabilities(4);
    const acted = await actOn('member', ids, { action: 'ignore' });
    const [last] = await actOn('admin', ids.slice(3), { action: 'accept' });
    const states = await Promise.all(ids.map(stored));
    assert.ok(last);
    const unknown = { id: 'vc_00000000000000000000000000', status_version: '1' };
    assertRefused(
      await tryUndo(people.member.key, [...acted.slice(0, 3), unknown]),
      404,
      'RESOURCE_NOT_FOUND',
    );
    const mixed = await tryUndo(people.member.key, [...acted.slice(0, 3), await now(last)]);
    assertRefused(mixed, 409, 'INVALID_TRANSITION', new RegExp(last.id));
    const wrong = [{ id: ids[0] ?? '', status_version: '77' }, ...acted.slice(1, 3)];
    const stale = await tryUndo(people.member.key, wrong);
    assertRefused(stale, 409, 'STATUS_VERSION_CONFLICT');
    assert.deepEqual(Object.keys((stale.body.details as { current: Json }).current), [ids[0]]);
    const twice = [acted[0] as Acted, { id: ids[0] ?? '', status_version: '77' }];
    assertRefused(await tryUndo(people.member.key, twice), 409, 'STATUS_VERSION_CONFLICT');
    assert.deepEqual(await Promise.all(ids.map(stored)), states);
    const items = await undo('member', [...acted.slice(0, 3), acted[0] as Acted]);
    assert.equal(items.length, 3, 'named twice, undone once');
  });

  test('an invalid body is refused on its field', async () => {
    const acted = await actedOn();
    const { id, status_version } = acted;
    const cases: [string, Json][] = [
      ['vulnerabilities', {}],
      ['vulnerabilities', { vulnerabilities: [] }],
      ['vulnerabilities.0.status_version', { vulnerabilities: [{ id }] }],
      ['vulnerabilities.0.status_version', { vulnerabilities: [{ id, status_version: null }] }],
      ['vulnerabilities.0.before', { vulnerabilities: [{ id, status_version, before: {} }] }],
      ['reason', { reason: 'x', vulnerabilities: [{ id, status_version }] }],
      ['vulnerabilities', { vulnerabilities: Array.from({ length: 501 }, () => ({ id, status_version })) }],
    ];
    for (const [field, body] of cases) {
      const answer = await clientOf(server.app, people.member.key).post(undoPath, body);
      assertRefused(answer, 422, 'VALIDATION_FAILED');
      assert.deepEqual(Object.keys(answer.body.errors as Json), [field]);
    }
  });

  test('of two requests at once one succeeds', async () => {
    const { ids } = await createOpenVulnerabilities(30);
    const acted = await actOn('member', ids, { action: 'accept' });
    const answers = await Promise.all(
      [acted, acted.toReversed(), acted].map((named) => tryUndo(people.member.key, named)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
    for (const id of ids) assert.equal((await detailOf(id)).status, 'open');
  });

  test('an undo during reports and decisions of others loses no change', async () => {
    const { repo, ids, rows } = await createOpenVulnerabilities(40);
    const acted = await actOn('member', ids, { action: 'ignore' });
    const report = trivyReport({ packages: rows.slice(20) });
    await Promise.all([
      tryUndo(people.member.key, acted),
      importAll(server, 'acme', [reportInput(report, { repository: repo })]),
      actOn('admin', ids.slice(10, 30), { assignee: 'me' }),
    ]);
    await assertInvariants(server.owner);
  });
});

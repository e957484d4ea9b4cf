/** Tests of assignment: every form of the body, permissions, effects, and data that must not change. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addMember } from '../../src/access/members/service.ts';
import { createUser } from '../../src/access/users/service.ts';
import { installTx, tenantTx } from '../../src/db/database.ts';
import { formatId, type UserId } from '../../src/domain/ids.ts';
import { type Answer, clientOf, type Json, type Schemas } from '../support/client.ts';
import { fieldsOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { createTestServer } from '../support/server.ts';
import { trivyReport } from '../support/tool-reports.ts';
import {
  createTestKey,
  createTestWorkspace,
  createTestWorkspaceKey,
  reportInput,
} from '../support/workspace.ts';

type Assigned = Schemas['Assignment'];

const server = await createTestServer();
const { tenant, people } = await createTestWorkspace(server, 'acme');
const other = await createTestWorkspace(server, 'other');
const packages = [
  { id: 'CVE-2030-1', package: 'lodash', severity: 'HIGH' },
  { id: 'CVE-2030-2', package: 'minimist', severity: 'LOW' },
] as const;
const report = reportInput(trivyReport({ packages: [...packages] }));
await importAll(server, 'acme', [report]);
const client = clientOf(server.app, people.member.key);
const list = '/api/v1/acme/vulnerabilities';
const { body: listed } = await client.get<{ items: { id: string }[] }>(list);
const id = listed.items[0]?.id ?? '';
const path = `${list}/${id}/assignment`;
const member = people.member.user;
const admin = people.admin.user;

async function assign(body: object, key = people.member.key): Promise<Assigned['vulnerability']> {
  const answer = await clientOf(server.app, key).patch<Assigned>(path, body);
  assert.equal(answer.status, 200, `${JSON.stringify(body)}: ${answer.text}`);
  assert.equal(answer.body.vulnerability.id, id);
  return answer.body.vulnerability;
}

async function refused(body: object | string, status: number, code: string, key?: string): Promise<Answer> {
  const answer = await clientOf(server.app, key ?? people.member.key).patch(path, body);
  assert.deepEqual(
    [answer.status, answer.body.code],
    [status, code],
    `${JSON.stringify(body)}: ${answer.text}`,
  );
  return answer;
}

async function rows<Row>(sql: string): Promise<Row[]> {
  const result = await server.owner.query(sql, [tenant.id]);
  return result.rows as Row[];
}

const audits = () =>
  rows<{
    action: string;
    actor_id: string;
    api_key_id: string;
    data: Json;
    request_id: string;
    target_type: string;
  }>(`select * from audit_event where tenant_id = $1 and action like 'vulnerability.%' order by id`);

beforeEach(async () => {
  await assign({ assignee: null });
});

describe('who is assigned', () => {
  test('me, an id with or without prefix and an e-mail in any case name the assignee', async () => {
    const forms: [string, typeof member][] = [
      ['me', member],
      [formatId('user', admin.id), admin],
      [formatId('user', admin.id).slice('usr_'.length), admin],
      [admin.id, admin],
      [admin.id.toUpperCase(), admin],
      [admin.email, admin],
      [member.email.toUpperCase(), member],
    ];
    for (const [assignee, user] of forms) {
      await assign({ assignee: null });
      const { assignee: shown } = await assign({ assignee });
      assert.deepEqual(shown, { id: formatId('user', user.id), display_name: user.name, email: user.email });
      const detail = await client.get<{ assignee: Json }>(`${list}/${id}`);
      assert.deepEqual(detail.body.assignee, shown);
    }
  });

  test('null and unassigned remove the assignment', async () => {
    for (const assignee of [null, 'unassigned']) {
      await assign({ assignee: 'me' });
      assert.equal((await assign({ assignee })).assignee, null);
    }
  });

  test('a person who is no active member is refused on the field', async () => {
    const disabled = await installTx(server.db, (tx) => createUser(tx, 'gone@acme.example', 'Gone', null));
    await tenantTx(server.db, tenant.id, (tx) => addMember(tx, disabled.id, 'member'));
    await server.owner.query('update user_account set disabled_at = now() where id = $1', [disabled.id]);
    const service = await createTestWorkspaceKey(server, tenant, 'member');
    const [actor] = await rows<{ user_id: UserId }>(`select user_id from api_key where tenant_id = $1`);
    assert.ok(actor && service);
    for (const assignee of [
      other.people.member.user.email,
      other.people.member.user.id,
      formatId('user', other.people.member.user.id),
      'gone@acme.example',
      formatId('user', actor.user_id),
      'nobody@acme.example',
      'usr_nonsense',
      'Me',
      'UNASSIGNED',
      '',
      ' ',
      id,
    ]) {
      const answer = await refused({ assignee }, 422, 'VALIDATION_FAILED');
      assert.deepEqual(Object.keys((answer.body.details as { errors: Json }).errors), ['assignee'], assignee);
    }
    await refused({ assignee: 'me' }, 422, 'VALIDATION_FAILED', service.key);
    const byService = await assign({ assignee: member.email }, service.key);
    assert.equal(byService.assignee?.email, member.email, 'a workspace key assigns others');
  });
});

describe('the form of the request', () => {
  test('assignee is required, and unknown fields are refused', async () => {
    for (const body of [
      {},
      { status_version: '1' },
      { assignee: 1 },
      { assignee: undefined },
      { assignee: null, status: 'fixed' },
      { assignee: null, status_version: null },
      { assignee: null, status_version: 2 },
      { assignee: ['me'] },
    ]) {
      await refused(body, 422, 'VALIDATION_FAILED');
    }
    await refused('', 400, 'MALFORMED_REQUEST');
    const put = await server.app.inject({ method: 'PUT', url: path, payload: {} });
    assert.equal(put.statusCode, 405);
  });

  test('an unknown or malformed vulnerability is 404', async () => {
    for (const unknown of ['vc_00000000000000000000000000', 'vc_x', 'x', formatId('user', member.id)]) {
      const answer = await client.patch(`${list}/${unknown}/assignment`, { assignee: null });
      assert.deepEqual([answer.status, answer.body.code], [404, 'RESOURCE_NOT_FOUND'], unknown);
    }
  });
});

describe('who may', () => {
  test('a member with both scopes may assign; a viewer or a key with one scope may not', async () => {
    await assign({ assignee: 'me' }, people.admin.key);
    await assign({ assignee: 'me' }, people.member.key);
    const { user } = people.member;
    const viewer = await createTestKey(server, {
      userId: people.viewer.user.id,
      role: 'member',
      scopes: ['vulnerabilities:read', 'vulnerabilities:write'],
    });
    const answer = await refused({ assignee: null }, 403, 'TOKEN_ABILITY_DENIED', viewer.key);
    assert.match(answer.headers['www-authenticate'] ?? '', /role member/);
    for (const scope of ['vulnerabilities:read', 'vulnerabilities:write'] as const) {
      const one = await createTestKey(server, { userId: user.id, role: 'member', scopes: [scope] });
      const denied = await refused({ assignee: null }, 403, 'TOKEN_ABILITY_DENIED', one.key);
      assert.match(
        denied.headers['www-authenticate'] ?? '',
        /scope="vulnerabilities:read vulnerabilities:write"/,
      );
    }
    // The role is looked up for each request.
    await server.owner.query("update member set role = 'viewer' where tenant_id = $1 and user_id = $2", [
      tenant.id,
      user.id,
    ]);
    await refused({ assignee: null }, 403, 'TOKEN_ABILITY_DENIED');
    await server.owner.query("update member set role = 'member' where tenant_id = $1 and user_id = $2", [
      tenant.id,
      user.id,
    ]);
  });
});

describe('versions', () => {
  test('the version changes with each assignment, and a stale one is refused with 409', async () => {
    const first = await assign({ assignee: null });
    const second = await assign({ assignee: 'me', status_version: first.status_version });
    assert.notEqual(second.status_version, first.status_version);
    const answer = await refused(
      { assignee: null, status_version: first.status_version },
      409,
      'STATUS_VERSION_CONFLICT',
    );
    assert.deepEqual(answer.body.details, { current: second.status_version });
    for (const version of ['', '0', 'x', ` ${second.status_version}`, `${second.status_version}.0`]) {
      await refused({ assignee: null, status_version: version }, 409, 'STATUS_VERSION_CONFLICT');
    }
    assert.equal((await assign({ assignee: 'me' })).status_version, second.status_version, 'nothing changed');
  });

  test('of two requests at once with the same version one succeeds', async () => {
    const { status_version } = await assign({ assignee: null });
    const answers = await Promise.all(
      ['me', admin.email, 'me', admin.email].map((assignee) =>
        client.patch(path, { assignee, status_version }),
      ),
    );
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 409, 409, 409]);
  });
});

describe('history and audit log', () => {
  test('it writes a row of history and one of the audit log, in the same transaction', async () => {
    const before = (await audits()).length;
    const answer = await clientOf(server.app, people.admin.key).patch(path, { assignee: member.email });
    await refused({ assignee: 'nobody@acme.example' }, 422, 'VALIDATION_FAILED');
    await refused({ assignee: null, status_version: '0' }, 409, 'STATUS_VERSION_CONFLICT');
    await assign({ assignee: null });
    // A request that changes nothing writes no row.
    await assign({ assignee: null });
    const written = (await audits()).slice(before);
    assert.deepEqual(fieldsOf(written, 'action', 'actor_id', 'target_type', 'data'), [
      ['vulnerability.assign', admin.id, 'vulnerability', { assignee: member.id }],
      ['vulnerability.unassign', member.id, 'vulnerability', { assignee: null }],
    ]);
    assert.equal(written[0]?.request_id, answer.headers['x-request-id']);
    assert.ok(written.every((row) => row.api_key_id));
    const { body } = await client.get<{ history: { event: string; actor: Json; data: Json }[] }>(
      `${list}/${id}`,
    );
    assert.deepEqual(
      body.history.slice(0, 2).map((event) => [event.event, event.actor.id, event.data]),
      [
        ['unassigned', formatId('user', member.id), {}],
        ['assigned', formatId('user', admin.id), { assignee: formatId('user', member.id) }],
      ],
    );
  });

  test('lists and counts follow at once, and no other field changes', async () => {
    const numbers = async (query: string): Promise<number> => {
      const { body } = await client.get<{ summary: { total: number }; items: Json[] }>(`${list}?${query}`);
      assert.equal(body.summary.total, body.items.length);
      return body.summary.total;
    };
    const before = (await client.get(list)).body;
    assert.deepEqual([await numbers('assignee=me'), await numbers('assignee=unassigned')], [0, 2]);
    await assign({ assignee: 'me' });
    assert.deepEqual([await numbers('assignee=me'), await numbers('assignee=unassigned')], [1, 1]);
    assert.equal(await numbers('assignee=me&ref=main'), 1);
    assert.equal(await numbers('assignee=unassigned&repo=acme/shop&ref=HEAD'), 1);
    assert.deepEqual((await client.get(list)).body, before, 'the list shows no assignee');
  });

  test('a scan does not change the assignment', async () => {
    const { assignee, status_version } = await assign({ assignee: 'me' });
    const state = async () => (await client.get(`${list}/${id}`)).body;
    await importAll(server, 'acme', [{ ...report, scannedAt: new Date() }]);
    const same = await state();
    assert.deepEqual([same.assignee, same.status_version], [assignee, status_version]);
    await importAll(server, 'acme', [reportInput(trivyReport({}), { scannedAt: new Date() })]);
    const gone = await state();
    assert.deepEqual([gone.assignee, gone.status], [assignee, 'fixed']);
    assert.notEqual(gone.status_version, status_version, 'the status has changed');
    await importAll(server, 'acme', [{ ...report, scannedAt: new Date() }]);
    const back = await state();
    assert.deepEqual([back.assignee, back.status], [assignee, 'open']);
  });
});

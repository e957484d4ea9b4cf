/** Tests of the audit log: its entries, filters, pages and CSV. Each page is a range of one index. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type AuditAction, auditActions } from '../../src/access/audit/actions.ts';
import { listAuditEvents } from '../../src/access/audit/read.ts';
import { recordAudits } from '../../src/access/audit/record.ts';
import { addMember } from '../../src/access/members/service.ts';
import { createUser } from '../../src/access/users/service.ts';
import { installTx, type Tx, tenantReadTx, tenantTx } from '../../src/db/database.ts';
import {
  formatId,
  formatTenantId,
  newId,
  newTenantId,
  nilId,
  type PolicyId,
  type RepositoryId,
} from '../../src/domain/ids.ts';
import { planOnOneShard } from '../support/citus-nodes.ts';
import {
  clientOf,
  type Json,
  queryOf,
  refused,
  type Schemas,
  send,
  succeeded,
  walk,
} from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs } from '../support/session.ts';
import {
  createTestKey,
  createTestWorkspace,
  createTestWorkspaceKey,
  reportInput,
} from '../support/workspace.ts';

const server = await createTestServer();
const { app, db } = server;
const acme = await createTestWorkspace(server, 'acme');
const other = await createTestWorkspace(server, 'other');
const base = '/manage/v1/acme/audit';
let admin: SessionClient;

before(async () => {
  admin = await signInAs(server, acme.people.admin.user.id);
});

type Event = Schemas['AuditEvent'];
type Filters = Record<string, string | number | undefined>;

async function list(filters: Filters = {}): Promise<Event[]> {
  const answer = await admin.get<{ items: Event[] }>(`${base}${queryOf({ per_page: 200, ...filters })}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.items;
}

const userId = (role: 'admin' | 'member' | 'viewer') => formatId('user', acme.people[role].user.id);

test('an event shows the actor (a person, a key, the operator), the action and the target, with their present names', async () => {
  await importAll(server, 'acme', [
    reportInput(trivy([{ id: 'CVE-2031-1', name: 'lodash', version: '1.0.0' }])),
  ]);
  const { body } = await admin.get<{ items: { id: string; title: string }[] }>(
    '/console/api/v1/acme/vulnerabilities',
  );
  const [vulnerability] = body.items;
  assert.ok(vulnerability);
  const { key } = acme.people.member;
  const assigned = await send(app, {
    method: 'PATCH',
    path: `/api/v1/acme/vulnerabilities/${vulnerability.id}/assignment`,
    authorization: `Bearer ${key}`,
    body: { assignee: 'me' },
  });
  assert.equal(assigned.status, 200, assigned.text);
  const renamed = await admin.patch('/manage/v1/acme/settings', { name: 'Acme' });
  assert.equal(renamed.status, 200, renamed.text);
  const [rename, assign] = await list();
  const { user } = acme.people.admin;
  const { id, at, ...rest } = rename ?? assert.fail();
  assert.match(id, /^evt_/);
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000);
  assert.deepEqual(rest, {
    actor: { id: formatId('user', user.id), name: user.name, email: user.email },
    key: null,
    action: 'workspace.change',
    target: { type: 'workspace', id: formatTenantId(acme.tenant.id), name: 'Acme' },
    data: { name: { from: 'Workspace acme', to: 'Acme' } },
    names: {},
    request_id: renamed.headers['x-request-id'],
  });
  assert.equal(assign?.actor?.id, userId('member'));
  assert.equal(assign?.key?.name, 'test');
  assert.match(assign?.key?.id ?? '', /^key_/);
  assert.deepEqual(assign?.target, {
    type: 'vulnerability',
    id: vulnerability.id,
    name: vulnerability.title,
  });
  assert.deepEqual(assign?.data, { assignee: userId('member') }, 'ids are those of the API');
  const operators = await list({ actor: 'operator' });
  assert.ok(operators.length >= 3, 'the members were added at the command line');
  for (const event of operators) assert.equal(event.actor, null);
});

test('each kind of target has its name, and a deleted one has null', async () => {
  const gone = newId();
  const since = new Date().toISOString();
  const { rows } = await server.owner.query<{ repository: RepositoryId; policy: PolicyId }>(
    `select (select id from repository where tenant_id = $1 limit 1) as repository,
            (select id from policy where tenant_id = $1 order by key limit 1) as policy`,
    [acme.tenant.id],
  );
  const { repository = nilId, policy = nilId } = rows[0] ?? {};
  const workspaceKey = await createTestWorkspaceKey(server, acme.tenant, 'viewer');
  await tenantTx(db, acme.tenant.id, (tx) =>
    recordAudits(tx, [
      { actorId: null, action: 'repository.rename', targetId: repository },
      { actorId: null, action: 'policy.change', targetId: policy },
      { actorId: null, action: 'key.revoke', targetId: workspaceKey.id },
      { actorId: null, action: 'member.set', targetId: acme.people.viewer.user.id },
      { actorId: null, action: 'policy.change', targetId: gone },
      { actorId: null, action: 'workspace.change', targetId: null },
    ]),
  );
  const events = (await list({ since })).filter(({ actor, request_id: id }) => actor === null && id === null);
  const named = (type: string) =>
    events.filter(({ target }) => target.type === type).map(({ target }) => target.name);
  assert.deepEqual(named('repository'), ['acme/shop']);
  assert.deepEqual(named('key'), ['ci', 'ci'], 'as it was made, and as it was revoked');
  assert.deepEqual(named('user'), ['viewer of acme']);
  const [policies] = [named('policy')];
  assert.equal(policies[0], null);
  assert.equal(typeof policies[1], 'string');
  assert.deepEqual(events.find(({ action }) => action === 'workspace.change')?.target, {
    type: 'workspace',
    id: null,
    name: null,
  });
  // A row of another workspace must not give a name.
  const { rows: theirs } = await server.owner.query<{ id: PolicyId }>(
    'select id from policy where tenant_id = $1 limit 1',
    [other.tenant.id],
  );
  await tenantTx(db, acme.tenant.id, (tx) =>
    recordAudits(tx, [{ actorId: null, action: 'policy.change', targetId: theirs[0]?.id ?? nilId }]),
  );
  assert.equal((await list())[0]?.target.name, null);
});

test('the data of an event names objects by their API ids', async () => {
  const put = (rules: object[]) =>
    admin.put('/manage/v1/acme/policies/told', {
      target_type: 'vulnerability',
      enforcement_mode: 'warn',
      condition: { all: [{ fact: 'severity', operator: '>=', value: 'high' }] },
      rules,
    });
  assert.equal((await put([{ type: 'workspace' }])).status, 200);
  assert.equal((await put([{ type: 'repo', id: 'acme/shop' }])).status, 200);
  const [changed] = await list({ action: 'policy.change', actor: 'me' });
  assert.ok(changed);
  const { rules } = changed.data.fields as { rules: { from: Json[]; to: Json[] } };
  assert.equal(rules.from[0]?.id, formatTenantId(acme.tenant.id));
  assert.match(String(rules.to[0]?.id), /^repo_/);
  const all = await walk<Event>(admin, base, { per_page: 200 });
  for (const { action, data } of all) {
    assert.doesNotMatch(JSON.stringify(data), /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/, action);
  }
});

test('ids in the data have their names, but not those of deleted things and of other workspaces', async () => {
  const { rows } = await server.owner.query<{
    tenant_id: string;
    repository: RepositoryId;
    policy: PolicyId;
  }>(
    `select t.id as tenant_id, (select id from repository where tenant_id = t.id limit 1) as repository,
            (select id from policy where tenant_id = t.id order by key limit 1) as policy
       from tenant t where t.id = any($1)`,
    [[acme.tenant.id, other.tenant.id]],
  );
  const mine = rows.find((row) => row.tenant_id === acme.tenant.id);
  const theirs = rows.find((row) => row.tenant_id === other.tenant.id);
  assert.ok(mine && theirs);
  const ourKey = formatId('key', (await createTestWorkspaceKey(server, acme.tenant, 'viewer')).id);
  const theirKey = formatId('key', (await createTestWorkspaceKey(server, other.tenant, 'viewer')).id);
  const save = async (name: string, shared: boolean): Promise<string> =>
    succeeded(
      await admin.post<Schemas['SavedView']>('/manage/v1/acme/saved-views', {
        name,
        page: 'vulnerabilities',
        query: '',
        shared,
      }),
      201,
    ).id;
  const named = {
    [formatId('repository', mine.repository)]: 'acme/shop',
    [await save('For all', true)]: 'For all',
    [formatId('user', acme.people.viewer.user.id)]: 'viewer of acme',
    [formatTenantId(acme.tenant.id)]: 'Acme',
    [ourKey]: 'ci',
  };
  const nameless = [
    formatId('policy', newId()),
    formatId('policy', theirs.policy),
    formatId('user', other.people.viewer.user.id),
    formatTenantId(other.tenant.id),
    theirKey,
    await save('Private', false),
    'pol_no id at all',
  ];
  await tenantTx(db, acme.tenant.id, (tx) =>
    recordAudits(tx, [
      {
        actorId: null,
        action: 'inventory.apply',
        targetId: null,
        data: {
          deep: { list: [...Object.keys(named), ...nameless] },
          policy: formatId('policy', mine.policy),
        },
      },
      // A person may put any id into a reason.
      {
        actorId: null,
        action: 'inventory.apply',
        targetId: null,
        data: { reason: formatId('user', other.people.admin.user.id) },
      },
    ]),
  );
  const [reason, applied] = await list({ action: 'inventory.apply' });
  assert.ok(applied);
  const { [formatId('policy', mine.policy)]: policy, ...names } = applied.names;
  assert.equal(typeof policy, 'string');
  assert.deepEqual(names, named);
  assert.deepEqual(reason?.names, {});
});

test('every filter, alone and combined, gives the matching events', async () => {
  const wide = await createTestWorkspace(server, 'wide');
  const people = [wide.people.admin.user.id, wide.people.member.user.id, null];
  const actions: AuditAction[] = ['member.set', 'user.disable', 'user.email'];
  const targets = [newId<'user'>(), newId<'user'>()];
  for (let i = 0; i < 40; i++) {
    await tenantTx(db, wide.tenant.id, (tx) =>
      recordAudits(tx, [
        {
          actorId: people[i % 3] ?? null,
          action: actions[Math.floor(i / 2) % 3] ?? 'member.set',
          targetId: targets[i % 2] ?? null,
        },
      ]),
    );
  }
  const client = clientOf(app, wide.people.admin.key);
  const all = await walk<Event>(client, '/manage/v1/wide/audit', { per_page: 7 });
  const ids = all.map(({ id }) => id);
  assert.deepEqual(ids, [...ids].sort().reverse(), 'newest first');
  assert.equal(new Set(ids).size, ids.length);
  const middle = all[20]?.at ?? '';
  const who = [
    undefined,
    'me',
    formatId('user', people[1] ?? nilId),
    wide.people.member.user.email.toUpperCase(),
    'operator',
  ];
  const isBy = (event: Event, actor: string | undefined): boolean => {
    if (actor === undefined) return true;
    if (actor === 'operator') return event.actor === null;
    return event.actor?.id === formatId('user', (actor === 'me' ? people[0] : people[1]) ?? nilId);
  };
  let tried = 0;
  for (const actor of who) {
    for (const action of [undefined, ...actions]) {
      for (const target of [undefined, formatId('user', targets[0] ?? nilId)]) {
        for (const times of [{}, { since: middle }, { until: middle }]) {
          const filters = { actor, action, target, ...times };
          const found = await walk<Event>(client, '/manage/v1/wide/audit', { ...filters, per_page: 7 });
          const expected = all.filter(
            (event) =>
              isBy(event, actor) &&
              (action === undefined || event.action === action) &&
              (target === undefined || event.target.id === target),
          );
          // Times are shown to the second, but compared more exactly.
          const sure = expected.filter(({ at }) => {
            if ('since' in times) return at > middle;
            return 'until' in times ? at < middle : true;
          });
          const maybe = new Set(expected.filter(({ at }) => at === middle).map(({ id }) => id));
          const shown = found.map(({ id }) => id);
          assert.deepEqual(
            shown.filter((id) => !('since' in times || 'until' in times) || !maybe.has(id)),
            fieldOf(sure, 'id'),
            JSON.stringify(filters),
          );
          tried++;
        }
      }
    }
  }
  assert.equal(tried, 5 * 4 * 2 * 3);
});

test('times are those of the event, though pages follow the ids', async () => {
  const clocks = await createTestWorkspace(server, 'clocks');
  const write = async (at: string) => {
    const id = newId<'event'>();
    await server.owner.query(
      `insert into audit_event (tenant_id, id, at, action, target_type) values ($1, $2, $3, 'workspace.change', 'workspace')`,
      [clocks.tenant.id, id, at],
    );
    return formatId('event', id);
  };
  const now = Date.now();
  const time = (ms: number) => new Date(now + ms).toISOString();
  // A transaction that began half an hour ago, and a node whose clock is late.
  const [early, late] = [await write(time(-1_800_000)), await write(time(1_800_000))];
  const client = clientOf(app, clocks.people.admin.key);
  const ids = async (filters: Filters) =>
    (await walk<Event>(client, '/manage/v1/clocks/audit', { ...filters, action: 'workspace.change' })).map(
      ({ id }) => id,
    );
  assert.deepEqual(await ids({ until: time(-1_799_000) }), [early]);
  assert.deepEqual(await ids({ since: time(-1_799_000) }), [late]);
  assert.deepEqual(await ids({ since: time(-1_800_000), until: time(-1_799_999) }), [early], 'from it on');
  assert.deepEqual(await ids({ since: time(-1_801_000), until: time(-1_800_000) }), [], 'before it');
});

test('a walk returns each event once, whatever is recorded meanwhile, and a cursor is valid for its list alone', async () => {
  const before = await walk<Event>(admin, base, { per_page: 50 });
  const seen = await walk<Event>(admin, base, { per_page: 3 }, async () => {
    await tenantTx(db, acme.tenant.id, (tx) =>
      recordAudits(tx, [{ actorId: null, action: 'workspace.change', targetId: null }]),
    );
  });
  assert.deepEqual(fieldOf(seen, 'id'), fieldOf(before, 'id'));
  const { body } = await admin.get(`${base}?per_page=1`);
  const cursor = String(body.next_cursor);
  refused(
    await admin.get(`${base}?per_page=1&action=workspace.change&cursor=${cursor}`),
    422,
    'VALIDATION_FAILED',
  );
  refused(await admin.get(`${base}?actor=me&cursor=${cursor}`), 422, 'VALIDATION_FAILED');
  const theirs = clientOf(app, other.people.admin.key);
  refused(await theirs.get(`/manage/v1/other/audit?cursor=${cursor}`), 422, 'VALIDATION_FAILED');
  // `me` is a different person for another caller.
  const mine = (await admin.get(`${base}?actor=me&per_page=1`)).body.next_cursor;
  const second = await installTx(db, (tx) => createUser(tx, 'second@acme.example', 'Second', null));
  await tenantTx(db, acme.tenant.id, (tx) => addMember(tx, second.id, 'admin'));
  const client = await signInAs(server, second.id);
  refused(await client.get(`${base}?actor=me&per_page=1&cursor=${mine}`), 422, 'VALIDATION_FAILED');
});

test('invalid filters are refused, and an unknown person has no events', async () => {
  for (const query of [
    'actor=nobody',
    'actor=',
    'target=nonsense',
    `target=${newId()}`,
    'action=vulnerability.dance',
    'action=vulnerability.*',
    'since=yesterday',
    'until=2026-02-30T00:00:00Z',
    'since=2026-01-01',
    'actors=me',
    'per_page=0',
    'per_page=201',
  ]) {
    refused(await admin.get(`${base}?${query}`), 422, 'VALIDATION_FAILED');
    if (!query.startsWith('per_page')) {
      refused(await admin.get(`${base}/export?${query}`), 422, 'VALIDATION_FAILED');
    }
  }
  for (const actor of [
    other.people.admin.user.email,
    'nobody@nowhere.example',
    formatId('user', other.people.admin.user.id),
    formatId('user', newId()),
  ]) {
    assert.deepEqual(await list({ actor }), [], actor);
  }
});

test('only admins may read it', async () => {
  for (const path of [base, `${base}/export`]) {
    for (const role of ['member', 'viewer'] as const) {
      const client = await signInAs(server, acme.people[role].user.id);
      refused(await client.get(path), 403, 'TOKEN_ABILITY_DENIED');
    }
    const weak = await createTestKey(server, {
      userId: acme.people.admin.user.id,
      role: 'admin',
      scopes: ['policies:write'],
    });
    refused(await clientOf(app, weak.key).get(path), 403, 'TOKEN_ABILITY_DENIED');
    const stranger = await signInAs(server, other.people.admin.user.id);
    refused(await stranger.get(path), 403, 'TOKEN_INVALID_FOR_TENANT');
    assert.equal((await clientOf(app, acme.people.admin.key).get(path)).status, 200);
  }
});

test('the actions are in alphabetical order', () => {
  assert.deepEqual([...auditActions], [...auditActions].sort());
});

describe('CSV', () => {
  const rowsOf = (text: string): string[][] => {
    const rows: string[][] = [[]];
    for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
      rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
      if (end === '\r\n') rows.push([]);
    }
    return rows.slice(0, -1);
  };

  test('rows have the columns of the list, and no value is a formula', async () => {
    const evil = await installTx(db, (tx) =>
      createUser(tx, 'evil@acme.example', `=HYPERLINK("http://evil.example","a, b")`, null),
    );
    await tenantTx(db, acme.tenant.id, (tx) =>
      recordAudits(tx, [
        {
          actorId: evil.id,
          action: 'member.set',
          targetId: evil.id,
          data: { note: '=1+1', text: 'line\nbreak, "quoted"' },
          requestId: '@SUM(A1)',
        },
      ]),
    );
    const answer = await admin.get(`${base}/export`);
    assert.equal(answer.status, 200);
    assert.match(answer.headers['content-type'] ?? '', /^text\/csv/);
    assert.equal(answer.headers['content-disposition'], 'attachment; filename="audit-acme.csv"');
    const [head = [], ...rows] = rowsOf(answer.text);
    const events = await walk<Event>(admin, base, { per_page: 200 });
    assert.deepEqual(
      rows.map(([id]) => id),
      fieldOf(events, 'id'),
    );
    const first = Object.fromEntries(head.map((name, i) => [name, rows[0]?.[i]]));
    const [event] = events;
    assert.deepEqual(first, {
      id: event?.id,
      at: event?.at,
      actor_id: formatId('user', evil.id),
      actor_name: `'=HYPERLINK("http://evil.example","a, b")`,
      actor_email: 'evil@acme.example',
      key_id: '',
      key_name: '',
      action: 'member.set',
      target_type: 'user',
      target_id: formatId('user', evil.id),
      target_name: `'=HYPERLINK("http://evil.example","a, b")`,
      data: JSON.stringify(event?.data),
      request_id: `'@SUM(A1)`,
    });
    for (const row of rows) {
      assert.equal(row.length, head.length);
      for (const cell of row) assert.doesNotMatch(cell, /^[=+\-@\t\r]/);
    }
  });

  test('the filters apply, and an export longer than one read is complete', async () => {
    const long = await createTestWorkspace(server, 'long');
    await fill(long.tenant.id, 2_500, long.people.member.user.id);
    const client = clientOf(app, long.people.admin.key);
    const { text } = await client.get('/manage/v1/long/audit/export');
    const rows = rowsOf(text).slice(1);
    // The workspace that was created and the members who were added count too.
    assert.equal(rows.length, 2_504);
    assert.equal(new Set(rows.map(([id]) => id)).size, 2_504);
    const filtered = await client.get('/manage/v1/long/audit/export?action=policy.change&actor=operator');
    assert.equal(rowsOf(filtered.text).length, 1, 'the head alone');
    const some = await client.get(
      `/manage/v1/long/audit/export?action=policy.change&actor=${long.people.member.user.email}`,
    );
    assert.equal(rowsOf(some.text).length - 1, 25);
  });
});

/** Inserts rows of one actor, one second apart. One in a hundred is a change of a policy. */
async function fill(tenantId: string, count: number, actorId: string, targetId = newId()): Promise<void> {
  await server.owner.query(
    `insert into audit_event (tenant_id, id, at, actor_id, action, target_type, target_id)
     select $1, (substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, at, $2,
            case when i % 100 = 0 then 'policy.change' else 'vulnerability.confirm' end, 'user', $4
       from (select i, at, lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') as h
               from (select i, now() - make_interval(secs => $3 - i) as at from generate_series(1, $3::int) i) t) u`,
    [tenantId, actorId, count, targetId],
  );
}

describe('the planner uses an index in a workspace without statistics', () => {
  const rows = 20_000;
  const [rare, busy, target] = [newId<'user'>(), newId<'user'>(), newId()];
  let tenantId = newTenantId();

  before(async () => {
    const { tenant } = await createTestWorkspace(server, 'plans');
    tenantId = tenant.id;
    await fill(tenantId, rows, busy);
    // These rows are older than all others, so a reader in order of time reaches them last.
    await server.owner.query(
      `insert into audit_event (tenant_id, id, at, actor_id, action, target_type, target_id)
       select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, now(), $2, 'key.create', 'user', $3
         from generate_series(1, 3) i`,
      [tenantId, rare, target],
    );
  });

  const cases: [name: string, filter: Parameters<typeof listAuditEvents>[1], index: string, found: number][] =
    [
      ['nothing', {}, 'audit_event_pkey', 50],
      ['the actor', { actorId: rare }, 'audit_event_actor', 3],
      ['a busy actor', { actorId: busy }, 'audit_event_actor', 50],
      ['nobody', { actorId: null }, 'audit_event_actor', 4],
      ['the action', { action: 'key.create' }, 'audit_event_action', 3],
      ['the target', { targetId: target }, 'audit_event_target', 3],
      ['a busy actor and a rare action', { actorId: busy, action: 'key.create' }, 'audit_event_action', 0],
      [
        'a rare actor and a busy action',
        { actorId: rare, action: 'vulnerability.confirm' },
        'audit_event_actor',
        0,
      ],
      ['all of them', { actorId: rare, action: 'key.create', targetId: target }, 'audit_event_target', 3],
      ['a time', { since: new Date(Date.now() - 60_000), until: new Date() }, 'audit_event_pkey', 50],
      ['an old time', { until: new Date(Date.now() - (rows - 600) * 1000) }, 'audit_event_pkey', 50],
    ];
  for (const [name, filter, index, found] of cases) {
    test(name, async () => {
      const { plan, events } = await tenantReadTx(db, tenantId, async (tx) => {
        let last = { text: '', values: [] as unknown[] };
        const recording: Tx = {
          ...tx,
          query: (text, values = []) => {
            last = { text, values };
            return tx.query(text, values);
          },
        };
        const events = await listAuditEvents(recording, filter, null, 50);
        const [explained] = await tx.query<{ 'QUERY PLAN': [{ Plan: Record<string, unknown> }] }>(
          `explain (analyze, timing off, format json) ${last.text}`,
          last.values,
        );
        assert.ok(explained);
        return { plan: planOnOneShard(explained['QUERY PLAN'][0].Plan) as Node, events };
      });
      assert.equal(events.length, found);
      const scans = nodesOf(plan).filter((node) => node['Relation Name'] === 'audit_event');
      assert.deepEqual(
        scans.map((node) => node['Index Name'] ?? node['Node Type']),
        [index],
      );
      // Up to one hour on either side of a time is read and left out.
      const removed = scans[0]?.['Rows Removed by Filter'] ?? 0;
      assert.ok(removed <= 2 * 3600, `${removed} rows were read for nothing`);
    });
  }
});

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

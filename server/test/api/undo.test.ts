/** Tests of undo: it restores exactly the state before any action, and its own effects are checked. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatId, parseId } from '../../src/domain/ids.ts';
import { succeeded } from '../support/client.ts';
import { fieldOf, fieldsOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { applyAndEvaluate, policyOf } from '../support/policies.ts';
import { trivy } from '../support/reports.ts';
import { openvex, type VexRow } from '../support/scanner-reports.ts';
import { signInAs } from '../support/session.ts';
import { trivyReport } from '../support/tool-reports.ts';
import { reportInput } from '../support/workspace.ts';
import { reason } from './decision-workspace.ts';
import { type Act, createUndoWorkspace, undoPath, type Who } from './undo-workspace.ts';

const workspace = await createUndoWorkspace();
const {
  server,
  tenant,
  people,
  client,
  createOpenVulnerabilities,
  detailOf,
  totals,
  actOn,
  undo,
  tryUndo,
  stored,
} = workspace;
const inDays = (days: number): string => new Date(Date.now() + days * 24 * 3600_000).toISOString();
const end = inDays(10);

const acts: Act[] = [
  { action: 'accept' },
  { action: 'accept', until: end },
  { action: 'ignore' },
  { action: 'ignore', resolution: 'test_code' },
  { action: 'reject' },
  { action: 'reject', resolution: 'not_affected' },
  { action: 'confirm' },
  { action: 'reopen' },
  { assignee: 'me' },
  { assignee: null },
];

describe('each kind of act is undone to the state before', () => {
  const bases: [name: string, by: Who, steps: Act[]][] = [
    ['untouched', 'member', []],
    ['accepted by an admin until a day', 'admin', [{ action: 'accept', until: inDays(20) }]],
    ['accepted by a member', 'member', [{ action: 'accept' }]],
    ['confirmed', 'admin', [{ action: 'confirm' }]],
    ['confirmed, then rejected', 'member', [{ action: 'confirm' }, { action: 'reject' }]],
    [
      'ignored, reopened, assigned',
      'admin',
      [{ action: 'ignore' }, { action: 'reopen' }, { assignee: 'me' }],
    ],
    ['test code, and assigned', 'admin', [{ action: 'ignore', resolution: 'test_code' }, { assignee: 'me' }]],
  ];

  for (const [name, by, steps] of bases) {
    test(name, async () => {
      const { repo, ids } = await createOpenVulnerabilities(2 * acts.length);
      for (const step of steps) await actOn(by, ids, step);
      const before = new Map(await Promise.all(ids.map(async (id) => [id, await stored(id)] as const)));
      const numbers = (): Promise<number[]> =>
        Promise.all(
          ['state=open', 'state=accepted', 'triaged=yes', 'confirmed=yes', 'assignee=unassigned'].map(
            (filter) => totals(`repo=${repo}&${filter}`),
          ),
        );
      const counted = await numbers();
      for (const [i, act] of acts.entries()) {
        for (const [j, who] of (['member', 'admin'] as const).entries()) {
          const id = ids[2 * i + j] ?? '';
          const shown = `${who}: ${JSON.stringify(act)}`;
          const [acted] = await actOn(who, [id], act);
          assert.ok(acted);
          if (!acted.changed) {
            assert.deepEqual(await stored(id), before.get(id), shown);
            continue;
          }
          const [item] = await undo(who, [acted]);
          assert.deepEqual(await stored(id), before.get(id), shown);
          assert.ok(item && item.undone !== null && item.exceptions.length === 0, shown);
          const { status, confirmed, triaged, accepted_until, status_version } = await detailOf(id);
          assert.deepEqual(
            [item.status, item.confirmed, item.triaged, item.accepted_until, item.status_version],
            [status, confirmed, triaged, accepted_until, status_version],
          );
        }
      }
      assert.deepEqual(await numbers(), counted);
    });
  }

  test('of many at once each is restored to its own state', async () => {
    const { ids } = await createOpenVulnerabilities(40);
    await actOn('admin', ids.slice(0, 20), { action: 'accept', until: end });
    await actOn('member', ids.slice(10, 30), { assignee: 'me' });
    const before = await Promise.all(ids.map(stored));
    const decided = await actOn('member', ids, { action: 'ignore' });
    const items = await undo('member', decided.toReversed());
    assert.deepEqual(fieldOf(items, 'id'), ids.toReversed(), 'in the order of the request');
    assert.deepEqual(await Promise.all(ids.map(stored)), before);
  });

  test('after an undo the locations decide again between open and fixed', async () => {
    const { repo, ids } = await createOpenVulnerabilities(1);
    const decided = await actOn('member', ids, { action: 'ignore' });
    await importAll(server, 'acme', [reportInput(trivyReport({}), { repository: repo })]);
    const [item] = await undo('member', decided);
    assert.deepEqual([item?.status, item?.resolution, item?.triaged], ['fixed', 'fixed', false]);
  });

  test('only the fields of the act are restored: an assignment keeps the decision, and the other way round', async () => {
    const { ids } = await createOpenVulnerabilities(2);
    const [assigned = '', decided = ''] = ids;
    await actOn('admin', [assigned], { action: 'accept', until: end });
    const [one] = await actOn('member', [assigned], { assignee: 'me' });
    assert.ok(one);
    await undo('member', [one]);
    assert.equal((await detailOf(assigned)).status, 'accepted');
    await actOn('member', [decided], { assignee: 'me' });
    const [two] = await actOn('member', [decided], { action: 'reject' });
    assert.ok(two);
    const [item] = await undo('member', [two]);
    assert.equal(item?.assignee?.id, formatId('user', people.member.user.id));
  });
});

describe('statements of documents', () => {
  const row = { id: 'CVE-2020-8203', name: 'lodash', version: '4.17.15' };
  const rejection: VexRow = { id: row.id, status: 'not_affected', purl: 'pkg:npm/lodash' };
  const day = (n: number): Date => new Date(Date.UTC(2026, 0, n));

  async function rejected(repository: string): Promise<string> {
    const parameters = { repository };
    await importAll(server, 'acme', [
      reportInput(trivy([row]), parameters),
      reportInput(openvex([rejection], day(2)), parameters),
    ]);
    const { body } = await client.get<{ items: { id: string; status: string }[] }>(
      `/api/v1/acme/vulnerabilities?repo=${repository}`,
    );
    assert.equal(body.items[0]?.status, 'rejected');
    return body.items[0]?.id ?? '';
  }

  test('a document that a person had overruled decides again', async () => {
    const id = await rejected('acme/vex');
    const before = await stored(id);
    const acted = await actOn('member', [id], { action: 'confirm' });
    assert.equal((await detailOf(id)).status, 'open');
    await undo('member', acted);
    assert.deepEqual(await stored(id), before);
  });

  test('the document decides with its present statement', async () => {
    const id = await rejected('acme/vex-changed');
    const acted = await actOn('member', [id], { action: 'reopen' });
    await importAll(server, 'acme', [
      reportInput(openvex([{ ...rejection, status: 'affected' }], day(3)), {
        repository: 'acme/vex-changed',
      }),
    ]);
    const [item] = await undo('member', acted);
    assert.deepEqual([item?.status, item?.resolution], ['open', null]);
  });

  test('a document that arrived after the decision decides', async () => {
    const repository = 'acme/vex-after';
    await importAll(server, 'acme', [reportInput(trivy([row]), { repository })]);
    const { body } = await client.get<{ items: { id: string }[] }>(
      `/api/v1/acme/vulnerabilities?repo=${repository}`,
    );
    const acted = await actOn('member', [body.items[0]?.id ?? ''], { action: 'accept' });
    await importAll(server, 'acme', [reportInput(openvex([rejection], day(2)), { repository })]);
    const [item] = await undo('member', acted);
    assert.deepEqual([item?.status, item?.resolution], ['rejected', 'not_affected']);
  });

  test('verification by a tool in the meantime is kept', async () => {
    const { repo, ids, rows } = await createOpenVulnerabilities(1);
    const acted = await actOn('member', ids, { action: 'confirm' });
    await server.owner.query(
      `update vulnerability_reporter set verified = true where tenant_id = $1 and vulnerability_id = $2`,
      [tenant.id, parseId('vulnerability', ids[0] ?? '')],
    );
    await importAll(server, 'acme', [reportInput(trivyReport({ packages: rows }), { repository: repo })]);
    const [item] = await undo('member', acted);
    assert.deepEqual([item?.confirmed, item?.triaged], [true, false]);
  });
});

describe('history and audit log', () => {
  test('history and audit record the undo, and the stored snapshot is not shown', async () => {
    const { ids } = await createOpenVulnerabilities(1);
    const [id = ''] = ids;
    const acted = await actOn('member', ids, { action: 'accept', until: end });
    await undo('member', acted);
    const { history } = await detailOf(id);
    const [undone, accepted] = history as unknown as { id: string; event: string; data: object }[];
    assert.deepEqual([undone?.event, accepted?.event], ['undone', 'accepted']);
    assert.deepEqual(accepted?.data, { resolution: 'risk_accepted', until: end });
    assert.deepEqual(undone?.data, { undone: 'accepted', event: accepted?.id });
    const { rows } = await server.owner.query(
      'select action, actor_id, target_id, data from audit_event where tenant_id = $1 order by id desc limit 1',
      [tenant.id],
    );
    assert.deepEqual(rows, [
      {
        action: 'vulnerability.undo',
        actor_id: people.member.user.id,
        target_id: parseId('vulnerability', id),
        data: { undone: 'accepted', event: accepted?.id },
      },
    ]);
    const [assigned] = await actOn('member', ids, { assignee: 'me' });
    assert.ok(assigned);
    await undo('member', [assigned]);
    const events = (await detailOf(id)).history;
    assert.deepEqual(events[0]?.data, { undone: 'assigned', event: (events[1] as { id?: string })?.id });
    assert.deepEqual(events[1]?.data, { assignee: formatId('user', people.member.user.id) });
  });

  test('a session may undo like a key', async () => {
    const { ids } = await createOpenVulnerabilities(1);
    const person = await signInAs(server, people.member.user.id);
    const decided = await person.post<{ items: { id: string; status_version: string }[] }>(
      '/manage/v1/acme/vulnerabilities/decisions',
      { action: 'ignore', reason, vulnerabilities: ids.map((id) => ({ id })) },
    );
    assert.equal(decided.status, 200, decided.text);
    const [item] = decided.body.items;
    const body = { vulnerabilities: [{ id: item?.id, status_version: item?.status_version }] };
    const { 'x-csrf-token': _, ...without } = person.headers;
    const forged = await server.app.inject({
      method: 'POST',
      url: undoPath,
      headers: without,
      payload: body,
    });
    assert.equal(forged.statusCode, 403);
    assert.equal((await detailOf(ids[0] ?? '')).status, 'ignored');
    succeeded(await person.post(undoPath, body));
    assert.equal((await detailOf(ids[0] ?? '')).status, 'open');
  });
});

describe('where a policy blocks', () => {
  const block = (name: string): Promise<void> =>
    applyAndEvaluate(
      server,
      tenant.id,
      policyOf(name, `{fact: repository.full_name, operator: '==', value: acme/${name}}`),
    );

  async function createIn(name: string): Promise<string> {
    await importAll(server, 'acme', [
      reportInput(trivy([{ id: 'CVE-2031-1', name: 'left-pad', version: '1.0.0' }]), {
        repository: `acme/${name}`,
      }),
    ]);
    const { body } = await client.get<{ items: { id: string }[] }>(
      `/api/v1/acme/vulnerabilities?repo=acme/${name}`,
    );
    return body.items[0]?.id ?? '';
  }

  async function verdictOf(name: string): Promise<unknown> {
    const { body } = await client.get(`/api/v1/acme/gate?repo=acme/${name}`);
    return body.verdict;
  }

  test('a restored decision of a member does not override a policy that was added meanwhile', async () => {
    const id = await createIn('gate-member');
    await actOn('member', [id], { action: 'accept' });
    const before = await stored(id);
    assert.equal(before.decision_overrides_policy, false);
    const reopened = await actOn('member', [id], { action: 'reopen' });
    await block('gate-member');
    assert.equal(await verdictOf('gate-member'), 'block');
    await undo('member', reopened);
    assert.deepEqual(await stored(id), before);
    assert.equal(await verdictOf('gate-member'), 'block');
  });

  test('a restored decision of an admin overrides policies as before', async () => {
    const id = await createIn('gate-admin');
    await block('gate-admin');
    await actOn('admin', [id], { action: 'accept', until: end });
    const before = await stored(id);
    assert.deepEqual([before.decision_overrides_policy, await verdictOf('gate-admin')], [true, 'pass']);
    const reopened = await actOn('member', [id], { action: 'reopen' });
    assert.equal(await verdictOf('gate-admin'), 'block');
    await undo('member', reopened);
    assert.deepEqual(await stored(id), before);
    assert.equal(await verdictOf('gate-admin'), 'pass');
  });

  test('after any later act of the admin the acceptance is not restored', async () => {
    const id = await createIn('gate-said');
    await block('gate-said');
    await actOn('admin', [id], { action: 'accept' });
    await actOn('member', [id], { action: 'reopen' });
    const [last] = await actOn('admin', [id], { action: 'confirm' });
    assert.ok(last);
    const answer = await tryUndo(people.member.key, [last]);
    assert.deepEqual([answer.status, answer.body.code], [409, 'INVALID_TRANSITION']);
    assert.equal(await verdictOf('gate-said'), 'block');
  });

  test('an admin’s confirmation does not make a member’s acceptance override policies', async () => {
    const id = await createIn('gate-confirm');
    await actOn('member', [id], { action: 'accept' });
    await block('gate-confirm');
    assert.equal(await verdictOf('gate-confirm'), 'block');
    await actOn('admin', [id], { action: 'confirm' });
    assert.deepEqual(
      [(await stored(id)).decision_overrides_policy, await verdictOf('gate-confirm')],
      [false, 'block'],
    );
  });

  test('requests for exceptions are not undone, and the answer says so', async () => {
    const id = await createIn('gate-asks');
    await block('gate-asks');
    const [other = ''] = (await createOpenVulnerabilities(1)).ids;
    const before = await stored(id);
    const [requested, decided] = await actOn('member', [id, other], { action: 'accept' });
    assert.ok(requested && decided);
    assert.deepEqual([requested.changed, decided.changed], [false, true]);
    const [left, undone] = await undo('member', [requested, decided]);
    assert.deepEqual([left?.undone, left?.exceptions.length, left?.status], [null, 1, 'open']);
    assert.deepEqual([undone?.undone, undone?.exceptions, undone?.status], ['accepted', [], 'open']);
    assert.deepEqual(await stored(id), before);
    const { body } = await client.get<{ items: { id: string; status: string }[] }>(
      '/manage/v1/acme/exceptions?repo=acme/gate-asks',
    );
    assert.deepEqual(fieldsOf(body.items, 'id', 'status'), [[left?.exceptions[0], 'requested']]);
  });

  test('an act followed by a request for an exception cannot be undone', async () => {
    const id = await createIn('gate-later');
    await actOn('member', [id], { assignee: 'me' });
    await block('gate-later');
    const [requested] = await actOn('member', [id], { action: 'ignore' });
    assert.ok(requested);
    const [left] = await undo('member', [requested]);
    assert.deepEqual([left?.undone, left?.exceptions.length], [null, 1]);
    assert.equal(left?.assignee?.id, formatId('user', people.member.user.id));
  });
});

test('the data of this file breaks no invariant', () => assertInvariants(server.owner));

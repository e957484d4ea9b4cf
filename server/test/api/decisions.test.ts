/** Tests of decisions: accept, ignore, reject, confirm, reopen; one or many, all or none; and their effects. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatId, getId } from '../../src/domain/ids.ts';
import { type Answer, clientOf, type Json } from '../support/client.ts';
import { fieldOf, fieldsOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { processorMs } from '../support/processor-time.ts';
import { openvex, type VexRow } from '../support/scanner-reports.ts';
import { createTestKey, createTestWorkspaceKey, reportInput } from '../support/workspace.ts';
import { createDecisionWorkspace, type Decided, decisions, reason } from './decision-workspace.ts';

const workspace = await createDecisionWorkspace();
const { server, tenant, people, createOpenVulnerabilities, decide, decideOne, detailOf, totals } = workspace;

async function refused(body: Json | string, status: number, code: string, key?: string): Promise<Answer> {
  const answer = await clientOf(server.app, key ?? people.member.key).post(decisions, body);
  const shown = `${JSON.stringify(body).slice(0, 300)}: ${answer.text.slice(0, 300)}`;
  assert.deepEqual([answer.status, answer.body.code], [status, code], shown);
  return answer;
}

async function refusedOn(field: string, body: Json): Promise<void> {
  const { body: error } = await refused(body, 422, 'VALIDATION_FAILED');
  assert.deepEqual(Object.keys(error.errors as Json), [field], JSON.stringify(body));
}

describe('each action', () => {
  test('sets its status and default resolution, and marks as triaged', async () => {
    const { ids } = await createOpenVulnerabilities(4);
    const cases = [
      ['accept', 'accepted', 'risk_accepted'],
      ['ignore', 'ignored', 'wont_fix'],
      ['reject', 'rejected', 'false_positive'],
      ['confirm', 'open', null],
    ] as const;
    for (const [i, [action, status, resolution]] of cases.entries()) {
      const before = await detailOf(ids[i] ?? '');
      assert.deepEqual([before.status, before.triaged, before.confirmed], ['open', false, false]);
      const item = await decideOne(before.id, { action });
      assert.deepEqual(
        [item.status, item.resolution, item.triaged, item.confirmed, item.accepted_until],
        [status, resolution, true, action === 'confirm', null],
      );
      assert.notEqual(item.status_version, before.status_version);
      const after = await detailOf(before.id);
      assert.deepEqual([after.status, after.status_version], [status, item.status_version]);
    }
  });

  test('accepts the other resolutions of its status, and no others', async () => {
    const [id = ''] = (await createOpenVulnerabilities(1)).ids;
    for (const [action, resolution] of [
      ['ignore', 'test_code'],
      ['reject', 'not_affected'],
      ['accept', 'risk_accepted'],
    ]) {
      assert.equal((await decideOne(id, { action, resolution })).resolution, resolution);
    }
    for (const [action, resolution] of [
      ['accept', 'wont_fix'],
      ['ignore', 'false_positive'],
      ['reject', 'fixed'],
      ['confirm', 'fixed'],
      ['reopen', 'wont_fix'],
      ['accept', 'nonsense'],
    ]) {
      await refusedOn('resolution', { action, reason, resolution, vulnerabilities: [{ id }] });
    }
  });

  test('reopen removes a decision, and changes nothing without one', async () => {
    const [id = ''] = (await createOpenVulnerabilities(1)).ids;
    const untouched = await decideOne(id, { action: 'reopen' });
    assert.deepEqual([untouched.status, untouched.triaged], ['open', false]);
    await decideOne(id, { action: 'ignore' });
    const reopened = await decideOne(id, { action: 'reopen' });
    assert.deepEqual([reopened.status, reopened.resolution, reopened.triaged], ['open', null, true]);
  });

  test('confirm changes nothing about a vulnerability that a person has rejected, until it is reopened', async () => {
    const { ids } = await createOpenVulnerabilities(2);
    const [open = '', rejected = ''] = ids;
    await decideOne(rejected, { action: 'reject' });
    const before = await detailOf(rejected);
    const confirm = { action: 'confirm', vulnerabilities: ids.map((id) => ({ id })) };
    const confirmed = (items: Decided[]) => fieldsOf(items, 'id', 'changed', 'confirmed', 'status');
    assert.deepEqual(confirmed(await decide(confirm)), [
      [open, true, true, 'open'],
      [rejected, false, false, 'rejected'],
    ]);
    assert.deepEqual(await detailOf(rejected), before);
    await decideOne(rejected, { action: 'reopen' });
    assert.deepEqual(confirmed(await decide(confirm))[1], [rejected, true, true, 'open']);
  });

  test('reject removes a confirmation', async () => {
    const [id = ''] = (await createOpenVulnerabilities(1)).ids;
    assert.equal((await decideOne(id, { action: 'confirm' })).confirmed, true);
    assert.equal((await decideOne(id, { action: 'reject' })).confirmed, false);
  });

  test('the history names who decided, however many references had the vulnerability since', async () => {
    const [id = ''] = (await createOpenVulnerabilities(1)).ids;
    await decideOne(id, { action: 'accept', reason: 'known' });
    const { history: before } = await detailOf(id);
    await server.owner.query(
      `insert into vulnerability_event (tenant_id, vulnerability_id, id, kind, at)
       select tenant_id, id, ('ffffffff-ffff-7fff-bfff-' || lpad(n::text, 12, '0'))::uuid, 'seen_on_reference', now()
         from vulnerability, generate_series(1, 201) n where id = $1`,
      [getId('vulnerability', id)],
    );
    const { history } = await detailOf(id);
    assert.deepEqual(fieldOf(history.slice(0, 20), 'event'), Array(20).fill('seen_on_reference'));
    assert.deepEqual(history.slice(20), before);
    assert.ok(history.some(({ event, actor }) => event === 'accepted' && actor !== null));
  });
});

describe('the form of the request', () => {
  test('a reason is required to accept, ignore and reject', async () => {
    const [id = ''] = (await createOpenVulnerabilities(1)).ids;
    for (const action of ['accept', 'ignore', 'reject']) {
      for (const given of [undefined, '', '   ']) {
        await refusedOn('reason', { action, reason: given, vulnerabilities: [{ id }] });
      }
      await refusedOn('reason', { action, reason: 'x'.repeat(2001), vulnerabilities: [{ id }] });
    }
    await decide({ action: 'confirm', vulnerabilities: [{ id }] });
  });

  test('missing, null, unknown and additional fields are refused', async () => {
    const [id = ''] = (await createOpenVulnerabilities(1)).ids;
    const good = { action: 'confirm', vulnerabilities: [{ id }] };
    const cases: [string, Json][] = [
      ['action', { ...good, action: undefined }],
      ['action', { ...good, action: null }],
      ['action', { ...good, action: 'close' }],
      ['vulnerabilities', { ...good, vulnerabilities: undefined }],
      ['vulnerabilities', { ...good, vulnerabilities: [] }],
      ['vulnerabilities', { ...good, vulnerabilities: id }],
      ['vulnerabilities.0', { ...good, vulnerabilities: [id] }],
      ['vulnerabilities.0.id', { ...good, vulnerabilities: [{}] }],
      ['vulnerabilities.0.id', { ...good, vulnerabilities: [{ id: null }] }],
      ['vulnerabilities.0.other', { ...good, vulnerabilities: [{ id, other: 1 }] }],
      ['vulnerabilities.0.status_version', { ...good, vulnerabilities: [{ id, status_version: 1 }] }],
      ['reason', { ...good, reason: null }],
      ['reason', { ...good, reason: 'a\0b' }],
      ['reason', { ...good, reason: 'half \ud83d of a character' }],
      ['until', { ...good, until: null }],
      ['status', { ...good, status: 'fixed' }],
    ];
    for (const [field, body] of cases) await refusedOn(field, body);
    const emoji = await decideOne(id, { action: 'accept', reason: 'Fine 👍 <script>alert(1)</script>' });
    assert.equal((await detailOf(emoji.id)).history[0]?.reason, 'Fine 👍 <script>alert(1)</script>');
  });

  test('an end is allowed for acceptances only, in the future, as RFC 3339', async () => {
    const [id = ''] = (await createOpenVulnerabilities(1)).ids;
    const future = '2099-01-31T12:00:00Z';
    const item = await decideOne(id, { action: 'accept', until: future });
    assert.equal(item.accepted_until, future);
    for (const until of ['2020-01-01T00:00:00Z', 'tomorrow', '', '2099-13-01T00:00:00Z', '99']) {
      await refusedOn('until', { action: 'accept', reason, until, vulnerabilities: [{ id }] });
    }
    for (const action of ['ignore', 'reject', 'confirm', 'reopen']) {
      await refusedOn('until', { action, reason, until: future, vulnerabilities: [{ id }] });
    }
    assert.equal(
      (await decideOne(id, { action: 'accept' })).accepted_until,
      null,
      'decided again, without end',
    );
  });
});

describe('who may', () => {
  test('a member with the scope may decide; a viewer or a key without it may not', async () => {
    const [id = ''] = (await createOpenVulnerabilities(1)).ids;
    const body = { action: 'confirm', vulnerabilities: [{ id }] };
    const viewer = await createTestKey(server, {
      userId: people.viewer.user.id,
      role: 'member',
      scopes: ['vulnerabilities:write'],
    });
    await refused(body, 403, 'TOKEN_ABILITY_DENIED', viewer.key);
    const reading = await createTestKey(server, {
      userId: people.admin.user.id,
      role: 'admin',
      scopes: ['vulnerabilities:read', 'policies:write'],
    });
    await refused(body, 403, 'TOKEN_ABILITY_DENIED', reading.key);
    const service = await createTestWorkspaceKey(server, tenant, 'member');
    await decide(body, service.key);
    await decide(body, people.admin.key);
    await refused(
      body,
      403,
      'TOKEN_ABILITY_DENIED',
      (await createTestWorkspaceKey(server, tenant, 'viewer')).key,
    );
  });
});

describe('many at once', () => {
  test('the answer has the order of the request, each vulnerability once', async () => {
    const { ids } = await createOpenVulnerabilities(5);
    const order = [...ids].reverse();
    const items = await decide({ action: 'ignore', reason, vulnerabilities: order.map((id) => ({ id })) });
    assert.deepEqual(fieldOf(items, 'id'), order);
    const [first = ''] = ids;
    const twice = await decide({ action: 'reopen', vulnerabilities: [{ id: first }, { id: first }] });
    assert.deepEqual(fieldOf(twice, 'id'), [first]);
  });

  test('all are decided or none: an unknown one is 404, and stale ones are 409 with their ids', async () => {
    const { repo, ids } = await createOpenVulnerabilities(3);
    const [a = '', b = '', c = ''] = ids;
    const before = await Promise.all(ids.map(detailOf));
    const unknown = 'vc_00000000000000000000000000';
    const vulnerabilities = [{ id: a }, { id: unknown }, { id: b }];
    await refused({ action: 'ignore', reason, vulnerabilities }, 404, 'RESOURCE_NOT_FOUND');
    await refused(
      { action: 'ignore', reason, vulnerabilities: [{ id: a }, { id: 'x' }] },
      404,
      'RESOURCE_NOT_FOUND',
    );
    const stale = [
      { id: a, status_version: before[0]?.status_version },
      { id: b, status_version: '77' },
      { id: c, status_version: '78' },
    ];
    const answer = await refused(
      { action: 'ignore', reason, vulnerabilities: stale },
      409,
      'STATUS_VERSION_CONFLICT',
    );
    assert.deepEqual(answer.body.details, {
      current: { [b]: before[1]?.status_version, [c]: before[2]?.status_version },
    });
    assert.deepEqual(await Promise.all(ids.map(detailOf)), before, 'nothing was done');
    assert.equal(await totals(`repo=${repo}&state=open`), 3);
    const twice = [{ id: a, status_version: '77' }, { id: a }];
    await refused({ action: 'ignore', reason, vulnerabilities: twice }, 409, 'STATUS_VERSION_CONFLICT');
  });

  test('a decision is stale once the end, the binding force or the origin of the earlier one has changed', async () => {
    const [id = ''] = (await createOpenVulnerabilities(1)).ids;
    const accept = (key: string, until?: string) =>
      decide({ action: 'accept', reason, until, vulnerabilities: [{ id }] }, key);
    const steps = [
      () => accept(people.member.key, '2099-01-31T12:00:00Z'),
      () => accept(people.member.key, '2099-06-30T12:00:00Z'),
      () => accept(people.member.key),
      () => accept(people.admin.key),
      () => decideOne(id, { action: 'reopen' }),
    ];
    const versions: string[] = [];
    for (const step of steps) {
      await step();
      versions.push((await detailOf(id)).status_version);
    }
    assert.equal(new Set(versions).size, steps.length, versions.join());
    const stale = [{ id, status_version: versions.at(-3) }];
    await refused({ action: 'reopen', vulnerabilities: stale }, 409, 'STATUS_VERSION_CONFLICT');

    const { repo, ids, rows } = await createOpenVulnerabilities(1);
    const [other = ''] = ids;
    const rejection: VexRow = {
      id: rows[0]?.id ?? '',
      status: 'not_affected',
      purl: `pkg:npm/${rows[0]?.package}`,
    };
    await importAll(server, 'acme', [reportInput(openvex([rejection], new Date()), { repository: repo })]);
    const byDocument = await detailOf(other);
    assert.equal(byDocument.status, 'rejected');
    const reject = { action: 'reject', reason, resolution: 'not_affected', vulnerabilities: [{ id: other }] };
    const [byPerson] = await decide(reject, people.admin.key);
    assert.notEqual(byPerson?.status_version, byDocument.status_version);
    assert.equal(
      (await decide(reject, people.admin.key))[0]?.status_version,
      byPerson?.status_version,
      'the same again',
    );
  });

  test('500 are decided in one request, and lists and counts follow at once', async () => {
    const { repo, ids } = await createOpenVulnerabilities(501);
    const vulnerabilities = ids.map((id) => ({ id }));
    await refusedOn('vulnerabilities', { action: 'accept', reason, vulnerabilities });
    const usedMs = processorMs();
    const startedAt = performance.now();
    await decide({ action: 'accept', reason, vulnerabilities: vulnerabilities.slice(1) });
    assert.ok(processorMs() - usedMs < 2_000);
    // Only the clock sees the time of PostgreSQL. The limit is wide, because the machine may be busy.
    assert.ok(performance.now() - startedAt < 60_000, 'by the clock');
    for (const scope of [`repo=${repo}`, `repo=${repo}&ref=main`, `repo=${repo}&ref=HEAD`]) {
      assert.equal(await totals(`${scope}&state=accepted&triaged=yes`), 500, scope);
      assert.equal(await totals(`${scope}&state=open&triaged=no`), 1, scope);
    }
  });

  test('two people who decide the same ones at once both succeed, one after the other', async () => {
    const { ids } = await createOpenVulnerabilities(20);
    const forth = ids.map((id) => ({ id }));
    const back = forth.toReversed();
    await Promise.all([
      decide({ action: 'ignore', reason, vulnerabilities: forth }),
      decide({ action: 'reject', reason, vulnerabilities: back }, people.admin.key),
      decide({ action: 'confirm', vulnerabilities: back }, people.admin.key),
    ]);
    const statuses = new Set((await Promise.all(ids.map(detailOf))).map((detail) => detail.status));
    assert.equal(statuses.size, 1);
  });
});

describe('history and audit log', () => {
  test('it writes history with the reason, and the audit log', async () => {
    const [id = ''] = (await createOpenVulnerabilities(1)).ids;
    const until = '2099-01-31T12:00:00Z';
    await decideOne(id, { action: 'accept', until });
    await decideOne(id, { action: 'reopen', reason: 'Changed my mind.' });
    const { history } = await detailOf(id);
    const actor = { id: formatId('user', people.member.user.id), display_name: people.member.user.name };
    assert.deepEqual(fieldsOf(history.slice(0, 2), 'event', 'reason', 'actor', 'scan_id'), [
      ['decision_removed', 'Changed my mind.', actor, null],
      ['accepted', reason, actor, null],
    ]);
    assert.deepEqual(history[1]?.data, { resolution: 'risk_accepted', until: '2099-01-31T12:00:00.000Z' });
    await decideOne(id, { action: 'reopen', reason: 'There is no decision any more.' });
    const { rows } = await server.owner.query(
      `select action, actor_id, data from audit_event where tenant_id = $1 order by id desc limit 2`,
      [tenant.id],
    );
    const by = people.member.user.id;
    assert.deepEqual(rows, [
      {
        action: 'vulnerability.reopen',
        actor_id: by,
        data: { reason: 'Changed my mind.', resolution: null, until: null },
      },
      {
        action: 'vulnerability.accept',
        actor_id: by,
        data: { reason, resolution: 'risk_accepted', until: '2099-01-31T12:00:00.000Z' },
      },
    ]);
  });
});

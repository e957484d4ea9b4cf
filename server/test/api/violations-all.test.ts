/**
 * Tests of violations of all repositories, compared with the lists of each repository; and those of one vulnerability.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseId } from '../../src/domain/ids.ts';
import { type Answer, clientOf, type Json, queryOf, succeeded, walk } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import type { Violation } from '../support/policies.ts';
import { applyAndEvaluate, policyOf } from '../support/policies.ts';
import { signInAs } from '../support/session.ts';
import { createTestKey, createTestWorkspace } from '../support/workspace.ts';
import { enforcementModes, targetTypes, violationStatuses } from './violation-tables.ts';
import { createViolationWorkspace, type ViolationList } from './violation-workspace.ts';

const world = await createViolationWorkspace();
const { server, tenant, people, client, base, all } = world;
const path = `${base}/all`;

type Query = Record<string, string | number | undefined>;
type Item = Violation & { repository: { id: string; full_name: string } };
type List = Omit<ViolationList, 'items' | 'filters'> & { items: Item[]; filters: Json };

// A second policy has the same matches, so that a vulnerability has several violations.
await applyAndEvaluate(
  server,
  tenant.id,
  policyOf('every', "{fact: severity, operator: '>=', value: high}", { mode: 'monitor' }),
);
// The due times are on each side of the limit between soon and later, and in the past.
const unresolved = (await all())
  .filter((item) => item.status === 'open')
  .sort((a, b) => (a.id < b.id ? -1 : 1));
const seconds = [-86_400, -60, 60, 3 * 86_400, 7 * 86_400 - 60, 7 * 86_400 + 60, 86_400, 30 * 86_400, -1];
for (const [i, left] of seconds.entries()) {
  await server.owner.query(
    `update policy_violation set due_at = date_trunc('milliseconds', now()) + make_interval(secs => $2) where id = $1`,
    [uuidOf(unresolved[i]?.id), left],
  );
}
const everything = await all();

function uuidOf(id: string | undefined): string {
  return parseId('violation', id ?? '') ?? '';
}

async function list(query: Query): Promise<List> {
  return succeeded(await client.get<List>(`${path}${queryOf({ per_page: 200, ...query })}`));
}

const modeOf = (item: Violation): string => item.enforcement_mode ?? 'none';
const typeOf = (item: Violation): string => item.target.type ?? 'repository';
const stands = (item: Violation): boolean => item.status === 'open' || item.status === 'pending_review';

function dueOf(item: Violation): string {
  const left = item.remaining_seconds;
  return left < 0 ? 'overdue' : left < 7 * 86_400 ? 'soon' : 'later';
}

function matches(item: Violation, query: Query): boolean {
  const allows = (name: string, ...values: unknown[]): boolean =>
    query[name] === undefined ||
    values.some((value) => String(query[name]).split(',').includes(String(value)));
  const yes = (is: boolean): string => (is ? 'yes' : 'no');
  return (
    allows('repo', item.scope.id) &&
    allows('status', item.status) &&
    allows('enforcement', modeOf(item)) &&
    allows('target_type', typeOf(item)) &&
    allows('policy', item.policy.id, item.policy.key) &&
    (query.due === undefined || (stands(item) && allows('due', dueOf(item)))) &&
    allows('snoozed', yes(item.snoozed)) &&
    allows('blocking', yes(item.blocking))
  );
}

const idsOf = (items: Violation[]): string[] => items.map((item) => item.id).sort();

function recount(items: Violation[]): unknown {
  const by = (names: string[], of: (item: Violation) => string): Record<string, number> =>
    Object.fromEntries(names.map((name) => [name, items.filter((item) => of(item) === name).length]));
  return {
    total: items.length,
    by_status: by(violationStatuses, (item) => item.status),
    by_target_type: by(targetTypes, typeOf),
    by_enforcement_mode: by([...enforcementModes, 'none'], modeOf),
  };
}

const repositoryIds = [...new Set(everything.map((item) => String(item.scope.id)))];
const due = ['overdue', 'soon', 'later'];
const queries: Query[] = [
  {},
  ...violationStatuses.map((status) => ({ status })),
  ...[...enforcementModes, 'none'].map((enforcement) => ({ enforcement })),
  ...targetTypes.map((target_type) => ({ target_type })),
  ...due.map((word) => ({ due: word })),
  ...due.map((word) => ({ due: word, repo: repositoryIds[0] })),
  ...due.map((word) => ({ due: word, status: 'resolved,waived' })),
  ...['snoozed', 'blocking'].flatMap((name) => [{ [name]: 'yes' }, { [name]: 'no' }]),
  ...repositoryIds.map((repo) => ({ repo })),
  ...[...new Set(everything.map((item) => item.policy.key))].map((policy) => ({ policy })),
  { status: 'open,pending_review', enforcement: 'block', due: 'soon', snoozed: 'no' },
  { policy: everything[0]?.policy.id, due: 'later' },
];

describe('the list', () => {
  test('the test data has rows for every filter', () => {
    for (const word of due)
      assert.ok(
        everything.some((item) => matches(item, { due: word })),
        word,
      );
    for (const name of ['snoozed', 'blocking']) {
      for (const answer of ['yes', 'no']) {
        assert.ok(
          everything.some((item) => matches(item, { [name]: answer })),
          `${name} ${answer}`,
        );
      }
    }
    assert.ok(repositoryIds.length >= 5);
  });

  test('has the rows of a recount, sorted by due time, for every filter', async () => {
    for (const query of queries) {
      const expected = everything.filter((item) => matches(item, query));
      const shown = queryOf(query);
      const body = await list(query);
      assert.deepEqual(
        body.items.map((item) => item.id).sort(),
        expected.map((item) => item.id).sort(),
        shown,
      );
      const times = body.items.map((item) => item.due_at);
      assert.deepEqual(times, times.toSorted(), shown);
      assert.deepEqual(body.summary, recount(expected), shown);
      const many = (name: string): string[] =>
        query[name] === undefined ? [] : String(query[name]).split(',');
      assert.deepEqual(body.filters, {
        repo: query.repo ?? null,
        status: many('status'),
        enforcement: many('enforcement'),
        policy: many('policy'),
        target_type: many('target_type'),
        due: query.due ?? null,
        snoozed: query.snoozed ?? null,
        blocking: query.blocking ?? null,
      });
    }
  });

  test('shows each item as the list of its repository does, with the repository added', async () => {
    const byId = new Map(everything.map((item) => [item.id, item]));
    for (const { repository, ...item } of (await list({})).items) {
      const { remaining_seconds: left, ...expected } = byId.get(item.id) ?? ({} as Violation);
      assert.ok(Math.abs(left - item.remaining_seconds) < 120);
      const { remaining_seconds: _, ...rest } = item;
      assert.deepEqual(rest, expected);
      assert.equal(repository.id, item.scope.id);
      assert.ok(repository.full_name.endsWith(`/${item.scope.name}`), repository.full_name);
    }
  });

  test('returns each item once across pages, with the whole summary on each page', async () => {
    for (const query of [
      {},
      { due: 'soon' },
      { status: 'open', repo: repositoryIds[0] },
      { blocking: 'no' },
    ]) {
      const expected = (await list(query)).items.map((item) => item.id);
      const summary = (await list(query)).summary;
      const items = await walk<Item, List>(client, path, { ...query, per_page: 2 }, (page) => {
        assert.deepEqual(page.summary, summary);
      });
      assert.deepEqual(fieldOf(items, 'id'), expected);
    }
  });

  test('finds by words of the title of a vulnerability, with every filter and page by page', async () => {
    const q = 'lib0';
    const expected = everything.filter((item) => item.target.title === 'lib0: CVE-2030-1000');
    assert.ok(expected.length > 1);
    const narrower: Query[] = [
      {},
      { status: 'open' },
      { repo: String(expected[0]?.scope.id) },
      { due: 'soon' },
      { policy: 'every' },
    ];
    for (const query of narrower) {
      const found = expected.filter((item) => matches(item, query));
      const body = await list({ ...query, q });
      assert.deepEqual(idsOf(body.items), idsOf(found), queryOf(query));
      const times = body.items.map((item) => item.due_at);
      assert.deepEqual(times, times.toSorted());
      assert.deepEqual(body.summary, recount(found));
      assert.ok(!('q' in body.filters), 'the echo is as it was');
    }
    assert.deepEqual(idsOf(await walk<Item>(client, path, { q, per_page: 1 })), idsOf(expected));
    assert.deepEqual(idsOf((await list({ q: 'CVE-2030-1000' })).items), idsOf(expected));
    assert.deepEqual((await list({ q: 'lib0 zzzz' })).items, []);
    assert.equal((await client.get(`${path}?q=ab`)).status, 422);
    const first = await list({ q, per_page: 1 });
    assert.equal((await client.get(`${path}?per_page=1&cursor=${first.next_cursor}`)).status, 422);
  });

  test('an item that becomes overdue leaves the pages of due=soon', async () => {
    const soon = (await list({ due: 'soon' })).items;
    const first = await list({ due: 'soon', per_page: 1 });
    assert.equal(first.items[0]?.id, soon[0]?.id);
    const next = (await list({ due: 'soon', per_page: 1, cursor: String(first.next_cursor) })).items[0];
    // The first violation becomes overdue. The next page still begins after it.
    await server.owner.query(
      `update policy_violation set due_at = now() - interval '1 minute' where id = $1`,
      [uuidOf(first.items[0]?.id)],
    );
    const again = await list({ due: 'soon', per_page: 1, cursor: String(first.next_cursor) });
    assert.equal(again.items[0]?.id, next?.id);
    assert.equal(again.summary.total, soon.length - 1);
  });
});

describe('refusals', () => {
  const refused = async (query: Query, status: number, code: string): Promise<Answer> => {
    const answer = await client.get(`${path}${queryOf(query)}`);
    assert.deepEqual([answer.status, answer.body.code], [status, code], `${queryOf(query)}: ${answer.text}`);
    return answer;
  };

  test('invalid values and unknown parameters are refused', async () => {
    for (const name of ['status', 'enforcement', 'target_type', 'policy']) {
      const { body } = await refused({ [name]: 'nonsense' }, 422, 'INVALID_FILTER_VALUE');
      assert.deepEqual((body.details as Json).invalid_values, ['nonsense']);
    }
    for (const [name, value] of [
      ['due', 'tomorrow'],
      ['due', 'overdue,soon'],
      ['snoozed', 'true'],
      ['blocking', ''],
      ['per_page', '0'],
      ['per_page', '201'],
      ['cursor', 'nonsense'],
      ['repo', ''],
      ['ref', 'main'],
    ]) {
      const { body } = await refused({ [name ?? '']: value }, 422, 'VALIDATION_FAILED');
      assert.deepEqual(Object.keys(body.errors as Json), [name]);
    }
    await refused({ repo: 'acme/nowhere' }, 404, 'RESOURCE_NOT_FOUND');
  });

  test('a cursor is valid for its filters and its workspace only', async () => {
    const { next_cursor: cursor } = await list({ status: 'open', per_page: 1 });
    assert.ok(cursor);
    for (const query of [{}, { status: 'resolved' }, { status: 'open', due: 'later' }]) {
      await refused({ ...query, cursor }, 422, 'VALIDATION_FAILED');
    }
    const ofRepository = await client.get(`${base}${queryOf({ repo: 'acme/shop', per_page: 1 })}`);
    await refused({ cursor: String(ofRepository.body.next_cursor) }, 422, 'VALIDATION_FAILED');
  });

  test('nothing of another workspace is listed', async () => {
    const elsewhere = await createTestWorkspace(server, 'elsewhere');
    const foreign = clientOf(server.app, elsewhere.people.admin.key);
    assert.equal((await foreign.get(path)).status, 403);
    const own = path.replace('acme', 'elsewhere');
    const { body } = await foreign.get<List>(own);
    assert.deepEqual([body.summary.total, body.items], [0, []]);
    assert.equal((await foreign.get(`${own}?repo=acme/shop`)).status, 404);
    assert.equal((await foreign.get(`${own}?repo=${repositoryIds[0]}`)).status, 404);
    assert.equal((await foreign.get(`${own}?policy=${everything[0]?.policy.id}`)).status, 422);
  });

  test('the scope is required, and a viewer of the console may read', async () => {
    const blind = await createTestKey(server, {
      userId: people.admin.user.id,
      role: 'admin',
      scopes: ['vulnerabilities:read'],
    });
    const answer = await clientOf(server.app, blind.key).get(path);
    assert.deepEqual([answer.status, answer.body.code], [403, 'TOKEN_ABILITY_DENIED']);
    const viewer = await signInAs(server, people.viewer.user.id);
    const shown = await viewer.get<List>(`/console${path}?per_page=200`);
    assert.equal(shown.body.summary.total, everything.length);
  });
});

describe('those of a vulnerability', () => {
  const of = (id: string): string => `/api/v1/acme/vulnerabilities/${id}/violations`;

  test('the active violations of every policy come first', async () => {
    const ids = new Set(
      everything.filter((item) => item.target.type === 'vulnerability').map((item) => item.target.id),
    );
    assert.ok(ids.size > 3);
    let several = 0;
    for (const id of ids) {
      const expected = everything.filter((item) => item.target.id === id).map((item) => item.id);
      const body = succeeded(await client.get<{ items: Item[] }>(of(id)));
      assert.deepEqual(body.items.map((item) => item.id).sort(), expected.sort());
      const resolved = body.items.map((item) => item.resolved_at !== null);
      assert.deepEqual(resolved, resolved.toSorted());
      if (expected.length > 1) several++;
    }
    assert.ok(several > 0);
  });

  test('both scopes are required, and an unknown vulnerability is 404', async () => {
    const [id] = everything.flatMap((item) => (item.target.type === 'vulnerability' ? [item.target.id] : []));
    for (const scope of ['vulnerabilities:read', 'policy-violations:read'] as const) {
      const { key } = await createTestKey(server, {
        userId: people.admin.user.id,
        role: 'admin',
        scopes: [scope],
      });
      assert.equal((await clientOf(server.app, key).get(of(id ?? ''))).status, 403, scope);
    }
    for (const wrong of ['vc_00000000000000000000000000', 'x', everything[0]?.id ?? '']) {
      assert.equal((await client.get(of(wrong))).status, 404, wrong);
    }
  });
});

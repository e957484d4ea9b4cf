/**
 * The list of policy violations: filters against a recount of the whole list, pages of every size, with and without a
 * reference; and every refusal of the list and the detail.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatId } from '../../src/ids.ts';
import { type Answer, clientOf, type Json, queryOf, walk } from '../support/client.ts';
import { createTestWorkspace } from '../support/workspace.ts';
import { limits } from './spec-tables.ts';
import { enforcementModes, targetTypes, violationStatuses } from './violation-tables.ts';
import {
  createViolationWorkspace,
  repositories,
  type Violation,
  type ViolationList,
} from './violation-workspace.ts';

const world = await createViolationWorkspace();
const { server, client, base, list, find } = world;
const stranger = await createTestWorkspace(server, 'other');
const { items: policies } = (
  await client.get<{ items: { id: string; key: string }[] }>('/manage/v1/acme/policies')
).body;

type Query = Record<string, string | undefined>;

const kinds = [...targetTypes];
const modes = [...enforcementModes, 'none'];
const modeOf = (item: Violation): string => item.enforcement_mode ?? 'none';
const typeOf = (item: Violation): string => item.target.type ?? 'repository';

function matches(item: Violation, query: Query): boolean {
  const allows = (name: string, ...values: string[]): boolean =>
    query[name] === undefined || values.some((value) => query[name]?.split(',').includes(value));
  return (
    allows('status', item.status) &&
    allows('enforcement', modeOf(item)) &&
    allows('target_type', typeOf(item)) &&
    allows('policy', item.policy.id, item.policy.key)
  );
}

function recount(items: Violation[]): ViolationList['summary'] {
  const by = (names: string[], of: (item: Violation) => string): Record<string, number> =>
    Object.fromEntries(names.map((name) => [name, items.filter((item) => of(item) === name).length]));
  return {
    total: items.length,
    by_status: by(violationStatuses, (item) => item.status),
    by_target_type: by(kinds, typeOf),
    by_enforcement_mode: by(modes, modeOf),
  };
}

const idOf = (key: string): string => policies.find((policy) => policy.key === key)?.id ?? '';

const queries: Query[] = [
  {},
  ...violationStatuses.map((status) => ({ status })),
  ...modes.map((enforcement) => ({ enforcement })),
  ...kinds.map((target_type) => ({ target_type })),
  ...policies.flatMap(({ id, key }) => [{ policy: key }, { policy: id }]),
  { status: 'open,pending_review' },
  { status: 'open,pending_review', enforcement: 'block' },
  { enforcement: 'none,monitor', target_type: 'vulnerability,package,repository' },
  { policy: `critical,${idOf('high')},code`, status: 'open,resolved' },
  { policy: 'spade', target_type: 'vulnerability' },
  { status: 'resolved', enforcement: 'none' },
];

describe('filters', () => {
  for (const ref of [undefined, 'HEAD', 'feature/x', 'nowhere']) {
    test(`${ref === undefined ? 'without ref' : `on ${ref}`}: what a recount gives, soonest due first`, async () => {
      let found = 0;
      for (const repo of repositories) {
        const everything = (await list({ repo, ref })).items;
        found += everything.length;
        assert.deepEqual(
          everything.map((item) => item.due_at),
          everything.map((item) => item.due_at).toSorted(),
          repo,
        );
        assert.equal(new Set(everything.map((item) => item.id)).size, everything.length);
        for (const query of queries) {
          const expected = everything.filter((item) => matches(item, query));
          const shown = `${repo} ${queryOf(query)}`;
          const body = await list({ repo, ref, ...query });
          assert.deepEqual(
            body.items.map((item) => item.id),
            expected.map((item) => item.id),
            shown,
          );
          assert.deepEqual(body.summary, recount(expected), shown);
          assert.equal(body.next_cursor, null);
          const echo = (name: string): string[] => query[name]?.split(',') ?? [];
          assert.deepEqual(
            body.filters,
            {
              status: echo('status'),
              enforcement: echo('enforcement'),
              policy: echo('policy'),
              target_type: echo('target_type'),
            },
            shown,
          );
        }
      }
      assert.ok(ref === 'nowhere' ? found === 0 : found > 0);
    });
  }

  test('a page shows its own rows, and the summary counts them all', async () => {
    for (const repo of repositories) {
      for (const ref of [undefined, 'HEAD']) {
        const whole = await list({ repo, ref });
        for (const size of [1, 2, 3, whole.items.length, whole.items.length + 1]) {
          if (size === 0) continue;
          const query = { repo, ref, per_page: size };
          const items = await walk<Violation, ViolationList>(client, base, query, (page) => {
            assert.ok(page.items.length <= size);
            assert.deepEqual(page.summary, whole.summary);
          });
          assert.deepEqual(
            items.map((item) => item.id),
            whole.items.map((item) => item.id),
            `${repo} ${ref} by ${size}`,
          );
        }
      }
    }
    const filtered = { status: 'open,resolved', policy: 'critical,high,code' };
    const { items, summary } = await list(filtered);
    const walked = await walk<Violation>(client, base, { repo: 'acme/shop', ...filtered, per_page: 2 });
    assert.deepEqual(
      [walked.map((item) => item.id), walked.length],
      [items.map((item) => item.id), summary.total],
    );
  });

  test('on a reference: status, time and numbers are those there', async () => {
    const item = async (ref: string | undefined) =>
      (await list({ ref, policy: 'critical' })).items.find(
        (one) => one.target.title === 'lib9: CVE-2030-1009',
      );
    assert.equal(await item('main'), undefined, 'it never was on main');
    const there = await item('feature/x');
    assert.deepEqual([there?.status, there?.resolved_at], ['resolved', (await item(undefined))?.resolved_at]);
    const { summary } = await list({ ref: 'feature/x', target_type: 'vulnerability' });
    assert.deepEqual([summary.total, summary.by_status.open, summary.by_status.resolved], [2, 1, 1]);
  });

  test('a comma list and the parameter repeated are the same', async () => {
    const body = async (query: string) =>
      (await client.get<ViolationList>(`${base}?repo=acme/shop&${query}`)).body;
    const once = await body('status=open,resolved&policy=critical,high');
    const often = await body('status=open&policy=critical&status=resolved&policy=high');
    assert.deepEqual(once.filters, often.filters);
    assert.deepEqual(
      once.items.map((item) => item.id),
      often.items.map((item) => item.id),
    );
    assert.deepEqual(once.filters.status, ['open', 'resolved']);
  });

  test('a repository by id, by name and without case', async () => {
    const { rows } = await server.owner.query<{ id: string }>(
      `select id from repository where name_key = 'acme/shop'`,
    );
    const id = formatId('repository', rows[0]?.id ?? '');
    const ids = async (repo: string) => (await list({ repo })).items.map((item) => item.id);
    assert.ok((await ids(id)).length > 0);
    assert.deepEqual(await ids('Acme/SHOP'), await ids(id));
  });
});

function refusal({ status, body, text }: Answer, shown: string): Json {
  assert.equal(status, 422, `${shown}: ${text}`);
  return body.details as Json;
}

async function onField(query: string, field: string): Promise<string[]> {
  const answer = await client.get(`${base}${query}`);
  const { errors } = refusal(answer, query) as { errors: Record<string, string[]> };
  assert.equal(answer.body.code, 'VALIDATION_FAILED', query);
  assert.deepEqual(answer.body.errors, errors, 'the alternative shape');
  assert.deepEqual(Object.keys(errors), [field], query);
  return errors[field] ?? [];
}

describe('refusals of the list', () => {
  test('without a repository: the field is required', async () => {
    for (const query of ['', '?', '?status=open']) {
      assert.match((await onField(query, 'repo')).join(), /required/i);
    }
    await onField('?repo=', 'repo');
    await onField('?repo=acme/shop&repo=acme/old', 'repo');
  });

  test('a repository that is not there is not found, the workspace of another included', async () => {
    for (const repo of ['acme/nowhere', 'acme', 'repo_nonsense', `repo_${'0'.repeat(26)}`, '%00', '%25']) {
      const answer = await client.get(`${base}?repo=${repo}`);
      assert.deepEqual([answer.status, answer.body.code], [404, 'RESOURCE_NOT_FOUND'], repo);
    }
    const other = clientOf(server.app, stranger.people.admin.key);
    const answer = await other.get('/api/v1/other/policy-violations?repo=acme/shop');
    assert.deepEqual([answer.status, answer.body.code], [404, 'RESOURCE_NOT_FOUND']);
  });

  test('values outside the enumerations, each named; before a repository is looked for', async () => {
    const cases: [query: string, invalid: string[]][] = [
      ['status=closed', ['closed']],
      ['status=open,closed,Open,closed', ['closed', 'Open']],
      ['status=fixed', ['fixed']],
      ['enforcement=strict', ['strict']],
      ['enforcement=block&enforcement=null', ['null']],
      ['target_type=image,asset', ['image']],
      ['target_type=vulnerability%20', ['vulnerability ']],
      ['policy=nobody', ['nobody']],
      ['policy=critical,CRITICAL', ['CRITICAL']],
      [`policy=pol_${'0'.repeat(26)},high`, [`pol_${'0'.repeat(26)}`]],
    ];
    for (const [query, invalid] of cases) {
      for (const repo of ['acme/shop', 'acme/nowhere']) {
        const answer = await client.get(`${base}?repo=${repo}&${query}`);
        assert.deepEqual(refusal(answer, query), { invalid_values: invalid }, query);
        assert.equal(answer.body.code, 'INVALID_FILTER_VALUE', query);
        for (const value of invalid) assert.ok(String(answer.body.message).includes(value), query);
      }
    }
  });

  test('255 characters, and not one more', async () => {
    const long = (length: number): string => 'x'.repeat(length);
    const most = limits.shortFilter;
    assert.equal((await client.get(`${base}?repo=${long(most)}`)).status, 404);
    await onField(`?repo=${long(most + 1)}`, 'repo');
    assert.equal((await client.get(`${base}?repo=acme/shop&ref=${long(most)}`)).status, 200);
    await onField(`?repo=acme/shop&ref=${long(most + 1)}`, 'ref');
    for (const name of ['status', 'enforcement', 'policy', 'target_type']) {
      const details = refusal(await client.get(`${base}?repo=acme/shop&${name}=${long(most)}`), name);
      assert.deepEqual(details.invalid_values, [long(most)]);
      await onField(`?repo=acme/shop&${name}=${long(most + 1)}`, name);
      // In all, however it is written.
      await onField(`?repo=acme/shop&${`${name}=${long(127)}&`.repeat(2)}${name}=x`, name);
    }
    await onField(`?repo=acme/shop&cursor=${long(most + 1)}`, 'cursor');
  });

  test('an empty value is not the absence of one', async () => {
    for (const name of ['ref', 'cursor', 'per_page']) await onField(`?repo=acme/shop&${name}=`, name);
    for (const name of ['status', 'enforcement', 'policy', 'target_type']) {
      for (const value of ['', 'open,', ',']) {
        const answer = await client.get(`${base}?repo=acme/shop&${name}=${value}`);
        assert.equal(answer.status, 422, `${name}=${value}: ${answer.text}`);
      }
    }
  });

  test('page size', async () => {
    for (const size of [limits.perPage.least, limits.perPage.most]) {
      assert.equal((await client.get(`${base}?repo=acme/shop&per_page=${size}`)).status, 200);
    }
    for (const size of ['0', '201', '-1', '1.5', '1e2', 'ten', '1&per_page=2']) {
      await onField(`?repo=acme/shop&per_page=${size}`, 'per_page');
    }
    assert.equal(limits.perPage.usual, 50);
  });

  test('a parameter that there is not, with the nearest one that there is', async () => {
    for (const [name, nearest] of [
      ['repository', ''],
      ['statuses', 'status'],
      ['state', 'status'],
      ['enforcment', 'enforcement'],
      ['targettype', 'target_type'],
      ['refs', 'ref'],
      ['__proto__', ''],
    ]) {
      const [problem = ''] = await onField(`?repo=acme/shop&${name}=open`, name ?? '');
      if (nearest) assert.match(problem, new RegExp(`Did you mean ${nearest}\\?`));
    }
  });

  test('a cursor is of one list: altered, foreign or of other filters it is refused', async () => {
    const cursorOf = async (query: string, from = client, path = base): Promise<string> => {
      const { body } = await from.get<{ next_cursor: string | null }>(`${path}?${query}&per_page=1`);
      assert.ok(body.next_cursor, query);
      return body.next_cursor;
    };
    const plain = 'repo=acme/shop';
    const cursor = await cursorOf(plain);
    assert.ok(cursor.length <= limits.shortFilter);
    assert.equal((await client.get(`${base}?${plain}&per_page=7&cursor=${cursor}`)).status, 200);
    const filters = [
      'repo=acme/stale',
      'repo=ACME/shop',
      `${plain}&ref=main`,
      `${plain}&ref=HEAD`,
      `${plain}&status=open`,
      `${plain}&enforcement=block`,
      `${plain}&policy=high`,
      `${plain}&target_type=vulnerability`,
    ];
    for (const query of filters) await onField(`?${query}&cursor=${cursor}`, 'cursor');
    for (const query of filters.slice(2)) {
      const { body } = await client.get<{ next_cursor: string | null }>(`${base}?${query}&per_page=1`);
      if (body.next_cursor) await onField(`?${plain}&cursor=${body.next_cursor}`, 'cursor');
    }
    for (let i = 0; i < cursor.length; i++) {
      const letter = cursor[i] === 'A' ? 'B' : 'A';
      await onField(`?${plain}&cursor=${cursor.slice(0, i)}${letter}${cursor.slice(i + 1)}`, 'cursor');
    }
    for (const other of ['x', cursor.slice(1), `${cursor}A`, cursor.slice(0, -4), cursor.toLowerCase()]) {
      await onField(`?${plain}&cursor=${other}`, 'cursor');
    }
    const ofVulnerabilities = await cursorOf(plain, client, '/api/v1/acme/vulnerabilities');
    await onField(`?${plain}&cursor=${ofVulnerabilities}`, 'cursor');
  });
});

describe('refusals of the detail', () => {
  const notFound = async (path: string): Promise<void> => {
    const answer = await client.get(`${base}/${path}`);
    assert.deepEqual([answer.status, answer.body.code], [404, 'RESOURCE_NOT_FOUND'], path);
  };

  test('what is no id, an unknown one, and one of another kind are not found', async () => {
    const { id, policy, target } = await find('critical', 'lib0');
    for (const text of [
      'nonsense',
      'pvl_',
      `pvl_${'0'.repeat(26)}`,
      id.slice(0, -1),
      `${id}0`,
      id.toUpperCase(),
      `pvl_${'z'.repeat(26)}`,
      id.slice(4),
      policy.id,
      target.id,
      'pvl_%00',
      `${id}%2F`,
    ]) {
      await notFound(text);
    }
  });

  test('with another repository, or one that is not there, neither', async () => {
    const { id } = await find('critical', 'lib0');
    for (const repo of ['acme/old', 'acme/nowhere', 'repo_nonsense', 'x'.repeat(255)]) {
      await notFound(`${id}?repo=${repo}`);
    }
  });

  test('of another workspace it is not found there', async () => {
    const { id } = await find('critical', 'lib0');
    const answer = await clientOf(server.app, stranger.people.admin.key).get(
      `/api/v1/other/policy-violations/${id}`,
    );
    assert.deepEqual([answer.status, answer.body.code], [404, 'RESOURCE_NOT_FOUND']);
  });

  test('parameters that are wrong come before what is not there', async () => {
    const { id } = await find('critical', 'lib0');
    for (const violation of [id, 'nonsense']) {
      await onField(`/${violation}?repo=${'x'.repeat(256)}`, 'repo');
      await onField(`/${violation}?repo=`, 'repo');
      await onField(`/${violation}?ref=main`, 'ref');
      await onField(`/${violation}?repo=acme/shop&repo=acme/shop`, 'repo');
    }
  });
});

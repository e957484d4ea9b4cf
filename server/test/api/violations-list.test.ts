/**
 * Tests of the list of policy violations: filters compared with the whole list, pages of every size, with and without a
 * reference.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatId, nilId, type RepositoryId } from '../../src/domain/ids.ts';
import { queryOf, walk } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import type { Violation } from '../support/policies.ts';
import { trivy } from '../support/reports.ts';
import { reportInput } from '../support/workspace.ts';
import { enforcementModes, targetTypes, violationStatuses } from './violation-tables.ts';
import { createViolationWorkspace, repositories, type ViolationList } from './violation-workspace.ts';

const world = await createViolationWorkspace();
const { server, client, base, list } = world;
const { items: policies } = (
  await client.get<{ items: { id: string; key: string }[] }>('/manage/v1/acme/policies')
).body;

type Query = Record<string, string | undefined>;

// One repository of each kind is enough for every filter: with references, with an SBOM only, without any.
const filtered = ['acme/shop', 'acme/team/sbom', 'acme/quiet'];
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
    by_target_type: by(targetTypes, typeOf),
    by_enforcement_mode: by(modes, modeOf),
  };
}

const idOf = (key: string): string => policies.find((policy) => policy.key === key)?.id ?? '';

const queries: Query[] = [
  {},
  ...violationStatuses.map((status) => ({ status })),
  ...modes.map((enforcement) => ({ enforcement })),
  ...targetTypes.map((target_type) => ({ target_type })),
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
    test(`${ref === undefined ? 'without ref' : `on ${ref}`}: has the rows of a recount, soonest due first`, async () => {
      let found = 0;
      for (const repo of filtered) {
        const everything = (await list({ repo, ref })).items;
        found += everything.length;
        assert.deepEqual(
          fieldOf(everything, 'due_at'),
          everything.map((item) => item.due_at).toSorted(),
          repo,
        );
        assert.equal(new Set(everything.map((item) => item.id)).size, everything.length);
        for (const query of queries) {
          const expected = everything.filter((item) => matches(item, query));
          const shown = `${repo} ${queryOf(query)}`;
          const body = await list({ repo, ref, ...query });
          assert.deepEqual(fieldOf(body.items, 'id'), fieldOf(expected, 'id'), shown);
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

  test('a page has its own rows, and the summary counts all', async () => {
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
          assert.deepEqual(fieldOf(items, 'id'), fieldOf(whole.items, 'id'), `${repo} ${ref} by ${size}`);
        }
      }
    }
    const narrow = { status: 'open,resolved', policy: 'critical,high,code' };
    const { items, summary } = await list(narrow);
    const walked = await walk<Violation>(client, base, { repo: 'acme/shop', ...narrow, per_page: 2 });
    assert.deepEqual(
      [walked.map((item) => item.id), walked.length],
      [items.map((item) => item.id), summary.total],
    );
  });

  test('on a reference, status, time and numbers are those of that reference', async () => {
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
    assert.deepEqual(fieldOf(once.items, 'id'), fieldOf(often.items, 'id'));
    assert.deepEqual(once.filters.status, ['open', 'resolved']);
  });

  test('a repository is found by id, by name and without case', async () => {
    const { rows } = await server.owner.query<{ id: RepositoryId }>(
      `select id from repository where name_key = 'acme/shop'`,
    );
    const id = formatId('repository', rows[0]?.id ?? nilId);
    const ids = async (repo: string) => (await list({ repo })).items.map((item) => item.id);
    assert.ok((await ids(id)).length > 0);
    assert.deepEqual(await ids('Acme/SHOP'), await ids(id));
  });

  test('on a reference, the status of a vulnerability is that of the reference', async () => {
    const without = trivy([{ id: 'CVE-2030-1000', name: 'lib0', version: '1.0.0' }]);
    await importAll(server, 'acme', [reportInput(without)]);
    const statusOn = async (ref: string | undefined) =>
      (await list({ ref, policy: 'high', status: 'open' })).items.find(
        (one) => one.target.title === 'lib1: CVE-2030-1001',
      )?.target.status;
    assert.deepEqual([await statusOn(undefined), await statusOn('feature/x')], ['fixed', 'open']);
  });
});

/**
 * Tests of the vulnerability list against a model, for any combination of filters: the rows, their order, the summary
 * and the echo, for every page size.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { formatId, type VulnerabilityId } from '../../src/domain/ids.ts';
import { clientOf, type Page, queryOf, type Schemas, walk } from '../support/client.ts';
import { evaluateChanges, loadScores } from '../support/epss.ts';
import { fieldOf } from '../support/fields.ts';
import { byForm } from '../support/form.ts';
import { createTestServer } from '../support/server.ts';
import { listQueries, type Query } from './list-queries.ts';
import { createDueDates } from './random-due-dates.ts';
import { createRandomWorkspace, type Known, statusAnywhere, statusOf, statusOn } from './random-workspace.ts';
import { severityOrder, vulnerabilityTypes } from './spec-tables.ts';

type Item = Schemas['Vulnerability'];

interface ListBody extends Page<Item> {
  filters: Record<string, string | string[] | null>;
  summary: { total: number; by_severity: Record<string, number>; by_type: Record<string, number> };
}

const seed = 20_260_729;
const runs = byForm({ short: 30, ci: 80, full: 800 });
const server = await createTestServer();
const workspace = await createRandomWorkspace(server, 'random', seed);
const { people } = workspace;
const client = clientOf(server.app, people.member.key);
const list = '/api/v1/random/vulnerabilities';
const all = await walk<Item, ListBody>(client, list, { per_page: 200 });
const scores = new Map(
  workspace.known.flatMap(({ row: { id } }, at) =>
    String(id).startsWith('CVE-') ? [[String(id), (at % 11) / 10] as const] : [],
  ),
);
await loadScores(server, [...scores]);
await evaluateChanges(server, workspace.tenant.id);
await createDueDates(server, workspace);
const { rows: firstDue } = await server.owner.query<{ id: VulnerabilityId; days: number }>(
  `select target_id as id, extract(epoch from min(due_at) - now()) / 86400 as days from policy_violation
    where tenant_id = $1 and resolved_at is null group by target_id`,
  [workspace.tenant.id],
);
const daysUntilDue = new Map(firstDue.map(({ id, days }) => [formatId('vulnerability', id), Number(days)]));
const modelOf = new Map(
  all.map((item) => {
    const known = workspace.known.find(
      (each) => each.title === item.title && each.repo === item.repository.full_name,
    );
    if (!known) throw new Error(`the model does not know ${item.title}`);
    return [item.id, known];
  }),
);
const repositoryIds = new Map(all.map((item) => [item.repository.full_name, item.repository.id]));

/** Full names that `ref` may mean, the most likely first. HEAD is every default branch, which is main here. */
function fullRefOf(ref: string, repo: string | undefined): string {
  if (ref === 'HEAD') return 'refs/heads/main';
  if (ref.startsWith('refs/')) return ref;
  const candidates = [`refs/heads/${ref}`, `refs/tags/${ref}`, `refs/${ref}`];
  const there = (full: string): boolean =>
    workspace.references.some((each) => each.full === full && (repo === undefined || each.repo === repo));
  return candidates.find(there) ?? candidates[0] ?? '';
}

function repoOf(query: Query): string | undefined {
  const byId = [...repositoryIds].find(([, id]) => id === query.repo)?.[0];
  return byId ?? query.repo?.toLowerCase();
}

/** The reference whose status is shown. */
function shownRef(query: Query): string | undefined {
  if (query.scope === 'default_branches') return fullRefOf('HEAD', undefined);
  return query.ref === undefined ? undefined : fullRefOf(query.ref, repoOf(query));
}

function fits(known: Known, query: Query): boolean {
  const repo = repoOf(query);
  const ref = shownRef(query);
  const own = query.scope === 'all' ? statusAnywhere(known) : statusOf(known);
  const status = ref === undefined ? own : statusOn(known, ref);
  const meant: Record<string, string | null> = {
    me: people.member.user.email,
    unassigned: null,
    [formatId('user', people.admin.user.id)]: people.admin.user.email,
  };
  const lists = (name: string): string[] | undefined => query[name]?.split(',');
  const yesNo = (name: string, value: boolean): boolean =>
    query[name] === undefined || (query[name] === 'yes') === value;
  const assignee = query.assignee;
  const wanted =
    assignee === undefined ? known.assignee : assignee in meant ? meant[assignee] : assignee.toLowerCase();
  const prefix = query.sha?.toLowerCase();
  const named = query.application?.toLowerCase();
  const application = workspace.applications.find(
    ({ id, name }) => id === named || name.toLowerCase() === named,
  );
  return (
    (repo === undefined || known.repo === repo) &&
    (ref === undefined || known.references.has(ref)) &&
    (query.scope !== 'tracked' || known.references.has(fullRefOf('HEAD', undefined))) &&
    (prefix === undefined || [...known.shas].some((sha) => sha.startsWith(prefix))) &&
    (query.state === undefined || status === query.state) &&
    (query.source === undefined || known.source === query.source) &&
    yesNo('confirmed', known.confirmed) &&
    yesNo('triaged', known.triaged) &&
    yesNo('fix', known.row.fixed !== undefined) &&
    (lists('severity')?.includes(known.severity) ?? true) &&
    (lists('type')?.includes(known.type) ?? true) &&
    (query.exploitable === undefined || known.row.verified === true) &&
    (query.epss_min === undefined || (scores.get(String(known.row.id)) ?? -1) >= Number(query.epss_min)) &&
    (query.introduced_since === undefined ||
      Date.parse(known.introducedAt) >= Date.parse(query.introduced_since)) &&
    (application === undefined || application.repos.includes(known.repo)) &&
    (query.package === undefined || hasPackage(known, query.package)) &&
    (query.rule === undefined || (known.type !== 'dependency' && known.row.rule === query.rule)) &&
    (assignee === 'assigned' ? known.assignee !== null : known.assignee === wanted) &&
    (query.q?.split(' ').every((term) => hasTerm(known.title, term)) ?? true)
  );
}

function isDue({ id }: Item, due: string | undefined): boolean {
  if (due === undefined) return true;
  const days = daysUntilDue.get(id) ?? Number.POSITIVE_INFINITY;
  return due === 'overdue' ? days <= 0 : days > 0 && days < 7;
}

function hasPackage({ row }: Known, wanted: string): boolean {
  return row.package !== undefined && [`pkg:npm/${row.package}`, row.package].includes(wanted.toLowerCase());
}

// A word of the title begins with the term: a whole word, or a part of a compound word.
function hasTerm(title: string, term: string): boolean {
  const escaped = term.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}`, 'u').test(title.toLowerCase());
}

function inOrder(items: Item[], sort: string | undefined): Item[] {
  const rank = (item: Item): number => severityOrder.indexOf(item.severity);
  const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  const oldest = (a: Item, b: Item): number =>
    text(a.introduced_at, b.introduced_at) || text(a.id.slice(3), b.id.slice(3));
  if (sort === 'oldest') return items.toSorted(oldest);
  if (sort === 'newest') return items.toSorted((a, b) => oldest(b, a));
  return items.toSorted((a, b) => rank(a) - rank(b) || oldest(b, a));
}

function recount(values: string[], names: string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, values.filter((value) => value === name).length]));
}

async function compare(query: Query, perPage: number): Promise<number> {
  const expected = inOrder(
    all.filter((item) => {
      const known = modelOf.get(item.id);
      return known !== undefined && fits(known, query) && isDue(item, query.due);
    }),
    query.sort,
  );
  const shown = queryOf(query);
  const summaries: ListBody[] = [];
  const items = await walk<Item, ListBody>(client, list, { ...query, per_page: perPage }, (body) => {
    summaries.push(body);
    assert.ok(body.items.length <= perPage, shown);
  });
  assert.deepEqual(fieldOf(items, 'id'), fieldOf(expected, 'id'), shown);
  const ref = shownRef(query);
  for (const item of items) {
    const known = modelOf.get(item.id);
    assert.ok(known);
    const status = ref === undefined ? statusOf(known) : statusOn(known, ref);
    assert.equal(item.status, status, shown);
    const resolution = status === 'open' ? null : status === 'fixed' ? 'fixed' : known.decision?.resolution;
    assert.equal(item.resolution, resolution, shown);
    assert.deepEqual([item.confirmed, item.triaged], [known.confirmed, known.triaged], shown);
    if (ref !== undefined) {
      const short = ref.replace(/^refs\/(?:heads|tags)\//, '');
      assert.equal(item.location.reference.ref, short, shown);
    }
  }
  for (const { summary, filters } of summaries) {
    assert.equal(summary.total, items.length, shown);
    const bySeverity = recount(
      items.map((item) => item.severity),
      severityOrder,
    );
    assert.deepEqual(summary.by_severity, bySeverity, shown);
    const byType = recount(
      items.map((item) => item.type),
      vulnerabilityTypes,
    );
    assert.deepEqual(summary.by_type, byType, shown);
    for (const name of ['severity', 'type']) {
      assert.deepEqual(filters[name], query[name]?.split(',') ?? [], shown);
    }
    for (const name of Object.keys(filters).filter((key) => key !== 'severity' && key !== 'type')) {
      assert.equal(filters[name], query[name] ?? null, shown);
    }
  }
  return items.length;
}

const { queries, sparse } = listQueries(workspace, [...repositoryIds.values()]);

describe('the list of vulnerabilities', () => {
  test('has the rows of the model', () => {
    assert.equal(all.length, workspace.known.length);
    assert.equal(new Set(all.map((item) => item.id)).size, all.length);
    for (const item of all) {
      const known = modelOf.get(item.id);
      assert.deepEqual(
        [item.severity, item.type, item.source, item.status, item.confirmed, item.triaged],
        [
          known?.severity,
          known?.type,
          known?.source,
          known && statusOf(known),
          known?.confirmed,
          known?.triaged,
        ],
        item.title,
      );
    }
  });

  test('each filter alone gives the rows of the model', async () => {
    let found = 0;
    for (const query of fc.sample(sparse, { numRuns: runs, seed })) {
      for (const [name, value] of Object.entries(query)) found += await compare({ [name]: value }, 50);
    }
    assert.ok(found > 8 * runs);
  });

  test('a few random filters give the rows of the model, in pages of any size', async () => {
    let nonEmpty = 0;
    await fc.assert(
      fc.asyncProperty(sparse, fc.constantFrom(1, 3, 17, 200), async (query, perPage) => {
        if ((await compare(query, perPage)) > 0) nonEmpty++;
      }),
      { seed, numRuns: 2 * runs, endOnFailure: true },
    );
    assert.ok(nonEmpty > runs, `only ${nonEmpty} lists had rows`);
  });

  test('all filters at once give the rows of the model', async () => {
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        await compare(query, 200);
      }),
      { seed, numRuns: runs, endOnFailure: true },
    );
  });
});

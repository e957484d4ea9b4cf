/**
 * SQL of the keys of a page in the order of the list, as parts of one statement: how many vulnerabilities the list has
 * in each packed state (`counted`), and the keys of its page (`keys`).
 *
 * - Most lists are counted in `vulnerability_count`. Their page comes from one range of an index for each packed state;
 *   a scope of several repositories or references has such ranges for each of them.
 * - The list of the whole workspace by time is in the order of an index.
 * - The filters of `candidates.ts` find rows, which are counted and sorted, so the cost grows with their number.
 */
import type { Parameters } from '../db/database.ts';
import { rowsByKey, separate, withoutIndex } from '../db/planner-hints.ts';
import { nilId, type VulnerabilityId } from '../domain/ids.ts';
import { sqlSeverityRank } from '../domain/packed-state.ts';
import { candidates, countCandidates } from './candidates.ts';
import { allowedStates, hasCandidates, type ListFilter, type Sort } from './filters.ts';
import { type CountedScope, countersOf, idsOf, rangesOf, sourceOf } from './scope.ts';

/** The last row of the previous page, by severity rank, time and id. */
export interface PagePosition {
  rank: number;
  introducedAt: string;
  id: VulnerabilityId;
}

export interface PageRequest {
  scope: CountedScope;
  filter: ListFilter;
  sort: Sort;
  after: PagePosition | null;
  limit: number;
  /** True if the transaction reads nothing after the page. */
  isLast: boolean;
}

export interface PageQueries {
  /**
   * Named queries, in order. The last ones are `counted` (packed_state, n) and `keys` (id, packed_state,
   * introduced_at).
   */
  queries: string[];
  /** The name of a prepared statement, if the text is the same for all filters and has one good plan. */
  name?: string;
}

// `lastKey` is before any row in a descending order, and `firstKey` is before any row in an ascending one.
const lastKey = { time: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' as VulnerabilityId };
const firstKey = { time: '-infinity', id: nilId };
// No severity has this rank, so no range begins after a position.
const noRank = 8;

/** The parts of the statement for a page. */
export function pageQueries(page: PageRequest, tenant: string, parameters: Parameters): PageQueries {
  const { filter, scope, sort } = page;
  if (hasCandidates(filter)) return candidateQueries(page, tenant, parameters);
  const allowed = allowedStates(filter, 'c.packed_state', parameters);
  const ranges = rangesOf(page, allowed, tenant, parameters);
  const kind = filter.introducedSince === null ? sort : `${sort}-since`;
  if (scope.kind === 'tenant' && sort !== 'severity' && filter.tests.size === 0) {
    return {
      queries: [`counted as materialized (${ranges})`, `keys as (${timeKeys(page, tenant, parameters)})`],
      name: `all-${kind}`,
    };
  }
  const name = `${scope.kind}-${kind}`;
  if (idsOf(scope) === null) {
    const counted = `counted as materialized (${ranges})`;
    return { queries: [counted, statesOf(page, parameters), ...rangeKeys(page, tenant, parameters)], name };
  }
  return {
    queries: [
      `ranges as materialized (${ranges})`,
      `counted as materialized (${countersOf(scope, 'table ranges')})`,
      statesOf(page, parameters, 'ranges'),
      `keys as (${keysOfSeveral(page, tenant, parameters)})`,
    ],
    name,
  };
}

/**
 * SQL of the packed states that may be on the page, or of the ranges: the key before the first row of each (`at`,
 * `after_id`), and how many rows to read of it.
 *
 * By severity, these are the packed states from the cursor's rank down to the rank at which the page is certainly full.
 * The cursor's own rank may be used up, so its rows are not counted. By time, all packed states share the page, and
 * most give a few rows. For each, the first read takes three rows and twice its share by number, because one search of
 * the index costs about as much as a few rows.
 */
function statesOf(page: PageRequest, parameters: Parameters, from: 'counted' | 'ranges' = 'counted'): string {
  const { sort, after } = page;
  const edge = edgeOf(page);
  const limit = `${parameters.add(page.limit)}::int`;
  const time = `${parameters.add(after?.introducedAt ?? edge.time)}::timestamptz`;
  const id = `${parameters.add(after?.id ?? edge.id)}::uuid`;
  if (sort !== 'severity') {
    return `states as (
      select c.*, ${time} as at, ${id} as after_id,
             least(${limit}, 3 + 2 * ${limit} * c.n::bigint / sum(c.n) over ())::int as rows
        from ${from} c)`;
  }
  const rank = `${parameters.add(after?.rank ?? noRank)}::int`;
  return `states as (
      select c.*, case when c.rank = ${rank} then ${time} else '${edge.time}' end as at,
             case when c.rank = ${rank} then ${id} else '${edge.id}' end as after_id,
             ${limit} as rows
        from (select r.*, coalesce(sum(r.n) filter (where r.rank < ${rank}) over (
                            order by r.rank desc groups between unbounded preceding and 1 preceding), 0) as sure
                from (select c.*, ${sqlSeverityRank('c.packed_state')} as rank from ${from} c) r) c
       where c.rank <= ${rank} and c.sure < ${limit})`;
}

/**
 * One range of the index for each packed state. By time, more rows are read of a packed state that gave all the rows
 * that were requested, if its last one is on the page.
 */
function rangeKeys(page: PageRequest, tenant: string, parameters: Parameters): string[] {
  const order = orderOf(page);
  const limit = `${parameters.add(page.limit)}::int`;
  const ordered = (from: string): string =>
    `keys as (select p.* from ${from} order by ${order('p')} limit ${limit})`;
  const range = rangeOf(page, { range: 's', rows: 's.rows' }, tenant, parameters);
  if (page.sort === 'severity') return [ordered(`states s cross join lateral (${range}) p`)];
  const start = { range: 'e', time: 'introduced_at', id: 'id', rows: limit };
  const back = page.sort === 'oldest' ? 'desc' : 'asc';
  return [
    `first as materialized (
      select p.*, s.rows from states s cross join lateral (${range}) p order by ${order('p')} limit ${limit})`,
    `exhausted as (
      select distinct on (f.packed_state) f.*
        from (select f.*, count(*) over (partition by f.packed_state) as given from first f) f
       where f.given = f.rows and f.rows < ${limit} order by f.packed_state, f.introduced_at ${back}, f.id ${back})`,
    ordered(`(select f.id, f.packed_state, f.introduced_at from first f
              union all select m.* from exhausted e cross join lateral (${rangeOf(page, start, tenant, parameters)}) m) p`),
  ];
}

/**
 * One range of the index for each packed state in each of several repositories or references. The page is in the ranges
 * whose first rows come first: as many of them as the page has rows.
 */
function keysOfSeveral(page: PageRequest, tenant: string, parameters: Parameters): string {
  const order = orderOf(page);
  const limit = parameters.add(page.limit);
  const scopeId = 'b.scope_id';
  const first = rangeOf(page, { range: 'b', rows: '1', scopeId }, tenant, parameters);
  const all = rangeOf(page, { range: 'b', rows: limit, scopeId }, tenant, parameters);
  return `select p.*, b.scope_id as reference_id from (
        select b.scope_id, b.at, b.after_id, p.* from states b cross join lateral (${first}) p
         order by ${order('p')} limit ${limit}) b
      cross join lateral (${all}) p
      order by ${order('p')} limit ${limit}`;
}

interface Range {
  /** The alias of the row with the packed state, and the key before the first row. */
  range: string;
  /** Columns of the key. */
  time?: string;
  id?: string;
  rows: string;
  scopeId?: string;
}

// The rows of one range after its start, in order.
function rangeOf(
  page: PageRequest,
  { range, time = 'at', id = 'after_id', rows, scopeId }: Range,
  tenant: string,
  parameters: Parameters,
): string {
  const source = sourceOf(page.scope, parameters, scopeId);
  const [direction, comparison] = page.sort === 'oldest' ? ['asc', '>'] : ['desc', '<'];
  return `
        select l.${source.id} as id, l.${source.state} as packed_state, l.introduced_at from ${source.table} l
         where l.tenant_id = ${tenant}${source.where ? ` and ${source.where}` : ''} and l.${source.state} = ${range}.packed_state
           and (l.introduced_at, l.${source.id}) ${comparison} (${range}.${time}, ${range}.${id})${sinceOf(page, source.id, parameters)}
         order by l.introduced_at ${direction}, l.${source.id} ${direction} limit ${rows}`;
}

/** The order of a list, of the columns of `alias`. */
export function orderOf({ sort }: PageRequest): (alias: string) => string {
  const direction = sort === 'oldest' ? 'asc' : 'desc';
  return (alias) =>
    `${sort === 'severity' ? `${sqlSeverityRank(`${alias}.packed_state`)} desc, ` : ''}${alias}.introduced_at ${direction}, ${alias}.id ${direction}`;
}

// The key before the first row of the page of a range.
function edgeOf({ sort, filter }: PageRequest): { time: string; id: VulnerabilityId } {
  if (sort !== 'oldest') return lastKey;
  return filter.introducedSince === null
    ? firstKey
    : { time: filter.introducedSince.toISOString(), id: nilId };
}

// In a descending order the range ends at `introduced_since`; in an ascending one it begins there.
function isCutOff({ sort, filter }: PageRequest): boolean {
  return filter.introducedSince !== null && sort !== 'oldest';
}

function sinceOf(page: PageRequest, id: string, parameters: Parameters): string {
  if (!isCutOff(page)) return '';
  const since = parameters.add(page.filter.introducedSince?.toISOString());
  return `
           and (l.introduced_at, l.${id}) >= (${since}::timestamptz, '${nilId}'::uuid)`;
}

// The rows of the whole workspace in the order of time.
function timeKeys(page: PageRequest, tenant: string, parameters: Parameters): string {
  const [direction, comparison] = page.sort === 'oldest' ? ['asc', '>'] : ['desc', '<'];
  const edge = edgeOf(page);
  const time = parameters.add(page.after?.introducedAt ?? edge.time);
  const id = parameters.add(page.after?.id ?? edge.id);
  const limit = parameters.add(page.limit);
  return `select l.id, l.packed_state, l.introduced_at from vulnerability l
      where l.tenant_id = ${tenant} and (l.introduced_at, l.id) ${comparison} (${time}::timestamptz, ${id}::uuid)${sinceOf(page, 'id', parameters)}
      order by l.introduced_at ${direction}, l.id ${direction} limit ${limit}`;
}

// The candidates, counted, and those of the page.
function candidateQueries(page: PageRequest, tenant: string, parameters: Parameters): PageQueries {
  const found = candidates(page.scope, page.filter, tenant, parameters);
  const { queries, from, where, id, state } = found;
  const reference = page.scope.kind === 'references' ? ', l.reference_id' : '';
  const order = orderOf(page);
  const keysOf = (rows: string): string =>
    `keys as (
        select p.* from ${rows} p where ${afterPosition(page, parameters)} order by ${order('p')} limit ${parameters.add(page.limit)})`;
  const rowsWhere = (condition: string): string =>
    `select l.${id} as id, l.${state} as packed_state, l.introduced_at${reference} from ${from}
         where ${[...where, condition].join(' and ')}`;
  const allowed = (column: string): string => allowedStates(page.filter, column, parameters);
  // The packed states that may be on the page have these ranks.
  const isShown = (column: string): string =>
    `${sqlSeverityRank(column)} between (select min(s.rank) from states s) and (select max(s.rank) from states s) and ${allowed(column)}`;
  // By severity, few of the rows may be on the page. The index that counts them has neither id nor time, so only these
  // few are read from the table.
  if (found.countedIn === 'words' && page.sort === 'severity') {
    const rows = rowsByKey('vulnerability l', 'w.search_key', {
      column: 'search_key',
      next: 'packed_state',
      // A plain condition would let the planner read all rows of the state instead.
      where: withoutIndex(`l.${state} = w.packed_state`),
    });
    return {
      queries: [
        ...queries,
        `found as materialized (
        select l.search_key, l.${state} as packed_state, count(*)::int as n from ${from} where ${where.join(' and ')} group by 1, 2)`,
        `counted as materialized (
        select c.* from ${separate('select f.packed_state, sum(f.n)::int as n from found f group by 1')} c where ${allowed('c.packed_state')})`,
        statesOf(page, parameters),
        keysOf(`(select l.id, l.${state} as packed_state, l.introduced_at
               from (select f.* from found f where ${isShown('f.packed_state')}) w
              cross join lateral ${rows})`),
      ],
      name: `words-${page.filter.terms.length}-${page.scope.kind}-${page.after === null ? 'first' : 'next'}`,
    };
  }
  // The index is read twice: to test and keep each of its rows would take longer.
  if (found.countedIn !== null && found.countedIn !== 'words') {
    const isBySeverity = page.sort === 'severity';
    // By time, the planner would otherwise read the whole workspace in this order.
    const rows = isBySeverity
      ? `(${rowsWhere(isShown(`l.${state}`))})`
      : separate(rowsWhere(allowed(`l.${state}`)));
    return {
      queries: [
        ...queries,
        `counted as materialized (
        select c.* from ${separate(countCandidates(found))} c where ${allowed('c.packed_state')})`,
        ...(isBySeverity ? [statesOf(page, parameters)] : []),
        keysOf(rows),
      ],
      name: `${found.countedIn}-${page.scope.kind}-${page.sort}-${page.after === null ? 'first' : 'next'}`,
    };
  }
  return {
    queries: [
      ...queries,
      `found as materialized (${rowsWhere(allowed(`l.${state}`))})`,
      'counted as materialized (select f.packed_state, count(*)::int as n from found f group by f.packed_state)',
      keysOf('found'),
    ],
  };
}

// The condition that a row p comes after the last row of the previous page.
function afterPosition({ after, sort }: PageRequest, parameters: Parameters): string {
  if (after === null) return 'true';
  const position = `${parameters.add(after.introducedAt)}::timestamptz, ${parameters.add(after.id)}::uuid`;
  return sort === 'severity'
    ? `(${sqlSeverityRank('p.packed_state')}, p.introduced_at, p.id) < (${parameters.add(after.rank)}::int, ${position})`
    : `(p.introduced_at, p.id) ${sort === 'oldest' ? '>' : '<'} (${position})`;
}

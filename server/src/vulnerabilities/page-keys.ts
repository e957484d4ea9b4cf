/** SQL of the keys of a page, in order: by ranges of an index, by time alone, or from candidates. */
import { separate } from '../db/planner-hints.ts';
import { nilId } from '../domain/ids.ts';
import { severityRank, sqlSeverityRank } from '../domain/packed-state.ts';
import { candidates } from './candidates.ts';
import type { ListFilter, Sort } from './filters.ts';
import { type Parameters, sourceOf } from './list-source.ts';
import type { PackedStateCount } from './schema.ts';
import { counterKeys, idsOf, type Scope } from './scope.ts';

/** The last row of the page before, by severity rank, time and id. */
export interface PagePosition {
  rank: number;
  introducedAt: Date;
  id: string;
}

export interface PageRequest {
  scope: Scope;
  /** The number of vulnerabilities in the scope, before the filter on traits. */
  size: number;
  filter: ListFilter;
  /** The non-empty packed states that the filters allow. */
  counts: PackedStateCount[];
  sort: Sort;
  after: PagePosition | null;
  limit: number;
}

export interface KeyQuery {
  sql: string;
  order: string;
  /** The name of a prepared statement, for a fixed text with one good plan. */
  name?: string;
}

// `lastKey` is before any row in a descending order, and `firstKey` is before any row in an ascending one.
const lastKey = { time: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
const firstKey = { time: '-infinity', id: nilId };

/** One range of the index for each packed state, with the number of rows to read of each. */
export function packedStateKeys(
  page: PageRequest,
  packedStates: number[],
  rowsOfPackedState: number[],
  tenant: string,
  parameters: Parameters,
): KeyQuery {
  const starts = startsOf(page, packedStates, parameters);
  const rows = parameters.add(rowsOfPackedState);
  const order = orderOf(page);
  return {
    sql: `select p.* from unnest(${starts}, ${rows}::bigint[]) b (packed_state, at, id, rows)
      cross join lateral (${rangeOf(page, 'b', 'b.rows', tenant, parameters)}) p
      order by ${order('p')} limit ${parameters.add(page.limit)}`,
    order: order('k'),
    name: `list-${page.scope.kind}-${page.sort}${isCutOff(page) ? '-since' : ''}`,
  };
}

/**
 * One range of the index for each packed state in each of several repositories or references. The page is in the ranges
 * whose first rows come first: as many of them as the page has rows.
 */
export function keysOfSeveral(
  page: PageRequest,
  packedStates: number[],
  tenant: string,
  parameters: Parameters,
): KeyQuery {
  const starts = startsOf(page, packedStates, parameters);
  const order = orderOf(page);
  const limit = parameters.add(page.limit);
  const ranges = rangesOf(page.scope, `unnest(${starts}) b (packed_state, at, after_id)`, tenant, parameters);
  return {
    sql: `select p.*, b.scope_id as reference_id from (
        select b.scope_id, b.at, b.after_id as id, p.packed_state from ${ranges}
         cross join lateral (${rangeOf(page, 'b', '1', tenant, parameters, 'after_id')}) p
         order by ${order('p')} limit ${limit}) b
      cross join lateral (${rangeOf(page, 'b', limit, tenant, parameters)}) p
      order by ${order('p')} limit ${limit}`,
    order: order('k'),
  };
}

/**
 * SQL of the ranges b. In a scope of several repositories or references, each of them has its own, with its id as
 * `scope_id`, where the counters know of a vulnerability.
 */
export function rangesOf(scope: Scope, packedStates: string, tenant: string, parameters: Parameters): string {
  if (idsOf(scope) === null) return packedStates;
  const { scope: counted, keys } = counterKeys(scope);
  return `${separate(`select b.*, c.key::uuid as scope_id from ${packedStates}
         join vulnerability_count c on c.tenant_id = ${tenant} and c.scope = ${parameters.add(counted)}
          and c.key = any(${parameters.add(keys)}::text[]) and c.packed_state = b.packed_state and c.count > 0`)} b`;
}

// The packed states, and the key before the first row of the page in each.
function startsOf(page: PageRequest, packedStates: number[], parameters: Parameters): string {
  const { after, sort } = page;
  const edge = edgeOf(page);
  const bounded = (packedState: number): boolean =>
    after !== null && (sort !== 'severity' || severityRank(packedState) === after.rank);
  const times = packedStates.map((b) => (bounded(b) ? after?.introducedAt.toISOString() : edge.time));
  const ids = packedStates.map((b) => (bounded(b) ? after?.id : edge.id));
  return `${parameters.add(packedStates)}::smallint[], ${parameters.add(times)}::timestamptz[], ${parameters.add(ids)}::uuid[]`;
}

// The rows of one range after its start, in order.
function rangeOf(
  page: PageRequest,
  range: string,
  limit: string,
  tenant: string,
  parameters: Parameters,
  afterId = 'id',
): string {
  const source = sourceOf(page.scope, parameters, `${range}.scope_id`);
  const ascending = page.sort === 'oldest';
  const direction = ascending ? 'asc' : 'desc';
  return `
        select l.${source.id} as id, l.packed_state, l.introduced_at from ${source.table} l
         where l.tenant_id = ${tenant}${source.where ? ` and ${source.where}` : ''} and l.packed_state = ${range}.packed_state
           and (l.introduced_at, l.${source.id}) ${ascending ? '>' : '<'} (${range}.at, ${range}.${afterId})${sinceOf(page, source.id, parameters)}
         order by l.introduced_at ${direction}, l.${source.id} ${direction} limit ${limit}`;
}

function orderOf({ sort }: PageRequest): (alias: string) => string {
  const direction = sort === 'oldest' ? 'asc' : 'desc';
  return (alias) =>
    `${sort === 'severity' ? `${sqlSeverityRank(`${alias}.packed_state`)} desc, ` : ''}${alias}.introduced_at ${direction}, ${alias}.id ${direction}`;
}

// The key before the first row of the page of a range.
function edgeOf({ sort, filter }: PageRequest): { time: string; id: string } {
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

/** The rows of the whole workspace in the order of time. */
export function timeKeys(page: PageRequest, tenant: string, parameters: Parameters): KeyQuery {
  const ascending = page.sort === 'oldest';
  const edge = edgeOf(page);
  const time = parameters.add(page.after?.introducedAt.toISOString() ?? edge.time);
  const id = parameters.add(page.after?.id ?? edge.id);
  const limit = parameters.add(page.limit);
  const direction = ascending ? 'asc' : 'desc';
  return {
    sql: `select l.id, l.packed_state, l.introduced_at from vulnerability l
      where l.tenant_id = ${tenant} and (l.introduced_at, l.id) ${ascending ? '>' : '<'} (${time}::timestamptz, ${id}::uuid)${sinceOf(page, 'id', parameters)}
      order by l.introduced_at ${direction}, l.id ${direction} limit ${limit}`,
    order: orderOf(page)('k'),
    name: `list-all-${page.sort}${isCutOff(page) ? '-since' : ''}`,
  };
}

/** The candidates of the page, sorted. */
export function candidateKeys(
  page: PageRequest,
  packedStates: number[],
  tenant: string,
  parameters: Parameters,
): KeyQuery {
  const { head, from, where, id } = candidates(page.scope, page.filter, tenant, parameters);
  const order = orderOf(page);
  where.push(`l.packed_state = any(${parameters.add(packedStates)}::smallint[])`);
  const { after } = page;
  if (after) {
    const key = `${parameters.add(after.introducedAt.toISOString())}::timestamptz, ${parameters.add(after.id)}::uuid`;
    where.push(
      page.sort === 'severity'
        ? `(${sqlSeverityRank('l.packed_state')}, l.introduced_at, l.${id}) < (${parameters.add(after.rank)}::int, ${key})`
        : `(l.introduced_at, l.${id}) ${page.sort === 'oldest' ? '>' : '<'} (${key})`,
    );
  }
  const reference = page.scope.kind === 'references' ? ', l.reference_id' : '';
  return {
    sql: `${head}
      select p.* from (
        select l.${id} as id, l.packed_state, l.introduced_at${reference} from ${from} where ${where.join(' and ')}) p
      order by ${order('p')} limit ${parameters.add(page.limit)}`,
    order: order('k'),
  };
}

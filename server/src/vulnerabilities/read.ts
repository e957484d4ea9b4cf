/**
 * The list of vulnerabilities: a page of it, with the numbers of the whole list by packed state, in one statement whatever
 * the filters. The statement counts first, which is the summary and says which ranges of an index hold the page; then it
 * reads the keys of the page (`page-keys.ts`) and joins only its rows.
 *
 * With `introduced_since` the ranges begin there, and what they hold is counted in the index, by statements before.
 */

import type { ReadTx, Tx } from '../db/database.ts';
import { setPlanner } from '../db/planner-hints.ts';
import { nilId } from '../domain/ids.ts';
import { unpackState } from '../domain/packed-state.ts';
import { candidates, hasCandidates } from './candidates.ts';
import { allows, type ListFilter } from './filters.ts';
import { Parameters, sourceOf, withClause } from './list-source.ts';
import { countersOf, orderOf, type PageRequest, pageParts, rangesOf } from './page-keys.ts';
import type { PackedStateCount, VulnerabilityRow } from './schema.ts';
import { idsOf, type Scope } from './scope.ts';

/**
 * Returns the non-empty packed states of the scope, before the filter on traits. What `isWanted` excludes may be left
 * out, or counted without `introduced_since`.
 */
export async function countPackedStates(
  tx: Tx,
  scope: Scope,
  filter: ListFilter,
  isWanted: (packedState: number) => boolean = () => true,
): Promise<PackedStateCount[]> {
  if (hasCandidates(filter)) {
    const parameters = new Parameters();
    const { queries, from, where, state } = candidates(
      scope,
      filter,
      parameters.add(tx.tenantId),
      parameters,
    );
    return tx.query<PackedStateCount>(
      `${withClause(queries)} select l.${state} as packed_state, count(*)::int as n from ${from} where ${where.join(' and ')} group by l.${state}`,
      parameters.values,
    );
  }
  const counts = await readCounters(tx, scope);
  const { introducedSince: since } = filter;
  if (since === null) return counts;
  const wanted = counts.filter((count) => isWanted(count.packed_state));
  return countSince(tx, scope, since, wanted);
}

async function readCounters(tx: Tx, scope: Scope): Promise<PackedStateCount[]> {
  const parameters = new Parameters();
  const counters = countersOf(scope, 'true', parameters.add(tx.tenantId), parameters);
  return tx.query(counters, parameters.values, idsOf(scope) === null ? 'count-packedStates' : undefined);
}

/**
 * Counts what the packed states hold since a time, in the ranges of the index. Where most is newer, what is older is
 * counted and subtracted.
 */
async function countSince(
  tx: Tx,
  scope: Scope,
  since: Date,
  counts: PackedStateCount[],
): Promise<PackedStateCount[]> {
  if (counts.length === 0) return [];
  const isOlderCounted = await isMostSince(tx, since);
  const parameters = new Parameters();
  const tenant = parameters.add(tx.tenantId);
  const packedStates = parameters.add(counts.map((count) => count.packed_state));
  const ranges = rangesOf(scope, `unnest(${packedStates}::smallint[]) b (packed_state)`, tenant, parameters);
  const source = sourceOf(scope, parameters, 'b.scope_id');
  const start = `${parameters.add(since.toISOString())}::timestamptz, '${nilId}'::uuid`;
  const counted = await tx.query<PackedStateCount>(
    `select b.packed_state, sum(c.n)::int as n from ${ranges}
      cross join lateral (
        select count(*) as n from ${source.table} l
         where l.tenant_id = ${tenant}${source.where ? ` and ${source.where}` : ''} and l.${source.state} = b.packed_state
           and (l.introduced_at, l.${source.id}) ${isOlderCounted ? '<' : '>='} (${start})) c
      group by b.packed_state`,
    parameters.values,
  );
  const numbers = new Map(counted.map(({ packed_state: packedState, n }) => [packedState, n]));
  return counts.flatMap(({ packed_state: packedState, n }) => {
    const found = numbers.get(packedState) ?? 0;
    const left = isOlderCounted ? n - found : found;
    return left > 0 ? [{ packed_state: packedState, n: left }] : [];
  });
}

/** An estimate from the numbers of days in the whole workspace. Days before they were kept count as older. */
async function isMostSince(tx: Tx, since: Date): Promise<boolean> {
  const [row] = await tx.query<{ most: boolean }>(
    `select 2 * (select coalesce(sum(introduced), 0) from vulnerability_day
                  where tenant_id = $1 and scope = 'workspace' and key = '' and day >= $2::date)
          > (select coalesce(sum(count), 0) from vulnerability_count
              where tenant_id = $1 and scope = 'workspace' and key = '') as most`,
    [tx.tenantId, since.toISOString().slice(0, 10)],
  );
  return row?.most ?? false;
}

/** The place of a vulnerability in a list. */
export interface ListKey {
  id: string;
  packed_state: number;
  introduced_at: string;
}

export interface Page<Row> {
  /** The numbers of the whole list. */
  counts: PackedStateCount[];
  /** The rows after the position, in order. The caller asks for one row more than a page, to know whether there is another. */
  rows: Row[];
}

/** Reads a page with what the list shows of each vulnerability. */
export async function readRows(tx: ReadTx, page: PageRequest): Promise<Page<VulnerabilityRow>> {
  return readPage(tx, page, 'rows', rowColumns, ({ scope }, tenant, parameters) => {
    return `join vulnerability v on v.tenant_id = ${tenant} and v.id = k.id
       join repository r on r.tenant_id = ${tenant} and r.id = v.repository_id
       ${locationOf(scope, tenant, parameters)}`;
  });
}

/** Reads the keys of a page alone, so that a page of many costs no joins. */
export async function readKeys(tx: ReadTx, page: PageRequest): Promise<Page<ListKey>> {
  return readPage(tx, page, 'keys', keyColumns, () => '');
}

/** SQL of each value of a row. */
type Columns<Row> = { [Name in keyof Row & string]: string };

const keyColumns: Columns<ListKey> = {
  id: 'k.id',
  packed_state: 'k.packed_state',
  introduced_at: 'k.introduced_at',
};

const rowColumns: Columns<VulnerabilityRow> = {
  ...keyColumns,
  title: 'v.title',
  resolution: 'v.resolution',
  vulnerable_at: 'v.vulnerable_at',
  exploitable_at: 'v.exploitable_at',
  repository_id: 'v.repository_id',
  repository_name: 'r.name',
  repository_full_name: 'r.full_name',
  location_id: 'l.id',
  path: 'l.path',
  line: 'l.line',
  location_vulnerable_at: 'l.vulnerable_at',
  location_fixed_at: 'l.fixed_at',
  suppressed: 'l.suppressed',
  reference_id: 'f.id',
  full_ref: 'f.full_ref',
  reference_sha: 'f.head_sha',
  reference_type: 'f.type',
  reference_active: 'f.active',
};

/** `join` is SQL of what the columns need beside the keys k. */
async function readPage<Row>(
  tx: ReadTx,
  page: PageRequest,
  what: 'rows' | 'keys',
  columns: Columns<Row>,
  join: (page: PageRequest, tenant: string, parameters: Parameters) => string,
): Promise<Page<Row>> {
  const names = Object.keys(columns) as (keyof Row & string)[];
  const counts = await countedBefore(tx, page);
  const parameters = new Parameters();
  const tenant = parameters.add(tx.tenantId);
  const { queries, name } = pageParts(page, counts, tenant, parameters);
  // Planned once, a list by ranges takes half as long. PostgreSQL keeps the plan while tables grow, so it must be the one
  // that reads by index and joins by key, whatever the tables hold at first.
  const planned = setPlanner(tx, name === undefined ? plannedEachTime : plannedOnce);
  // One text of JSON costs this process a fraction of what as many values in columns would.
  const { query } = page.isLast ? tx.ending : tx;
  const answered = query<{ states: number[] | null; numbers: number[] | null; rows: unknown[][] | null }>(
    `${withClause(queries)}
     select s.*,
            (select json_agg(json_build_array(${names.map((column) => columns[column]).join(', ')}) order by ${orderOf(page)('k')})
               from keys k ${join(page, tenant, parameters)}) as rows
       from (select json_agg(c.packed_state) as states, json_agg(c.n) as numbers from counted c) s`,
    parameters.values,
    name && `list-${what}-${name}`,
  );
  const [[answer]] = await Promise.all([answered, planned]);
  return {
    counts: (answer?.states ?? []).map((packed_state, i) => ({ packed_state, n: answer?.numbers?.[i] ?? 0 })),
    rows: (answer?.rows ?? []).map(
      (row) => Object.fromEntries(names.map((column, i) => [column, row[i]])) as Row,
    ),
  };
}

// Candidates are found by three joined tables at most, whose order is the planner's. It takes as long to order the six of
// a page as many a list to read.
const plannedEachTime = { join_collapse_limit: '3' } as const;

const plannedOnce = {
  plan_cache_mode: 'force_generic_plan',
  enable_sort: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
} as const;

// What was introduced since a time is in no counter.
async function countedBefore(tx: Tx, { scope, filter }: PageRequest): Promise<PackedStateCount[] | null> {
  if (filter.introducedSince === null || hasCandidates(filter)) return null;
  const isAllowed = (packedState: number): boolean => allows(filter, unpackState(packedState));
  const counts = await countPackedStates(tx, scope, filter, isAllowed);
  return counts.filter((count) => isAllowed(count.packed_state));
}

// Joins the location that is shown (l) and its reference (f). The list indexes of references do not contain the
// location, so that they stay narrow; it is looked up only for the rows of the page.
function locationOf(scope: Scope, tenant: string, parameters: Parameters): string {
  const reference = referenceOf(scope, parameters);
  if (reference === null) {
    return `join vulnerability_location l on l.tenant_id = ${tenant} and l.id = v.primary_location_id
       join reference f on f.tenant_id = ${tenant} and f.id = l.reference_id`;
  }
  return `join reference f on f.tenant_id = ${tenant} and ${reference}
       join vulnerability_reference p on p.tenant_id = ${tenant} and p.vulnerability_id = k.id and p.reference_id = f.id
       join vulnerability_location l on l.tenant_id = ${tenant} and l.id = p.location_id`;
}

// Returns the condition for the reference of a row; null for the vulnerability's own.
function referenceOf(scope: Scope, parameters: Parameters): string | null {
  switch (scope.kind) {
    case 'reference':
      return `f.id = ${parameters.add(scope.referenceId)}`;
    case 'references':
      return 'f.id = k.reference_id';
    case 'ref-name':
      return `f.repository_id = v.repository_id and f.full_ref = ${parameters.add(scope.fullRef)}`;
    case 'default-branches':
      return 'f.id = r.default_reference_id';
    default:
      return null;
  }
}

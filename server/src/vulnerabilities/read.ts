/**
 * The list of vulnerabilities reads the counters first, and then the page. All combinations of filters take the same
 * way.
 *
 * 1. `countPackedStates` returns the non-empty packed states at the narrowest scope, and the filters then reduce them.
 *    They are the summary, and they say which ranges of the index hold the page.
 * 2. `listPage` reads one range of the index per packed state, merges the ranges, cuts the page, and joins only its
 *    rows. A scope of several repositories or references has a range for each of them and packed state.
 *
 * With `introduced_since` the ranges begin there, and what they hold is counted in the index. The filters of
 * `candidates.ts` start from their own index. Their results, and those of `introduced_since`, are counted, so the cost
 * grows with their number.
 */

import type { Tx } from '../db/database.ts';
import { setPlanner } from '../db/planner-hints.ts';
import { nilId } from '../domain/ids.ts';
import { severityRank } from '../domain/packed-state.ts';
import { candidates, hasCandidates } from './candidates.ts';
import type { ListFilter } from './filters.ts';
import { Parameters, sourceOf } from './list-source.ts';
import {
  candidateKeys,
  type KeyQuery,
  keysOfSeveral,
  type PageRequest,
  packedStateKeys,
  rangesOf,
  timeKeys,
} from './page-keys.ts';
import type { PackedStateCount, VulnerabilityRow } from './schema.ts';
import { counterKeys, idsOf, type Scope } from './scope.ts';

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
    const { head, from, where } = candidates(scope, filter, parameters.add(tx.tenantId), parameters);
    return tx.query<PackedStateCount>(
      `${head} select l.packed_state, count(*)::int as n from ${from} where ${where.join(' and ')} group by l.packed_state`,
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
  const { scope: counted, keys } = counterKeys(scope);
  if (idsOf(scope) === null) {
    return tx.query<PackedStateCount>(
      `select packed_state, count as n from vulnerability_count where tenant_id = $1 and scope = $2 and key = $3 and count > 0`,
      [tx.tenantId, counted, keys[0]],
      'count-packedStates',
    );
  }
  return tx.query<PackedStateCount>(
    `select packed_state, sum(count)::int as n from vulnerability_count
      where tenant_id = $1 and scope = $2 and key = any($3::text[]) and count > 0 group by packed_state`,
    [tx.tenantId, counted, keys],
  );
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
         where l.tenant_id = ${tenant}${source.where ? ` and ${source.where}` : ''} and l.packed_state = b.packed_state
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

/**
 * Returns the rows after the position, in order. The caller asks for one row more than a page, to know whether there is
 * another page.
 */
export async function listPage(tx: Tx, page: PageRequest): Promise<VulnerabilityRow[]> {
  return readInOrder(page, (keysOf) => queryPage(tx, page, keysOf));
}

/** The place of a vulnerability in a list. */
export interface ListKey {
  id: string;
  packed_state: number;
  introduced_at: Date;
}

/** As `listPage`, but the keys alone, so that a page of many costs no joins. */
export async function listKeys(tx: Tx, page: PageRequest): Promise<ListKey[]> {
  return readInOrder(page, (keysOf) => queryKeys(tx, keysOf));
}

type KeysOf = (tenant: string, parameters: Parameters) => KeyQuery;

async function readInOrder<Row extends ListKey>(
  page: PageRequest,
  query: (keysOf: KeysOf) => Promise<Row[]>,
): Promise<Row[]> {
  const packedStates = packedStatesOfPage(page);
  if (packedStates.length === 0) return [];
  if (hasCandidates(page.filter)) {
    return query((tenant, parameters) => candidateKeys(page, packedStates, tenant, parameters));
  }
  if (page.filter.tests.size === 0 && page.scope.kind === 'tenant' && page.sort !== 'severity') {
    return query((tenant, parameters) => timeKeys(page, tenant, parameters));
  }
  if (idsOf(page.scope) !== null) {
    return query((tenant, parameters) => keysOfSeveral(page, packedStates, tenant, parameters));
  }
  const ask = (rowsOfPackedState: number[]): Promise<Row[]> =>
    query((tenant, parameters) => packedStateKeys(page, packedStates, rowsOfPackedState, tenant, parameters));
  const all = packedStates.map(() => page.limit);
  if (page.sort === 'severity') return ask(all);
  const share = sharesOfPage(page, packedStates);
  const rows = await ask(share);
  return isExhausted(rows, packedStates, share, page.limit) ? ask(all) : rows;
}

// A list by ranges has one good plan for all values, and planning takes as long as running. From this size on
// PostgreSQL finds that plan even in tables without statistics (measured: at 1,000 rows it does not yet), so the
// connection can keep it. Smaller lists are planned each time: a plan from nearly empty tables would stay in use after
// a large import, until the next ANALYZE.
const plannedOnceFrom = 3_000;

async function queryKeys(tx: Tx, keysOf: KeysOf): Promise<ListKey[]> {
  const parameters = new Parameters();
  const keys = keysOf(parameters.add(tx.tenantId), parameters);
  return tx.query<ListKey>(
    `select k.id, k.packed_state, k.introduced_at from (${keys.sql}) k order by ${keys.order}`,
    parameters.values,
  );
}

async function queryPage(tx: Tx, page: PageRequest, keysOf: KeysOf): Promise<VulnerabilityRow[]> {
  const parameters = new Parameters();
  const tenant = parameters.add(tx.tenantId);
  const keys = keysOf(tenant, parameters);
  const location = locationOf(page.scope, tenant, parameters);
  const isPlannedOnce = keys.name !== undefined && page.size >= plannedOnceFrom;
  // It is sent together with the statement that follows, in one round trip.
  const planned = isPlannedOnce ? setPlanner(tx, 'plan_cache_mode', 'force_generic_plan') : undefined;
  // The ranges are chosen already, so this statement joins at most a page of rows by key.
  const rows = tx.query<VulnerabilityRow>(
    `select v.id, v.title, k.packed_state, v.resolution, v.introduced_at, v.vulnerable_at, v.exploitable_at,
            v.repository_id, r.name as repository_name, r.full_name as repository_full_name,
            l.id as location_id, l.path, l.line, l.vulnerable_at as location_vulnerable_at,
            l.fixed_at as location_fixed_at, l.suppressed,
            f.id as reference_id, f.full_ref, f.head_sha as reference_sha, f.type as reference_type,
            f.active as reference_active
       from (${keys.sql}) k
       join vulnerability v on v.tenant_id = ${tenant} and v.id = k.id
       join repository r on r.tenant_id = ${tenant} and r.id = v.repository_id
       ${location}
      order by ${keys.order}`,
    parameters.values,
    isPlannedOnce ? keys.name : undefined,
  );
  return (await Promise.all([rows, planned]))[0];
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

// If the page is sorted by severity, it needs the ranks from the cursor's down to the one where enough rows are
// certain. The cursor's own rank may be used up, so its rows are not counted.
function packedStatesOfPage({ counts, sort, after, limit }: PageRequest): number[] {
  if (sort !== 'severity') return counts.map((count) => count.packed_state);
  const ranks = [...new Set(counts.map((count) => severityRank(count.packed_state)))].sort((a, b) => b - a);
  const chosen = new Set<number>();
  let sure = 0;
  for (const rank of ranks) {
    if (after && rank > after.rank) continue;
    if (sure >= limit) break;
    chosen.add(rank);
    if (after && rank === after.rank) continue;
    for (const count of counts) if (severityRank(count.packed_state) === rank) sure += count.n;
  }
  return counts
    .map((count) => count.packed_state)
    .filter((packedState) => chosen.has(severityRank(packedState)));
}

// If the page is sorted by time, all packed states share it, and most give only a few rows. Each packed state is first
// asked for three times its share by number plus eight rows, because one search of the index costs about as much as
// eight rows.
function sharesOfPage({ counts, limit }: PageRequest, packedStates: number[]): number[] {
  const numbers = new Map(counts.map(({ packed_state: packedState, n }) => [packedState, n]));
  const total = counts.reduce((sum, { n }) => sum + n, 0);
  return packedStates.map((packedState) =>
    Math.min(limit, 8 + Math.ceil((3 * limit * (numbers.get(packedState) ?? 0)) / total)),
  );
}

// A packed state may have had more rows for the page if it gave all rows it was asked for and all of them are in the
// page.
function isExhausted(
  rows: ListKey[],
  packedStates: number[],
  rowsOfPackedState: number[],
  limit: number,
): boolean {
  const given = new Map<number, number>();
  for (const { packed_state: packedState } of rows) given.set(packedState, (given.get(packedState) ?? 0) + 1);
  return packedStates.some((packedState, i) => {
    const asked = rowsOfPackedState[i] ?? limit;
    return asked < limit && (given.get(packedState) ?? 0) >= asked;
  });
}

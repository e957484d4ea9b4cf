/**
 * The list of vulnerabilities reads the counters first, and then the page. All combinations of filters take the same
 * way.
 *
 * 1. `countPackedStates` returns the non-empty packed states at the narrowest scope, and the filters then reduce them.
 *    They are the summary, and they say which ranges of the index hold the page.
 * 2. `listPage` reads one range of the index per packed state, merges the ranges, cuts the page, and joins only its
 *    rows.
 *
 * The filters for assignee, commit, terms and exploitable start from their own index (a set of candidates). Their
 * results are counted and sorted, so the cost grows with the number of results.
 */

import type { Tx } from '../db/database.ts';
import { setPlanner } from '../db/planner-hints.ts';
import { nilId } from '../domain/ids.ts';
import { severityRank, sqlSeverityRank } from '../domain/packed-state.ts';
import type { ListFilter, Sort } from './filters.ts';
import { counterKey, type Scope } from './filters.ts';
import type { PackedStateCount, VulnerabilityRow } from './schema.ts';
import { advisoryOf, prefixEnd } from './search-terms.ts';

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

/** Collects the parameters of a statement that is built in parts. */
class Parameters {
  readonly values: unknown[] = [];

  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

function hasCandidates(filter: ListFilter): boolean {
  const { assigneeId, exploitable, sha, terms } = filter;
  return assigneeId !== null || exploitable || sha !== null || terms.length > 0;
}

/** Returns the non-empty packed states of the scope, before the filter on traits. */
export async function countPackedStates(
  tx: Tx,
  scope: Scope,
  filter: ListFilter,
): Promise<PackedStateCount[]> {
  if (hasCandidates(filter)) {
    const parameters = new Parameters();
    const { head, from, where } = candidates(scope, filter, parameters.add(tx.tenantId), parameters);
    return tx.query<PackedStateCount>(
      `${head} select l.packed_state, count(*)::int as n from ${from} where ${where.join(' and ')} group by l.packed_state`,
      parameters.values,
    );
  }
  const { scope: counted, key } = counterKey(scope);
  return tx.query<PackedStateCount>(
    `select packed_state, count as n from vulnerability_count where tenant_id = $1 and scope = $2 and key = $3 and count > 0`,
    [tx.tenantId, counted, key],
    'count-packedStates',
  );
}

/**
 * Returns the rows after the position, in order. The caller asks for one row more than a page, to know whether there is
 * another page.
 */
export async function listPage(tx: Tx, page: PageRequest): Promise<VulnerabilityRow[]> {
  const packedStates = packedStatesOfPage(page);
  if (packedStates.length === 0) return [];
  if (hasCandidates(page.filter)) {
    return queryPage(tx, page, (tenant, parameters) => candidateKeys(page, packedStates, tenant, parameters));
  }
  if (page.filter.tests.size === 0 && page.scope.kind === 'tenant' && page.sort !== 'severity') {
    return queryPage(tx, page, (tenant, parameters) => timeKeys(page, tenant, parameters));
  }
  const ask = (rowsOfPackedState: number[]): Promise<VulnerabilityRow[]> =>
    queryPage(tx, page, (tenant, parameters) =>
      packedStateKeys(page, packedStates, rowsOfPackedState, tenant, parameters),
    );
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

async function queryPage(
  tx: Tx,
  page: PageRequest,
  keysOf: (tenant: string, parameters: Parameters) => KeyQuery,
): Promise<VulnerabilityRow[]> {
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

interface KeyQuery {
  sql: string;
  order: string;
  /** The name of a prepared statement, for a fixed text with one good plan. */
  name?: string;
}

interface ListSource {
  table: string;
  /** Column with the vulnerability's id. */
  id: string;
  /** The condition of the scope; empty for the whole workspace. */
  where: string;
}

function sourceOf(scope: Scope, parameters: Parameters): ListSource {
  const onReference = { table: 'vulnerability_reference', id: 'vulnerability_id' };
  switch (scope.kind) {
    case 'tenant':
      return { table: 'vulnerability', id: 'id', where: '' };
    case 'repository':
      return {
        table: 'vulnerability',
        id: 'id',
        where: `l.repository_id = ${parameters.add(scope.repositoryId)}`,
      };
    case 'reference':
      return { ...onReference, where: `l.reference_id = ${parameters.add(scope.referenceId)}` };
    case 'ref-name':
      return { ...onReference, where: `l.full_ref = ${parameters.add(scope.fullRef)}` };
    case 'default-branches':
      return { ...onReference, where: 'l.on_default' };
  }
}

// Joins the location that is shown (l) and its reference (f). The list indexes of references do not contain the
// location, so that they stay narrow; it is looked up only for the rows of the page.
function locationOf(scope: Scope, tenant: string, parameters: Parameters): string {
  if (scope.kind === 'tenant' || scope.kind === 'repository') {
    return `join vulnerability_location l on l.tenant_id = ${tenant} and l.id = v.primary_location_id
       join reference f on f.tenant_id = ${tenant} and f.id = l.reference_id`;
  }
  const reference = {
    reference: () => `f.id = ${parameters.add(scope.kind === 'reference' ? scope.referenceId : null)}`,
    'ref-name': () =>
      `f.repository_id = v.repository_id and f.full_ref = ${parameters.add(scope.kind === 'ref-name' ? scope.fullRef : null)}`,
    'default-branches': () => 'f.id = r.default_reference_id',
  }[scope.kind]();
  return `join reference f on f.tenant_id = ${tenant} and ${reference}
       join vulnerability_reference p on p.tenant_id = ${tenant} and p.vulnerability_id = k.id and p.reference_id = f.id
       join vulnerability_location l on l.tenant_id = ${tenant} and l.id = p.location_id`;
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

// `lastKey` is before any row in a descending order, and `firstKey` is before any row in an ascending one.
const lastKey = { time: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
const firstKey = { time: '-infinity', id: nilId };

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
  rows: VulnerabilityRow[],
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

function packedStateKeys(
  page: PageRequest,
  packedStates: number[],
  rowsOfPackedState: number[],
  tenant: string,
  parameters: Parameters,
): KeyQuery {
  const source = sourceOf(page.scope, parameters);
  const ascending = page.sort === 'oldest';
  const edge = ascending ? firstKey : lastKey;
  const { after } = page;
  const bounded = (packedState: number): boolean =>
    after !== null && (page.sort !== 'severity' || severityRank(packedState) === after.rank);
  const packedStateList = parameters.add(packedStates);
  const times = parameters.add(
    packedStates.map((b) => (bounded(b) ? after?.introducedAt.toISOString() : edge.time)),
  );
  const ids = parameters.add(packedStates.map((b) => (bounded(b) ? after?.id : edge.id)));
  const rows = parameters.add(rowsOfPackedState);
  const direction = ascending ? 'asc' : 'desc';
  const order = (alias: string, id: string): string =>
    `${page.sort === 'severity' ? `${sqlSeverityRank(`${alias}.packed_state`)} desc, ` : ''}${alias}.introduced_at ${direction}, ${alias}.${id} ${direction}`;
  return {
    sql: `select p.* from unnest(${packedStateList}::smallint[], ${times}::timestamptz[], ${ids}::uuid[], ${rows}::bigint[]) b (packed_state, at, id, rows)
      cross join lateral (
        select l.${source.id} as id, l.packed_state, l.introduced_at from ${source.table} l
         where l.tenant_id = ${tenant}${source.where ? ` and ${source.where}` : ''} and l.packed_state = b.packed_state
           and (l.introduced_at, l.${source.id}) ${ascending ? '>' : '<'} (b.at, b.id)
         order by l.introduced_at ${direction}, l.${source.id} ${direction} limit b.rows) p
      order by ${order('p', 'id')} limit ${parameters.add(page.limit)}`,
    order: order('k', 'id'),
    name: `list-${page.scope.kind}-${page.sort}`,
  };
}

function timeKeys(page: PageRequest, tenant: string, parameters: Parameters): KeyQuery {
  const ascending = page.sort === 'oldest';
  const edge = ascending ? firstKey : lastKey;
  const time = parameters.add(page.after?.introducedAt.toISOString() ?? edge.time);
  const id = parameters.add(page.after?.id ?? edge.id);
  const limit = parameters.add(page.limit);
  const direction = ascending ? 'asc' : 'desc';
  return {
    sql: `select l.id, l.packed_state, l.introduced_at from vulnerability l
      where l.tenant_id = ${tenant} and (l.introduced_at, l.id) ${ascending ? '>' : '<'} (${time}::timestamptz, ${id}::uuid)
      order by l.introduced_at ${direction}, l.id ${direction} limit ${limit}`,
    order: `k.introduced_at ${direction}, k.id ${direction}`,
    name: `list-all-${page.sort}`,
  };
}

function candidateKeys(
  page: PageRequest,
  packedStates: number[],
  tenant: string,
  parameters: Parameters,
): KeyQuery {
  const { head, from, where, id } = candidates(page.scope, page.filter, tenant, parameters);
  const direction = page.sort === 'oldest' ? 'asc' : 'desc';
  const order = (alias: string): string =>
    `${page.sort === 'severity' ? `${sqlSeverityRank(`${alias}.packed_state`)} desc, ` : ''}${alias}.introduced_at ${direction}, ${alias}.id ${direction}`;
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
  return {
    sql: `${head}
      select p.* from (
        select l.${id} as id, l.packed_state, l.introduced_at from ${from} where ${where.join(' and ')}) p
      order by ${order('p')} limit ${parameters.add(page.limit)}`,
    order: order('k'),
  };
}

interface Candidates {
  /** The WITH clause, if the rows of the list (l) depend on others. */
  head: string;
  from: string;
  where: string[];
  /** Column of l with the vulnerability's id. */
  id: string;
}

// Selects the rows of the scope whose vulnerability matches all of assignee, exploitable, commit and terms. These are
// conditions on the vulnerability's own row, so an index that contains these columns is all that is read.
function candidates(scope: Scope, filter: ListFilter, tenant: string, parameters: Parameters): Candidates {
  const source = sourceOf(scope, parameters);
  const own = [`l.tenant_id = ${tenant}`];
  if (filter.assigneeId !== null) own.push(`l.assignee_id = ${parameters.add(filter.assigneeId)}`);
  if (filter.exploitable) own.push('l.exploitable_at is not null');
  if (filter.sha !== null) own.push(`l.id in (${seenAt(filter.sha, tenant, parameters)})`);
  own.push(...bearing(filter.terms, tenant, parameters));
  const within = source.where ? [source.where] : [];
  if (source.table === 'vulnerability') {
    return { head: '', from: 'vulnerability l', where: [...own, ...within], id: source.id };
  }
  return {
    head: `with candidate as materialized (select l.id from vulnerability l where ${own.join(' and ')})`,
    from: `candidate c join ${source.table} l on l.tenant_id = ${tenant} and l.${source.id} = c.id`,
    where: within,
    id: source.id,
  };
}

// Returns conditions for the search terms: each is in the title or the package's name, or is the id of the advisory under any
// of its names.
function bearing(terms: string[], tenant: string, parameters: Parameters): string[] {
  const conditions: string[] = [];
  const titled: string[] = [];
  for (const term of terms) {
    const from = `select search_key from search_term where tenant_id = ${tenant} and`;
    const own = parameters.add(term);
    const advisory = advisoryOf(term);
    if (advisory === null)
      titled.push(`${from} term >= ${own} and term < ${parameters.add(prefixEnd(term))}`);
    else {
      const name = parameters.add(advisory);
      const of = `select id from vulnerability where tenant_id = ${tenant} and`;
      conditions.push(`l.id in (${of} search_key in (${from} term = ${own}) union all ${of} advisory = ${name}
        union all ${of} advisory in (select advisory collate "default" from advisory_alias
          where tenant_id = ${tenant} and alias = ${name} and state = 'joins'))`);
    }
  }
  if (titled.length > 0) conditions.push(`l.search_key in (${titled.join(' intersect ')})`);
  return conditions;
}

// Selects the vulnerabilities that completed scans of the commit saw. Open and ended observations have an index each;
// one condition for both would search the whole table.
function seenAt(sha: string, tenant: string, parameters: Parameters): string {
  const from = parameters.add(sha);
  const to = parameters.add(`${sha}g`);
  const observations = ['g.until_seq is null', 'g.until_seq > t.seq'].map(
    (until) => `select g.vulnerability_id from scan s
       join series_scan t on t.tenant_id = ${tenant} and t.scan_id = s.id
       join location_observation g on g.tenant_id = ${tenant} and g.series_id = t.series_id and g.detached = t.detached
        and g.since_seq <= t.seq and ${until}
      where s.tenant_id = ${tenant} and s.status = 'completed' and s.sha >= ${from} and s.sha < ${to}`,
  );
  return observations.join(' union all ');
}

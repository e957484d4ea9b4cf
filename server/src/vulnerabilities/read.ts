/**
 * The list of vulnerabilities: counters first, then the page. One shape for every combination of filters.
 *
 * 1. `countBuckets`: the non-empty buckets at the narrowest scope, which the filters then thin out. They are the
 *    summary, and they say which ranges of the index hold the page.
 * 2. `listPage`: a range of the index per bucket, merged, cut, and only those rows joined.
 *
 * An assignee, a commit, words or what is exploitable start from their own index (a set of candidates); what they find
 * is counted and sorted, so they cost what they find.
 */

import type { Tx } from '../db/database.ts';
import { counterScopes } from '../domain/change-set.ts';
import { nilId } from '../domain/ids.ts';
import { severityRank } from '../domain/packed-state.ts';
import type { ListFilter, Scope, Sort } from './filters.ts';
import type { BucketCount, VulnerabilityRow } from './schema.ts';
import { advisoryOf, prefixEnd } from './search-words.ts';

/** The last row of the page before: rank of its severity, time, id. */
export interface PagePosition {
  rank: number;
  introducedAt: Date;
  id: string;
}

export interface PageRequest {
  scope: Scope;
  /** Vulnerabilities in the scope, allowed or not. */
  size: number;
  filter: ListFilter;
  /** Non-empty buckets that the filters allow. */
  counts: BucketCount[];
  sort: Sort;
  after: PagePosition | null;
  limit: number;
}

/** Collects parameters of a statement that is put together. */
class Parameters {
  readonly values: unknown[] = [];

  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

function hasCandidates(filter: ListFilter): boolean {
  const { assigneeId, exploitable, sha, words } = filter;
  return assigneeId !== null || exploitable || sha !== null || words.length > 0;
}

/** Non-empty buckets of the scope, before the traits of the filter are looked at. */
export async function countBuckets(
  tx: Tx,
  tenantId: string,
  scope: Scope,
  filter: ListFilter,
): Promise<BucketCount[]> {
  if (hasCandidates(filter)) {
    const parameters = new Parameters();
    const { head, from, where } = candidates(scope, filter, parameters.add(tenantId), parameters);
    return tx.query<BucketCount>(
      `${head} select l.bucket, count(*)::int as n from ${from} where ${where.join(' and ')} group by l.bucket`,
      parameters.values,
    );
  }
  const { number, key } = counterKey(scope);
  return tx.query<BucketCount>(
    `select bucket, n from vulnerability_count where tenant_id = $1 and scope = $2 and key = $3 and n > 0`,
    [tenantId, number, key],
    'count-buckets',
  );
}

/** The first of these full names under which anything is counted; the first one when nothing is. */
export async function chooseRefName(tx: Tx, tenantId: string, fullRefs: string[]): Promise<string> {
  const rows = await tx.query<{ key: string }>(
    `select f.key from unnest($2::text[]) with ordinality f (key, place)
      where exists (select 1 from vulnerability_count c
                     where c.tenant_id = $1 and c.scope = ${counterScopes.refName} and c.key = f.key and c.n > 0)
      order by f.place limit 1`,
    [tenantId, fullRefs],
    'choose-ref-name',
  );
  return rows[0]?.key ?? fullRefs[0] ?? '';
}

/** Rows after the position, in order; one more than a page says whether there is another. */
export async function listPage(tx: Tx, tenantId: string, page: PageRequest): Promise<VulnerabilityRow[]> {
  const buckets = bucketsOfPage(page);
  if (buckets.length === 0) return [];
  if (hasCandidates(page.filter)) {
    return queryPage(tx, tenantId, page, (tenant, parameters) =>
      candidateKeys(page, buckets, tenant, parameters),
    );
  }
  if (page.filter.allowsAll && page.scope.kind === 'tenant' && page.sort !== 'severity') {
    return queryPage(tx, tenantId, page, (tenant, parameters) => timeKeys(page, tenant, parameters));
  }
  const ask = (rowsOfBucket: number[]): Promise<VulnerabilityRow[]> =>
    queryPage(tx, tenantId, page, (tenant, parameters) =>
      bucketKeys(page, buckets, rowsOfBucket, tenant, parameters),
    );
  const all = buckets.map(() => page.limit);
  if (page.sort === 'severity') return ask(all);
  const share = sharesOfPage(page, buckets);
  const rows = await ask(share);
  return isExhausted(rows, buckets, share, page.limit) ? ask(all) : rows;
}

// A list by ranges has one good plan, whatever its values; planning it takes as long as running it. From this size on
// PostgreSQL finds that plan even in tables without statistics (tried: at 1,000 rows it does not yet), so that it can be
// kept with the connection. Smaller lists are planned each time: a plan that was kept from when the tables were
// nearly empty would go on being used after a large import, until the next ANALYZE.
const plannedOnceFrom = 3_000;

async function queryPage(
  tx: Tx,
  tenantId: string,
  page: PageRequest,
  keysOf: (tenant: string, parameters: Parameters) => KeyQuery,
): Promise<VulnerabilityRow[]> {
  const parameters = new Parameters();
  const tenant = parameters.add(tenantId);
  const keys = keysOf(tenant, parameters);
  const place = placeOf(page.scope, tenant, parameters);
  const isPlannedOnce = keys.name !== undefined && page.size >= plannedOnceFrom;
  // In one flight with the statement that follows.
  const planned = isPlannedOnce ? tx.query('set local plan_cache_mode = force_generic_plan') : undefined;
  // The ranges were chosen: what follows joins at most a page of rows by key.
  const rows = tx.query<VulnerabilityRow>(
    `select v.id, v.title, k.bucket, v.resolution, v.introduced_at, v.vulnerable_at, v.exploitable_at,
            v.repository_id, r.name as repository_name, r.full_name as repository_full_name,
            l.id as location_id, l.path, l.line, l.vulnerable_at as location_vulnerable_at,
            l.fixed_at as location_fixed_at, l.suppressed,
            f.id as reference_id, f.full_ref, f.head_sha as reference_sha, f.type as reference_type,
            f.active as reference_active
       from (${keys.sql}) k
       join vulnerability v on v.tenant_id = ${tenant} and v.id = k.id
       join repository r on r.tenant_id = ${tenant} and r.id = v.repository_id
       ${place}
      order by ${keys.order}`,
    parameters.values,
    isPlannedOnce ? keys.name : undefined,
  );
  return (await Promise.all([rows, planned]))[0];
}

interface KeyQuery {
  sql: string;
  order: string;
  /** Of a statement that has a fixed text and one good plan. */
  name?: string;
}

interface ListSource {
  table: string;
  /** Column with the vulnerability's id. */
  id: string;
  /** Condition of the scope, empty for the whole workspace. */
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
      return { ...onReference, where: `l.full_ref = ${parameters.add(scope.fullRefs[0])}` };
    case 'default-branches':
      return { ...onReference, where: 'l.on_default' };
  }
}

// The place that is shown (l) and its reference (f). The list indexes of references leave the place out, so that
// they stay narrow: it is looked up for the rows of the page alone.
function placeOf(scope: Scope, tenant: string, parameters: Parameters): string {
  if (scope.kind === 'tenant' || scope.kind === 'repository') {
    return `join vulnerability_location l on l.tenant_id = ${tenant} and l.id = v.primary_location_id
       join reference f on f.tenant_id = ${tenant} and f.id = l.reference_id`;
  }
  const reference = {
    reference: () => `f.id = ${parameters.add(scope.kind === 'reference' ? scope.referenceId : null)}`,
    'ref-name': () =>
      `f.repository_id = v.repository_id and f.full_ref = ${parameters.add(scope.kind === 'ref-name' ? scope.fullRefs[0] : null)}`,
    'default-branches': () => 'f.id = r.default_reference_id',
  }[scope.kind]();
  return `join reference f on f.tenant_id = ${tenant} and ${reference}
       join vulnerability_reference p on p.tenant_id = ${tenant} and p.vulnerability_id = k.id and p.reference_id = f.id
       join vulnerability_location l on l.tenant_id = ${tenant} and l.id = p.location_id`;
}

/** Number and key of the scope in `vulnerability_count`. */
export function counterKey(scope: Scope): { number: number; key: string } {
  switch (scope.kind) {
    case 'tenant':
      return { number: counterScopes.tenant, key: '' };
    case 'repository':
      return { number: counterScopes.repository, key: scope.repositoryId };
    case 'reference':
      return { number: counterScopes.reference, key: scope.referenceId };
    case 'ref-name':
      return { number: counterScopes.refName, key: scope.fullRefs[0] ?? '' };
    case 'default-branches':
      return { number: counterScopes.defaultBranches, key: '' };
  }
}

// Sorted by severity, a page needs the ranks from the cursor's down to where enough rows are sure to have come.
// The cursor's own rank may be used up, so that it counts for nothing.
function bucketsOfPage({ counts, sort, after, limit }: PageRequest): number[] {
  if (sort !== 'severity') return counts.map((count) => count.bucket);
  const ranks = [...new Set(counts.map((count) => severityRank(count.bucket)))].sort((a, b) => b - a);
  const chosen = new Set<number>();
  let sure = 0;
  for (const rank of ranks) {
    if (after && rank > after.rank) continue;
    if (sure >= limit) break;
    chosen.add(rank);
    if (after && rank === after.rank) continue;
    for (const count of counts) if (severityRank(count.bucket) === rank) sure += count.n;
  }
  return counts.map((count) => count.bucket).filter((bucket) => chosen.has(severityRank(bucket)));
}

// Before any row in a descending order; and before any in an ascending one.
const lastKey = { time: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
const firstKey = { time: '-infinity', id: nilId };

// By time, all buckets share the page, and most give a handful of its rows. So each is asked at first for three
// times its share by number, and for eight rows more: a search of the index costs about as much as eight rows.
function sharesOfPage({ counts, limit }: PageRequest, buckets: number[]): number[] {
  const numbers = new Map(counts.map(({ bucket, n }) => [bucket, n]));
  const total = counts.reduce((sum, { n }) => sum + n, 0);
  return buckets.map((bucket) =>
    Math.min(limit, 8 + Math.ceil((3 * limit * (numbers.get(bucket) ?? 0)) / total)),
  );
}

// A bucket that gave all that it was asked for, and all of it is in the page, may have had more for the page.
function isExhausted(
  rows: VulnerabilityRow[],
  buckets: number[],
  rowsOfBucket: number[],
  limit: number,
): boolean {
  const given = new Map<number, number>();
  for (const { bucket } of rows) given.set(bucket, (given.get(bucket) ?? 0) + 1);
  return buckets.some((bucket, i) => {
    const asked = rowsOfBucket[i] ?? limit;
    return asked < limit && (given.get(bucket) ?? 0) >= asked;
  });
}

function bucketKeys(
  page: PageRequest,
  buckets: number[],
  rowsOfBucket: number[],
  tenant: string,
  parameters: Parameters,
): KeyQuery {
  const source = sourceOf(page.scope, parameters);
  const ascending = page.sort === 'oldest';
  const edge = ascending ? firstKey : lastKey;
  const { after } = page;
  const bounded = (bucket: number): boolean =>
    after !== null && (page.sort !== 'severity' || severityRank(bucket) === after.rank);
  const bucketList = parameters.add(buckets);
  const times = parameters.add(
    buckets.map((b) => (bounded(b) ? after?.introducedAt.toISOString() : edge.time)),
  );
  const ids = parameters.add(buckets.map((b) => (bounded(b) ? after?.id : edge.id)));
  const rows = parameters.add(rowsOfBucket);
  const direction = ascending ? 'asc' : 'desc';
  const order = (alias: string, id: string): string =>
    `${page.sort === 'severity' ? `${alias}.bucket >> 11 desc, ` : ''}${alias}.introduced_at ${direction}, ${alias}.${id} ${direction}`;
  return {
    sql: `select p.* from unnest(${bucketList}::smallint[], ${times}::timestamptz[], ${ids}::uuid[], ${rows}::bigint[]) b (bucket, at, id, rows)
      cross join lateral (
        select l.${source.id} as id, l.bucket, l.introduced_at from ${source.table} l
         where l.tenant_id = ${tenant}${source.where ? ` and ${source.where}` : ''} and l.bucket = b.bucket
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
    sql: `select l.id, l.bucket, l.introduced_at from vulnerability l
      where l.tenant_id = ${tenant} and (l.introduced_at, l.id) ${ascending ? '>' : '<'} (${time}::timestamptz, ${id}::uuid)
      order by l.introduced_at ${direction}, l.id ${direction} limit ${limit}`,
    order: `k.introduced_at ${direction}, k.id ${direction}`,
    name: `list-all-${page.sort}`,
  };
}

function candidateKeys(
  page: PageRequest,
  buckets: number[],
  tenant: string,
  parameters: Parameters,
): KeyQuery {
  const { head, from, where, id } = candidates(page.scope, page.filter, tenant, parameters);
  const direction = page.sort === 'oldest' ? 'asc' : 'desc';
  const order = (alias: string): string =>
    `${page.sort === 'severity' ? `${alias}.bucket >> 11 desc, ` : ''}${alias}.introduced_at ${direction}, ${alias}.id ${direction}`;
  where.push(`l.bucket = any(${parameters.add(buckets)}::smallint[])`);
  const { after } = page;
  if (after) {
    const key = `${parameters.add(after.introducedAt.toISOString())}::timestamptz, ${parameters.add(after.id)}::uuid`;
    where.push(
      page.sort === 'severity'
        ? `(l.bucket >> 11, l.introduced_at, l.${id}) < (${parameters.add(after.rank)}::int, ${key})`
        : `(l.introduced_at, l.${id}) ${page.sort === 'oldest' ? '>' : '<'} (${key})`,
    );
  }
  return {
    sql: `${head}
      select p.* from (
        select l.${id} as id, l.bucket, l.introduced_at from ${from} where ${where.join(' and ')}) p
      order by ${order('p')} limit ${parameters.add(page.limit)}`,
    order: order('k'),
  };
}

interface Candidates {
  /** WITH, where the rows of the list (l) hang on others. */
  head: string;
  from: string;
  where: string[];
  /** Column of l with the vulnerability's id. */
  id: string;
}

// The rows of the scope whose vulnerability meets every one of assignee, exploitable, commit and words. They are
// conditions on the vulnerability's own row, so that an index which has what is asked for is all that is read.
function candidates(scope: Scope, filter: ListFilter, tenant: string, parameters: Parameters): Candidates {
  const source = sourceOf(scope, parameters);
  const own = [`l.tenant_id = ${tenant}`];
  if (filter.assigneeId !== null) own.push(`l.assignee_id = ${parameters.add(filter.assigneeId)}`);
  if (filter.exploitable) own.push('l.exploitable_at is not null');
  if (filter.sha !== null) own.push(`l.id in (${seenAt(filter.sha, tenant, parameters)})`);
  own.push(...bearing(filter.words, tenant, parameters));
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

// Conditions for the words: in the title or the package's name, or the id of the advisory, under any of its names.
function bearing(words: string[], tenant: string, parameters: Parameters): string[] {
  const conditions: string[] = [];
  const titled: string[] = [];
  for (const word of words) {
    const from = `select search_key from search_word where tenant_id = ${tenant} and`;
    const own = parameters.add(word);
    const advisory = advisoryOf(word);
    if (advisory === null)
      titled.push(`${from} word >= ${own} and word < ${parameters.add(prefixEnd(word))}`);
    else {
      const name = parameters.add(advisory);
      const of = `select id from vulnerability where tenant_id = ${tenant} and`;
      conditions.push(`l.id in (${of} search_key in (${from} word = ${own}) union all ${of} advisory = ${name}
        union all ${of} advisory in (select advisory collate "default" from advisory_alias
          where tenant_id = ${tenant} and alias = ${name} and state = 'joins'))`);
    }
  }
  if (titled.length > 0) conditions.push(`l.search_key in (${titled.join(' intersect ')})`);
  return conditions;
}

// Vulnerabilities that completed scans of the commit saw. Sightings that last and those that ended have an index
// each; asked for in one condition, they would be searched for in the whole table.
function seenAt(sha: string, tenant: string, parameters: Parameters): string {
  const from = parameters.add(sha);
  const to = parameters.add(`${sha}g`);
  const sightings = ['g.until_seq is null', 'g.until_seq > t.seq'].map(
    (until) => `select g.vulnerability_id from scan s
       join scan_stream t on t.tenant_id = ${tenant} and t.scan_id = s.id
       join location_sighting g on g.tenant_id = ${tenant} and g.stream_id = t.stream_id and g.alone = t.alone
        and g.since_seq <= t.seq and ${until}
      where s.tenant_id = ${tenant} and s.status = 2 and s.sha >= ${from} and s.sha < ${to}`,
  );
  return sightings.join(' union all ');
}

/**
 * The list of vulnerabilities: a page of it, with the numbers of the whole list by packed state, in one statement for
 * all filters. The statement counts first, which gives the summary and the ranges of an index that hold the page. Then
 * it reads the keys of the page (`page-keys.ts`) and joins only its rows.
 */
import {
  type Database,
  listReadTx,
  listSearchTx,
  Parameters,
  type ReadTx,
  searchTx,
  type Tx,
  tenantReadTx,
} from '../db/database.ts';
import { queryCanceled } from '../db/error-codes.ts';
import { rowByKey, rowByKeys, setPlanner } from '../db/planner-hints.ts';
import { serviceUnavailable } from '../domain/errors.ts';
import type { VulnerabilityId } from '../domain/ids.ts';
import { severityRank } from '../domain/packed-state.ts';
import { type Cursors, idIn, openPage, type PageQuery } from '../http/page.ts';
import type { Principal } from '../http/principal.ts';
import { ownTeams } from '../inventory/teams/named-teams.ts';
import {
  echoOf,
  type FilterQuery,
  type ListFilter,
  type ListQuery,
  type QueryPrincipal,
  resolveFilter,
  type Sort,
} from './filters.ts';
import { type IncludeName, readIncludes, requireIncludes } from './includes.ts';
import { orderOf, type PagePosition, type PageRequest, pageQueries } from './page-keys.ts';
import { type PackedStateCount, summaryOf, type VulnerabilityRow, vulnerabilityItem } from './schema.ts';
import { type CountedScope, withClause } from './scope.ts';

export type ListRequest = ListQuery & PageQuery & { include?: IncludeName[] };

/** Returns the page, with the summary of the whole list and the filters as they were sent. */
export async function listVulnerabilities(
  db: Database,
  cursors: Cursors,
  principal: Principal,
  request: ListRequest,
) {
  const { cursor, per_page, include, ...query } = request;
  if (include) requireIncludes(principal, include);
  const tenantId = principal.tenant.id;
  // `me` is another person for another caller, so a cursor of one caller must not work for another.
  const me = query.assignee === 'me' || query.team === ownTeams ? principal.user.id : null;
  const list = openPage(cursors, [tenantId, 'listVulnerabilities', me], { cursor, per_page, ...query });
  const after = list.after && positionOf(list.after);
  const read = readTxOf(query);
  return read(db, tenantId, async (tx) => {
    const filter = await resolveFilter(tx, principal, query);
    const page = { filter, sort: query.sort, after, limit: list.take, isLast: include === undefined };
    const { counts, rows } = await readPage(tx, page, rowColumns);
    const show = async (shown: VulnerabilityRow[]) => {
      const included = include && (await readIncludes(tx, include, shown));
      return shown.map((row) => ({ ...vulnerabilityItem(row), ...included?.get(row.id) }));
    };
    return {
      filters: echoOf(query),
      summary: summaryOf(counts),
      ...(await list.readAnswer(rows, show, (last) => [
        severityRank(last.packed_state),
        new Date(last.introduced_at).getTime(),
        last.id,
      ])),
    };
  });
}

/**
 * The exact total of a list with its first rows, for a message about it; with `ids` only of these. Throws as the list
 * does.
 */
export async function readFirst(
  tx: ReadTx,
  person: QueryPrincipal,
  { ids, ...query }: ListQuery & { ids?: readonly VulnerabilityId[] },
  limit: number,
): Promise<{
  total: number;
  bySeverity: Record<string, number>;
  rows: ReturnType<typeof vulnerabilityItem>[];
}> {
  const filter = { ...(await resolveFilter(tx, person, query)), ids: ids ?? null };
  const page = { filter, sort: query.sort, after: null, limit, isLast: false };
  const { counts, rows } = await readPage(tx, page, rowColumns);
  const { total, by_severity: bySeverity } = summaryOf(counts);
  return { total, bySeverity, rows: rows.map(vulnerabilityItem) };
}

/** The position of a vulnerability in a list. */
export interface ListKey {
  id: VulnerabilityId;
  packed_state: number;
  introduced_at: string;
}

/** Reads the keys of a list after a key, in its order, for an export. Throws as the list does. */
export async function listVulnerabilityKeys(
  db: Database,
  principal: Principal,
  query: ListQuery,
  last: ListKey | null,
  limit: number,
): Promise<ListKey[]> {
  const after = last && {
    id: last.id,
    rank: severityRank(last.packed_state),
    introducedAt: last.introduced_at,
  };
  const read = isSearch(query) ? searchTx : tenantReadTx;
  return read(db, principal.tenant.id, async (tx) => {
    const filter = await resolveFilter(tx, principal, query);
    return (await readPage(tx, { filter, sort: query.sort, after, limit, isLast: true }, keyColumns)).rows;
  });
}

/** Words and scores find more in a larger workspace, so a workspace may run only a few such lists at once. */
export function readTxOf(query: FilterQuery): typeof searchTx {
  return isSearch(query) ? listSearchTx : listReadTx;
}

function isSearch({ q, epss_min }: FilterQuery): boolean {
  return q !== undefined || epss_min !== undefined;
}

function positionOf(values: (string | number)[]): PagePosition {
  const [rank, time, id] = values;
  return {
    rank: Number(rank),
    introducedAt: new Date(Number(time)).toISOString(),
    id: idIn(id),
  };
}

interface Page<Row> {
  /** The numbers of the whole list. */
  counts: PackedStateCount[];
  /**
   * The rows after the position, in order. The caller asks for one row more than a page, to know whether there is
   * another.
   */
  rows: Row[];
}

/** Reads a page and the counts of the whole list. */
async function readPage<Row>(
  tx: ReadTx,
  { sort = 'severity', ...page }: Omit<PageRequest, 'scope' | 'sort'> & { sort: Sort | undefined },
  columns: ListColumns<Row>,
): Promise<Page<Row>> {
  const { scope } = page.filter;
  if (scope === null) return { counts: [], rows: [] };
  return boundedSearch(tx, page.filter, () => sendPage(tx, { ...page, scope, sort }, columns));
}

// The cost of a search grows with its results. 32 thousand hits take 12 ms (docs/performance.md), so five seconds is
// far more than a useful search needs.
const searchTimeoutMs = 5_000;

/** Runs a search by terms within its own time limit. Throws 503 with advice if it takes longer. */
export async function boundedSearch<T>(
  tx: Tx,
  { terms }: Pick<ListFilter, 'terms'>,
  work: () => Promise<T>,
): Promise<T> {
  if (terms.length === 0) return work();
  try {
    // The limit travels together with the first statement of the search.
    const [, result] = await Promise.all([
      tx.query(`set local statement_timeout = ${searchTimeoutMs}`),
      work(),
    ]);
    return result;
  } catch (error) {
    if ((error as { code?: string }).code !== queryCanceled) throw error;
    throw serviceUnavailable(
      `The search took longer than ${searchTimeoutMs / 1000} seconds. Search for longer words, or add a filter such as repo.`,
    );
  }
}

async function sendPage<Row>(tx: ReadTx, page: PageRequest, columns: ListColumns<Row>): Promise<Page<Row>> {
  const parameters = new Parameters();
  const tenant = parameters.add(tx.tenantId);
  const { queries, name } = pageQueries(page, tenant, parameters);
  // If it is planned once, a list by ranges takes half as long. PostgreSQL keeps the plan while tables grow, so it must
  // be the plan that reads by index and joins by key, even if the tables are small at first.
  const planned = setPlanner(tx, name === undefined ? plannedEachTime : plannedOnce);
  // One text of JSON costs this process much less than the same values in columns.
  const { query } = page.isLast ? tx.ending : tx;
  const answered = query<{ states: number[] | null; numbers: number[] | null; rows: unknown[][] | null }>(
    `${withClause(queries)}
     select s.*,
            (select json_agg(json_build_array(${columns.sql}) order by ${orderOf(page)('k')})
               from keys k ${columns.join(page.scope, tenant, parameters)}) as rows
       from (select json_agg(c.packed_state) as states, json_agg(c.n) as numbers from counted c) s`,
    parameters.values,
    name && `list-${columns.name}-${name}`,
  );
  const [[answer]] = await Promise.all([answered, planned]);
  return {
    counts: (answer?.states ?? []).map((packed_state, i) => ({ packed_state, n: answer?.numbers?.[i] ?? 0 })),
    rows: (answer?.rows ?? []).map(columns.rowOf),
  };
}

/** SQL of each value of a row. */
type Columns<Row> = { [Name in keyof Row & string]: string };

interface ListColumns<Row> {
  /** The part of the names of prepared statements. */
  name: string;
  /** SQL of the values of a row, in the order in which `rowOf` reads them. */
  sql: string;
  rowOf(values: unknown[]): Row;
  /** SQL of the rows that the columns need in addition to the keys k. */
  join(scope: CountedScope, tenant: string, parameters: Parameters): string;
}

/** A row is a view of its values, because an object with the values under their names costs ten times as much. */
function listColumns<Row>(
  name: string,
  columns: Columns<Row>,
  join: ListColumns<Row>['join'],
): ListColumns<Row> {
  class RowView {
    readonly values: unknown[];
    constructor(values: unknown[]) {
      this.values = values;
    }
  }
  for (const [i, column] of Object.keys(columns).entries()) {
    Object.defineProperty(RowView.prototype, column, {
      get(this: RowView) {
        return this.values[i];
      },
    });
  }
  return {
    name,
    sql: Object.values(columns).join(', '),
    rowOf: (values) => new RowView(values) as unknown as Row,
    join,
  };
}

const keys: Columns<ListKey> = {
  id: 'k.id',
  packed_state: 'k.packed_state',
  introduced_at: 'k.introduced_at',
};
// A large page of keys alone costs no joins.
const keyColumns = listColumns('keys', keys, () => '');

const shownColumns: Columns<VulnerabilityRow> = {
  ...keys,
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
const rowColumns = listColumns(
  'rows',
  shownColumns,
  (scope, tenant, parameters) => `join vulnerability v on v.tenant_id = ${tenant} and v.id = k.id
      cross join lateral ${rowByKey('repository r', 'v.repository_id')}
       ${locationOf(scope, tenant, parameters)}`,
);

// At most three joined tables find the candidates, and the planner chooses their order. Choosing an order for the six
// tables of a page takes as long as reading many a list.
const plannedEachTime = { join_collapse_limit: '3' } as const;

// The keys of the page come first, then one row of each table by its key. If the statistics know many small workspaces,
// the planner would rather join all rows of the workspace first. It expects a third of the workspace from a filter that
// is planned once, for which it would start parallel workers.
const plannedOnce = {
  plan_cache_mode: 'force_generic_plan',
  join_collapse_limit: '1',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  max_parallel_workers_per_gather: '0',
} as const;

// Joins the location that is shown (l) and its reference (f). The list indexes of references do not contain the
// location, so that they stay narrow; it is looked up only for the rows of the page.
function locationOf(scope: CountedScope, tenant: string, parameters: Parameters): string {
  const reference = referenceOf(scope, parameters);
  if (reference === null) {
    return `join vulnerability_location l on l.tenant_id = ${tenant} and l.id = v.primary_location_id
       join reference f on f.tenant_id = ${tenant} and f.id = l.reference_id`;
  }
  return `join reference f on f.tenant_id = ${tenant} and ${reference}
      cross join lateral ${rowByKeys('vulnerability_reference p', { vulnerability_id: 'k.id', reference_id: 'f.id' })}
       join vulnerability_location l on l.tenant_id = ${tenant} and l.id = p.location_id`;
}

// Returns the condition for the reference of a row; null for the vulnerability's own.
function referenceOf(scope: CountedScope, parameters: Parameters): string | null {
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

/** Vulnerabilities: the list, and the ids that callers name. */
import {
  type Database,
  listReadTx,
  listSearchTx,
  queryCanceled,
  type ReadTx,
  searchTx,
  type Tx,
  tenantReadTx,
} from '../db/database.ts';
import { resourceNotFound, serviceUnavailable } from '../domain/errors.ts';
import { parseId } from '../domain/ids.ts';
import { severityRank } from '../domain/packed-state.ts';
import type { Cursors, PageQuery } from '../http/page.ts';
import { openPage } from '../http/page.ts';
import type { Principal } from '../http/principal.ts';
import {
  type Asker,
  boundQuery,
  echoOf,
  type FilterQuery,
  type ListFilter,
  type ListQuery,
  resolveFilter,
  type Sort,
} from './filters.ts';
import { type IncludeName, readIncludes, requireIncludes } from './includes.ts';
import type { PagePosition, PageRequest } from './page-keys.ts';
import { type ListKey, type Page, readKeys, readRows } from './read.ts';
import { summaryOf, type VulnerabilityRow, vulnerabilityItem } from './schema.ts';
import { resolveVulnerabilityIds } from './store.ts';

export type ListRequest = ListQuery & PageQuery & { include?: IncludeName[] };

/** Returns the page, with the summary of the whole list and the filters as they were sent. */
export async function listVulnerabilities(
  db: Database,
  cursors: Cursors,
  principal: Principal,
  request: ListRequest,
) {
  const { cursor, per_page, include = [], ...query } = request;
  requireIncludes(principal, include);
  const tenantId = principal.tenant.id;
  // `me` is another person for another caller, so a cursor of one caller must not work for another.
  const me = query.assignee === 'me' || query.team === 'mine' ? principal.user.id : null;
  const list = openPage(cursors, [tenantId, 'listVulnerabilities', [me, boundQuery(query)]], {
    cursor,
    per_page,
  });
  const after = list.after && positionOf(list.after);
  const read = readTxOf(query);
  return read(db, tenantId, async (tx) => {
    const filter = await resolveFilter(tx, principal, query);
    const isLast = include.length === 0;
    const page = { filter, sort: query.sort, after, limit: list.take, isLast };
    const { counts, rows } = await readPage(tx, page, readRows);
    // The row after the page says only that there is another page.
    const included = await readIncludes(tx, include, rows.slice(0, list.take - 1));
    const item = (row: VulnerabilityRow) => ({ ...vulnerabilityItem(row), ...included.get(row.id) });
    return {
      filters: echoOf(query),
      summary: summaryOf(counts),
      ...list.answer(rows, item, (last) => [
        severityRank(last.packed_state),
        new Date(last.introduced_at).getTime(),
        last.id,
      ]),
    };
  });
}

/** The exact total of a list with its first rows, for a message about it; with `ids` only of these. Throws as the list does. */
export async function readFirst(
  tx: ReadTx,
  person: Asker,
  { ids, ...query }: ListQuery & { ids?: readonly string[] },
  limit: number,
): Promise<{
  total: number;
  bySeverity: Record<string, number>;
  rows: ReturnType<typeof vulnerabilityItem>[];
}> {
  const filter = { ...(await resolveFilter(tx, person, query)), ids: ids ?? null };
  const page = { filter, sort: query.sort, after: null, limit, isLast: false };
  const { counts, rows } = await readPage(tx, page, readRows);
  const { total, by_severity: bySeverity } = summaryOf(counts);
  return { total, bySeverity, rows: rows.map(vulnerabilityItem) };
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
    return (await readPage(tx, { filter, sort: query.sort, after, limit, isLast: true }, readKeys)).rows;
  });
}

/** Words and scores find more in a larger workspace, so a workspace may run only a few such lists at once. */
export function readTxOf(query: FilterQuery): typeof searchTx {
  return isSearch(query) ? listSearchTx : listReadTx;
}

function isSearch({ q, epss_min }: FilterQuery): boolean {
  return q !== undefined || epss_min !== undefined;
}

/** Reads a page and the counts of the whole list. */
async function readPage<Row>(
  tx: ReadTx,
  { sort = 'severity', ...page }: Omit<PageRequest, 'scope' | 'sort'> & { sort: Sort | undefined },
  read: (tx: ReadTx, page: PageRequest) => Promise<Page<Row>>,
): Promise<Page<Row>> {
  const { scope } = page.filter;
  if (scope === null) return { counts: [], rows: [] };
  return boundedSearch(tx, page.filter, () => read(tx, { ...page, scope, sort }));
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

function positionOf(values: (string | number)[]): PagePosition {
  const [rank, time, id] = values;
  return { rank: Number(rank), introducedAt: new Date(Number(time)).toISOString(), id: String(id) };
}

/** Returns the id that the caller named, or the survivor's id for a merged one. Throws 404, also for malformed ids. */
export async function getVulnerabilityId(tx: Tx, text: string): Promise<string> {
  const [found] = await getVulnerabilityIds(tx, [text]);
  if (found === undefined) throw resourceNotFound();
  return found;
}

/** Returns several ids in their order. Throws 404 if the workspace lacks one. */
export async function getVulnerabilityIds(tx: Tx, texts: string[]): Promise<string[]> {
  const ids = texts.map((text) => parseId('vulnerability', text));
  if (ids.includes(undefined)) throw resourceNotFound();
  const known = await resolveVulnerabilityIds(tx, ids as string[]);
  return (ids as string[]).map((id) => {
    const found = known.get(id);
    if (found === undefined) throw resourceNotFound();
    return found;
  });
}

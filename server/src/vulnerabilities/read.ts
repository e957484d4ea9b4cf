/**
 * The list of vulnerabilities: a page of it, with the numbers of the whole list by packed state, in one statement for
 * all filters. The statement counts first, which gives the summary and the ranges of an index that hold the page. Then
 * it reads the keys of the page (`page-keys.ts`) and joins only its rows.
 */

import type { ReadTx, Tx } from '../db/database.ts';
import { rowByKey, rowByKeys, setPlanner } from '../db/planner-hints.ts';
import { candidates, countCandidates } from './candidates.ts';
import { hasCandidates, type ListFilter } from './filters.ts';
import { countersOf, Parameters, rangesOf, withClause } from './list-source.ts';
import { orderOf, type PageRequest, pageQueries } from './page-keys.ts';
import type { PackedStateCount, VulnerabilityRow } from './schema.ts';
import { idsOf, type Scope } from './scope.ts';

/**
 * Returns the non-empty packed states of the scope, before the filter on traits; with `within` only those of these
 * packed states, if the filter starts from an index of its own.
 */
export async function countPackedStates(
  tx: Tx,
  scope: Scope,
  filter: ListFilter,
  within: readonly number[] | null = null,
): Promise<PackedStateCount[]> {
  if (hasCandidates(filter)) {
    const parameters = new Parameters();
    const found = candidates(scope, filter, parameters.add(tx.tenantId), parameters);
    const states = within && `l.${found.state} = any(${parameters.add(within)}::smallint[])`;
    return tx.query<PackedStateCount>(
      `${withClause(found.queries)} ${countCandidates(found, states ? [states] : [])}`,
      parameters.values,
    );
  }
  const parameters = new Parameters();
  const counters = countersOf(
    scope,
    rangesOf({ scope, filter }, 'true', parameters.add(tx.tenantId), parameters),
  );
  const isOne = idsOf(scope) === null && filter.introducedSince === null;
  return tx.query(counters, parameters.values, isOne ? 'count-packedStates' : undefined);
}

/**
 * Returns the non-empty packed states of the workspace and those on the default branches, both from one read of the
 * candidates. The filter must start from an index of its own.
 */
export async function countBothStates(
  tx: Tx,
  filter: ListFilter,
): Promise<Record<'tenant' | 'default-branches', PackedStateCount[]>> {
  const parameters = new Parameters();
  const { queries, from, where } = candidates(
    { kind: 'tenant' },
    filter,
    parameters.add(tx.tenantId),
    parameters,
  );
  const rows = await tx.query<{ own: number; on_default: number | null; n: number }>(
    `${withClause(queries)} select l.packed_state as own, l.default_branch_state as on_default, count(*)::int as n
       from ${from} where ${where.join(' and ')} group by l.packed_state, l.default_branch_state`,
    parameters.values,
  );
  return {
    tenant: rows.map(({ own, n }) => ({ packed_state: own, n })),
    'default-branches': rows.flatMap(({ on_default: packedState, n }) =>
      packedState === null ? [] : { packed_state: packedState, n },
    ),
  };
}

/** The position of a vulnerability in a list. */
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

/** Reads a page with the columns that the list shows. */
export async function readRows(tx: ReadTx, page: PageRequest): Promise<Page<VulnerabilityRow>> {
  return readPage(tx, page, 'rows', rowColumns, ({ scope }, tenant, parameters) => {
    return `join vulnerability v on v.tenant_id = ${tenant} and v.id = k.id
      cross join lateral ${rowByKey('repository r', 'v.repository_id')}
       ${locationOf(scope, tenant, parameters)}`;
  });
}

/** Reads only the keys of a page, so that a large page costs no joins. */
export async function readKeys(tx: ReadTx, page: PageRequest): Promise<Page<ListKey>> {
  return readPage(tx, page, 'keys', keyColumns, () => '');
}

/** SQL of each value of a row. */
type Columns<Row> = { [Name in keyof Row & string]: string };

interface ListColumns<Row> {
  /** SQL of the values of a row, in the order in which `rowOf` reads them. */
  sql: string;
  rowOf(values: unknown[]): Row;
}

/** A row is a view of its values, because an object with the values under their names costs ten times as much. */
function listColumns<Row>(columns: Columns<Row>): ListColumns<Row> {
  class RowView {
    readonly values: unknown[];
    constructor(values: unknown[]) {
      this.values = values;
    }
  }
  for (const [i, name] of Object.keys(columns).entries()) {
    Object.defineProperty(RowView.prototype, name, {
      get(this: RowView) {
        return this.values[i];
      },
    });
  }
  return {
    sql: Object.values(columns).join(', '),
    rowOf: (values) => new RowView(values) as unknown as Row,
  };
}

const keys: Columns<ListKey> = {
  id: 'k.id',
  packed_state: 'k.packed_state',
  introduced_at: 'k.introduced_at',
};
const keyColumns = listColumns(keys);

const rowColumns = listColumns<VulnerabilityRow>({
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
});

/** `join` is SQL of the rows that the columns need in addition to the keys k. */
async function readPage<Row>(
  tx: ReadTx,
  page: PageRequest,
  what: 'rows' | 'keys',
  { sql, rowOf }: ListColumns<Row>,
  join: (page: PageRequest, tenant: string, parameters: Parameters) => string,
): Promise<Page<Row>> {
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
            (select json_agg(json_build_array(${sql}) order by ${orderOf(page)('k')})
               from keys k ${join(page, tenant, parameters)}) as rows
       from (select json_agg(c.packed_state) as states, json_agg(c.n) as numbers from counted c) s`,
    parameters.values,
    name && `list-${what}-${name}`,
  );
  const [[answer]] = await Promise.all([answered, planned]);
  return {
    counts: (answer?.states ?? []).map((packed_state, i) => ({ packed_state, n: answer?.numbers?.[i] ?? 0 })),
    rows: (answer?.rows ?? []).map(rowOf),
  };
}

// At most three joined tables find the candidates, and the planner chooses their order. Choosing an order for the six
// tables of a page takes as long as reading many a list.
const plannedEachTime = { join_collapse_limit: '3' } as const;

// The keys of the page come first, then one row of each table by its key. If the statistics know many small workspaces,
// the planner would rather join all rows of the workspace first.
const plannedOnce = {
  plan_cache_mode: 'force_generic_plan',
  join_collapse_limit: '1',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
} as const;

// Joins the location that is shown (l) and its reference (f). The list indexes of references do not contain the
// location, so that they stay narrow; it is looked up only for the rows of the page.
function locationOf(scope: Scope, tenant: string, parameters: Parameters): string {
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

/**
 * Sets of rows in one statement. The keys of a row are columns of the table, and the table itself gives their types, so
 * that a list of columns is written once.
 */
import type { Tx } from './database.ts';

interface InsertOptions {
  /** Columns that have the same value in all rows, as SQL, such as a time of the database. */
  common?: Record<string, string>;
  /** The order of insertion, with `s` as the new row. Transactions that insert in one order cannot deadlock. */
  order?: string;
  /** The clause after `on conflict`. It names the stored row `t`. */
  conflict?: string;
  returning?: string;
}

/** Inserts the rows for the tenant of the transaction. All rows have the same keys, which are the columns. */
export async function insertRows<Returned = unknown>(
  tx: Tx,
  table: string,
  rows: readonly object[],
  { common = {}, order, conflict, returning }: InsertOptions = {},
): Promise<Returned[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first);
  return tx.query<Returned>(
    `insert into ${table} as t (${['tenant_id', ...columns, ...Object.keys(common)].join(', ')})
     select ${['$1', ...columns.map((column) => `s.${column}`), ...Object.values(common)].join(', ')}
       from ${rowsOf(table, '$2')} s
     ${order === undefined ? '' : `order by ${order}`}
     ${conflict === undefined ? '' : `on conflict ${conflict}`}
     ${returning === undefined ? '' : `returning ${returning}`}`,
    [tx.tenantId, JSON.stringify(rows)],
  );
}

/** The rows of a JSON parameter, as rows of the table, for an update or a delete. */
export function rowsOf(table: string, parameter: string): string {
  return `json_populate_recordset(null::${table}, ${parameter}::json)`;
}

/** Returns text for `conflict`: a row with this key takes the new values of the columns. */
export function replacing(key: readonly string[], columns: readonly string[]): string {
  const values = columns.map((column) => `${column} = excluded.${column}`);
  return `(${['tenant_id', ...key].join(', ')}) do update set ${values.join(', ')}`;
}

/**
 * Sets of rows in one statement. The keys of a row are columns of the table, and the table itself gives their types, so
 * that a list of columns is written once.
 */
import { columnArray, columnTextOf } from './column-array.ts';
import type { InstallTx, Tx } from './database.ts';

interface InsertOptions {
  /** Columns that have the same value in all rows, as SQL, such as a time of the database. */
  common?: Record<string, string>;
  /** The order of insertion, with `s` as the new row. Transactions that insert in the same order cannot deadlock. */
  order?: string;
  /** The clause after `on conflict`. It names the stored row `t`. */
  conflict?: string;
  returning?: string;
}

/**
 * Inserts the rows for the tenant of the transaction. All rows have the same keys, which are the columns. Throws
 * TypeError for a value that the type of its column cannot have.
 */
export async function insertRows<Returned = unknown>(
  tx: Tx,
  table: string,
  rows: readonly object[],
  { common = {}, order, conflict, returning }: InsertOptions = {},
): Promise<Returned[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first);
  if (typesOfTables.size === 0) await readColumnTypes(tx);
  const types = typesOfTables.get(table);
  const values: unknown[] = [tx.tenantId];
  // A cast stands outside the subquery that unnests, because Citus would evaluate it, and with it the set, by itself.
  const unnested: string[] = [];
  const selected = columns.map((column, at) => {
    const type = types?.get(column) ?? '';
    const all = rows.map((row) => (row as Record<string, unknown>)[column]);
    // A value that all rows share is sent once. The first column defines the number of rows.
    if (at > 0 && all.every((value) => value === all[0])) {
      values.push(columnTextOf(type, all[0]));
      return `$${values.length}::${type} as ${column}`;
    }
    const array = columnArray(type, all);
    values.push(array.value);
    unnested.push(`unnest($${values.length}::${array.type}[]) as ${column}`);
    return `u.${column}::${type}`;
  });
  const { tenant, join } = anchor(tx);
  return tx.query<Returned>(
    `insert into ${table} as t (${['tenant_id', ...columns, ...Object.keys(common)].join(', ')})
     select ${[tenant, ...columns.map((column) => `s.${column}`), ...Object.values(common)].join(', ')}
       from (select ${selected.join(', ')} from (select ${unnested.join(', ')}) u) s ${join}
     ${order === undefined ? '' : `order by ${order}`}
     ${conflict === undefined ? '' : `on conflict ${conflict}`}
     ${returning === undefined ? '' : `returning ${returning}`}`,
    values,
  );
}

/** The column with the time of the last change, which most tables have. */
export const changedNow = { updated_at: 'now()' };

/**
 * Sets the fields of one row of the tenant; their keys are columns of the table. `common` has further columns, with
 * their values as SQL.
 */
export async function updateRow(
  tx: Tx,
  table: string,
  id: string,
  fields: object,
  common: Record<string, string> = {},
): Promise<void> {
  const changes = [
    ...Object.keys(fields).map((column, at) => `${column} = $${at + 3}`),
    ...Object.entries(common).map(([column, sql]) => `${column} = ${sql}`),
  ];
  await tx.query(`update ${table} set ${changes.join(', ')} where tenant_id = $1 and id = $2`, [
    tx.tenantId,
    id,
    ...Object.values(fields),
  ]);
}

interface Anchor {
  /** Stands for the tenant in the list of columns. */
  tenant: string;
  /** Follows the set in `from`. */
  join: string;
}

/**
 * SQL for an insert that selects from a set, such as arrays or JSON: `tenant` as its first value, `join` after the set.
 * On Citus the statement goes to the node of a table from which it selects, and needs the column of the tenant from
 * there; a set by itself has neither, and would be copied row by row.
 */
export function anchor(tx: Pick<Tx, 'isDistributed'>): Anchor {
  return tx.isDistributed
    ? {
        tenant: 'anchor.tenant_id',
        join: 'join tenant_anchor anchor on anchor.tenant_id = $1',
      }
    : { tenant: '$1::bigint', join: '' };
}

// Table → column → type. All databases of a process have the same schema.
const typesOfTables = new Map<string, Map<string, string>>();

/**
 * Reads the types of all columns, unless this process knows them. An insert would otherwise wait for them, and a set of
 * inserts that are sent together, each.
 */
export async function readColumnTypes(tx: InstallTx): Promise<void> {
  if (typesOfTables.size > 0) return;
  const columns = await tx.query<{ table: string; column: string; type: string }>(
    `select relname as table, attname as column, format_type(atttypid, atttypmod) as type
       from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`,
  );
  const byTable = Map.groupBy(columns, ({ table }) => table);
  for (const [table, all] of byTable) {
    typesOfTables.set(table, new Map(all.map(({ column, type }) => [column, type])));
  }
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

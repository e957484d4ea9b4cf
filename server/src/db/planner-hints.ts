/**
 * The hints that statements give PostgreSQL's planner. Without statistics it expects one or two rows in a workspace
 * that is newer than the statistics. Each index that begins with the tenant then seems equally good, and a wrong one
 * makes every look-up read the whole workspace.
 */
import type { InstallTx } from './database.ts';

interface Condition {
  /** The column that follows the tenant in the index. */
  column?: string;
  /** A further condition, with the alias of the table. */
  where?: string;
}

/**
 * SQL of a subquery for `from` or a lateral join. It finds the row of `table` (its name and alias, such as `package g`)
 * whose key is `value`, by the index of the key.
 */
export function rowByKey(table: string, value: string, { column = 'id', where }: Condition = {}): string {
  return `${lookUp(table, column, value, where)} limit 1) ${aliasOf(table)}`;
}

/**
 * The same for a key of several columns, each with its value. The columns are compared as one row, because the planner
 * would use an equality of one of them for another index.
 */
export function rowByKeys(table: string, key: Record<string, string>): string {
  const alias = aliasOf(table);
  const columns = Object.keys(key)
    .map((column) => `${alias}.${column}`)
    .join(', ');
  const values = `(${Object.values(key).join(', ')})`;
  return `(select * from ${table} where ${alias}.tenant_id = $1 and (${columns}) >= ${values} and (${columns}) <= ${values}
           order by ${columns} limit 1) ${alias}`;
}

/**
 * SQL of a subquery: all rows of `table` whose `column` is `value`. The index that begins with the tenant, that column
 * and `next`, if it is given, finds them.
 */
export function rowsByKey(
  table: string,
  value: string,
  { column, where, next }: Condition & { column: string; next?: string },
): string {
  const alias = aliasOf(table);
  const further = next === undefined ? '' : `, ${alias}.${next}`;
  return `${lookUp(table, column, value, where)}${further} offset 0) ${alias}`;
}

// Only the right index gives the order by the key. An equality would not work, because the planner drops its order.
function lookUp(table: string, column: string, value: string, where = 'true'): string {
  const alias = aliasOf(table);
  const key = `${alias}.${column}`;
  return `(select * from ${table} where ${alias}.tenant_id = $1 and ${key} >= ${value} and ${key} <= ${value}
           and ${where} order by ${key}`;
}

const aliasOf = (table: string): string => table.split(' ').at(-1) ?? table;

/** SQL of a subquery that the planner runs as it is written, and does not merge into the statement around it. */
export function separate(sql: string): string {
  return `(${sql} offset 0)`;
}

/** SQL of a condition for which the planner searches no index. It only filters the rows that other conditions find. */
export function withoutIndex(condition: string): string {
  return `(${condition}) is true`;
}

type PlannerSetting =
  | `enable_${'sort' | 'hashjoin' | 'mergejoin' | 'seqscan' | 'bitmapscan'}`
  | 'plan_cache_mode'
  | 'join_collapse_limit'
  | 'max_parallel_workers_per_gather';

/**
 * Changes settings of the planner for the rest of the transaction.
 *
 * - `enable_sort` off: if only one index gives the order of a list, the planner must not sort the rows of another
 *   one.
 * - `plan_cache_mode`: a statement whose planning takes longer than its run is planned once.
 * - `join_collapse_limit`: the tables of a page are joined in the written order, so that the search for another order
 *   takes no time.
 * - `max_parallel_workers_per_gather` 0: to start parallel workers would take longer than the statement.
 */
export async function setPlanner(
  tx: InstallTx,
  settings: Partial<Record<PlannerSetting, 'on' | 'off' | 'force_generic_plan' | '0' | '1' | '3'>>,
): Promise<void> {
  const wanted = Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`);
  if (!tx.isDistributed) {
    await tx.query(wanted.join('; '));
    return;
  }
  // Citus finds the node of a statement by the values of its parameters, which a generic plan does not have.
  await Promise.all(wanted.filter((text) => !text.includes('plan_cache_mode')).map((text) => tx.query(text)));
}

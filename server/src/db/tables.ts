/** The tables of the database, read from the catalog, so that no new one is forgotten. */
import type pg from 'pg';

export interface Table {
  name: string;
  /** Columns that the database computes are left out. */
  columns: string[];
  /** True if its rows belong to workspaces. Row-level security shows the rows of one workspace at a time. */
  isOfWorkspace: boolean;
}

/** The columns of tables of workspaces that name a user. */
export const personColumns: ReadonlySet<string> = new Set([
  'actor_id',
  'assignee_id',
  'author_id',
  'changed_by',
  'invited_by',
  'on_behalf_of',
  'owner_id',
  'requested_by',
  'reviewed_by',
  'taught_by',
  'uploaded_by',
  'user_id',
]);

/** The tables in an order in which each table comes after those that it refers to. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<{
    name: string;
    columns: string[];
    secured: boolean;
    before: string[];
  }>(
    `select c.relname as name, c.relrowsecurity as secured,
            (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
            array(select distinct f.confrelid::regclass::text from pg_constraint f
                   where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as before
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      order by c.relname`,
  );
  const waiting = [...rows];
  const sorted: Table[] = [];
  while (waiting.length > 0) {
    const names = new Set(waiting.map((row) => row.name));
    const at = waiting.findIndex((row) => !row.before.some((name) => names.has(name)));
    if (at < 0) throw new Error(`tables refer to each other: ${[...names].join(', ')}`);
    const [next] = waiting.splice(at, 1);
    if (next) sorted.push({ name: next.name, columns: next.columns, isOfWorkspace: next.secured });
  }
  return sorted;
}

/**
 * The columns of each table with their types. They show whether a schema that was created at once and one that
 * migrations made are the same.
 */
export async function readColumns(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod)) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by 1`,
  );
  const byName = new Map(rows.map(({ name, columns }) => [name, columns.sort().join(', ')]));
  return Object.fromEntries([...byName.keys()].sort().map((name) => [name, byName.get(name) ?? '']));
}

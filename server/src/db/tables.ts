/** The tables of the database, read from the catalog, so that no new one is forgotten. */
import type pg from 'pg';

export interface Table {
  name: string;
  /** Without those that the database computes. */
  columns: string[];
  /** Its rows belong to workspaces, and row-level security shows those of one at a time. */
  isOfWorkspace: boolean;
}

/** The columns of tables of workspaces that name a user. */
export const personColumns: ReadonlySet<string> = new Set([
  'actor_id',
  'assignee_id',
  'author_id',
  'invited_by',
  'on_behalf_of',
  'owner_id',
  'requested_by',
  'reviewed_by',
  'taught_by',
  'uploaded_by',
  'user_id',
]);

/** The tables in an order in which each comes after those that it refers to. */
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

/** The migrations that the database has had: two databases with the same list have the same tables. */
export async function readSchema(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration order by name',
  );
  return Object.fromEntries(rows.map((row) => [row.name, row.sha256]));
}

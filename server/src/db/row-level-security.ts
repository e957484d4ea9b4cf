/** The tables of workspaces that row-level security does not protect as `schema.sql` does. */
import type pg from 'pg';

/** SQL: their names in one text, with commas. Keys are looked up before the workspace is known. */
export const unprotectedTables = `select coalesce(string_agg(c.relname, ',' order by c.relname), '')
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname !~ '^api_key(_tenant)?(_[0-9]+)?$'
     and not (c.relrowsecurity and c.relforcerowsecurity
              and exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'tenant'))`;

export async function listUnprotectedTables(server: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const { rows } = await server.query<{ names: string }>(`select (${unprotectedTables}) as names`);
  return (rows[0]?.names ?? '').split(',').filter((name) => name !== '');
}

/** The rights of a role that row-level security does not bind. */
import type pg from 'pg';

/**
 * Says what puts the running role beyond row-level security, such as `is a superuser`, and gives PostgreSQL's
 * `server_version_num`. Superusers and roles with BYPASSRLS are not bound by it, and the owner of a table can turn it
 * off. A member of such a role has its power too.
 */
export async function powerOfRole(
  server: Pick<pg.Pool, 'query'>,
): Promise<{ name: string; power: string | null; versionNumber: number }> {
  // The role itself comes before the roles of which it is a member.
  const { rows } = await server.query(
    `with own as (select oid, rolname, rolsuper, rolbypassrls, rolname <> current_user as is_other
                    from pg_roles where pg_has_role(oid, 'member'))
     select current_user as name, current_setting('server_version_num')::int as version,
            (select rolname from own where rolsuper order by is_other limit 1) as super,
            (select rolname from own where rolbypassrls order by is_other limit 1) as bypass,
            (select rolname from own
              where oid in (select c.relowner from pg_class c join pg_namespace n on n.oid = c.relnamespace
                             where n.nspname = 'public' and c.relkind = 'r')
              order by is_other limit 1) as owner`,
  );
  const [{ name, version, ...holders }] = rows;
  const described = (holder: string | null, power: string): string[] =>
    holder === null ? [] : [holder === name ? power : `is a member of ${holder}, which ${power}`];
  const [power = null] = [
    ...described(holders.super, 'is a superuser'),
    ...described(holders.bypass, 'has BYPASSRLS'),
    ...described(holders.owner, 'is the owner of tables'),
  ];
  return { name, power, versionNumber: version };
}

/** History and audit must never change, so the running role can neither update nor delete them. */
export const appendOnly = ['audit_event', 'vulnerability_event'];

/**
 * Returns the tables that the role may change or empty although it must not, and the roles with such rights of which it
 * is a member. Row-level security does not apply to TRUNCATE.
 */
export async function listExcessRights(
  server: Pick<pg.Pool, 'query'>,
): Promise<{ tables: string[]; groups: string[] }> {
  const { rows } = await server.query<{ name: string; groups: string[] }>(
    `select c.relname as name, array(select r.rolname::text from pg_roles r
                                     where r.rolname <> current_user and pg_has_role(r.oid, 'usage')
                                       and has_table_privilege(r.oid, c.oid, rights)) as groups
       from pg_class c, lateral (select case when c.relname = any($1::text[]) then 'truncate, update, delete' else 'truncate' end) x (rights)
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and has_table_privilege(c.oid, rights)
      order by c.relname`,
    [appendOnly],
  );
  return {
    tables: rows.map(({ name }) => name),
    groups: [...new Set(rows.flatMap(({ groups }) => groups))].sort(),
  };
}

/** The rights of a role that row-level security does not bind. */
import type pg from 'pg';

/**
 * Gives the powers of the running role that go beyond row-level security, and PostgreSQL's `server_version_num`.
 * Superusers, roles with BYPASSRLS, and owners of a table that does not force row-level security are not bound by it.
 */
export async function powerOfRole(
  server: Pick<pg.Pool, 'query'>,
): Promise<{ name: string; power: string | null; versionNumber: number }> {
  const { rows } = await server.query(
    `select r.rolname as name, r.rolsuper as super, r.rolbypassrls as bypass,
            exists (select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
                     where n.nspname = 'public' and c.relkind = 'r' and c.relowner = r.oid) as owner,
            current_setting('server_version_num')::int as version
       from pg_roles r where r.rolname = current_user`,
  );
  const [role] = rows;
  const power = role?.super
    ? 'a superuser'
    : role?.bypass
      ? 'BYPASSRLS'
      : role?.owner
        ? 'the owner of tables'
        : null;
  return { name: role?.name, power, versionNumber: role?.version };
}

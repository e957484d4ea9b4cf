/** Checks the permissions of the database owner before anything is changed. */
import type pg from 'pg';
import { refuseOldServer } from './connection-errors.ts';

const setting = 'MERLON_DATABASE_OWNER_URL';

/** Reports hold text of every language. A server that was installed without a locale makes databases as SQL_ASCII. */
export const neededEncoding = 'UTF8';

/**
 * Throws an Error that says which permission is missing and how to grant it. `appRole` is the running role, which may
 * not exist yet.
 */
export async function refuseUnfitOwner(client: pg.Client, appRole: string): Promise<void> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int as version, current_user as name,
            current_database() as database, pg_is_in_recovery() as is_standby,
            current_setting('server_encoding') as encoding,
            has_schema_privilege('public', 'create') and has_database_privilege(current_database(), 'create')
              as may_create,
            (select rolsuper or rolcreaterole from pg_roles where rolname = current_user)
              or exists (select from pg_roles where rolname = $1) as has_role,
            (select pg_get_userbyid(relowner) from pg_class
              where oid = to_regclass('public.schema_migration')
                and not pg_has_role(relowner, 'usage')) as other_owner`,
    [appRole],
  );
  const [{ version, name, database, is_standby, encoding, may_create, has_role, other_owner }] = rows;
  refuseOldServer(version, setting);
  const [role, home, app] = [name, database, appRole].map((text) => client.escapeIdentifier(text));
  if (is_standby) throw refused('leads to a standby, which takes no writes. Use the address of the primary.');
  if (encoding !== neededEncoding) {
    throw refused(
      `the database ${database} has the encoding ${encoding}, and Merlon needs ${neededEncoding}. Make another one: CREATE DATABASE … OWNER ${role} ENCODING '${neededEncoding}' TEMPLATE template0.`,
    );
  }
  if (other_owner !== null) {
    throw refused(
      `the schema belongs to the role ${other_owner}, not to ${name}. Use the role that made it.`,
    );
  }
  if (!may_create) {
    throw refused(
      `the role ${name} may not make tables in the database ${database}. As a superuser: ALTER DATABASE ${home} OWNER TO ${role}.`,
    );
  }
  if (!has_role) {
    throw refused(
      `the role ${name} may not make the role ${appRole}. As a superuser: ALTER ROLE ${role} CREATEROLE; or make it: CREATE ROLE ${app} LOGIN with the password of MERLON_DATABASE_URL.`,
    );
  }
}

function refused(text: string): Error {
  return new Error(`${setting}: ${text}`);
}

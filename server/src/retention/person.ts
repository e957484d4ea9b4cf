/** The data of one person in an install: exported as it is stored, or erased. */

import type pg from 'pg';
import { noUser } from '../access/users/service.ts';
import { setTenant } from '../db/database.ts';
import { listTables, personColumns } from '../db/tables.ts';
import { foldEmail } from '../domain/email.ts';
import type { TenantId } from '../domain/ids.ts';
import { asOwner } from './as-owner.ts';

/** A row that names the person, or that belongs to the person alone. */
export interface PersonRow {
  /** The slug; null for tables of the install. */
  workspace: string | null;
  table: string;
  row: Record<string, unknown>;
}

// Hashes and tokens give access and are not a record of the person's actions.
const secrets = [
  'token',
  'password',
  'access_token',
  'refresh_token',
  'id_token',
  'secret_sha256',
  'mail_secret_sha256',
  'value',
];
// Rows of these tables describe a problem and not the person, who is only named in a column.
const namedOnly: Record<string, string[]> = {
  vulnerability: ['id', 'assignee_id'],
  scan: ['id', 'uploaded_by', 'created_at'],
  advisory_alias: ['taught_by'],
  issue_tracker: ['id', 'name', 'user_name'],
  linked_issue: ['id', 'tracker_id', 'issue_key', 'issue_assignee'],
};
// Issue trackers know people by texts: the name of an account there, which may be a person's address or name.
const trackerNames = [
  { table: 'issue_tracker', column: 'user_name' },
  { table: 'linked_issue', column: 'issue_assignee' },
];
const rowsAtOnce = 1000;

/** Yields the rows one after the other, from one snapshot. Throws DomainError if there is no such person. */
export async function exportPerson(
  ownerUrl: string,
  email: string,
  write: (row: PersonRow) => void,
): Promise<void> {
  await asOwner(ownerUrl, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const person = await findPerson(client, email);
    const { rows: tenants } = await client.query<{ id: TenantId; slug: string }>(
      'select id, slug from tenant order by slug',
    );
    const tables = await listTables(client);
    const give = async (workspace: string | null, table: string, condition: string): Promise<void> => {
      const columns = namedOnly[table];
      const shown = columns === undefined ? 'to_jsonb(t)' : `jsonb_build_object(${pairsOf(columns)})`;
      await client.query(
        `declare person_rows no scroll cursor for
         select ${shown} - '{${secrets.join(',')}}'::text[] as row from ${table} t where ${condition}`,
      );
      for (let rows: { row: PersonRow['row'] }[] = []; ; ) {
        ({ rows } = await client.query<{ row: PersonRow['row'] }>(`fetch ${rowsAtOnce} from person_rows`));
        for (const { row } of rows) write({ workspace, table, row });
        if (rows.length < rowsAtOnce) break;
      }
      await client.query('close person_rows');
    };
    const id = client.escapeLiteral(person.id);
    const address = client.escapeLiteral(person.email);
    await give(null, 'user_account', `id = ${id}`);
    for (const table of ['user_session', 'user_credential']) await give(null, table, `user_id = ${id}`);
    await give(null, 'api_key', `${id} in (user_id, created_by)`);
    await give(null, 'user_verification', `identifier = ${address}`);
    for (const tenant of tenants) {
      await setTenant(client, tenant.id);
      const own = `tenant_id = ${client.escapeLiteral(tenant.id)}`;
      for (const { name, columns } of tables.filter((table) => table.isOfWorkspace)) {
        const named = columns
          .filter((column) => personColumns.has(column))
          .map((column) => `${column} = ${id}`);
        for (const { column } of trackerNames.filter(({ table }) => table === name)) {
          named.push(`lower(trim(${column})) in (${address}, lower(${client.escapeLiteral(person.name)}))`);
        }
        if (name === 'invitation') named.push(`email = ${address}`);
        if (name === 'audit_event') {
          named.push(
            `target_id = ${id}`,
            `strpos(data::text, ${client.escapeLiteral(JSON.stringify(person.email))}) > 0`,
          );
        }
        if (named.length > 0) await give(tenant.slug, name, `${own} and (${named.join(' or ')})`);
      }
    }
  });
}

const pairsOf = (columns: string[]): string => columns.map((column) => `'${column}', ${column}`).join(', ');

/**
 * Erases a person who is no longer a member of any workspace: name, address, sessions, ways to sign in, personal keys,
 * private views, the address in the audit log, and both as an account of an issue tracker. The account stays without a
 * name, so the history shows that somebody acted, but not who.
 */
export async function erasePerson(ownerUrl: string, email: string): Promise<void> {
  await asOwner(ownerUrl, async (client) => {
    await client.query('begin');
    const person = await findPerson(client, email);
    for (const table of ['user_session', 'user_credential', 'api_key']) {
      await client.query(`delete from ${table} where user_id = $1`, [person.id]);
    }
    await client.query('delete from user_verification where identifier = $1', [person.email]);
    const { rows: tenants } = await client.query<{ id: TenantId }>('select id from tenant order by id');
    for (const { id: tenantId } of tenants) {
      await setTenant(client, tenantId);
      await client.query('delete from invitation where tenant_id = $1 and email = $2', [
        tenantId,
        person.email,
      ]);
      await client.query('delete from saved_view where tenant_id = $1 and owner_id = $2 and not shared', [
        tenantId,
        person.id,
      ]);
      for (const { table, column } of trackerNames) {
        await client.query(
          `update ${table} set ${column} = $4 where tenant_id = $1 and lower(trim(${column})) in ($2, lower($3))`,
          [tenantId, person.email, person.name, erasedEmail(person.id)],
        );
      }
      await client.query(
        // Only the address is replaced, because a name may be an ordinary word in a text.
        `update audit_event set data = replace(data::text, $2, $3)::jsonb
          where tenant_id = $1 and strpos(data::text, $2) > 0`,
        [tenantId, JSON.stringify(person.email), JSON.stringify(erasedEmail(person.id))],
      );
    }
    await client.query(
      `update user_account
          set email = $2, name = $3, image = null, email_verified = false, operator = false,
              disabled_at = coalesce(disabled_at, $4), updated_at = $4
        where id = $1`,
      [person.id, erasedEmail(person.id), erasedName, new Date()],
    );
    await client.query('commit');
  });
}

const erasedName = 'Erased user';
// No address can be in this domain (RFC 6761).
const erasedEmail = (id: string): string => `erased-${id}@erased.invalid`;

interface Person {
  id: string;
  email: string;
  name: string;
}

async function findPerson(client: pg.Client, email: string): Promise<Person> {
  const { rows } = await client.query<Person>(
    `select id, email, name from user_account where email = $1 and kind = 'user'`,
    [foldEmail(email)],
  );
  const [person] = rows;
  if (person === undefined) throw noUser(email);
  return person;
}

/**
 * Removes the canary workspaces of this run and of one that was killed, with their people, keys and jobs. It needs the
 * owner, because the running role may delete neither history nor audit.
 */

import type pg from 'pg';
import { queueSchema } from '../../db/queue-tables.ts';
import type { TenantId } from '../../domain/ids.ts';
import { tenantTables } from './leaks.ts';

const foreignKeyViolation = '23503';

/**
 * Removes all of them or none, in one transaction, and returns their slugs. Touches only workspaces that are marked
 * as canaries.
 */
export async function removeCanaries(owner: pg.Client): Promise<string[]> {
  await owner.query('begin');
  try {
    // The lock makes a worker wait that is about to write into one of them. It then finds the workspace deleted.
    const { rows: canaries } = await owner.query<{ id: TenantId; slug: string }>(
      'select id, slug from tenant where canary order by id for update',
    );
    const users = await usersOf(owner, canaries);
    const tables = await tenantTables(async <Row>(sql: string) => (await owner.query(sql)).rows as Row[]);
    for (const { id } of canaries) await deleteRows(owner, tables, id);
    await owner.query('delete from api_key where user_id = any($1)', [users]);
    await owner.query('delete from user_account where id = any($1)', [users]);
    const ids = canaries.map(({ id }) => id);
    await owner.query(`delete from ${queueSchema}.job where data ->> 'tenantId' = any($1)`, [ids]);
    await owner.query('delete from tenant where id = any($1) and canary', [ids]);
    await owner.query('commit');
    return canaries.map(({ slug }) => slug);
  } catch (error) {
    await owner.query('rollback');
    throw error;
  }
}

/** Returns the people with an address in a canary's own domain, and the actors of its workspace keys. */
async function usersOf(owner: pg.Client, canaries: { id: string; slug: string }[]): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(
    `select u.id from user_account u
      where u.email like any($1)
         or u.kind = 'service' and u.id in (select user_id from api_key where tenant_id = any($2))`,
    [
      canaries.flatMap(({ slug }) => [`%@${slug}.example`, `%@elsewhere.${slug}.example`]),
      canaries.map(({ id }) => id),
    ],
  );
  return rows.map(({ id }) => id);
}

/**
 * Deletes the rows of each table as soon as no other table refers to them. Row-level security applies to the owner
 * too.
 */
async function deleteRows(owner: pg.Client, tables: string[], tenantId: TenantId): Promise<void> {
  await owner.query(`select set_config('merlon.tenant_id', $1, true)`, [tenantId]);
  let rest = tables;
  while (rest.length > 0) {
    const referred: string[] = [];
    for (const table of rest) {
      await owner.query('savepoint before_table');
      try {
        await owner.query(`delete from ${table} where tenant_id = $1`, [tenantId]);
      } catch (error) {
        if ((error as { code?: string }).code !== foreignKeyViolation) throw error;
        await owner.query('rollback to savepoint before_table');
        referred.push(table);
      }
    }
    if (referred.length === rest.length) throw new Error(`rows are left in ${referred.join(', ')}`);
    rest = referred;
  }
}

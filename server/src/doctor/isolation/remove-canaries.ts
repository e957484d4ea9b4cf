/**
 * Removes the canary workspaces of this run and of one that was killed, with their people, keys and jobs. It needs the
 * owner, because the running role may delete neither history nor audit.
 */

import type pg from 'pg';
import { serviceAccountSuffix } from '../../access/users/service-account.ts';
import { setTenant } from '../../db/database.ts';
import { queueSchema } from '../../db/queue-tables.ts';
import { listTables, type Table } from '../../db/tables.ts';
import type { TenantId } from '../../domain/ids.ts';

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
    const ids = canaries.map(({ id }) => id);
    const users = await usersOf(owner, canaries);
    const tables = (await listTables(owner)).filter((table) => table.isOfWorkspace).reverse();
    for (const { id } of canaries) await deleteRows(owner, tables, id);
    await owner.query('delete from api_key where user_id = any($1) or tenant_id = any($2)', [users, ids]);
    await owner.query('delete from user_account where id = any($1)', [users]);
    await owner.query(`delete from ${queueSchema}.job where data ->> 'tenantId' = any($1)`, [ids]);
    await owner.query('delete from tenant where id = any($1) and canary', [ids]);
    await owner.query('commit');
    return canaries.map(({ slug }) => slug);
  } catch (error) {
    await owner.query('rollback');
    throw error;
  }
}

/**
 * Returns the people with an address in a canary's own domain, and the actors of its workspace keys and trust rules.
 */
async function usersOf(owner: pg.Client, canaries: { id: TenantId; slug: string }[]): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>('select id from user_account where email like any($1)', [
    canaries.flatMap(({ id, slug }) => [
      `%@${slug}.example`,
      `%@elsewhere.${slug}.example`,
      `%${serviceAccountSuffix(id)}`,
    ]),
  ]);
  return rows.map(({ id }) => id);
}

/** Deletes the rows of each table before those that they refer to. Row-level security applies to the owner too. */
async function deleteRows(owner: pg.Client, tables: Table[], tenantId: TenantId): Promise<void> {
  await setTenant(owner, tenantId);
  for (const { name } of tables) await owner.query(`delete from ${name} where tenant_id = $1`, [tenantId]);
}

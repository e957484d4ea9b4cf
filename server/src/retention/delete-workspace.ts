/**
 * Deletes a workspace as the owner of the tables, because the running role may delete neither history nor audit log.
 * All access ends first. Then the rows are deleted in short transactions, so that a long deletion blocks nobody, and an
 * interrupted one continues when it is requested again.
 */

import type pg from 'pg';
import { serviceAccountSuffix } from '../access/users/service-account.ts';
import { noWorkspace } from '../access/workspaces/service.ts';
import { setTenant } from '../db/database.ts';
import { deadlockDetected, foreignKeyViolation } from '../db/error-codes.ts';
import { queueSchema } from '../db/queue-tables.ts';
import { listTables, type Table } from '../db/tables.ts';
import type { TenantId } from '../domain/ids.ts';
import { asOwner, deleteWhere } from './as-owner.ts';

export interface DeletionProgress {
  table: string;
  /** Number of rows deleted so far. */
  rows: number;
}

// An import that ran when access ended may cause a deadlock. Each attempt waits for the lock, and fewer imports are
// left each time.
const maxTries = 20;

/** Returns the number of deleted rows. Throws DomainError if there is no such workspace. */
export async function deleteWorkspace(
  ownerUrl: string,
  slug: string,
  progress: (at: DeletionProgress) => void,
): Promise<number> {
  return asOwner(ownerUrl, async (client) => {
    const tenantId = await endAccess(client, slug);
    const tables = (await listTables(client)).filter((table) => table.isOfWorkspace).reverse();
    let rows = 0;
    // Tables that refer to others come first.
    for (const { name } of tables) {
      // An import that ran when access ended may have written more rows; `deleteRest` deletes them.
      const deleted = await deleteWhere(client, tenantId, name).catch((error: { code?: string }) => {
        if (error.code === foreignKeyViolation) return 0;
        throw error;
      });
      rows += deleted;
      if (deleted > 0) progress({ table: name, rows });
    }
    for (let tries = 1; ; tries++) {
      try {
        return rows + (await deleteRest(client, tenantId, tables));
      } catch (error) {
        await client.query('rollback');
        if ((error as { code?: string }).code !== deadlockDetected || tries === maxTries) throw error;
      }
    }
  });
}

/** Counts the data that a deletion would remove. Throws DomainError if there is no such workspace. */
export async function countWorkspace(
  ownerUrl: string,
  slug: string,
): Promise<{ repositories: number; vulnerabilities: number; members: number }> {
  return asOwner(ownerUrl, async (client) => {
    const { rows: found } = await client.query<{ id: TenantId }>('select id from tenant where slug = $1', [
      slug,
    ]);
    const [tenant] = found;
    if (tenant === undefined) throw noWorkspace(slug);
    await client.query('begin read only');
    await setTenant(client, tenant.id);
    const { rows } = await client.query(
      `select (select count(*)::int from repository where tenant_id = $1) as repositories,
              (select count(*)::int from vulnerability where tenant_id = $1) as vulnerabilities,
              (select count(*)::int from member where tenant_id = $1) as members`,
      [tenant.id],
    );
    return rows[0];
  });
}

/**
 * From the commit on no key and no person can open the workspace, no worker begins with it, no webhook and no issue
 * tells of it, and its slug stays taken.
 */
async function endAccess(client: pg.Client, slug: string): Promise<TenantId> {
  await client.query('begin');
  const { rows } = await client.query<{ id: TenantId }>(
    'update tenant set deleted_at = coalesce(deleted_at, $2) where slug = $1 returning id',
    [slug, new Date()],
  );
  const [tenant] = rows;
  if (tenant === undefined) throw noWorkspace(slug);
  await setTenant(client, tenant.id);
  await client.query('update application set owner_id = null where tenant_id = $1', [tenant.id]);
  for (const table of ['invitation', 'saved_view', 'member']) {
    await client.query(`delete from ${table} where tenant_id = $1`, [tenant.id]);
  }
  await deleteKeys(client, tenant.id);
  // A round that runs would find no vulnerability any more, and close issues as if all were fixed.
  for (const table of ['issue_tracker', 'webhook']) {
    await client.query(`update ${table} set enabled = false where tenant_id = $1`, [tenant.id]);
  }
  // Organizations refer to each other and are deleted in several transactions.
  await client.query('update organization set parent_id = null where tenant_id = $1', [tenant.id]);
  await client.query(`delete from ${queueSchema}.job where data ->> 'tenantId' = $1`, [tenant.id]);
  await client.query('commit');
  return tenant.id;
}

/** Deletes the keys of the workspace, with the service accounts as which they act. */
async function deleteKeys(client: pg.Client, tenantId: TenantId): Promise<void> {
  for (const table of ['api_key_tenant', 'api_key', 'trust_rule']) {
    await client.query(`delete from ${table} where tenant_id = $1`, [tenantId]);
  }
  await client.query(`delete from user_account where kind = 'service' and right(email, length($1)) = $1`, [
    serviceAccountSuffix(tenantId),
  ]);
}

/**
 * Deletes the workspace itself, with the rows that were written since access ended. The lock waits for imports and for
 * requests that make keys, whose rows refer to the workspace, and lets no new one begin.
 */
async function deleteRest(client: pg.Client, tenantId: TenantId, tables: Table[]): Promise<number> {
  await client.query('begin');
  await client.query('select 1 from tenant where id = $1 for update', [tenantId]);
  await setTenant(client, tenantId);
  let rows = 0;
  for (const { name } of tables) {
    const { rowCount } = await client.query(`delete from ${name} where tenant_id = $1`, [tenantId]);
    rows += rowCount ?? 0;
  }
  await deleteKeys(client, tenantId);
  await client.query('delete from tenant where id = $1', [tenantId]);
  await client.query('commit');
  return rows;
}

/**
 * Deletes descriptions and search terms that no vulnerability of a workspace has any more. Vulnerabilities share them,
 * so they are not deleted with the vulnerability.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { setTenant } from '../db/database.ts';
import { deadlockDetected, lockNotAvailable, queryCanceled } from '../db/error-codes.ts';
import type { TenantId } from '../domain/ids.ts';

interface UnusedRows {
  table: string;
  /** SQL of the condition on a row x of the table. */
  isUnused: string;
}

// In the order of the deletions: a term is unused once its text is deleted.
const unusedRows: UnusedRows[] = [
  {
    table: 'vulnerability_description',
    isUnused:
      'not exists (select 1 from vulnerability v where v.tenant_id = $1 and v.description_key = x.key)',
  },
  {
    table: 'search_text',
    isUnused:
      'not exists (select 1 from vulnerability v where v.tenant_id = $1 and v.search_key = x.search_key)',
  },
  {
    table: 'search_term',
    isUnused: 'not exists (select 1 from search_text t where t.tenant_id = $1 and t.text_key = x.text_key)',
  },
];

// Each batch reads the workspace's vulnerabilities once while imports wait, so it is large.
const rowsAtOnce = 100_000;
/** The lock was not free, two waited for each other, or the deletion took too long. */
const busy = [lockNotAvailable, deadlockDetected, queryCanceled];
const maxTries = 5;
const pauseMs = 1_000;

/** Returns the number of deleted rows. Rows of a table that imports keep busy stay until the next call. */
export async function deleteUnusedTexts(owner: pg.Client, tenantId: TenantId): Promise<number> {
  let rows = 0;
  for (const unused of unusedRows) rows += await deleteUnused(owner, tenantId, unused);
  return rows;
}

async function deleteUnused(owner: pg.Client, tenantId: TenantId, unused: UnusedRows): Promise<number> {
  let rows = 0;
  let tries = 0;
  while (tries < maxTries) {
    const deleted = await deleteBatch(owner, tenantId, unused);
    if (deleted === null) {
      tries += 1;
      await sleep(pauseMs);
    } else {
      rows += deleted;
      if (deleted < rowsAtOnce) return rows;
    }
  }
  return rows;
}

/**
 * Deletes a batch in a transaction of its own. Null means that imports were writing. An import relies on rows that are
 * there already, so while it has written to the table and has not committed, its rows may look unused. The lock waits
 * for such imports. It is taken only if there is a row to delete, and it waits briefly, because later imports wait
 * behind it.
 */
async function deleteBatch(
  owner: pg.Client,
  tenantId: TenantId,
  { table, isUnused }: UnusedRows,
): Promise<number | null> {
  await owner.query('begin');
  try {
    await setTenant(owner, tenantId);
    const { rows } = await owner.query<{ ids: string[] | null }>(
      `select array_agg(x.ctid) as ids
         from (select x.ctid from ${table} x where x.tenant_id = $1 and ${isUnused} limit ${rowsAtOnce}) x`,
      [tenantId],
    );
    const ids = rows[0]?.ids ?? [];
    if (ids.length === 0) {
      await owner.query('commit');
      return 0;
    }
    await owner.query(`set local lock_timeout = '500ms'`);
    await owner.query(`set local statement_timeout = '10s'`);
    await owner.query(`lock table ${table} in share row exclusive mode`);
    const { rowCount } = await owner.query(
      `delete from ${table} x where x.tenant_id = $1 and x.ctid = any($2::tid[]) and ${isUnused}`,
      [tenantId, ids],
    );
    await owner.query('commit');
    return rowCount ?? 0;
  } catch (error) {
    await owner.query('rollback');
    if (busy.includes((error as { code?: string }).code ?? '')) return null;
    throw error;
  }
}

/** A connection of the owner of the tables. The owner may delete rows that the running role may only add. */
import type pg from 'pg';
import { setTenant } from '../db/database.ts';
import { connectOwner } from '../db/owner-client.ts';
import type { TenantId } from '../domain/ids.ts';

export async function asOwner<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectOwner(ownerUrl, 'retention');
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

const rowsAtOnce = 20_000;

/**
 * Deletes the rows of a workspace for which `condition` holds, whose parameters begin with `$2`, in transactions of
 * `rowsAtOnce` rows, so that a long deletion blocks nobody. Returns their number. `table` may have an alias.
 */
export async function deleteWhere(
  client: pg.Client,
  tenantId: TenantId,
  table: string,
  condition = 'true',
  values: unknown[] = [],
): Promise<number> {
  const [name] = table.split(' ');
  for (let rows = 0; ; ) {
    await client.query('begin');
    try {
      await setTenant(client, tenantId);
      const { rowCount } = await client.query(
        `delete from ${name} where tenant_id = $1
            and ctid = any(array(select ctid from ${table} where tenant_id = $1 and ${condition} limit ${rowsAtOnce}))`,
        [tenantId, ...values],
      );
      await client.query('commit');
      rows += rowCount ?? 0;
      if ((rowCount ?? 0) < rowsAtOnce) return rows;
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
  }
}

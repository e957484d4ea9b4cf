/** A connection of the owner of the tables, who may delete what the running role may only add to. */
import pg from 'pg';

export async function asOwner<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'merlond retention' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Until the end of the transaction. Row-level security applies to the owner too. */
export async function setTenant(client: pg.Client, tenantId: string): Promise<void> {
  await client.query(`select set_config('merlon.tenant_id', $1, true)`, [tenantId]);
}

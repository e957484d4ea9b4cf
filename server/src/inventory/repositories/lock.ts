/** The lock of a repository: imports, merges and splits of it are one after the other, whoever does them. */
import type { Tx } from '../../db/database.ts';

/** Until the transaction ends. Taken before any vulnerability is locked. */
export async function lockRepository(tx: Tx, tenantId: string, repositoryId: string): Promise<void> {
  await tx.query('select 1 from repository where tenant_id = $1 and id = $2 for no key update', [
    tenantId,
    repositoryId,
  ]);
}

/** SQL of the images that series scan. */

import type { Tx } from '../../db/database.ts';
import { type AssetId, newId } from '../../domain/ids.ts';
import type { AssetType } from '../../policies/definition/facts.ts';

const containerImage: AssetType = 'container_image';

export async function findImage(tx: Tx, name: string): Promise<AssetId | undefined> {
  const [row] = await tx.query<{ id: AssetId }>(
    'select id from asset where tenant_id = $1 and type = $2 and name = $3',
    [tx.tenantId, containerImage, name],
  );
  return row?.id;
}

/** Returns undefined if there is an image with this name. */
export async function insertImage(tx: Tx, name: string): Promise<AssetId | undefined> {
  const [row] = await tx.query<{ id: AssetId }>(
    `insert into asset (tenant_id, id, name, type) values ($1, $2, $3, $4)
     on conflict (tenant_id, type, name) do nothing returning id`,
    [tx.tenantId, newId(), name, containerImage],
  );
  return row?.id;
}

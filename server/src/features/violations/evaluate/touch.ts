/** What a change around vulnerabilities touches: all of a reference, all of a repository, now or a little later. */
import type { Tx } from '../../../db/database.ts';
import { targetTypes } from '../../policies/words.ts';
import type { Changes } from '../../vulnerabilities/changes.ts';
import type { TargetRow } from './scope-store.ts';

async function isAnythingAsked(tx: Tx, tenantId: string): Promise<boolean> {
  const [row] = await tx.query('select 1 from policy where tenant_id = $1 and status = 0 limit 1', [
    tenantId,
  ]);
  return row !== undefined;
}

/** Where it is deployed has changed, say. */
export async function touchReference(
  tx: Tx,
  tenantId: string,
  changes: Changes,
  repositoryId: string,
  referenceId: string,
): Promise<void> {
  changes.touchAll(repositoryId);
  if (!(await isAnythingAsked(tx, tenantId))) return;
  const rows = await tx.query<{ vulnerability_id: string }>(
    `select vulnerability_id from vulnerability_reference where tenant_id = $1 and reference_id = $2 and live`,
    [tenantId, referenceId],
  );
  for (const row of rows) changes.touch(row.vulnerability_id, repositoryId);
}

/** Everything of these repositories is asked about within a minute: they bear another name, say. */
export async function touchLater(tx: Tx, tenantId: string, repositoryIds: string[]): Promise<void> {
  if (repositoryIds.length === 0 || !(await isAnythingAsked(tx, tenantId))) return;
  await tx.query(
    `insert into repository_evaluation (tenant_id, repository_id, evaluated_at, pending)
     select $1, id, now(), true from unnest($2::uuid[]) id order by id
     on conflict (tenant_id, repository_id) do update set pending = true`,
    [tenantId, repositoryIds],
  );
}

/** Everything under these organizations: they are part of another one now. Paths in lower case. */
export async function touchOrganizations(tx: Tx, tenantId: string, pathKeys: string[]): Promise<void> {
  if (pathKeys.length === 0) return;
  const rows = await tx.query<{ id: string }>(
    `with recursive down (id, step) as (
       select o.id, 0 from organization o where o.tenant_id = $1 and o.path_key = any($2::text[])
       union all
       select o.id, down.step + 1 from down
         join organization o on o.tenant_id = $1 and o.parent_id = down.id where down.step < 50)
     select distinct r.id from down join repository r on r.tenant_id = $1 and r.organization_id = down.id`,
    [tenantId, pathKeys],
  );
  await touchLater(
    tx,
    tenantId,
    rows.map((row) => row.id),
  );
}

/** The targets of violations; those that are no vulnerabilities with all others of their type. */
export function touchTargets(changes: Changes, rows: TargetRow[]): void {
  for (const row of rows) {
    const type = targetTypes[row.target_type] ?? 'vulnerability';
    if (type === 'vulnerability') changes.touch(row.target_id, row.repository_id);
    else changes.touchAll(row.repository_id, [type]);
  }
}

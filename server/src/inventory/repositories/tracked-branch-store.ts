/** SQL of tracked branches: their names, and the references that these make tracked. */

import { changedNow, updateRow } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import type { ReferenceId, RepositoryId } from '../../domain/ids.ts';
import { markToMatch } from './references-to-match.ts';

// `*` matches any characters. The special characters of LIKE match themselves.
const sqlPattern = `'refs/heads/' || replace(replace(replace(replace(name, '\\', '\\\\'), '%', '\\%'), '_', '\\_'), '*', '%')`;

/**
 * In SQL: true if the reference of these columns is tracked, and is not the default branch. Needs the rows `r` of its
 * repository and `t` of the workspace.
 */
export function sqlIsTrackedName(fullRef: string): string {
  return `exists (select 1 from unnest(coalesce(r.tracked_branches, t.tracked_branches)) as name
                   where ${fullRef} like ${sqlPattern})`;
}

export interface TrackedBranches {
  /** Null means that the names of the workspace count. */
  own: string[] | null;
  workspace: string[];
}

export async function readTrackedBranches(
  tx: Tx,
  repositoryId: RepositoryId,
): Promise<TrackedBranches | undefined> {
  const [row] = await tx.query<TrackedBranches>(
    `select r.tracked_branches as own, t.tracked_branches as workspace
       from repository r join tenant t on t.id = $1 where r.tenant_id = $1 and r.id = $2`,
    [tx.tenantId, repositoryId],
  );
  return row;
}

/** Sets the names of a repository; null means those of the workspace. `alignTracked` updates the references. */
export async function updateTrackedBranches(
  tx: Tx,
  repositoryId: RepositoryId,
  names: string[] | null,
): Promise<void> {
  const fields = { tracked_branches: names, tracking_changed: true };
  await updateRow(tx, 'repository', repositoryId, fields, changedNow);
}

/** Marks the repositories without names of their own, after those of the workspace have changed. */
export async function markTrackingChanged(tx: Tx): Promise<void> {
  await tx.query(
    `update repository set tracking_changed = true
      where tenant_id = $1 and tracked_branches is null and not tracking_changed`,
    [tx.tenantId],
  );
}

/** Locks up to `limit` of the marked repositories. Leaves out those that an import has locked. */
export async function lockTrackingChanged(
  tx: Tx,
  { limit = null, among = null }: { limit?: number | null; among?: RepositoryId[] | null },
): Promise<RepositoryId[]> {
  const rows = await tx.query<{ id: RepositoryId }>(
    `select id from repository where tenant_id = $1 and tracking_changed and ($3::uuid[] is null or id = any($3))
      order by id limit $2 for no key update skip locked`,
    [tx.tenantId, limit, among],
  );
  return rows.map((row) => row.id);
}

export async function listTrackingChanged(tx: Tx, limit: number): Promise<{ repository_id: RepositoryId }[]> {
  return tx.query(
    'select id as repository_id from repository where tenant_id = $1 and tracking_changed order by id limit $2',
    [tx.tenantId, limit],
  );
}

/** Removes the mark of repositories that the transaction has locked. */
export async function clearTrackingChanged(tx: Tx, repositoryIds: RepositoryId[]): Promise<void> {
  await tx.query(
    'update repository set tracking_changed = false where tenant_id = $1 and id = any($2::uuid[])',
    [tx.tenantId, repositoryIds],
  );
}

/**
 * Updates the references of a repository to the names, and returns those that have become tracked or untracked. A quiet
 * branch counts again once it is tracked.
 */
export async function updateTracked(tx: Tx, repositoryId: RepositoryId): Promise<string[]> {
  const rows = await tx.query<{ id: ReferenceId; isActivated: boolean }>(
    `update reference f
        set tracked = n.tracked, once_tracked = f.once_tracked or n.tracked, active = f.active or n.tracked,
            updated_at = now()
       from (select f.id, f.active, f.is_default or f.type = 'branch' and ${sqlIsTrackedName('f.full_ref')} as tracked
               from reference f
               join repository r on r.tenant_id = $1 and r.id = $2
               join tenant t on t.id = $1
              where f.tenant_id = $1 and f.repository_id = $2) n
      where f.tenant_id = $1 and f.id = n.id and f.tracked <> n.tracked
      returning f.id, f.active and not n.active as "isActivated"`,
    [tx.tenantId, repositoryId],
  );
  const activated = rows.filter((row) => row.isActivated);
  await markToMatch(
    tx,
    activated.map((row) => row.id),
  );
  return rows.map((row) => row.id);
}

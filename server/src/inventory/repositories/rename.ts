/**
 * Renames a repository, because its VCS has renamed it, or because another repository has its name now. The audit log
 * records each rename. The names must be locked (`lockIdentity`).
 */

import { type Actor, recordAudit } from '../../access/audit/record.ts';
import type { ChangeTx, Tx } from '../../db/database.ts';
import { formatId, type OrganizationId, type RepositoryId } from '../../domain/ids.ts';
import { repositoryRef } from './service.ts';
import { findRepository, type RepositoryDetailRow, renameRepository } from './store.ts';

/** Releases the name for another repository. The holder gets a unique name until a report gives its name at the VCS. */
export async function releaseName(tx: ChangeTx, holder: RepositoryDetailRow, actor: Actor): Promise<void> {
  const fullName = await uniqueName(tx, holder);
  const name = holder.name + fullName.slice(holder.full_name.length);
  await rename(tx, holder.id, { organizationId: holder.organization_id, name, fullName }, actor);
}

/** A name such as `org/name (ghc:4711)`, which no report can use because of its space. */
export async function uniqueName(
  tx: Tx,
  {
    id,
    full_name: fullName,
    source,
    external_id: externalId,
  }: Pick<RepositoryDetailRow, 'id' | 'full_name' | 'source' | 'external_id'>,
): Promise<string> {
  const beside = `${fullName} (${source}:${externalId})`;
  // Names ignore case and ids do not, so two ids may give the same name.
  if (!(await findRepository(tx, repositoryRef(beside)))) return beside;
  return `${fullName} (${formatId('repository', id)})`;
}

export async function rename(
  tx: ChangeTx,
  id: RepositoryId,
  to: { organizationId: OrganizationId; name: string; fullName: string },
  actor: Actor,
): Promise<void> {
  const before = await findRepository(tx, { id });
  await renameRepository(tx, id, to);
  tx.changes.markForLater([id]);
  await recordAudit(tx, actor, 'repository.rename', id, { from: before?.full_name, to: to.fullName });
}

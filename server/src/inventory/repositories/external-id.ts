/**
 * The external id is the id of a repository at its VCS. A report with this id belongs to the repository, whatever its
 * name is.
 */

import { type Actor, recordAudit } from '../../access/audit/record.ts';
import type { ChangeTx, Tx } from '../../db/database.ts';
import { conflictingInput } from '../../domain/errors.ts';
import type { RepositoryId } from '../../domain/ids.ts';
import type { RepositorySource } from '../../domain/repository-enums.ts';
import { markTeamsChangedIn } from '../code-owners/code-owners-store.ts';
import { findIdByExternalId, updateExternalId } from './store.ts';

/** True if this repository has the id at this VCS. Throws DomainError on `external_id` if another one has it. */
export async function hasExternalId(
  tx: Tx,
  repositoryId: RepositoryId,
  { source, externalId }: { source: RepositorySource; externalId: string },
): Promise<boolean> {
  const holder = await findIdByExternalId(tx, source, externalId);
  if (holder === undefined || holder === repositoryId) return holder === repositoryId;
  throw conflictingInput(`Another repository of ${source} has the external_id ${externalId}.`, 'external_id');
}

/** Sets and records the id. The identity must be locked (`lockIdentity`), and no other repository may have it. */
export async function setExternalId(
  tx: ChangeTx,
  repositoryId: RepositoryId,
  { source, externalId }: { source: RepositorySource; externalId: string },
  actor: Actor,
): Promise<void> {
  await updateExternalId(tx, repositoryId, source, externalId);
  tx.changes.markForLater([repositoryId]);
  // The VCS decides the syntax of the CODEOWNERS file.
  await markTeamsChangedIn(tx, [repositoryId]);
  await recordAudit(tx, actor, 'repository.external_id', repositoryId, { source, external_id: externalId });
}

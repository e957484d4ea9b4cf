/**
 * The external id is the id of a repository at its VCS. A report with this id belongs to the repository, whatever its
 * name is.
 */

import { type Actor, recordAudit } from '../../access/audit/record.ts';
import type { ChangeTx } from '../../db/database.ts';
import type { RepositorySource } from '../../domain/repository-enums.ts';
import { markTeamsChangedIn } from '../code-owners/code-owners-store.ts';
import { updateExternalId } from './store.ts';

/** Sets and records the id. The identity must be locked (`lockIdentity`), and no other repository may have it. */
export async function setExternalId(
  tx: ChangeTx,
  repositoryId: string,
  { source, externalId }: { source: RepositorySource; externalId: string },
  actor: Actor,
): Promise<void> {
  await updateExternalId(tx, repositoryId, source, externalId);
  tx.changes.markForLater([repositoryId]);
  // The VCS decides the syntax of the CODEOWNERS file.
  await markTeamsChangedIn(tx, [repositoryId]);
  await recordAudit(tx, actor, 'repository.external_id', repositoryId, { source, external_id: externalId });
}

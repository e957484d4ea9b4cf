/** An admin says of a repository whether people outside can reach what is built from it. */
import { type Actor, recordAudit } from '../../access/audit/record.ts';
import type { Tx } from '../../db/database.ts';
import { updateExposed } from './store.ts';

/** Sets and records it. Returns false if it was so before. */
export async function setExposed(
  tx: Tx,
  repositoryId: string,
  isExposed: boolean,
  actor: Actor,
): Promise<boolean> {
  if (!(await updateExposed(tx, repositoryId, isExposed))) return false;
  await recordAudit(tx, [
    {
      ...actor,
      action: 'repository.exposed',
      targetType: 'repository',
      targetId: repositoryId,
      data: { exposed: isExposed },
    },
  ]);
  return true;
}

/** An admin says of a repository, or of an environment, whether people outside can reach what is there. */
import { type Actor, recordAudit } from '../../access/audit/record.ts';
import { changeSetting, getTenantRow } from '../../access/workspaces/service.ts';
import type { ChangeTx, Tx } from '../../db/database.ts';
import type { RepositoryId } from '../../domain/ids.ts';
import { checkedEnvironment, nameKeyOf } from '../../domain/plain-name.ts';
import type { Principal } from '../../http/principal.ts';
import { listRepositoriesDeployedTo } from './reference-store.ts';
import { updateExposed } from './store.ts';

/** Sets and records it. Returns false if it was so before. */
export async function setExposed(
  tx: Tx,
  repositoryId: RepositoryId,
  isExposed: boolean,
  actor: Actor,
): Promise<boolean> {
  if (!(await updateExposed(tx, repositoryId, isExposed))) return false;
  await recordAudit(tx, actor, 'repository.exposed', repositoryId, { exposed: isExposed });
  return true;
}

/**
 * Sets which environments are exposed, by name. The next sweeps evaluate policies. Throws DomainError for a bad name.
 */
export async function setExposedEnvironments(
  tx: ChangeTx,
  principal: Principal,
  names: string[],
): Promise<void> {
  const to = [
    ...new Set(names.map((name) => nameKeyOf(checkedEnvironment(name, 'exposed_environments')))),
  ].sort();
  const { settings } = await getTenantRow(tx, tx.tenantId);
  const before = settings.exposed_environments ?? [];
  if (!(await changeSetting(tx, principal, 'exposed_environments', { to, unset: [] }))) return;
  tx.changes.markForLater(await listRepositoriesDeployedTo(tx, [...before, ...to]));
}

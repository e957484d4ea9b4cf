/**
 * Sets the default branch of a repository, as a report, an inventory file or an admin chooses it. The audit log records
 * a move, and all vulnerabilities of the repository are reconciled with it.
 */
import { type Actor, recordAudit } from '../../access/audit/record.ts';
import type { ChangeTx } from '../../db/database.ts';
import type { RepositoryId } from '../../domain/ids.ts';
import type { ReferenceName } from '../../domain/reference-name.ts';
import { getOrCreateReference } from '../../inventory/repositories/create.ts';
import {
  type DefaultState,
  findDefault,
  type ReferenceRow,
  updateDefaultReference,
} from '../../inventory/repositories/store.ts';
import { listComparedWith } from '../../policies/verdict/compared-reference-store.ts';
import { reconcileReference, reconcileRepository } from '../../vulnerabilities/reconcile-scope.ts';
import { recordReferenceChange } from './describe-reference.ts';

/**
 * Chooses the default branch. A branch that is given by name is chosen for good; otherwise the first branch seen is a
 * guess until one is given. Without `mayMove` an existing default branch stays, even a guessed one. Returns false if it
 * stays although another one is given. Reconciles the vulnerabilities after a move.
 */
export async function chooseDefault(
  tx: ChangeTx,
  repositoryId: RepositoryId,
  reference: Pick<ReferenceRow, 'id' | 'type'>,
  given: ReferenceName | null,
  mayMove: boolean,
  actor: Actor,
): Promise<boolean> {
  if (given) {
    const known = mayMove ? null : await findDefault(tx, repositoryId, false);
    if (known?.fullRef) return known.fullRef === given.fullRef;
    await setDefaultBranch(tx, repositoryId, given, actor);
    return true;
  }
  if (reference.type !== 'branch') return true;
  // A default branch nearly always exists, so the first read takes no lock, which a running import could hold.
  if ((await findDefault(tx, repositoryId, false)).referenceId !== null) return true;
  if ((await findDefault(tx, repositoryId, true)).referenceId !== null) return true;
  await updateDefaultReference(tx, repositoryId, reference.id, { guessed: true, revives: false });
  tx.changes.markTargetsChanged(repositoryId);
  return true;
}

/**
 * Makes the branch the default, so that it is tracked and the former one is not. With `revives`, a default branch that
 * has ended is active again. The audit log records both.
 */
export async function setDefaultBranch(
  tx: ChangeTx,
  repositoryId: RepositoryId,
  branch: ReferenceName,
  actor: Actor,
  { revives = false } = {},
): Promise<void> {
  const chosen = await getOrCreateReference(tx, repositoryId, branch);
  const isSo = ({ referenceId, guessed, active }: DefaultState): boolean =>
    referenceId === chosen.id && !guessed && (active === true || !revives);
  if (isSo(await findDefault(tx, repositoryId, false))) return;
  const state = await findDefault(tx, repositoryId, true);
  if (isSo(state)) return;
  const isRevived = await updateDefaultReference(tx, repositoryId, chosen.id, { guessed: false, revives });
  tx.changes.markTargetsChanged(repositoryId);
  const cause = { scanId: null, actorId: null, at: new Date() };
  if (state.referenceId !== null && state.referenceId !== chosen.id) {
    await recordAudit(tx, actor, 'repository.default_branch', repositoryId, {
      from: state.fullRef,
      to: branch.fullRef,
    });
    await reconcileRepository(tx, repositoryId, cause);
  } else if (isRevived) {
    await recordReferenceChange(
      tx,
      actor,
      { id: chosen.id, repositoryId, fullRef: branch.fullRef },
      {
        active: { from: 'false', to: 'true' },
      },
    );
    await reconcileReference(tx, chosen.id, { ...cause, actorId: actor.actorId });
    // References that are compared with this branch were compared with nothing while it had ended.
    tx.changes.markVerdicts(await listComparedWith(tx, repositoryId, branch.fullRef));
  }
}

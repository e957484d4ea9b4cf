/**
 * Making what a report or an inventory names: the repository, the reference, the choice of the default branch. What
 * is there already is given as it is.
 */
import type { Tx } from '../../db/database.ts';
import { localExternalId, newId } from '../../ids.ts';
import { getOrCreateOrganization } from '../organizations/service.ts';
import type { CounterChanges } from '../vulnerabilities/counters.ts';
import { settleRepository } from '../vulnerabilities/settle-scope.ts';
import { type ReferenceName, referenceTypes } from './reference-name.ts';
import { repositoryRef } from './service.ts';
import {
  findReferences,
  findRepository,
  insertReference,
  type ReferenceRow,
  updateDefaultReference,
  upsertRepository,
} from './store.ts';

/** Two reports of a repository that nobody knew may come at once: the second waits for the first here. */
export async function getOrCreateRepository(tx: Tx, tenantId: string, fullName: string): Promise<string> {
  const found = await findRepository(tx, tenantId, repositoryRef(fullName));
  if (found) return found.id;
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `${tenantId} ${fullName.toLowerCase()}`,
  ]);
  const meanwhile = await findRepository(tx, tenantId, repositoryRef(fullName));
  if (meanwhile) return meanwhile.id;
  const slash = fullName.lastIndexOf('/');
  const organizationId = await getOrCreateOrganization(tx, tenantId, fullName.slice(0, slash));
  const id = newId();
  return upsertRepository(tx, tenantId, {
    id,
    organizationId,
    name: fullName.slice(slash + 1),
    fullName,
    source: 0,
    externalId: localExternalId('repository', id),
    isPrivate: true,
    isArchived: false,
    isEnabled: true,
    isMonorepo: false,
  });
}

export async function getOrCreateReference(
  tx: Tx,
  tenantId: string,
  repositoryId: string,
  name: ReferenceName,
): Promise<ReferenceRow> {
  const [found] = await findReferences(tx, tenantId, repositoryId, [name.fullRef]);
  if (found) return found;
  const id = newId();
  const type = referenceTypes.indexOf(name.type);
  await insertReference(tx, tenantId, { id, repositoryId, fullRef: name.fullRef, type });
  const [row] = await findReferences(tx, tenantId, repositoryId, [name.fullRef]);
  if (!row) throw new Error('the reference is not there');
  return row;
}

/**
 * The default branch: given by name it is that one, for good; else the first branch seen is a guess until somebody
 * says. What that changes is settled; the counters are the caller's to write, last.
 */
export async function chooseDefault(
  tx: Tx,
  tenantId: string,
  repositoryId: string,
  reference: ReferenceRow,
  given: ReferenceName | null,
  counters: CounterChanges,
): Promise<void> {
  if (given) return setDefaultBranch(tx, tenantId, repositoryId, given, counters);
  if (referenceTypes[reference.type] !== 'branch') return;
  // Nearly always there is one: asked without a lock, which a running import would hold.
  if ((await findDefault(tx, tenantId, repositoryId, false)).referenceId !== null) return;
  if ((await findDefault(tx, tenantId, repositoryId, true)).referenceId !== null) return;
  await updateDefaultReference(tx, tenantId, repositoryId, reference.id, true);
}

/** Makes the branch the default: it is tracked, and the one before is not. The counters are the caller's to write. */
export async function setDefaultBranch(
  tx: Tx,
  tenantId: string,
  repositoryId: string,
  branch: ReferenceName,
  counters: CounterChanges,
): Promise<void> {
  const chosen = await getOrCreateReference(tx, tenantId, repositoryId, branch);
  const isSo = (state: DefaultState): boolean => state.referenceId === chosen.id && !state.guessed;
  if (isSo(await findDefault(tx, tenantId, repositoryId, false))) return;
  const state = await findDefault(tx, tenantId, repositoryId, true);
  if (isSo(state)) return;
  await updateDefaultReference(tx, tenantId, repositoryId, chosen.id, false);
  if (state.referenceId === null || state.referenceId === chosen.id) return;
  const cause = { scanId: null, actorId: null, at: new Date() };
  await settleRepository(tx, tenantId, repositoryId, cause, counters);
}

interface DefaultState {
  referenceId: string | null;
  guessed: boolean;
}

/** With `lock`, as an import takes it: neither sees the other's half. */
async function findDefault(
  tx: Tx,
  tenantId: string,
  repositoryId: string,
  lock: boolean,
): Promise<DefaultState> {
  const [row] = await tx.query<{ default_reference_id: string | null; default_guessed: boolean }>(
    `select default_reference_id, default_guessed from repository
      where tenant_id = $1 and id = $2${lock ? ' for no key update' : ''}`,
    [tenantId, repositoryId],
  );
  if (!row) throw new Error('the repository is not there');
  return { referenceId: row.default_reference_id, guessed: row.default_guessed };
}

/**
 * Making what a report or an inventory names: the repository, the reference, the choice of the default branch. What
 * is there already is given as it is.
 */
import type { Tx } from '../../db/database.ts';
import { localExternalId, newId } from '../../ids.ts';
import { getOrCreateOrganization } from '../organizations/service.ts';
import { CounterChanges } from '../vulnerabilities/counters.ts';
import { settleRepository } from '../vulnerabilities/sweep.ts';
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

// Given by name: that one, for good. Else the first branch seen, as a guess until somebody says.
export async function chooseDefault(
  tx: Tx,
  tenantId: string,
  repositoryId: string,
  reference: ReferenceRow,
  given: ReferenceName | null,
): Promise<void> {
  if (given) await setDefaultBranch(tx, tenantId, repositoryId, given);
  else if (referenceTypes[reference.type] === 'branch') {
    const state = await lockDefault(tx, tenantId, repositoryId);
    if (state.referenceId === null)
      await updateDefaultReference(tx, tenantId, repositoryId, reference.id, true);
  }
}

/** Makes the branch the default, and settles what that changes: it is tracked, and the one before is not. */
export async function setDefaultBranch(
  tx: Tx,
  tenantId: string,
  repositoryId: string,
  branch: ReferenceName,
): Promise<void> {
  const state = await lockDefault(tx, tenantId, repositoryId);
  const chosen = await getOrCreateReference(tx, tenantId, repositoryId, branch);
  if (state.referenceId === chosen.id && !state.guessed) return;
  await updateDefaultReference(tx, tenantId, repositoryId, chosen.id, false);
  if (state.referenceId === null || state.referenceId === chosen.id) return;
  const counters = new CounterChanges();
  const cause = { scanId: null, actorId: null, at: new Date() };
  await settleRepository(tx, tenantId, repositoryId, cause, counters);
  await counters.write(tx, tenantId);
}

// An import holds the same lock: neither sees the other's half.
async function lockDefault(
  tx: Tx,
  tenantId: string,
  repositoryId: string,
): Promise<{ referenceId: string | null; guessed: boolean }> {
  const [row] = await tx.query<{ default_reference_id: string | null; default_guessed: boolean }>(
    `select default_reference_id, default_guessed from repository
      where tenant_id = $1 and id = $2 for no key update`,
    [tenantId, repositoryId],
  );
  if (!row) throw new Error('the repository is not there');
  return { referenceId: row.default_reference_id, guessed: row.default_guessed };
}

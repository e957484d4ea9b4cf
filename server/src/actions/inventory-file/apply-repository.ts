/** Applies the repositories of an inventory file. */

import type { ChangeTx } from '../../db/database.ts';
import { conflictingInput } from '../../domain/errors.ts';
import { isLocalExternalId, localExternalId, newId } from '../../domain/ids.ts';
import { nameKeyOf } from '../../domain/plain-name.ts';
import { parseBranch } from '../../domain/reference-name.ts';
import type { RepositorySource } from '../../domain/repository-enums.ts';
import { markTeamsChangedIn } from '../../inventory/code-owners/code-owners-store.ts';
import type { Inventory } from '../../inventory/file/document.ts';
import { getOrCreateOrganization } from '../../inventory/organizations/service.ts';
import { setExposed } from '../../inventory/repositories/exposed.ts';
import { hasExternalId } from '../../inventory/repositories/external-id.ts';
import { applyProviderSettings } from '../../inventory/repositories/provider-settings.ts';
import {
  findRepository,
  lockIdentified,
  type RepositoryDetailRow,
  upsertRepository,
} from '../../inventory/repositories/store.ts';
import { setDefaultBranch } from '../repositories/default-branch.ts';

type RepositoryInput = NonNullable<Inventory['repositories']>[number];

/**
 * Creates or updates the repository as the file says. A field that the file does not give keeps its value. Throws
 * DomainError if the entry is in conflict with a repository, or names a default branch that does not exist. The
 * identities must be locked (`lockIdentities`).
 */
export async function applyRepository(tx: ChangeTx, input: RepositoryInput): Promise<void> {
  const { changes } = tx;
  const key = nameKeyOf(input.full_name);
  await lockIdentified(tx, key, input.source ?? null, input.external_id ?? null);
  const before = await findRepository(tx, { nameKey: key });
  const slash = input.full_name.lastIndexOf('/');
  const organizationId =
    before?.organization_id ?? (await getOrCreateOrganization(tx, input.full_name.slice(0, slash)));
  const id = before?.id ?? newId<'repository'>();
  const after = {
    id,
    organizationId,
    name: input.full_name.slice(slash + 1),
    fullName: input.full_name,
    source: input.source === undefined ? (before?.source ?? 'local') : input.source,
    externalId: input.external_id ?? before?.external_id ?? localExternalId('repository', id),
    isPrivate: input.is_private ?? before?.is_private ?? true,
    isArchived: input.is_archived ?? before?.is_archived ?? false,
    isEnabled: input.is_enabled ?? before?.is_enabled ?? true,
    isMonorepo: input.is_monorepo ?? before?.is_monorepo ?? false,
  };
  refuseIdOfAnotherSource(input, before);
  await hasExternalId(tx, id, after);
  await upsertRepository(tx, after);
  if (!before) changes.markTargetsChanged(id);
  else if (isAnother(before, after)) {
    changes.markForLater([id]);
    // The source decides the syntax of the CODEOWNERS file.
    await markTeamsChangedIn(tx, [id]);
  }
  if (input.default_branch !== undefined) {
    const branch = parseBranch(input.default_branch, 'default_branch');
    await setDefaultBranch(tx, id, branch, { actorId: null });
  }
  if (input.is_exposed !== undefined && (await setExposed(tx, id, input.is_exposed, { actorId: null }))) {
    changes.markForLater([id]);
  }
  if (input.settings !== undefined && (await applyProviderSettings(tx, id, input.settings))) {
    changes.markTargetsChanged(id, ['provider']);
  }
}

/**
 * An id is that of one VCS. Kept with another source, it would be the id of a foreign repository there, whose reports
 * would count for this one.
 */
function refuseIdOfAnotherSource(input: RepositoryInput, before: RepositoryDetailRow | undefined): void {
  if (input.external_id !== undefined || !before || isLocalExternalId(before.external_id)) return;
  if (input.source === undefined || input.source === before.source) return;
  throw conflictingInput(
    `The external_id ${before.external_id} is that at ${before.source}. Give the external_id at ${input.source} too.`,
  );
}

/** True if a fact has changed that a policy may use about the repository. */
function isAnother(
  before: RepositoryDetailRow,
  after: { isPrivate: boolean; isArchived: boolean; isEnabled: boolean; source: RepositorySource },
): boolean {
  return (
    before.is_private !== after.isPrivate ||
    before.is_archived !== after.isArchived ||
    before.is_enabled !== after.isEnabled ||
    before.source !== after.source
  );
}

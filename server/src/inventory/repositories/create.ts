/**
 * Creates the repository and the reference that a report or an inventory names. Existing ones are returned unchanged.
 */

import type { Actor } from '../../access/audit/record.ts';
import type { ChangeTx, Tx } from '../../db/database.ts';
import { conflictingInput } from '../../domain/errors.ts';
import { localExternalId, newId, type OrganizationId, type RepositoryId } from '../../domain/ids.ts';
import type { OrganizationType } from '../../domain/organization-enums.ts';
import type { ReferenceName } from '../../domain/reference-name.ts';
import type { RepositorySource } from '../../domain/repository-enums.ts';
import { findNamedOrganization, getOrCreateOrganization } from '../organizations/service.ts';
import { setExternalId } from './external-id.ts';
import { identify, lockIdentity, type RepositoryIdentity } from './identify.ts';
import { releaseName, rename, uniqueName } from './rename.ts';
import {
  findFirstBranch,
  findNewRepositoriesSetting,
  findReferences,
  findRepository,
  insertReference,
  type ReferenceRow,
  type RepositoryDetailRow,
  upsertRepository,
} from './store.ts';

export type { RepositoryIdentity };

/** The values of a workspace's setting that says which repositories a report may create. */
export const newRepositories = ['any', 'known_organizations', 'never'] as const;

/**
 * True if a policy blocks in a repository. Then only a caller who may decide there can change values that policies
 * depend on.
 */
export type RequiresApproval = (repositoryId: RepositoryId) => Promise<boolean>;

export interface CreateOptions {
  /** If false, known repositories are not renamed and get no id, but new ones are still created. */
  mayChange?: boolean;
  /**
   * If false, a repository that is known by its name alone does not get the id of the report, also with
   * `mayChange`.
   */
  mayStoreId?: boolean;
  /** If true, even a repository in which a policy blocks is changed, although its rules may depend on its name. */
  mayChangeWithoutApproval?: boolean;
  /** True if a policy blocks in the repository. */
  requiresApproval: RequiresApproval;
  /** The sender of the report, whom the audit log names if a repository is renamed or gets another id. */
  actor?: Actor;
  /** Called with a sentence about a change that is left out, because the sender may not make it. */
  onKept?: (warning: string) => void;
}

/**
 * Finds the repository by its id at the VCS, then by name, and renames it if the VCS has. Otherwise it creates one. If
 * another repository with another id at the VCS has its name, that one releases the name. Throws a conflict about
 * `repo` if the setting of the workspace does not let a report create the repository. If two reports of a new
 * repository arrive at once, the second waits for the first here.
 */
export async function getOrCreateRepository(
  tx: ChangeTx,
  identity: RepositoryIdentity,
  {
    mayChange: mayChangeAny = true,
    mayStoreId = true,
    mayChangeWithoutApproval = true,
    actor = { actorId: null },
    onKept = () => {},
    requiresApproval,
  }: CreateOptions,
): Promise<RepositoryId> {
  // The repository is nearly always known under its name, and then needs no lock.
  const seen = await identify(tx, identity);
  const concerned = [
    seen.to === 'make' ? null : seen.id,
    'holder' in seen ? (seen.holder?.id ?? null) : null,
  ];
  const mayChange =
    mayChangeAny &&
    (mayChangeWithoutApproval || !(await anyRequiresApproval(requiresApproval, seen.to, concerned)));
  if (mayChangeAny && !mayChange && (seen.to === 'learn' || seen.to === 'rename')) {
    onKept(staysWhereBlocked(`The repository keeps its ${seen.to === 'learn' ? 'id' : 'name'}`));
  }
  if (mayChangeAny && !mayChange && seen.to === 'make') {
    onKept(
      staysWhereBlocked(
        'The report counts for a new repository, because another one has its name and keeps it',
      ),
    );
  }
  if (seen.to === 'keep') return keptId(seen, requiresApproval, onKept);
  if (seen.to === 'learn' && !mayStoreId) return seen.id;
  if (seen.to !== 'make' && !mayChange) return seen.id;
  await lockIdentity(tx, identity);
  const found = await identify(tx, identity);
  if (found.to === 'keep') return keptId(found, requiresApproval, onKept);
  if (found.to === 'learn' && !mayStoreId) return found.id;
  if (found.to !== 'make' && !mayChange) return found.id;
  if (found.to === 'make') return createRepository(tx, identity, found.holder, mayChange, actor);
  if (found.to === 'learn') {
    const { source, externalId } = identity;
    if (!source || !externalId) throw new Error('the report has no id to store');
    await setExternalId(tx, found.id, { source, externalId }, actor);
    return found.id;
  }
  await checkAllowed(tx, identity, true);
  if (found.holder) await releaseName(tx, found.holder, actor);
  const organizationId = await organizationOf(tx, identity);
  await rename(tx, found.id, { organizationId, ...splitName(identity.fullName) }, actor);
  return found.id;
}

// Any uploader may be the first to claim an id. The claim must not draw reports away from a repository in which a
// policy blocks.
async function keptId(
  { id, named }: { id: RepositoryId; named?: RepositoryId },
  requiresApproval: RequiresApproval,
  onKept: (warning: string) => void = () => {},
): Promise<RepositoryId> {
  if (named === undefined || !(await requiresApproval(named))) return id;
  onKept(
    'The report counts for the repository that it names, where a policy blocks; another repository bears the id that came with it. An admin sets the ids right.',
  );
  return named;
}

// Rules depend on names and organizations, and the id at the VCS finds a repository under any name.
async function anyRequiresApproval(
  requiresApproval: RequiresApproval,
  to: string,
  ids: (RepositoryId | null)[],
): Promise<boolean> {
  if (to === 'keep') return false;
  for (const id of ids) if (id !== null && (await requiresApproval(id))) return true;
  return false;
}

async function createRepository(
  tx: ChangeTx,
  identity: RepositoryIdentity,
  holder: RepositoryDetailRow | undefined,
  mayChange: boolean,
  actor: Actor,
): Promise<RepositoryId> {
  await checkAllowed(tx, identity, false);
  const id = newId<'repository'>();
  const source = identity.source ?? 'local';
  const externalId = identity.externalId ?? localExternalId('repository', id);
  let fullName = identity.fullName;
  // A report that may change nothing, such as a dry run, must not take the name of another repository. The new one gets
  // a unique name until a report arrives that may take it.
  if (holder && !mayChange) {
    fullName = await uniqueName(tx, { id, full_name: fullName, source, external_id: externalId });
  } else if (holder) await releaseName(tx, holder, actor);
  const { name } = splitName(identity.fullName);
  // Policies about a repository and its analyses do not wait until a report of it is imported.
  tx.changes.markTargetsChanged(id);
  return upsertRepository(tx, {
    id,
    organizationId: await organizationOf(tx, identity),
    name: name + fullName.slice(identity.fullName.length),
    fullName,
    source,
    externalId,
    isPrivate: identity.isPrivate ?? true,
    isArchived: false,
    isEnabled: true,
    isMonorepo: false,
  });
}

function splitName(fullName: string): { path: string; name: string; fullName: string } {
  const slash = fullName.lastIndexOf('/');
  return { path: fullName.slice(0, slash), name: fullName.slice(slash + 1), fullName };
}

function organizationOf(tx: Tx, identity: RepositoryIdentity): Promise<OrganizationId> {
  return getOrCreateOrganization(tx, splitName(identity.fullName).path, {
    type: organizationTypeOf[identity.source ?? 'local'],
    externalId: identity.organizationExternalId ?? null,
  });
}

const organizationTypeOf: Record<RepositorySource, OrganizationType> = {
  local: 'local',
  ghc: 'github_org',
  ghe: 'github_org',
  gitlab: 'gitlab_group',
  bitbucket: 'bitbucket_workspace',
  azure_devops: 'azure_project',
};

/**
 * The id of the known repository for which a report counts, found by its id at the VCS or by name. Null if there is
 * none; a repository with the name may be another one.
 */
export async function findIdentifiedId(
  tx: Tx,
  identity: RepositoryIdentity,
  requiresApproval: RequiresApproval,
): Promise<RepositoryId | null> {
  const found = await identify(tx, identity);
  if (found.to === 'make') return null;
  return found.to === 'keep' ? keptId(found, requiresApproval) : found.id;
}

/** The default branch of a known repository, found in the same way; null without one. */
export async function findIdentifiedDefault(
  tx: Tx,
  identity: RepositoryIdentity,
  requiresApproval: RequiresApproval,
): Promise<ReferenceName | null> {
  const id = await findIdentifiedId(tx, identity, requiresApproval);
  const row = id === null ? undefined : await findRepository(tx, { id });
  if (!row) return null;
  // If the first report still waits, its branch will become the guessed default.
  const fullRef = row.default_full_ref ?? (await findFirstBranch(tx, row.id));
  return fullRef === null ? null : { fullRef, type: 'branch' };
}

/** A known repository may be renamed under every setting, but only into an organization that the setting allows. */
async function checkAllowed(tx: Tx, { fullName }: RepositoryIdentity, isKnown: boolean): Promise<void> {
  const setting = await findNewRepositoriesSetting(tx);
  if (setting === 'never' && !isKnown) {
    throw conflictingInput(
      'No such repository: the workspace takes reports of known repositories only.',
      'repo',
    );
  }
  if (setting !== 'never' && setting !== 'known_organizations') return;
  if (await findNamedOrganization(tx, splitName(fullName).path)) return;
  throw conflictingInput(
    'No such organization: the workspace takes reports of known organizations only.',
    'repo',
  );
}

export async function getOrCreateReference(
  tx: Tx,
  repositoryId: RepositoryId,
  name: ReferenceName,
): Promise<ReferenceRow> {
  const [found] = await findReferences(tx, repositoryId, [name.fullRef]);
  if (found) return found;
  const id = newId<'reference'>();
  const [, [row]] = await Promise.all([
    insertReference(tx, { id, repositoryId, ...name }),
    findReferences(tx, repositoryId, [name.fullRef]),
  ]);
  if (!row) throw new Error('the reference is not there');
  return row;
}

/** The warning that a change is left out because a policy blocks. `stays` is the beginning of the sentence. */
export function staysWhereBlocked(stays: string): string {
  return `${stays}: a policy blocks in the repository, so that only an admin whose key has vulnerabilities:write changes it.`;
}

/**
 * Making what a report or an inventory names: the repository, the reference, the choice of the default branch. What
 * is there already is given as it is.
 */
import type { Tx } from '../../db/database.ts';
import { localExternalId, newId } from '../../ids.ts';
import { findNamedOrganization, getOrCreateOrganization } from '../organizations/service.ts';
import type { OrganizationType } from '../organizations/types.ts';
import type { CounterChanges } from '../vulnerabilities/counters.ts';
import { settleRepository } from '../vulnerabilities/settle-scope.ts';
import { type ReferenceName, referenceTypes } from './reference-name.ts';
import { repositoryRef } from './service.ts';
import {
  findIdByExternalId,
  findReferences,
  findRepository,
  insertReference,
  type ReferenceRow,
  renameRepository,
  updateBase,
  updateDefaultReference,
  updateExternalId,
  upsertRepository,
} from './store.ts';
import { type RepositorySource, repositorySources } from './types.ts';

/** What a report says of its repository: the name, and what the VCS calls it, where the sender knows. */
export interface RepositoryIdentity {
  /** `org/name`; nested groups too. */
  fullName: string;
  /** With `externalId`, or neither. */
  source?: RepositorySource | null;
  externalId?: string | null;
  organizationExternalId?: string | null;
  isPrivate?: boolean | null;
}

/** A workspace's setting: which repositories a report may make. */
export const newRepositories = ['any', 'known_organizations', 'never'] as const;

/** The workspace's setting lets no report make this repository. The message says what would. */
export class RepositoryNotAllowed extends Error {}

/**
 * Found by what the VCS calls it, then by name; one that was renamed is renamed here. A new one is made where the
 * workspace allows it, else RepositoryNotAllowed is thrown. Two reports of one that nobody knew may come at once: the
 * second waits for the first here.
 */
export async function getOrCreateRepository(
  tx: Tx,
  tenantId: string,
  identity: RepositoryIdentity,
): Promise<string> {
  const found = await findIdentified(tx, tenantId, identity);
  if (found) return found;
  const { fullName } = identity;
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `${tenantId} ${fullName.toLowerCase()}`,
  ]);
  const meanwhile = await findIdentified(tx, tenantId, identity);
  if (meanwhile) return meanwhile;
  const slash = fullName.lastIndexOf('/');
  const path = fullName.slice(0, slash);
  await checkAllowed(tx, tenantId, path);
  const source = identity.source ?? 'local';
  const organizationId = await getOrCreateOrganization(tx, tenantId, path, {
    type: organizationTypeOf[source],
    externalId: identity.organizationExternalId ?? null,
  });
  const id = newId();
  return upsertRepository(tx, tenantId, {
    id,
    organizationId,
    name: fullName.slice(slash + 1),
    fullName,
    source: repositorySources.indexOf(source),
    externalId: identity.externalId ?? localExternalId('repository', id),
    isPrivate: identity.isPrivate ?? true,
    isArchived: false,
    isEnabled: true,
    isMonorepo: false,
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

async function findIdentified(
  tx: Tx,
  tenantId: string,
  { fullName, source = null, externalId = null }: RepositoryIdentity,
): Promise<string | undefined> {
  const named = await findRepository(tx, tenantId, repositoryRef(fullName));
  if (source === null || externalId === null) return named?.id;
  const number = repositorySources.indexOf(source);
  const known = await findIdByExternalId(tx, tenantId, number, externalId);
  if (known === undefined) {
    // Known by name alone until now: what the VCS calls it is learned.
    if (named) await updateExternalId(tx, tenantId, named.id, number, externalId);
    return named?.id;
  }
  // Renamed, unless another repository bears the name: what the VCS calls it is what counts.
  if (!named) {
    const slash = fullName.lastIndexOf('/');
    const organizationId = await getOrCreateOrganization(tx, tenantId, fullName.slice(0, slash));
    await renameRepository(tx, tenantId, known, {
      organizationId,
      name: fullName.slice(slash + 1),
      fullName,
    });
  }
  return known;
}

/** The default branch of a repository that is known, by what the VCS calls it or by name. */
export async function findIdentifiedDefault(
  tx: Tx,
  tenantId: string,
  { fullName, source = null, externalId = null }: RepositoryIdentity,
): Promise<ReferenceName | null> {
  const number = source === null ? -1 : repositorySources.indexOf(source);
  const id = externalId === null ? undefined : await findIdByExternalId(tx, tenantId, number, externalId);
  const row = await findRepository(tx, tenantId, id === undefined ? repositoryRef(fullName) : { id });
  return row?.default_full_ref ? { fullRef: row.default_full_ref, type: 'branch' } : null;
}

async function checkAllowed(tx: Tx, tenantId: string, organizationPath: string): Promise<void> {
  const [row] = await tx.query<{ setting: string | null }>(
    `select settings->>'new_repositories' as setting from tenant where id = $1`,
    [tenantId],
  );
  if (row?.setting === 'never') {
    throw new RepositoryNotAllowed(
      'No such repository; the workspace takes reports of known repositories only.',
    );
  }
  if (row?.setting !== 'known_organizations') return;
  if (await findNamedOrganization(tx, tenantId, organizationPath)) return;
  throw new RepositoryNotAllowed(
    'No such organization; the workspace takes reports of known organizations only.',
  );
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
  reference: Pick<ReferenceRow, 'id' | 'type'>,
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

/** What a report says of its reference beside the name; null keeps what is there. */
export async function describeReference(
  tx: Tx,
  tenantId: string,
  referenceId: string,
  as: { baseRef: string | null; baseSha: string | null; environment: string | null },
): Promise<void> {
  if (as.baseRef === null && as.baseSha === null && as.environment === null) return;
  await updateBase(tx, tenantId, referenceId, as);
}

/**
 * Finds the repository of a report: the one with the id that its VCS gives it, or else the one with its name. Two ids
 * are two repositories, whatever their names are, and they never take each other's vulnerabilities. This module decides
 * and locks, but changes nothing.
 */
import type { Tx } from '../../db/database.ts';
import { isLocalExternalId, type RepositoryId } from '../../domain/ids.ts';
import { nameKeyOf } from '../../domain/plain-name.ts';
import type { RepositorySource } from '../../domain/repository-enums.ts';
import { lockIdentities, lockIdentityKey } from './lock.ts';
import { repositoryRef } from './service.ts';
import { findIdByExternalId, findRepository, lockIdentified, type RepositoryDetailRow } from './store.ts';

/** The name of a repository in a report, and its id at the VCS if the sender knows it. */
export interface RepositoryIdentity {
  /** `org/name`, also with nested groups. */
  fullName: string;
  /** Given together with `externalId`, or not at all. */
  source?: RepositorySource | null | undefined;
  externalId?: string | null | undefined;
  organizationExternalId?: string | null;
  isPrivate?: boolean | null;
}

/** `holder` is another repository with the name, which it must release. */
export type Identified =
  /** `named` is another repository, known by name alone, which has the name of the report. */
  | { to: 'keep'; id: RepositoryId; named?: RepositoryId }
  /** The repository was known by name alone until now, so its id at the VCS is new. */
  | { to: 'learn'; id: RepositoryId }
  | { to: 'rename'; id: RepositoryId; holder: RepositoryDetailRow | undefined }
  | { to: 'make'; holder: RepositoryDetailRow | undefined };

/** Decides by the current rows; only `keep` is certain without `lockIdentity` before it. */
export async function identify(
  tx: Tx,
  { fullName, source = null, externalId = null }: RepositoryIdentity,
): Promise<Identified> {
  const named = await findRepository(tx, repositoryRef(fullName));
  if (source === null || externalId === null) {
    return named ? { to: 'keep', id: named.id } : { to: 'make', holder: undefined };
  }
  const known = await findIdByExternalId(tx, source, externalId);
  if (known === undefined) {
    if (named && isNameAlone(named, source)) return { to: 'learn', id: named.id };
    return { to: 'make', holder: named };
  }
  if (named?.id === known) return { to: 'keep', id: known };
  // In one VCS a name belongs to one repository, so the repository was renamed. The name stays with its holder if that
  // is in another VCS, which may have the same name at the same time, or if it is known by name alone.
  if (named && isNameAlone(named, source)) return { to: 'keep', id: known, named: named.id };
  if (named && named.source !== source) return { to: 'keep', id: known };
  return { to: 'rename', id: known, holder: named };
}

// An external id of our own (`localExternalId`) says that no VCS has named it yet.
function isNameAlone(
  { source, external_id: externalId }: RepositoryDetailRow,
  asked: RepositorySource,
): boolean {
  return isLocalExternalId(externalId) && (source === 'local' || source === asked);
}

/**
 * Until the transaction ends, no other transaction creates or renames a repository with this id or name, or learns its
 * id, and none holds `lockIdentities` alone, to change the tracked branches of the workspace or to apply an inventory
 * file. The order is always the workspace, the id, the name, the rows in order, and then the organizations.
 */
export async function lockIdentity(
  tx: Tx,
  { fullName, source = null, externalId = null }: RepositoryIdentity,
): Promise<void> {
  await lockIdentities(tx, { shared: true });
  if (source !== null && externalId !== null) await lockIdentityKey(tx, `id ${source} ${externalId}`);
  await lockIdentityKey(tx, `name ${nameKeyOf(fullName)}`);
  await lockIdentified(tx, nameKeyOf(fullName), source, externalId);
}

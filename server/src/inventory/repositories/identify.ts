/**
 * Which repository a report is of: the one that bears the id its VCS gives it, else the one of its name. Two ids are
 * two repositories whatever they are called, and never take each other's vulnerabilities. Decides and locks; changes
 * nothing.
 */
import type { Tx } from '../../db/database.ts';
import type { RepositorySource } from '../../domain/repository-enums.ts';
import { repositoryRef } from './service.ts';
import { findIdByExternalId, findRepository, lockIdentified, type RepositoryDetailRow } from './store.ts';

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

/** `holder`: another repository that bears the name, and has to give it up. */
export type Identified =
  /** `named`: another repository, known by name alone, that has the name of the report. */
  | { to: 'keep'; id: string; named?: string }
  /** Known by name alone until now: what the VCS calls it is new. */
  | { to: 'learn'; id: string }
  | { to: 'rename'; id: string; holder: RepositoryDetailRow | undefined }
  | { to: 'make'; holder: RepositoryDetailRow | undefined };

/** What the identity calls for, as things are now: only `keep` is sure without `lockIdentity` before it. */
export async function identify(
  tx: Tx,
  tenantId: string,
  { fullName, source = null, externalId = null }: RepositoryIdentity,
): Promise<Identified> {
  const named = await findRepository(tx, tenantId, repositoryRef(fullName));
  if (source === null || externalId === null) {
    return named ? { to: 'keep', id: named.id } : { to: 'make', holder: undefined };
  }
  const known = await findIdByExternalId(tx, tenantId, source, externalId);
  if (known === undefined) {
    if (named && isNameAlone(named, source)) return { to: 'learn', id: named.id };
    return { to: 'make', holder: named };
  }
  if (named?.id === known) return { to: 'keep', id: known };
  // In one VCS a name is one repository's, so it was renamed. Another VCS may have the same name at the same time, and
  // of one that is known by name alone nobody says what it is: there the name stays where it is.
  if (named && isNameAlone(named, source)) return { to: 'keep', id: known, named: named.id };
  if (named && named.source !== source) return { to: 'keep', id: known };
  return { to: 'rename', id: known, holder: named };
}

// An external id of our own making (`localExternalId`) says that no VCS has named it yet.
function isNameAlone(
  { source, external_id: externalId }: RepositoryDetailRow,
  asked: RepositorySource,
): boolean {
  return externalId.startsWith('local:') && (source === 'local' || source === asked);
}

/**
 * Until the transaction ends nobody else makes, renames or learns one of this id or this name. Always the id, then the
 * name, then the rows in order, so that two of these wait for each other and never both.
 */
export async function lockIdentity(
  tx: Tx,
  tenantId: string,
  { fullName, source = null, externalId = null }: RepositoryIdentity,
): Promise<void> {
  const lock = (what: string) =>
    tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`repository ${tenantId} ${what}`]);
  if (source !== null && externalId !== null) await lock(`id ${source} ${externalId}`);
  await lock(`name ${fullName.toLowerCase()}`);
  await lockIdentified(tx, tenantId, fullName.toLowerCase(), source, externalId);
}

/** Finds organizations by the text of a caller, and creates the one that a repository's name needs. */
import type { Tx } from '../../db/database.ts';
import { localExternalId, newId, type OrganizationId, parseId } from '../../domain/ids.ts';
import type { OrganizationType } from '../../domain/organization-enums.ts';
import { nameKeyOf } from '../../domain/plain-name.ts';
import {
  findIdAbove,
  findOrganization,
  lockOrganizations,
  type OrganizationDetailRow,
  type OrganizationInput,
  takeThoseBelow,
  upsertOrganization,
} from './store.ts';

/** Finds an organization by `org_…` or by full path, without case. */
export async function findNamedOrganization(
  tx: Tx,
  text: string,
): Promise<OrganizationDetailRow | undefined> {
  const id = parseId('organization', text);
  return findOrganization(tx, id === undefined ? { pathKey: nameKeyOf(text) } : { id });
}

/**
 * Returns the id of the organization with this path. A new one has the type of `known`, by default local until an
 * inventory says more, and the parent that its path names.
 */
export async function getOrCreateOrganization(
  tx: Tx,
  path: string,
  known: { type: OrganizationType; externalId: string | null } = { type: 'local', externalId: null },
): Promise<OrganizationId> {
  const find = () => findOrganization(tx, { pathKey: nameKeyOf(path) });
  let found = await find();
  if (!found) {
    await lockOrganizations(tx);
    found = await find();
  }
  if (found) return found.id;
  const id = newId<'organization'>();
  return insertOrganization(tx, {
    id,
    name: path.slice(path.lastIndexOf('/') + 1),
    fullPath: path,
    type: known.type,
    externalId: known.externalId ?? localExternalId('organization', id),
    orphaned: false,
    description: null,
    parentId: await findIdAbove(tx, path),
    hasGivenParent: false,
  });
}

/**
 * Inserts a new organization, and makes it the parent of those that its path is above. Returns its id. The
 * organizations must be locked (`lockOrganizations`).
 */
export async function insertOrganization(tx: Tx, input: OrganizationInput): Promise<OrganizationId> {
  const id = await upsertOrganization(tx, input);
  await takeThoseBelow(tx, { ...input, id });
  return id;
}

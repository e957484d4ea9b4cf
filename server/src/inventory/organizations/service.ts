/** Organizations: how a caller names one, and making the one that a repository's name calls for. */
import type { Tx } from '../../db/database.ts';
import { localExternalId, newId, parseId } from '../../domain/ids.ts';
import type { OrganizationType } from '../../domain/organization-enums.ts';
import { findOrganization, type OrganizationDetailRow, upsertOrganization } from './store.ts';

/** By `org_…` or by full path, without case. */
export async function findNamedOrganization(
  tx: Tx,
  tenantId: string,
  text: string,
): Promise<OrganizationDetailRow | undefined> {
  const id = parseId('organization', text);
  return findOrganization(tx, tenantId, id === undefined ? { pathKey: text.toLowerCase() } : { id });
}

/**
 * The organization of this path. One that nobody knew is what `known` says, else local until an inventory says more.
 * Gives its id.
 */
export async function getOrCreateOrganization(
  tx: Tx,
  tenantId: string,
  path: string,
  known: { type: OrganizationType; externalId: string | null } = { type: 'local', externalId: null },
): Promise<string> {
  const found = await findOrganization(tx, tenantId, { pathKey: path.toLowerCase() });
  if (found) return found.id;
  const id = newId();
  return upsertOrganization(tx, tenantId, {
    id,
    name: path.slice(path.lastIndexOf('/') + 1),
    fullPath: path,
    type: known.type,
    externalId: known.externalId ?? localExternalId('organization', id),
    orphaned: false,
    description: null,
    parentId: null,
  });
}

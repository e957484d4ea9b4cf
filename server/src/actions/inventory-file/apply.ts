/**
 * Applies an inventory: it creates or updates organizations, repositories and applications as the file says. Objects
 * that the file does not mention stay, and a field that it does not give keeps its value. It applies the whole file or
 * nothing.
 */

import { recordAudit } from '../../access/audit/record.ts';
import type { ChangeTx } from '../../db/database.ts';
import { withContext } from '../../domain/domain-error.ts';
import { tenantUuid } from '../../domain/ids.ts';
import { applyApplication } from '../../inventory/applications/inventory.ts';
import type { Inventory } from '../../inventory/file/document.ts';
import { applyOrganization, parentsFirst, refuseCycles } from '../../inventory/organizations/inventory.ts';
import { listRepositoriesUnder, lockOrganizations } from '../../inventory/organizations/store.ts';
import { lockIdentities } from '../../inventory/repositories/lock.ts';
import { applyRepository } from './apply-repository.ts';

export interface Applied {
  organizations: number;
  repositories: number;
  applications: number;
}

/** Throws DomainError for a name that does not exist. */
export async function applyInventory(tx: ChangeTx, inventory: Inventory): Promise<Applied> {
  const { organizations = [], repositories = [], applications = [] } = inventory;
  // Reports may create or rename the same repositories now. One lock serves for all, because the locks of PostgreSQL
  // share a table of limited size. It comes before that of the organizations, as for a report.
  if (repositories.length > 0) await lockIdentities(tx, { shared: false });
  if (organizations.length > 0) await lockOrganizations(tx);
  for (const organization of parentsFirst(organizations)) await applyOrganization(tx, organization);
  const moved = organizations.filter((organization) => organization.parent !== undefined);
  const paths = moved.map((organization) => organization.full_path);
  await refuseCycles(tx, paths);
  tx.changes.markForLater(await listRepositoriesUnder(tx, paths));
  for (const repository of repositories) {
    await withContext(`The repository ${repository.full_name} cannot be applied.`, () =>
      applyRepository(tx, repository),
    );
  }
  for (const application of applications) await applyApplication(tx, application);
  const applied = {
    organizations: organizations.length,
    repositories: repositories.length,
    applications: applications.length,
  };
  await recordAudit(tx, { actorId: null }, 'inventory.apply', tenantUuid(tx.tenantId), { ...applied });
  return applied;
}

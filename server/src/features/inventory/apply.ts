/**
 * Applying an inventory: organizations, repositories and applications are made or brought to what the file says.
 * What the file does not mention stays; a field that it does not give keeps its value. All or nothing.
 */
import type { Tx } from '../../db/database.ts';
import { applyApplication } from '../applications/inventory.ts';
import { recordAudit } from '../audit/record.ts';
import { applyOrganization, parentsFirst } from '../organizations/inventory.ts';
import { applyRepository } from '../repositories/inventory.ts';
import { finish } from '../violations/evaluate/finish.ts';
import { touchOrganizations } from '../violations/evaluate/touch.ts';
import { Changes } from '../vulnerabilities/changes.ts';
import type { Inventory } from './document.ts';

export interface Applied {
  organizations: number;
  repositories: number;
  applications: number;
}

/** Throws Refusal for a name that leads nowhere. */
export async function applyInventory(tx: Tx, tenantId: string, inventory: Inventory): Promise<Applied> {
  const { organizations = [], repositories = [], applications = [] } = inventory;
  for (const organization of parentsFirst(organizations)) await applyOrganization(tx, tenantId, organization);
  const moved = organizations.filter((organization) => organization.parent !== undefined);
  await touchOrganizations(
    tx,
    tenantId,
    moved.map((organization) => organization.full_path.toLowerCase()),
  );
  const changes = new Changes();
  for (const repository of repositories) await applyRepository(tx, tenantId, repository, changes);
  for (const application of applications) await applyApplication(tx, tenantId, application);
  const applied = {
    organizations: organizations.length,
    repositories: repositories.length,
    applications: applications.length,
  };
  await recordAudit(tx, tenantId, [
    {
      actorId: null,
      action: 'inventory.apply',
      targetType: 'workspace',
      targetId: tenantId,
      data: { ...applied },
    },
  ]);
  await finish(tx, tenantId, changes, new Date());
  return applied;
}

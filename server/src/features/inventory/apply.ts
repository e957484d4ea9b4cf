/**
 * Applying an inventory: organizations, repositories and applications are made or brought to what the file says.
 * What the file does not mention stays; a field that it does not give keeps its value. All or nothing.
 */
import type { Tx } from '../../db/database.ts';
import { localExternalId, newId } from '../../ids.ts';
import { upsertApplication } from '../applications/store.ts';
import { recordAudit } from '../audit/record.ts';
import { organizationTypes } from '../organizations/schema.ts';
import { findOrganization, upsertOrganization } from '../organizations/store.ts';
import { parseReference } from '../repositories/reference-name.ts';
import { repositorySources } from '../repositories/schema.ts';
import { findRepository, upsertRepository } from '../repositories/store.ts';
import { setDefaultBranch } from '../scans/intake.ts';
import { type Inventory, InventoryError } from './document.ts';

export interface Applied {
  organizations: number;
  repositories: number;
  applications: number;
}

/** Throws InventoryError for a name that leads nowhere. */
export async function applyInventory(tx: Tx, tenantId: string, inventory: Inventory): Promise<Applied> {
  const { organizations = [], repositories = [], applications = [] } = inventory;
  for (const organization of parentsFirst(organizations)) await applyOrganization(tx, tenantId, organization);
  for (const repository of repositories) await applyRepository(tx, tenantId, repository);
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
  return applied;
}

type OrganizationInput = NonNullable<Inventory['organizations']>[number];
type RepositoryInput = NonNullable<Inventory['repositories']>[number];
type ApplicationInput = NonNullable<Inventory['applications']>[number];

// A parent in the same file comes before its children, in whatever order they are written.
function parentsFirst(organizations: OrganizationInput[]): OrganizationInput[] {
  const byPath = new Map(organizations.map((entry) => [entry.full_path.toLowerCase(), entry]));
  const ordered = new Set<OrganizationInput>();
  const visit = (entry: OrganizationInput, children: Set<OrganizationInput>): void => {
    if (children.has(entry))
      throw new InventoryError([`organization ${entry.full_path} is its own ancestor`]);
    const parent = entry.parent ? byPath.get(entry.parent.toLowerCase()) : undefined;
    if (parent && !ordered.has(parent)) visit(parent, new Set([...children, entry]));
    ordered.add(entry);
  };
  for (const entry of organizations) visit(entry, new Set());
  return [...ordered];
}

async function applyOrganization(tx: Tx, tenantId: string, input: OrganizationInput): Promise<string> {
  const before = await findOrganization(tx, tenantId, { pathKey: input.full_path.toLowerCase() });
  const parent = input.parent
    ? await findOrganization(tx, tenantId, { pathKey: input.parent.toLowerCase() })
    : undefined;
  if (input.parent && !parent) {
    throw new InventoryError([`organization ${input.full_path}: there is no parent ${input.parent}`]);
  }
  const id = before?.id ?? newId();
  return upsertOrganization(tx, tenantId, {
    id,
    name: input.name ?? before?.name ?? input.full_path.slice(input.full_path.lastIndexOf('/') + 1),
    fullPath: input.full_path,
    type: input.type === undefined ? (before?.type ?? 0) : organizationTypes.indexOf(input.type),
    externalId: input.external_id ?? before?.external_id ?? localExternalId('organization', id),
    orphaned: input.orphaned ?? before?.orphaned ?? false,
    description: input.description === undefined ? (before?.description ?? null) : input.description,
    parentId: input.parent === undefined ? (before?.parent_id ?? null) : (parent?.id ?? null),
  });
}

async function applyRepository(tx: Tx, tenantId: string, input: RepositoryInput): Promise<void> {
  const before = await findRepository(tx, tenantId, { nameKey: input.full_name.toLowerCase() });
  const slash = input.full_name.lastIndexOf('/');
  const organizationId =
    before?.organization_id ?? (await getOrCreateOrganization(tx, tenantId, input.full_name.slice(0, slash)));
  const id = before?.id ?? newId();
  await upsertRepository(tx, tenantId, {
    id,
    organizationId,
    name: input.full_name.slice(slash + 1),
    fullName: input.full_name,
    source: input.source === undefined ? (before?.source ?? 0) : repositorySources.indexOf(input.source),
    externalId: input.external_id ?? before?.external_id ?? localExternalId('repository', id),
    isPrivate: input.is_private ?? before?.is_private ?? true,
    isArchived: input.is_archived ?? before?.is_archived ?? false,
    isEnabled: input.is_enabled ?? before?.is_enabled ?? true,
    isMonorepo: input.is_monorepo ?? before?.is_monorepo ?? false,
  });
  if (input.default_branch !== undefined) {
    await setDefaultBranch(tx, tenantId, id, branchOf(input.full_name, input.default_branch));
  }
}

function branchOf(repository: string, name: string) {
  try {
    return parseReference(name, 'branch');
  } catch (error) {
    throw new InventoryError([`repository ${repository}: default_branch ${(error as Error).message}`]);
  }
}

async function getOrCreateOrganization(tx: Tx, tenantId: string, path: string): Promise<string> {
  const before = await findOrganization(tx, tenantId, { pathKey: path.toLowerCase() });
  return before?.id ?? applyOrganization(tx, tenantId, { full_path: path });
}

async function applyApplication(tx: Tx, tenantId: string, input: ApplicationInput): Promise<void> {
  const repositoryIds: string[] = [];
  for (const name of input.repositories ?? []) {
    const repository = await findRepository(tx, tenantId, { nameKey: name.toLowerCase() });
    if (!repository) throw new InventoryError([`application ${input.name}: there is no repository ${name}`]);
    repositoryIds.push(repository.id);
  }
  await upsertApplication(tx, tenantId, {
    id: newId(),
    name: input.name,
    description: input.description ?? null,
    repositoryIds,
  });
}

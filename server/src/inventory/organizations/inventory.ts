/** Organizations of an inventory file. */

import type { Tx } from '../../db/database.ts';
import type { DomainError } from '../../domain/domain-error.ts';
import { resourceNotFound } from '../../domain/errors.ts';
import { localExternalId, newId } from '../../domain/ids.ts';
import { nameKeyOf } from '../../domain/plain-name.ts';
import type { Inventory } from '../file/document.ts';
import { insertOrganization } from './service.ts';
import { findIdAbove, findOrganization, findOwnAncestor, upsertOrganization } from './store.ts';

type OrganizationInput = NonNullable<Inventory['organizations']>[number];

/**
 * Orders the entries so that a parent in the same file is applied before its children. Throws DomainError for an
 * organization that is its own ancestor.
 */
export function parentsFirst(organizations: OrganizationInput[]): OrganizationInput[] {
  const byPath = new Map(organizations.map((entry) => [nameKeyOf(entry.full_path), entry]));
  const ordered = new Set<OrganizationInput>();
  const visit = (entry: OrganizationInput, children: Set<OrganizationInput>): void => {
    if (children.has(entry)) throw ownAncestor(entry.full_path);
    const parent = entry.parent ? byPath.get(nameKeyOf(entry.parent)) : undefined;
    if (parent && !ordered.has(parent)) visit(parent, new Set([...children, entry]));
    ordered.add(entry);
  };
  for (const entry of organizations) visit(entry, new Set());
  return [...ordered];
}

/**
 * Applies the entry of the file; a field that the file does not give keeps its value. The organizations must be locked
 * (`lockOrganizations`). Throws DomainError for an unknown parent.
 */
export async function applyOrganization(tx: Tx, input: OrganizationInput): Promise<void> {
  const before = await findOrganization(tx, { pathKey: nameKeyOf(input.full_path) });
  const parent = input.parent ? await findOrganization(tx, { pathKey: nameKeyOf(input.parent) }) : undefined;
  if (input.parent && !parent) {
    throw resourceNotFound(
      `The organization ${input.full_path} has the parent ${input.parent}, which does not exist.`,
    );
  }
  const id = before?.id ?? newId();
  const known = before ? before.parent_id : await findIdAbove(tx, input.full_path);
  const write = before ? upsertOrganization : insertOrganization;
  await write(tx, {
    id,
    name: input.name ?? before?.name ?? input.full_path.slice(input.full_path.lastIndexOf('/') + 1),
    fullPath: input.full_path,
    type: input.type === undefined ? (before?.type ?? 'local') : input.type,
    externalId: input.external_id ?? before?.external_id ?? localExternalId('organization', id),
    orphaned: input.orphaned ?? before?.orphaned ?? false,
    description: input.description === undefined ? (before?.description ?? null) : input.description,
    parentId: input.parent === undefined ? known : (parent?.id ?? null),
    hasGivenParent: input.parent !== undefined || (before?.has_given_parent ?? false),
  });
}

/** Throws DomainError if one of these organizations is above itself, by its entry and those that were there before. */
export async function refuseCycles(tx: Tx, paths: string[]): Promise<void> {
  const path = await findOwnAncestor(tx, paths);
  if (path !== undefined) throw ownAncestor(path);
}

function ownAncestor(path: string): DomainError {
  return resourceNotFound(`The organization ${path} is its own ancestor. Give it another parent.`);
}

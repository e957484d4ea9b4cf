/**
 * Creates a workspace with the policies that come with Merlon, switched off. A person who creates it becomes its first
 * admin.
 */
import { type Actor, recordAudit } from '../../access/audit/record.ts';
import { checkSlug } from '../../access/entry.ts';
import { addMember } from '../../access/members/service.ts';
import { insertAnchor, insertTenant } from '../../access/workspaces/store.ts';
import { type Database, type InstallTx, installTx, switchTenant } from '../../db/database.ts';
import { conflictingInput } from '../../domain/errors.ts';
import { newTenantId, tenantUuid, type UserId } from '../../domain/ids.ts';
import { checkedName } from '../../domain/plain-name.ts';
import type { Tenant } from '../../http/principal.ts';
import { ensureBuiltins } from '../../policies/definition/builtin.ts';

/** Creates a workspace with its creator as the first admin. Throws DomainError. */
export async function createWorkspaceWithAdmin(
  db: Database,
  { slug, name }: { slug: string; name: string },
  actor: Actor & { actorId: UserId },
): Promise<Tenant> {
  return installTx(db, async (tx) => {
    const tenant = await createWorkspace(tx, slug, name, actor);
    await addMember(switchTenant(tx, tenant.id), actor.actorId, 'admin', actor);
    return tenant;
  });
}

/** Creates a workspace without members. Throws DomainError. */
export async function createWorkspace(
  tx: InstallTx,
  slug: string,
  name: string,
  actor: Actor,
): Promise<Tenant> {
  checkSlug(slug);
  const tenant = { id: newTenantId(), slug, name: checkedName(name, 'name') };
  if (!(await insertTenant(tx, tenant))) {
    throw conflictingInput(`There is already a workspace ${slug}.`, 'slug');
  }
  const inWorkspace = switchTenant(tx, tenant.id);
  await insertAnchor(inWorkspace);
  await ensureBuiltins(inWorkspace);
  await recordAudit(inWorkspace, actor, 'workspace.create', tenantUuid(tenant.id), {
    slug,
    name: tenant.name,
  });
  return tenant;
}

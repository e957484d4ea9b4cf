/** Workspaces: the list for a key, and changes of the name and of settings. */
import { isDeepStrictEqual } from 'node:util';
import { type Database, type InstallTx, installTx, switchTenant, type Tx } from '../../db/database.ts';
import type { DomainError } from '../../domain/domain-error.ts';
import { orNotFound, resourceNotFound } from '../../domain/errors.ts';
import { type TenantId, tenantUuid, type UserId } from '../../domain/ids.ts';
import { checkedName } from '../../domain/plain-name.ts';
import type { Caller, Principal, Role, Tenant } from '../../http/principal.ts';
import { type Actor, actorOf, recordAudit } from '../audit/record.ts';
import { findTenantBySlug } from '../entry.ts';
import { holdAdmin, listMembershipsOfUser } from '../members/lookup.ts';
import {
  countOf,
  findWorkspace,
  listTenantsByIds,
  lockName,
  lockSettings,
  updateName,
  updateSettings,
  type WorkspaceCounts,
  type WorkspaceRow,
  type WorkspaceSettings,
} from './store.ts';

/** The workspaces that the caller may enter, in order of creation, after `afterId`. */
export async function listTenantsOfCaller(
  db: Database,
  caller: Caller,
  afterId: TenantId | null,
  limit: number,
): Promise<Tenant[]> {
  return installTx(
    db,
    async (tx) => {
      const { credential, user } = caller;
      if (credential.type === 'key' && credential.kind === 'workspace') {
        return listTenantsByIds(tx, credential.tenantIds, afterId, limit);
      }
      const memberships = (await listMembershipsOfUser(tx, user.id)).map(({ tenantId }) => tenantId);
      const opened =
        credential.type === 'key' && credential.restricted
          ? memberships.filter((id) => credential.tenantIds.includes(id))
          : memberships;
      return listTenantsByIds(tx, opened, afterId, limit);
    },
    caller.user.id,
  );
}

export interface Membership extends Tenant {
  role: Role;
}

/** The workspaces of which the user is a member, by name. Needs a transaction of that user. */
export async function listWorkspacesOfUser(tx: InstallTx, userId: UserId): Promise<Membership[]> {
  const memberships = await listMembershipsOfUser(tx, userId);
  const roles = new Map(memberships.map(({ tenantId, role }) => [tenantId, role]));
  const tenants = await listTenantsByIds(tx, [...roles.keys()], null, roles.size);
  return tenants
    .map((tenant) => ({ ...tenant, role: roles.get(tenant.id) ?? 'viewer' }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.slug < b.slug ? -1 : 1));
}

const noCounts: WorkspaceCounts = { repositories: 0, open: 0 };

/** The same as `listWorkspacesOfUser`, with the counts of each workspace. */
export async function listCountedWorkspaces(
  db: Database,
  userId: UserId,
): Promise<(Membership & WorkspaceCounts)[]> {
  return installTx(
    db,
    async (tx) => {
      const workspaces = await listWorkspacesOfUser(tx, userId);
      // A statement sees one workspace only, so switches and counts are sent in turn, all in one round trip.
      const counts = await Promise.all(workspaces.map(({ id }) => countOf(switchTenant(tx, id))));
      return workspaces.map((workspace, i) => ({ ...workspace, ...(counts[i] ?? noCounts) }));
    },
    userId,
  );
}

/** Renames the workspace. Throws DomainError. */
export async function renameWorkspace(tx: Tx, principal: Principal, name: string): Promise<void> {
  const { id } = principal.tenant;
  await holdAdmin(tx, principal);
  const to = checkedName(name, 'name');
  const from = await lockName(tx, id);
  if (from === to) return;
  await updateName(tx, id, to);
  await recordAudit(tx, actorOf(principal), 'workspace.change', tenantUuid(id), { name: { from, to } });
}

export interface SettingChange<Name extends keyof WorkspaceSettings> {
  to: Required<WorkspaceSettings>[Name];
  /** The value without a stored one. */
  unset: Required<WorkspaceSettings>[Name];
}

/** An admin sets one setting of the workspace. Returns whether it was another one. */
export async function changeSetting<Name extends keyof WorkspaceSettings>(
  tx: Tx,
  principal: Principal,
  name: Name,
  change: SettingChange<Name>,
): Promise<boolean> {
  await holdAdmin(tx, principal);
  return setSetting(tx, actorOf(principal), name, change);
}

/** Sets and records it. Returns false if it was so before. */
export async function setSetting<Name extends keyof WorkspaceSettings>(
  tx: Tx,
  actor: Actor,
  name: Name,
  { to, unset }: SettingChange<Name>,
): Promise<boolean> {
  const { [name]: from = unset } = await lockSettings(tx);
  if (isDeepStrictEqual(from, to)) return false;
  await updateSettings(tx, tx.tenantId, { [name]: to });
  await recordAudit(tx, actor, 'workspace.change', tenantUuid(tx.tenantId), { [name]: { from, to } });
  return true;
}

/** The workspace with its settings. Throws 404. */
export async function getTenantRow(tx: InstallTx, id: TenantId): Promise<WorkspaceRow> {
  return orNotFound(await findWorkspace(tx, id));
}

export async function findTenant(tx: InstallTx, id: TenantId): Promise<Tenant | undefined> {
  const [tenant] = await listTenantsByIds(tx, [id], null, 1);
  return tenant;
}

export function noWorkspace(slug: string): DomainError {
  return resourceNotFound(
    `There is no workspace ${slug}. To see all workspaces, run merlond workspace list.`,
  );
}

/** Throws DomainError if there is no such workspace. */
export async function getWorkspace(tx: InstallTx, slug: string): Promise<Tenant> {
  const tenant = await findTenantBySlug(tx, slug);
  if (!tenant) throw noWorkspace(slug);
  return tenant;
}

/** A canary workspace with a person of each role and their keys, made in the same way as by an operator. */

import { type CreatedKey, createPersonalKey, createWorkspaceKey } from '../../access/api-keys/service.ts';
import { addMember } from '../../access/members/service.ts';
import { createUser } from '../../access/users/service.ts';
import type { UserRow } from '../../access/users/store.ts';
import { createWorkspace } from '../../actions/workspaces/create-workspace.ts';
import { type Database, installTx, tenantTx } from '../../db/database.ts';
import { newId, type UserId } from '../../domain/ids.ts';
import { type KeyScope, type Principal, type Role, scopesOfRole, type Tenant } from '../../http/principal.ts';

export interface CanaryWorkspace {
  tenant: Tenant;
  /** One person of each role, with a personal key that holds every scope of the role. */
  people: Record<Role, { user: UserRow; key: string }>;
}

/**
 * Makes a workspace with an admin, a member and a viewer: `admin@SLUG.example` and so on. `canary` marks it in the
 * transaction that makes it. Only a marked workspace is ever deleted.
 */
export async function createCanaryWorkspace(
  { db }: { db: Database },
  slug: string,
  { canary = false }: { canary?: boolean } = {},
): Promise<CanaryWorkspace> {
  const tenant = await installTx(db, async (tx) => {
    const created = await createWorkspace(tx, slug, `Workspace ${slug}`, { actorId: null });
    if (canary) await tx.query('update tenant set canary = true where id = $1', [created.id]);
    return created;
  });
  const person = async (role: Role) => {
    const user = await installTx(db, (tx) =>
      createUser(tx, `${role}@${slug}.example`, `${role} of ${slug}`, null),
    );
    await tenantTx(db, tenant.id, (tx) => addMember(tx, user.id, role));
    const { key } = await createCanaryKey({ db }, { userId: user.id, role });
    return { user, key };
  };
  return {
    tenant,
    people: { admin: await person('admin'), member: await person('member'), viewer: await person('viewer') },
  };
}

/** The person as the services get them from a console session. */
export function principalAs({ tenant, people }: CanaryWorkspace, role: Role): Principal {
  const { user } = people[role];
  const credential = {
    type: 'session' as const,
    id: newId<'session'>(),
    signedInAt: new Date(),
    expiresAt: new Date(),
    operator: false,
  };
  const scopes = scopesOfRole(role);
  return { credential, user: { ...user, kind: 'user' }, tenant, role, scopes, requestId: 'canary' };
}

/** Makes a personal key, by default with every scope that the role may hold. */
export async function createCanaryKey(
  { db }: { db: Database },
  options: { userId: UserId; role: Role; scopes?: KeyScope[]; expires?: string; restrictedTo?: string[] },
): Promise<CreatedKey> {
  return installTx(
    db,
    (tx) =>
      createPersonalKey(tx, {
        name: 'test',
        scopes: options.scopes ?? scopesOfRole(options.role),
        expires: options.expires ?? '90d',
        createdBy: null,
        userId: options.userId,
        roles: [options.role],
        restrictedTo: options.restrictedTo ?? null,
      }),
    options.userId,
  );
}

export async function createCanaryWorkspaceKey(
  { db }: { db: Database },
  tenant: Tenant,
  role: Role,
): Promise<CreatedKey> {
  return tenantTx(db, tenant.id, (tx) =>
    createWorkspaceKey(tx, {
      name: 'ci',
      scopes: scopesOfRole(role),
      expires: '90d',
      createdBy: null,
      tenantId: tenant.id,
      role,
    }),
  );
}

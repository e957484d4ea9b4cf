/** Workspaces: which of them a key opens, and the look-up of a slug. */
import { type Database, installTx } from '../../db/database.ts';
import type { Caller, Tenant } from '../../http/principal.ts';
import { listMembershipsOfUser } from '../members/store.ts';
import { findTenantBySlug, listTenantsByIds } from './store.ts';

const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

/** What a slug may be; `tenants` is taken by the route of that name. */
export function isSlug(text: string): boolean {
  return slugPattern.test(text) && text !== 'tenants';
}

export async function findTenant(db: Database, slug: string): Promise<Tenant | undefined> {
  return isSlug(slug) ? installTx(db, (tx) => findTenantBySlug(tx, slug)) : undefined;
}

/** In order of creation, after `afterId`. */
export async function listTenantsOfCaller(
  db: Database,
  caller: Caller,
  afterId: string | null,
  limit: number,
): Promise<Tenant[]> {
  return installTx(
    db,
    async (tx) => {
      const { key, user } = caller;
      let ids = key.tenantIds;
      if (key.kind === 'personal') {
        const memberships = (await listMembershipsOfUser(tx, user.id)).map(
          (membership) => membership.tenantId,
        );
        ids = key.restricted ? memberships.filter((id) => key.tenantIds.includes(id)) : memberships;
      }
      return listTenantsByIds(tx, ids, afterId, limit);
    },
    caller.user.id,
  );
}

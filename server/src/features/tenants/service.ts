/** Workspaces: which of them a key opens, the look-up of a slug, a new one. */
import { type Database, installTx, switchTenant, type Tx } from '../../db/database.ts';
import type { Caller, Tenant } from '../../http/principal.ts';
import { newId } from '../../ids.ts';
import { Refusal } from '../../refusal.ts';
import { listMembershipsOfUser } from '../members/lookup.ts';
import { ensureBuiltins } from '../policies/builtin.ts';
import { findTenantBySlug, insertTenant, listTenantsByIds } from './store.ts';

const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

/** What a slug may be; `tenants` is taken by the route of that name. */
function isSlug(text: string): boolean {
  return slugPattern.test(text) && text !== 'tenants';
}

// A workspace's slug and name change seldom; as long as a key's look-up may be old, so may this one.
const rememberMs = 900;
const rememberAtMost = 10_000;

/** The look-up of a slug, for every request: what is found is remembered for a second at most, what is not never. */
export function tenantLookup(db: Database): (slug: string) => Promise<Tenant | undefined> {
  const remembered = new Map<string, { tenant: Tenant; until: number }>();
  return async (slug) => {
    if (!isSlug(slug)) return undefined;
    const entry = remembered.get(slug);
    if (entry && entry.until > Date.now()) return entry.tenant;
    const until = Date.now() + rememberMs;
    const tenant = await installTx(db, (tx) => findTenantBySlug(tx, slug));
    if (remembered.size >= rememberAtMost) remembered.clear();
    if (tenant) remembered.set(slug, { tenant, until });
    return tenant;
  };
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

/** Throws Refusal. */
export async function createWorkspace(tx: Tx, slug: string, name: string): Promise<Tenant> {
  if (!isSlug(slug)) {
    throw new Refusal(
      'invalid',
      `${slug}: a slug has 1 to 40 lower-case letters, digits and inner hyphens, and is not "tenants"`,
    );
  }
  if (name.trim() === '' || name.length > 255) {
    throw new Refusal('invalid', '--name: must have 1 to 255 characters');
  }
  const tenant = { id: newId(), slug, name: name.trim() };
  if (!(await insertTenant(tx, tenant)))
    throw new Refusal('conflict', `there is a workspace ${slug} already`);
  await switchTenant(tx, tenant.id);
  await ensureBuiltins(tx, tenant.id);
  return tenant;
}

/** Throws Refusal when there is none. */
export async function getWorkspace(tx: Tx, slug: string): Promise<Tenant> {
  const tenant = await findTenantBySlug(tx, slug);
  if (!tenant)
    throw new Refusal('missing', `there is no workspace ${slug}; merlond workspace list shows them`);
  return tenant;
}

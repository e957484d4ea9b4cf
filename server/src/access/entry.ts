/** The database read of the access check of each request: the workspace of a slug, and the caller's role in it. */

import { LRUCache } from 'lru-cache';
import { callerReadTx, type Database, installTx, type Tx } from '../db/database.ts';
import type { TenantId } from '../domain/ids.ts';
import type { Role, Tenant } from '../http/principal.ts';
import { findTenantBySlug } from './workspaces/store.ts';

const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

/** True if the text can be a slug. The route `/tenants` uses that word. */
export function isSlug(text: string): boolean {
  return slugPattern.test(text) && text !== 'tenants';
}

// The slug and name of a workspace rarely change, so a look-up may be as old as that of a key.
const rememberMs = 900;
const rememberAtMost = 10_000;

/** Looks up a slug for every request. A workspace is remembered for at most a second, an unknown slug never. */
export function tenantLookup(db: Database): (slug: string) => Promise<Tenant | undefined> {
  const remembered = new LRUCache<string, Tenant>({ max: rememberAtMost, ttl: rememberMs, ttlResolution: 0 });
  return async (slug) => {
    if (!isSlug(slug)) return undefined;
    const known = remembered.get(slug);
    if (known) return known;
    // The time counts from before the look-up, because the row that it reads may be as old as that.
    const start = performance.now();
    const tenant = await installTx(db, (tx) => findTenantBySlug(tx, slug));
    if (tenant) remembered.set(slug, tenant, { start });
    return tenant;
  };
}

/** The role is looked up for every request, so that a removed member is refused at the next one. */
export function membershipLookup(
  db: Database,
): (tenantId: TenantId, userId: string) => Promise<Role | undefined> {
  return (tenantId, userId) => callerReadTx(db, userId, tenantId, (tx) => findRole(tx.ending, userId));
}

/** Needs the tenant's transaction. */
export async function findRole(tx: Tx, userId: string): Promise<Role | undefined> {
  const [row] = await tx.query<{ role: Role }>(
    'select role from member where tenant_id = $1 and user_id = $2',
    [tx.tenantId, userId],
    'find-role',
  );
  return row?.role;
}

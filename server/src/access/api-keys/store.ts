/** SQL of API keys, which are in tables of the install, because they are read before a tenant is known (`entry.ts`). */

import type { InstallTx, Tx } from '../../db/database.ts';
import type { KeyId, TenantId, TrustRuleId, UserId } from '../../domain/ids.ts';
import type { KeyBinding, KeyScope, Role } from '../../http/principal.ts';

/** Locks the workspace, so that no other transaction makes a key of it until this one ends. */
export async function lockWorkspace(tx: Tx): Promise<void> {
  await tx.query('select 1 from tenant where id = $1 for no key update', [tx.tenantId]);
}

// Personal keys of a user, or the keys of a workspace: the owner is the parameter $2. Keys of trust rules are left out:
// nobody manages them one by one, and they end within minutes.
function ownedBy(of: { userId: UserId } | { tenantId: TenantId }): [where: string, owner: string] {
  return 'userId' in of
    ? [`k.kind = 'personal' and k.user_id = $2`, of.userId]
    : [`k.kind = 'workspace' and k.trust_rule_id is null and k.tenant_id = $2`, of.tenantId];
}

export async function countActiveKeys(
  tx: InstallTx,
  of: { userId: UserId } | { tenantId: TenantId },
): Promise<number> {
  const [where, owner] = ownedBy(of);
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from api_key k
      where ${where} and k.disabled_at is null and (k.expires_at is null or k.expires_at > $1)`,
    [new Date(), owner],
  );
  return row?.count ?? 0;
}

export interface NewKey {
  id: KeyId;
  kind: 'personal' | 'workspace';
  userId: UserId;
  tenantId: TenantId | null;
  role: Role | null;
  name: string;
  sha256: Buffer;
  lastFour: string;
  scopes: KeyScope[];
  restrictedTo: string[] | null;
  expiresAt: Date | null;
  createdBy: string | null;
  createdAt?: Date;
  /** The trust rule that gives the key, and what it binds the key to. */
  boundBy?: KeyBinding & { trustRuleId: TrustRuleId };
}

export async function insertKey(tx: InstallTx, key: NewKey): Promise<void> {
  await tx.query(
    `insert into api_key (id, kind, user_id, tenant_id, role, name, secret_sha256, last_four, scopes, restricted,
                          expires_at, created_by, trust_rule_id, repository_id, bound_reference, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      key.id,
      key.kind,
      key.userId,
      key.tenantId,
      key.role,
      key.name,
      key.sha256,
      key.lastFour,
      key.scopes,
      key.restrictedTo !== null,
      key.expiresAt,
      key.createdBy,
      key.boundBy?.trustRuleId ?? null,
      key.boundBy?.repositoryId ?? null,
      key.boundBy?.reference ?? null,
      // The time of the clock that the expiry is counted from.
      key.createdAt ?? new Date(),
    ],
  );
  if (key.restrictedTo && key.restrictedTo.length > 0) {
    await tx.query('insert into api_key_tenant (api_key_id, tenant_id) select $1, unnest($2::bigint[])', [
      key.id,
      key.restrictedTo,
    ]);
  }
}

export interface KeyRow {
  id: KeyId;
  kind: 'personal' | 'workspace';
  name: string;
  user: string;
  workspace: string | null;
  role: Role | null;
  scopes: KeyScope[];
  status: 'Active' | 'Expired' | 'Disabled';
  last_four: string;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
}

const shownColumns = `k.id, k.kind, k.name,
  k.role, k.scopes,
  case when k.disabled_at is not null then 'Disabled' when k.expires_at <= now() then 'Expired' else 'Active' end as status,
  k.last_four, k.created_at, k.last_used_at, k.expires_at`;

/** Keys of a user or of a workspace, newest first; every key of the install without either. */
export async function listKeys(
  tx: InstallTx,
  of: { userId?: UserId | undefined; tenantId?: TenantId | undefined },
): Promise<KeyRow[]> {
  return tx.query<KeyRow>(
    `select ${shownColumns}, u.email as user, t.slug as workspace
       from api_key k join user_account u on u.id = k.user_id left join tenant t on t.id = k.tenant_id
      where k.trust_rule_id is null and ($1::uuid is null or k.user_id = $1) and ($2::bigint is null or k.tenant_id = $2)
      order by k.created_at desc, k.id desc`,
    [of.userId ?? null, of.tenantId ?? null],
  );
}

export interface ShownKey extends Omit<KeyRow, 'user' | 'workspace'> {
  /** Slugs of the workspaces that the key opens; null means all workspaces of its user. */
  workspaces: string[] | null;
  created_by: { id: UserId; name: string } | null;
}

/** Personal keys of a user, or the keys of a workspace, newest first; with `id` only that key. */
export async function listShownKeys(
  tx: InstallTx,
  of: { userId: UserId } | { tenantId: TenantId },
  id: KeyId | null = null,
): Promise<ShownKey[]> {
  const [where, owner] = ownedBy(of);
  return tx.query<ShownKey>(
    `select ${shownColumns},
            case when k.kind = 'workspace' then (select array[t.slug] from tenant t where t.id = k.tenant_id)
                 when k.restricted then array(select t.slug from api_key_tenant a join tenant t on t.id = a.tenant_id
                                               where a.api_key_id = k.id order by t.slug) end as workspaces,
            case when m.id is null then null else json_build_object('id', m.id, 'name', m.name) end as created_by
       from api_key k left join user_account m on m.id = k.created_by
      where ${where} and ($1::uuid is null or k.id = $1) order by k.created_at desc, k.id desc`,
    [id, owner],
  );
}

export interface DisabledKey {
  id: KeyId;
  name: string;
  restricted: boolean;
  expiresAt: Date | null;
  tenantIds: TenantId[];
}

/**
 * Disables a personal key of the user, or a key of the workspace. `already` is true if it was disabled before. The
 * result is undefined if the owner has no such key.
 */
export async function disableKeyOf(
  tx: InstallTx,
  of: { userId: UserId } | { tenantId: TenantId },
  id: KeyId,
): Promise<(DisabledKey & { already: boolean }) | undefined> {
  const [where, owner] = ownedBy(of);
  const [row] = await tx.query<DisabledKey & { already: boolean }>(
    `with known as (select id, disabled_at from api_key k where k.id = $1 and ${where} for update)
     update api_key k set disabled_at = coalesce(k.disabled_at, $3), updated_at = $3
       from known where k.id = known.id
     returning k.id, k.name, k.restricted, k.expires_at as "expiresAt", known.disabled_at is not null as already,
       array(select tenant_id from api_key_tenant t where t.api_key_id = k.id) as "tenantIds"`,
    [id, owner, new Date()],
  );
  return row;
}

/** Disables all personal keys of the user and returns those that were not disabled before. */
export async function disableKeysOfUser(tx: InstallTx, userId: UserId): Promise<DisabledKey[]> {
  return tx.query<DisabledKey>(
    `update api_key k set disabled_at = now(), updated_at = now()
      where k.kind = 'personal' and k.user_id = $1 and k.disabled_at is null
     returning k.id, k.name, k.restricted, k.expires_at as "expiresAt",
       array(select tenant_id from api_key_tenant t where t.api_key_id = k.id) as "tenantIds"`,
    [userId],
  );
}

/** Disables all keys that the trust rule gave and that are not disabled yet. */
export async function disableKeysOfRule(tx: Tx, trustRuleId: TrustRuleId, at: Date): Promise<void> {
  await tx.query(
    `update api_key set disabled_at = $3, updated_at = $3
      where trust_rule_id = $2 and tenant_id = $1 and disabled_at is null`,
    [tx.tenantId, trustRuleId, at],
  );
}

/** Deletes keys of trust rules that expired before this time. Nothing refers to them. */
export async function deleteExpiredRunKeys(tx: InstallTx, before: Date): Promise<void> {
  await tx.query('delete from api_key where trust_rule_id is not null and expires_at < $1', [before]);
}

/** The user of the key, and its workspace if it is a workspace key. */
export async function findKeyOwner(
  tx: InstallTx,
  id: KeyId,
): Promise<{ user_id: UserId; tenant_id: TenantId | null } | undefined> {
  const [row] = await tx.query<{ user_id: UserId; tenant_id: TenantId | null }>(
    'select user_id, tenant_id from api_key where id = $1',
    [id],
  );
  return row;
}

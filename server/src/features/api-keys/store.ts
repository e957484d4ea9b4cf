/** SQL of API keys: tables of the install, read before a tenant is known. */
import type { Tx } from '../../db/database.ts';
import { type Caller, type Role, roles, type Scope } from '../../http/principal.ts';

interface CallerRow {
  id: string;
  kind: number;
  name: string;
  scopes: string[];
  expires_at: Date | null;
  restricted: boolean;
  role: number | null;
  made_by: string | null;
  tenant_ids: string[];
  user_id: string;
  user_name: string;
  email: string;
  user_kind: number;
}

/** The key of this hash, if it and its user may be used at this moment. */
export async function findCaller(tx: Tx, sha256: Buffer): Promise<Caller | undefined> {
  const [row] = await tx.query<CallerRow>(
    `select k.id, k.kind, k.name, k.scopes, k.expires_at, k.restricted, k.role, k.made_by, k.user_id,
            u.name as user_name, u.email, u.kind as user_kind,
            case when k.kind = 1 then array[k.tenant_id]
                 else array(select tenant_id from api_key_tenant t where t.api_key_id = k.id) end as tenant_ids
       from api_key k join user_account u on u.id = k.user_id
      where k.secret_sha256 = $1 and k.disabled_at is null and u.disabled_at is null
        and (k.expires_at is null or k.expires_at > now())`,
    [sha256],
    'find-caller',
  );
  if (!row) return undefined;
  return {
    key: {
      id: row.id,
      kind: row.kind === 1 ? 'workspace' : 'personal',
      name: row.name,
      scopes: row.scopes as Scope[],
      expiresAt: row.expires_at,
      restricted: row.restricted,
      tenantIds: row.tenant_ids,
      role: row.role === null ? null : (roles[row.role] as Role),
      madeBy: row.made_by,
    },
    user: {
      id: row.user_id,
      name: row.user_name,
      email: row.email,
      kind: row.user_kind === 1 ? 'service' : 'user',
    },
  };
}

export interface NewKey {
  id: string;
  kind: 'personal' | 'workspace';
  userId: string;
  tenantId: string | null;
  role: Role | null;
  name: string;
  sha256: Buffer;
  lastFour: string;
  scopes: Scope[];
  restrictedTo: string[] | null;
  expiresAt: Date | null;
  madeBy: string | null;
}

export async function insertKey(tx: Tx, key: NewKey): Promise<void> {
  await tx.query(
    `insert into api_key (id, kind, user_id, tenant_id, role, name, secret_sha256, last_four, scopes, restricted,
                          expires_at, made_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      key.id,
      key.kind === 'workspace' ? 1 : 0,
      key.userId,
      key.tenantId,
      key.role === null ? null : roles.indexOf(key.role),
      key.name,
      key.sha256,
      key.lastFour,
      key.scopes,
      key.restrictedTo !== null,
      key.expiresAt,
      key.madeBy,
    ],
  );
  if (key.restrictedTo && key.restrictedTo.length > 0) {
    await tx.query('insert into api_key_tenant (api_key_id, tenant_id) select $1, unnest($2::uuid[])', [
      key.id,
      key.restrictedTo,
    ]);
  }
}

export interface KeyRow {
  id: string;
  kind: 'personal' | 'workspace';
  name: string;
  user: string;
  workspace: string | null;
  role: Role | null;
  scopes: Scope[];
  status: 'Active' | 'Expired' | 'Disabled';
  last_four: string;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
}

/** Keys of a user or of a workspace, newest first; every key of the install without either. */
export async function listKeys(
  tx: Tx,
  of: { userId?: string | undefined; tenantId?: string | undefined },
): Promise<KeyRow[]> {
  return tx.query<KeyRow>(
    `select k.id, case k.kind when 1 then 'workspace' else 'personal' end as kind, k.name, u.email as user,
            t.slug as workspace, ($3::text[])[k.role + 1] as role, k.scopes,
            case when k.disabled_at is not null then 'Disabled'
                 when k.expires_at <= now() then 'Expired' else 'Active' end as status,
            k.last_four, k.created_at, k.last_used_at, k.expires_at
       from api_key k join user_account u on u.id = k.user_id left join tenant t on t.id = k.tenant_id
      where ($1::uuid is null or k.user_id = $1) and ($2::uuid is null or k.tenant_id = $2)
      order by k.created_at desc, k.id desc`,
    [of.userId ?? null, of.tenantId ?? null, roles],
  );
}

/** False when there is no such key; disabling twice changes nothing. */
export async function disableKey(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query(
    'update api_key set disabled_at = coalesce(disabled_at, now()), updated_at = now() where id = $1 returning id',
    [id],
  );
  return rows.length > 0;
}

export interface KeyUse {
  id: string;
  at: Date;
  address: string;
}

export async function updateLastUsed(tx: Tx, uses: KeyUse[]): Promise<void> {
  // In id order, so that two nodes that write the same keys wait for each other and never for ever.
  const ordered = [...uses].sort((a, b) => (a.id < b.id ? -1 : 1));
  await tx.query(
    `update api_key k set last_used_at = u.at, last_used_address = u.address
       from unnest($1::uuid[], $2::timestamptz[], $3::text[]) as u (id, at, address)
      where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at)`,
    [ordered.map((use) => use.id), ordered.map((use) => use.at), ordered.map((use) => use.address)],
  );
}

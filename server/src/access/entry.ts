/**
 * The part of the access check of each request that reads the database: the caller of the key in the Authorization
 * header, the workspace of a slug, and the caller's role in it. The last use of keys is written after the requests,
 * many at a time.
 */
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { callerReadTx, type Database, type InstallTx, installTx, type Tx } from '../db/database.ts';
import { authenticationRequired, invalidInput } from '../domain/errors.ts';
import type { KeyId, RepositoryId, TenantId, UserId } from '../domain/ids.ts';
import type { Caller, KeyCredential, KeyScope, Role, Tenant } from '../http/principal.ts';
import { hashKey, isKeyString } from './api-keys/key-string.ts';

// A revoked key must be refused within one second on every node; the rest of the second is for clock and commit. The
// slug and name of a workspace rarely change, so a look-up of them may be as old.
const rememberMs = 900;
const rememberAtMost = 10_000;

/** Remembers what a look-up has found for at most a second. That it has found nothing is never remembered. */
function newMemory<Found extends object>() {
  const remembered = new LRUCache<string, Found>({ max: rememberAtMost, ttl: rememberMs, ttlResolution: 0 });
  return async (key: string, lookUp: () => Promise<Found | undefined>): Promise<Found | undefined> => {
    const known = remembered.get(key);
    if (known) return known;
    // The time counts from before the look-up, because the row that it reads may be as old as that.
    const start = performance.now();
    const found = await lookUp();
    if (found) remembered.set(key, found, { start });
    return found;
  };
}

// The interval makes one statement of thousands of requests, and is short enough for a person who watches the list.
const flushMs = 3_000;

interface KeyAuthentication {
  authenticate(request: FastifyRequest): Promise<Caller>;
  /** Writes the noted uses; it runs by itself every three seconds and at the end. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export function keyAuthentication(db: Database, onError: (error: unknown) => void): KeyAuthentication {
  const remember = newMemory<KeyCaller>();
  let uses = new Map<string, KeyUse>();

  const flush = async (): Promise<void> => {
    if (uses.size === 0) return;
    const batch = [...uses.values()];
    uses = new Map();
    await installTx(db, (tx) => updateLastUsed(tx, batch));
  };
  const timer = setInterval(() => void flush().catch(onError), flushMs);
  timer.unref();

  return {
    authenticate: async (request) => {
      const hash = hashKey(bearerToken(request));
      const now = Date.now();
      const caller = await remember(hash.toString('base64'), () =>
        installTx(db, (tx) => findCaller(tx, hash)),
      );
      if (!caller) throw invalidKey();
      const { id, expiresAt } = caller.credential;
      if (expiresAt && expiresAt.getTime() <= now) throw invalidKey();
      uses.set(id, { id, at: new Date(now), address: request.ip });
      return caller;
    },
    flush,
    stop: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}

function bearerToken(request: FastifyRequest): string {
  const header = request.headers.authorization;
  if (header === undefined) {
    if (hasKeyInUrl(request.url)) {
      throw authenticationRequired({
        error: 'invalid_request',
        description:
          'Send the key in the Authorization header, never in the URL, and revoke one that was in a URL',
      });
    }
    throw authenticationRequired();
  }
  const match = /^Bearer +([^\s]+) *$/i.exec(header);
  if (!match?.[1]) {
    throw authenticationRequired({ error: 'invalid_request', description: 'The form is: Bearer <API key>' });
  }
  if (!isKeyString(match[1])) throw invalidKey();
  return match[1];
}

// The time must grow linearly with the URL, because anybody can send one.
function hasKeyInUrl(url: string): boolean {
  const names = url
    .split(/[?&]/)
    .slice(1)
    .map((parameter) => parameter.split('=', 1)[0] ?? '');
  return names.some((name) => /key|token|authorization/i.test(name)) || /mrl_(?:pat|wsk)_/.test(url);
}

// A key that is unknown, expired, disabled or of a disabled user gets the same answer.
function invalidKey(): Error {
  return authenticationRequired({ error: 'invalid_token', description: 'The key is not valid' });
}

type KeyCaller = Caller & { credential: KeyCredential };

interface CallerRow {
  id: KeyId;
  kind: 'personal' | 'workspace';
  name: string;
  scopes: string[];
  expires_at: Date | null;
  restricted: boolean;
  role: Role | null;
  created_by: UserId | null;
  repository_id: RepositoryId | null;
  bound_reference: string | null;
  tenant_ids: TenantId[];
  user_id: UserId;
  user_name: string;
  email: string;
  user_kind: 'user' | 'service';
}

/** The caller of the key with this hash, if the key and its user are valid now. */
async function findCaller(tx: InstallTx, sha256: Buffer): Promise<KeyCaller | undefined> {
  const [row] = await tx.query<CallerRow>(
    `select k.id, k.kind, k.name, k.scopes, k.expires_at, k.restricted, k.role, k.created_by, k.user_id,
            k.repository_id, k.bound_reference,
            u.name as user_name, u.email, u.kind as user_kind,
            case when k.kind = 'workspace' then array[k.tenant_id]
                 else array(select tenant_id from api_key_tenant t where t.api_key_id = k.id) end as tenant_ids
       from api_key k join user_account u on u.id = k.user_id
      where k.secret_sha256 = $1 and k.disabled_at is null and u.disabled_at is null
        and (k.expires_at is null or k.expires_at > now())`,
    [sha256],
    'find-caller',
  );
  if (!row) return undefined;
  return {
    credential: {
      type: 'key',
      id: row.id,
      kind: row.kind,
      name: row.name,
      scopes: row.scopes as KeyScope[],
      expiresAt: row.expires_at,
      restricted: row.restricted,
      tenantIds: row.tenant_ids,
      role: row.role,
      createdBy: row.created_by,
      binding:
        row.repository_id !== null && row.bound_reference !== null
          ? { repositoryId: row.repository_id, reference: row.bound_reference }
          : null,
    },
    user: {
      id: row.user_id,
      name: row.user_name,
      email: row.email,
      kind: row.user_kind,
    },
  };
}

interface KeyUse {
  id: KeyId;
  at: Date;
  address: string;
}

async function updateLastUsed(tx: InstallTx, uses: KeyUse[]): Promise<void> {
  // The ids are in order, so that two nodes that write the same keys cannot deadlock.
  const ordered = [...uses].sort((a, b) => (a.id < b.id ? -1 : 1));
  await tx.query(
    `update api_key k set last_used_at = u.at, last_used_address = u.address
       from unnest($1::uuid[], $2::timestamptz[], $3::text[]) as u (id, at, address)
      where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at)`,
    [ordered.map((use) => use.id), ordered.map((use) => use.at), ordered.map((use) => use.address)],
  );
}

const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

/** True if the text can be a slug. The route `/tenants` uses that word. */
function isSlug(text: string): boolean {
  return slugPattern.test(text) && text !== 'tenants';
}

/** Throws DomainError on `slug`. */
export function checkSlug(text: string): void {
  if (isSlug(text)) return;
  throw invalidInput(
    'A slug must have 1 to 40 lower-case letters, digits and hyphens, no hyphen at its beginning or end, and must not be "tenants".',
    'slug',
  );
}

/** Looks up a slug for every request. */
export function tenantLookup(db: Database): (slug: string) => Promise<Tenant | undefined> {
  const remember = newMemory<Tenant>();
  return async (slug) =>
    isSlug(slug) ? remember(slug, () => installTx(db, (tx) => findTenantBySlug(tx, slug))) : undefined;
}

export async function findTenantBySlug(tx: InstallTx, slug: string): Promise<Tenant | undefined> {
  const rows = await tx.query<Tenant>(
    'select id, slug, name from tenant where slug = $1 and deleted_at is null',
    [slug],
    'find-tenant',
  );
  return rows[0];
}

/** The role is looked up for every request, so that a removed member is refused at the next one. */
export function membershipLookup(
  db: Database,
): (tenantId: TenantId, userId: UserId) => Promise<Role | undefined> {
  return (tenantId, userId) => callerReadTx(db, userId, tenantId, (tx) => findRole(tx.ending, userId));
}

/** Needs the tenant's transaction. */
export async function findRole(tx: Tx, userId: UserId): Promise<Role | undefined> {
  const [row] = await tx.query<{ role: Role }>(
    'select role from member where tenant_id = $1 and user_id = $2',
    [tx.tenantId, userId],
    'find-role',
  );
  return row?.role;
}

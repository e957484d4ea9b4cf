/**
 * Who calls: first by the key or the console session alone (a caller), then in one workspace (a principal). Services
 * take the principal as an argument; nobody finds out by other means who is asking.
 */
export const scopes = [
  'vulnerabilities:read',
  'policy-violations:read',
  'scans:read',
  'organizations:read',
  'repositories:read',
  'applications:read',
  'tenants:read',
  'vulnerabilities:write',
  'policy-violations:write',
  'policies:write',
  'scans:write',
  'workspace:admin',
] as const;
export type Scope = (typeof scopes)[number];

/** By rising power: the position is the stored number. */
export const roles = ['viewer', 'member', 'admin'] as const;
export type Role = (typeof roles)[number];

export function roleAtLeast(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

/** The principal may decide where a policy blocks: an admin whose key has `vulnerabilities:write`. */
export function mayDecideWhereBlocked({ role, scopes }: Pick<Principal, 'role' | 'scopes'>): boolean {
  return role === 'admin' && scopes.includes('vulnerabilities:write');
}

/** The role that a scope takes: a key is refused a scope that its user could never use. */
export function roleForScope(scope: Scope): Role {
  if (scope === 'policies:write' || scope === 'workspace:admin') return 'admin';
  return scope.endsWith(':write') ? 'member' : 'viewer';
}

/** All that somebody of the role may do: what a console session can. */
export function scopesOfRole(role: Role): Scope[] {
  return scopes.filter((scope) => roleAtLeast(role, roleForScope(scope)));
}

export interface KeyCredential {
  type: 'key';
  id: string;
  kind: 'personal' | 'workspace';
  name: string;
  scopes: Scope[];
  expiresAt: Date | null;
  /** Personal keys: only the workspaces of `tenantIds`, even when the list is empty. */
  restricted: boolean;
  /** The workspaces that it is restricted to; of a workspace key its own. */
  tenantIds: string[];
  /** Workspace keys only. */
  role: Role | null;
  /** Who made it; null: the operator. */
  createdBy: string | null;
}

/** A person at the console. */
export interface SessionCredential {
  type: 'session';
  id: string;
  signedInAt: Date;
  expiresAt: Date;
  /** May make workspaces. */
  operator: boolean;
}

export interface Caller {
  credential: KeyCredential | SessionCredential;
  user: { id: string; name: string; email: string; kind: 'user' | 'service' };
}

export interface Tenant {
  id: string;
  slug: string;
  name: string;
}

export interface Principal extends Caller {
  tenant: Tenant;
  /** In this workspace, now. */
  role: Role;
  /** Of the key; of a session those of the role. */
  scopes: Scope[];
}

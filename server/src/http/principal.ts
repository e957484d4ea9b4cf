/**
 * A caller is identified by the key or the console session alone. A principal is a caller in one workspace. Services
 * take the principal as an argument, and no other code finds out who is asking.
 */
import type { KeyId, RepositoryId, SessionId, TenantId, UserId } from '../domain/ids.ts';

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
export type KeyScope = (typeof scopes)[number];

/** Roles by rising power. */
export const roles = ['viewer', 'member', 'admin'] as const;
export type Role = (typeof roles)[number];

export function roleAtLeast(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

/** The principal may decide where a policy blocks: an admin whose key has `vulnerabilities:write`. */
export function mayDecideWhereBlocked({ role, scopes }: Pick<Principal, 'role' | 'scopes'>): boolean {
  return role === 'admin' && scopes.includes('vulnerabilities:write');
}

/** The role that a scope needs: a key must not get a scope that its user could never use. */
export function roleForScope(scope: KeyScope): Role {
  if (scope === 'policies:write' || scope === 'workspace:admin') return 'admin';
  return scope.endsWith(':write') ? 'member' : 'viewer';
}

/** The binding of the principal's key; null for a session and for a key without one. */
export function bindingOf({ credential }: Pick<Principal, 'credential'>): KeyBinding | null {
  return credential.type === 'key' ? credential.binding : null;
}

/** True if the principal may see the repository: a key that is bound to another one may not. */
export function mayReadRepository(
  principal: Pick<Principal, 'credential'>,
  repositoryId: RepositoryId,
): boolean {
  const binding = bindingOf(principal);
  return binding === null || binding.repositoryId === repositoryId;
}

/** A route that names the people of the workspace needs this: viewers do not see them. */
export const peopleAccess = { scopes: ['vulnerabilities:write'], role: 'member' } as const;

/** True if the principal has `peopleAccess`. */
export function mayReadPeople({ role, scopes: held }: Pick<Principal, 'role' | 'scopes'>): boolean {
  return roleAtLeast(role, peopleAccess.role) && peopleAccess.scopes.every((scope) => held.includes(scope));
}

/** All scopes that the role may use; a console session has them. */
export function scopesOfRole(role: Role): KeyScope[] {
  return scopes.filter((scope) => roleAtLeast(role, roleForScope(scope)));
}

/**
 * The principal's scopes that its role may use. The user of a key may have a higher role elsewhere, or may have had
 * one.
 */
export function scopesInEffect({ role, scopes: held }: Pick<Principal, 'role' | 'scopes'>): KeyScope[] {
  return scopesOfRole(role).filter((scope) => held.includes(scope));
}

export interface KeyCredential {
  type: 'key';
  id: KeyId;
  kind: 'personal' | 'workspace';
  name: string;
  scopes: KeyScope[];
  expiresAt: Date | null;
  /** Personal keys: only the workspaces of `tenantIds`, even when the list is empty. */
  restricted: boolean;
  /** The workspaces that a personal key is restricted to, or the one of a workspace key. */
  tenantIds: TenantId[];
  /** The role of a workspace key; null for a personal key. */
  role: Role | null;
  /** Id of the user who made the key; null if the operator did. */
  createdBy: UserId | null;
  /** Null for a key that is not bound to one repository. */
  binding: KeyBinding | null;
}

/** A key of a run of CI is bound to one repository, and reports about one reference or about pull requests only. */
export interface KeyBinding {
  repositoryId: RepositoryId;
  /** The full name of the reference, or `pull_requests`. */
  reference: string;
}

/** The session of a person at the console. */
export interface SessionCredential {
  type: 'session';
  id: SessionId;
  signedInAt: Date;
  expiresAt: Date;
  /** True for an operator, who may create workspaces. */
  operator: boolean;
}

export interface Caller {
  credential: KeyCredential | SessionCredential;
  user: { id: UserId; name: string; email: string; kind: 'user' | 'service' };
}

export interface Tenant {
  id: TenantId;
  slug: string;
  name: string;
}

export interface Principal extends Caller {
  tenant: Tenant;
  /** The current role in this workspace. */
  role: Role;
  /** The scopes of the key; a session has those of the role. */
  scopes: KeyScope[];
  /** The id of the request, for the audit log. */
  requestId: string;
}

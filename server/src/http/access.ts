/**
 * Each route declares who may call it, or the server does not start. `onRequest` checks access before a byte of the
 * body is read, in this order: a loopback name for the console of a server that does not know its own name (403), key
 * or session (401), a session's write from the console alone (403), rate of the key or session and of the user (429),
 * workspace (404), valid for it (403), rate of the workspace (429), scope and role (403).
 *
 * The path of a route decides which credential it takes: `/console` sessions, `/manage` either, all others keys.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../domain/domain-error.ts';
import {
  originRefused,
  rateLimitExceeded,
  signInAgain,
  tenantNotFound,
  tokenAbilityDenied,
  tokenInvalidForTenant,
} from '../domain/errors.ts';
import type { TenantId, UserId } from '../domain/ids.ts';
import { isLoopback } from '../domain/loopback.ts';
import { statusOf } from './error-answers.ts';
import {
  type Caller,
  type KeyScope,
  type Principal,
  type Role,
  roleAtLeast,
  scopesOfRole,
  type Tenant,
} from './principal.ts';
import type { AuthenticationLimiter, RateState, RequestLimiter, SharedLimiters } from './rate-limit.ts';

/**
 * `public`: no credential is checked. `key`: any valid key, or a session if the route takes one. `scopes`: the caller
 * needs all of them, and the role; with `recent` a session must come from a sign-in within the hour. `session`: only a
 * person at the console, never a key; `recent` means the same.
 */
export type Access =
  | 'public'
  | 'key'
  | { scopes: readonly KeyScope[]; role?: Role; recent?: true }
  | { session: 'any' | 'recent'; role?: Role };

/** Uploads have their own limit, because reports arrive in bursts. */
export type LimitName = 'requests' | 'uploads';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** The limit of the caller that a request counts against; the default is `requests`. */
    limit?: LimitName;
    /**
     * The route checks the repository of a key that is bound to one. Every other route refuses such a key, so that a
     * new route cannot forget it.
     */
    boundKeys?: true;
  }
  interface FastifyInstance {
    /**
     * Checks access again during a long request. Throws the same error as at its beginning if the caller has lost
     * access, and 403 if the role is lower than it was then.
     */
    checkStill(request: FastifyRequest): Promise<void>;
    /** True while the caller still has access, for long answers. Throws if that cannot be checked. */
    mayStill(request: FastifyRequest): Promise<boolean>;
  }
  interface FastifyRequest {
    caller: Caller | null;
    principal: Principal | null;
    /** The time of `performance.now()` at which access was checked; 0 before. */
    accessCheckedAt: number;
  }
}

export interface AccessDependencies {
  /** False without MERLON_PUBLIC_URL. */
  knowsOwnHost: boolean;
  /** Throws 401 if the key is not valid now. */
  authenticateKey: (request: FastifyRequest) => Promise<Caller>;
  /** Throws 401 if the session is not valid now, 403 for a write that the console did not send. */
  authenticateSession: (request: FastifyRequest) => Promise<Caller>;
  findTenant: (slug: string) => Promise<Tenant | undefined>;
  /** The user's role in the workspace, undefined without one. */
  findRole: (tenantId: TenantId, userId: UserId) => Promise<Role | undefined>;
  limiters: Record<LimitName | 'sessions', RequestLimiter>;
  /** The limits that all keys and sessions of a user, and of a workspace, share. */
  sharedLimiters: Record<LimitName, SharedLimiters>;
  authenticationLimiter: AuthenticationLimiter;
}

// A package makes the routes of the viewer of the OpenAPI document, so they cannot declare their access themselves.
const docsPath = '/docs';

// Actions that give power, such as creating keys and changing roles, need a sign-in within this time.
const recentMs = 60 * 60 * 1000;

// A sender decides how long its body takes. A key may have been looked up almost a second ago (`access/entry.ts`), so
// after this time its end could go unseen for longer than the promised second.
const bodyMs = 100;

export function registerAccess(app: FastifyInstance, dependencies: AccessDependencies): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('principal', null);
  app.decorateRequest('accessCheckedAt', 0);

  app.addHook('onRoute', (route) => {
    if (route.url === docsPath || route.url.startsWith(`${docsPath}/`)) {
      route.config = { ...route.config, access: 'public' };
    }
    if (route.config?.access === undefined) {
      throw new Error(`${String(route.method)} ${route.url} declares no access`);
    }
  });

  app.addHook('onRequest', async (request, reply) => {
    if (!dependencies.knowsOwnHost && takesSession(request)) await checkLoopback(request);
    const access = request.routeOptions.config.access;
    // Only the not-found handler declares no access, and it has nothing to protect.
    if (access === undefined || access === 'public') return;
    const caller = await authenticate(dependencies, request, reply);
    request.caller = caller;
    const shared = dependencies.sharedLimiters[request.routeOptions.config.limit ?? 'requests'];
    checkRate(reply, await limiterOf(dependencies, request, caller).take(caller.credential.id));
    const owner = ownerOfLimit(caller);
    if (owner !== null) checkRate(reply, await shared.user.take(owner));
    const slug = (request.params as { tenant_slug?: string }).tenant_slug;
    if (slug !== undefined) {
      const principal = await principalIn(dependencies, caller, slug, request.id);
      // The limit of the workspace counts after the access check, so that strangers cannot use it up.
      checkRate(reply, await shared.workspace.take(principal.tenant.id));
      request.principal = principal;
    }
    if (access !== 'key') checkAccess(access, caller, request.principal);
    checkBinding(request, caller);
    request.accessCheckedAt = performance.now();
  });

  app.addHook('preValidation', async (request) => {
    if (performance.now() - request.accessCheckedAt > bodyMs) await app.checkStill(request);
  });

  app.decorate('checkStill', async (request: FastifyRequest) => {
    const { access } = request.routeOptions.config;
    if (access === undefined || access === 'public') return;
    const caller = await credentialsOf(dependencies, request)(request);
    const slug = (request.params as { tenant_slug?: string }).tenant_slug;
    const principal = slug === undefined ? null : await principalIn(dependencies, caller, slug, request.id);
    if (access !== 'key') checkAccess(access, caller, principal);
    const { principal: before } = request;
    if (before !== null && principal !== null && !roleAtLeast(principal.role, before.role)) {
      throw tokenAbilityDenied({ role: before.role });
    }
  });

  app.decorate('mayStill', async (request: FastifyRequest) => {
    try {
      await app.checkStill(request);
      return true;
    } catch (error) {
      if (error instanceof DomainError && statusOf(error) < 500) return false;
      throw error;
    }
  });
}

/** The caller of a route that needs a key or a session. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('the route declares no key');
  return request.caller;
}

/** The principal of a route under a workspace. */
export function principalOf(request: FastifyRequest): Principal {
  if (!request.principal) throw new Error('the route is not under a workspace');
  return request.principal;
}

/** The workspace of a route under one. */
export function tenantIdOf(request: FastifyRequest): TenantId {
  return principalOf(request).tenant.id;
}

/**
 * Throws 403 unless the principal has these scopes, which values of a request need in addition to those of its route.
 */
export function requireScopes(principal: Pick<Principal, 'scopes'>, needed: readonly KeyScope[]): void {
  if (!needed.every((scope) => principal.scopes.includes(scope))) {
    throw tokenAbilityDenied({ scopes: needed });
  }
}

/** True if the path of the route takes a session; under `/manage` a key may come instead. */
function takesSession(request: FastifyRequest): boolean {
  const url = request.routeOptions.url ?? '';
  if (url.startsWith('/console/')) return true;
  return url.startsWith('/manage/') && request.headers.authorization === undefined;
}

/**
 * Throws 403 if the host of the request is no loopback name. This stops DNS rebinding where the server does not know
 * its own name: a foreign page whose name resolves to this server sends its own name as the host.
 */
export async function checkLoopback(request: FastifyRequest): Promise<void> {
  const { host } = request.headers;
  if (host !== undefined && isLoopback(host)) return;
  throw originRefused(
    'Without MERLON_PUBLIC_URL, the console opens only at localhost. Set MERLON_PUBLIC_URL to the address that people use.',
  );
}

function credentialsOf(
  { authenticateKey, authenticateSession }: AccessDependencies,
  request: FastifyRequest,
): (request: FastifyRequest) => Promise<Caller> {
  return takesSession(request) ? authenticateSession : authenticateKey;
}

// The limit of failures is checked only after a failure, so that failures of others at the same address never refuse a
// valid key.
async function authenticate(
  dependencies: AccessDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  if (takesSession(request)) reply.header('vary', 'Cookie');
  try {
    return await credentialsOf(dependencies, request)(request);
  } catch (error) {
    // Only 401 counts as a failed guess: a missing database or a refused write does not.
    if (!(error instanceof DomainError) || error.code !== 'AUTHENTICATION_REQUIRED') throw error;
    checkRate(reply, await dependencies.authenticationLimiter.failed(request.ip));
    throw error;
  }
}

function limiterOf(
  { limiters }: AccessDependencies,
  request: FastifyRequest,
  { credential }: Caller,
): RequestLimiter {
  const name = request.routeOptions.config.limit ?? 'requests';
  return name === 'requests' && credential.type === 'session' ? limiters.sessions : limiters[name];
}

// The keys of a person share a limit, and so do the keys of the runs of a repository, because a job can ask for many.
// Every other workspace key has a service user of its own, so a shared limit would only repeat the limit of the key.
function ownerOfLimit({ user, credential }: Caller): string | null {
  if (credential.type === 'key' && credential.binding !== null) return credential.binding.repositoryId;
  return user.kind === 'user' ? user.id : null;
}

/** Sets the headers of the limit that counted the request. Throws 429 if it refuses the request. */
export function checkRate(reply: FastifyReply, state: RateState | null): void {
  if (!state) return;
  reply.headers(state.headers);
  if (!state.allowed) throw rateLimitExceeded(state.resetSeconds);
}

async function principalIn(
  dependencies: AccessDependencies,
  caller: Caller,
  slug: string,
  requestId: string,
): Promise<Principal> {
  const tenant = await dependencies.findTenant(slug);
  if (!tenant) throw tenantNotFound();
  const role = await roleIn(dependencies, caller, tenant.id);
  if (role === undefined) throw tokenInvalidForTenant();
  const { credential } = caller;
  const scopes = credential.type === 'key' ? credential.scopes : scopesOfRole(role);
  return { ...caller, tenant, role, scopes, requestId };
}

async function roleIn(
  { findRole }: AccessDependencies,
  { credential, user }: Caller,
  tenantId: TenantId,
): Promise<Role | undefined> {
  if (credential.type === 'session') return findRole(tenantId, user.id);
  const listed = credential.tenantIds.includes(tenantId);
  if (credential.kind === 'workspace') return listed ? (credential.role ?? undefined) : undefined;
  return credential.restricted && !listed ? undefined : findRole(tenantId, user.id);
}

function checkBinding(request: FastifyRequest, { credential }: Caller): void {
  if (credential.type !== 'key' || credential.binding === null) return;
  if (request.routeOptions.config.boundKeys) return;
  throw tokenAbilityDenied({ person: 'The key of a run of CI uploads reports and asks for their verdict' });
}

function checkAccess(
  access: Exclude<Access, string>,
  { credential }: Caller,
  principal: Principal | null,
): void {
  if ('scopes' in access) {
    const held = principal?.scopes ?? (credential.type === 'key' ? credential.scopes : access.scopes);
    if (!access.scopes.every((scope) => held.includes(scope))) {
      throw tokenAbilityDenied({ scopes: access.scopes });
    }
  } else if (credential.type !== 'session') {
    throw tokenAbilityDenied({ person: 'Only a person at the console may do this' });
  }
  const role = principal?.role ?? (credential.type === 'key' ? credential.role : null);
  if (access.role !== undefined && (role === null || !roleAtLeast(role, access.role))) {
    throw tokenAbilityDenied({ role: access.role });
  }
  const recent = 'session' in access ? access.session === 'recent' : access.recent === true;
  if (recent && credential.type === 'session' && Date.now() - credential.signedInAt.getTime() > recentMs) {
    throw signInAgain();
  }
}

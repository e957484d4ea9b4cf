/**
 * Access: each route declares who may call it, or the server does not start. Checked in `onRequest`, before a
 * byte of the body is read, in the order: key (401), rate (429), workspace (404), key valid for it (403), scope
 * and role (403).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  ApiError,
  rateLimitExceeded,
  tenantNotFound,
  tokenAbilityDenied,
  tokenInvalidForTenant,
} from '../errors.ts';
import { type Caller, type Principal, type Role, roleAtLeast, type Scope, type Tenant } from './principal.ts';
import type { AuthenticationLimiter, RequestLimiter } from './rate-limit.ts';

/** `public`: no key is looked at. `key`: any valid key. Else the scopes, all of them, and the role. */
export type Access = 'public' | 'key' | { scopes: readonly Scope[]; role?: Role };

/** Reports come in bursts: uploads have a limit of their own. */
export type LimitName = 'requests' | 'uploads';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** Which of the key's limits a request counts for; else `requests`. */
    limit?: LimitName;
  }
  interface FastifyRequest {
    caller: Caller | null;
    principal: Principal | null;
  }
}

export interface AccessDependencies {
  /** Throws 401 for every key that is not valid now. */
  authenticate: (request: FastifyRequest) => Promise<Caller>;
  findTenant: (slug: string) => Promise<Tenant | undefined>;
  /** The user's role in the workspace, undefined without one. */
  findRole: (tenantId: string, userId: string) => Promise<Role | undefined>;
  limiters: Record<LimitName, RequestLimiter>;
  authenticationLimiter: AuthenticationLimiter;
}

// Routes of the viewer of the OpenAPI document: a package makes them, so that they cannot declare it themselves.
const docsPath = '/docs';

export function registerAccess(app: FastifyInstance, dependencies: AccessDependencies): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('principal', null);

  app.addHook('onRoute', (route) => {
    if (route.url === docsPath || route.url.startsWith(`${docsPath}/`)) {
      route.config = { ...route.config, access: 'public' };
    }
    if (route.config?.access === undefined) {
      throw new Error(`${String(route.method)} ${route.url} declares no access`);
    }
  });

  app.addHook('onRequest', async (request, reply) => {
    const access = request.routeOptions.config.access;
    // Only the not-found handler has none: there is nothing behind it.
    if (access === undefined || access === 'public') return;
    const caller = await authenticate(dependencies, request);
    request.caller = caller;
    await limitRate(dependencies.limiters[request.routeOptions.config.limit ?? 'requests'], caller, reply);
    const slug = (request.params as { tenant_slug?: string }).tenant_slug;
    let role: Role | null = caller.key.role;
    if (slug !== undefined) {
      const principal = await principalIn(dependencies, caller, slug);
      request.principal = principal;
      role = principal.role;
    }
    if (access === 'key') return;
    if (!access.scopes.every((scope) => caller.key.scopes.includes(scope))) {
      throw tokenAbilityDenied({ scopes: access.scopes });
    }
    if (access.role !== undefined && (role === null || !roleAtLeast(role, access.role))) {
      throw tokenAbilityDenied({ role: access.role });
    }
  });
}

/** The caller of a route that needs a key. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('the route declares no key');
  return request.caller;
}

/** The principal of a route under a workspace. */
export function principalOf(request: FastifyRequest): Principal {
  if (!request.principal) throw new Error('the route is not under a workspace');
  return request.principal;
}

// A valid key is never refused for the failures of others at its address: the limit is asked after a failure.
async function authenticate(dependencies: AccessDependencies, request: FastifyRequest): Promise<Caller> {
  try {
    return await dependencies.authenticate(request);
  } catch (error) {
    // The database being away is nobody's failure.
    if (!(error instanceof ApiError)) throw error;
    const waitSeconds = await dependencies.authenticationLimiter.failed(request.ip);
    throw waitSeconds > 0 ? rateLimitExceeded(waitSeconds) : error;
  }
}

async function limitRate(limiter: RequestLimiter, caller: Caller, reply: FastifyReply): Promise<void> {
  const state = await limiter.take(caller.key.id);
  if (!state) return;
  reply.headers(state.headers);
  if (!state.allowed) throw rateLimitExceeded(state.resetSeconds);
}

async function principalIn(
  dependencies: AccessDependencies,
  caller: Caller,
  slug: string,
): Promise<Principal> {
  const tenant = await dependencies.findTenant(slug);
  if (!tenant) throw tenantNotFound();
  const { key, user } = caller;
  const listed = key.tenantIds.includes(tenant.id);
  if (key.kind === 'workspace') {
    if (!listed || key.role === null) throw tokenInvalidForTenant();
    return { ...caller, tenant, role: key.role };
  }
  const role = key.restricted && !listed ? undefined : await dependencies.findRole(tenant.id, user.id);
  if (role === undefined) throw tokenInvalidForTenant();
  return { ...caller, tenant, role };
}

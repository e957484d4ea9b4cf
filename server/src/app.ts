/**
 * The server, put together: every plugin and every feature in order, in one list. Nothing is loaded by its place
 * in a folder.
 */

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { keyAuthentication } from './features/api-keys/authentication.ts';
import { keyRoutes } from './features/api-keys/routes.ts';
import { applicationRoutes } from './features/applications/routes.ts';
import { applicationWriteRoutes } from './features/applications/write-routes.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { exportRoutes } from './features/export/routes.ts';
import { intelRoutes } from './features/intel/routes.ts';
import { memberRoutes } from './features/members/routes.ts';
import { membershipLookup } from './features/members/service.ts';
import { organizationRoutes } from './features/organizations/routes.ts';
import { overviewRoutes } from './features/overview/routes.ts';
import { policyRoutes } from './features/policies/routes.ts';
import { repositoryChangeRoutes } from './features/repositories/change-routes.ts';
import { referenceRoutes } from './features/repositories/reference-routes.ts';
import { repositoryRoutes } from './features/repositories/routes.ts';
import { advisoryNameRoutes } from './features/scans/advisory-names/name-routes.ts';
import { scanEventRoutes } from './features/scans/events/scan-event-routes.ts';
import { scanRoutes } from './features/scans/routes.ts';
import { streamRoutes } from './features/scans/streams/stream-routes.ts';
import { uploadRoutes } from './features/scans/upload/upload-routes.ts';
import { settingsRoutes } from './features/settings/routes.ts';
import { createAuth } from './features/sign-in/auth.ts';
import { joiningRoutes } from './features/sign-in/joining-routes.ts';
import { lockOut } from './features/sign-in/lock-out.ts';
import { lockOutRecord } from './features/sign-in/lock-out-record.ts';
import { oidcRoutes } from './features/sign-in/oidc-routes.ts';
import { signInRoutes } from './features/sign-in/routes.ts';
import { sessionsOf } from './features/sign-in/sessions.ts';
import { tenantRoutes } from './features/tenants/routes.ts';
import { tenantLookup } from './features/tenants/service.ts';
import { workspaceRoutes } from './features/tenants/workspace-routes.ts';
import { allViolationRoutes } from './features/violations/all-routes.ts';
import { exceptionRoutes } from './features/violations/exceptions/exception-routes.ts';
import { policyCountRoutes } from './features/violations/policy-counts-routes.ts';
import { repositoryPolicyRoutes } from './features/violations/repository-policies-routes.ts';
import { violationRoutes } from './features/violations/routes.ts';
import { snoozeRoutes } from './features/violations/snooze/snooze-routes.ts';
import { gateRoutes } from './features/violations/verdict/gate-routes.ts';
import { assignmentRoutes } from './features/vulnerabilities/assignment-routes.ts';
import { commentReadRoutes, commentRoutes } from './features/vulnerabilities/comment-routes.ts';
import { decisionRoutes } from './features/vulnerabilities/decision-routes.ts';
import { vulnerabilityRoutes } from './features/vulnerabilities/routes.ts';
import { splitMergeRoutes } from './features/vulnerabilities/split-merge-routes.ts';
import { whoamiRoutes } from './features/whoami/routes.ts';
import { registerAccess } from './http/access.ts';
import { registerConsole } from './http/console.ts';
import { cursors } from './http/cursor.ts';
import { clientErrorHandler, frameworkErrors, registerErrorHandler } from './http/error-handler.ts';
import { registerHealth } from './http/health.ts';
import { registerOpenApi } from './http/openapi.ts';
import { registerOwnHost } from './http/own-host.ts';
import { registerPlainText } from './http/plain-text.ts';
import { parseQueryString, registerQueryParameters } from './http/query-parameters.ts';
import { authenticationLimiter, requestLimiter, sharedLimiters } from './http/rate-limit.ts';
import { registerRequestContext, requestId } from './http/request-context.ts';
import type { Server } from './http/server.ts';
import { SharedWaits } from './http/shared-wait.ts';
import type { InstallSecret } from './install-secret.ts';
import { lazyQueue } from './jobs/queue.ts';

export interface Dependencies {
  config: Config;
  db: Database;
  secret: InstallSecret;
  log: FastifyBaseLogger | false;
}

// A request body is a few ids and a reason; uploads have a route of their own with its own limit.
const maxBodyBytes = 1024 * 1024;

// A page asks ten questions at most, and nobody turns a page every second for long.
const requestsOfSession = 600;

const reads = [
  tenantRoutes,
  whoamiRoutes,
  organizationRoutes,
  repositoryRoutes,
  referenceRoutes,
  applicationRoutes,
  vulnerabilityRoutes,
  commentReadRoutes,
  violationRoutes,
  allViolationRoutes,
  gateRoutes,
  intelRoutes,
  scanRoutes,
  overviewRoutes,
];

export async function buildApp({ config, db, secret, log }: Dependencies): Promise<Server> {
  const app = fastify({
    ...(log ? { loggerInstance: log } : { logger: false }),
    genReqId: requestId,
    requestIdHeader: false,
    trustProxy: config.trustProxy,
    bodyLimit: maxBodyBytes,
    routerOptions: { maxParamLength: 512, querystringParser: parseQueryString },
    clientErrorHandler,
    frameworkErrors,
    forceCloseConnections: 'idle',
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        // Of a megabyte of wrong fields the first one is told: all of them would be forty megabytes, and take seconds.
        allErrors: false,
        keywords: ['x-maxText'],
      },
    },
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as Server;
  // It sends jobs; who works on them is another's business.
  const queue = lazyQueue(db);
  app.addHook('onClose', () => queue.close());
  app.decorate('deps', {
    config,
    db,
    queue,
    secret,
    cursors: cursors(secret.key('cursor')),
    waits: new SharedWaits(),
  });
  app.removeContentTypeParser('text/plain');

  const keys = keyAuthentication(db, (error) => app.log.warn({ err: error }, 'last use of keys not written'));
  app.addHook('onClose', () => keys.stop());
  const sharedPool = config.databaseUrl === null ? null : db.pool;
  const auth = createAuth(config, db, secret, app.log);
  const ownOrigin = config.publicUrl === null ? null : new URL(config.publicUrl).origin;
  const sessions = sessionsOf(auth, secret, ownOrigin);

  registerRequestContext(app);
  registerErrorHandler(app);
  if (config.publicUrl === null) registerOwnHost(app);
  registerAccess(app, {
    authenticateKey: keys.authenticate,
    authenticateSession: sessions.authenticate,
    findTenant: tenantLookup(db),
    findRole: membershipLookup(db),
    limiters: {
      requests: requestLimiter('key', config.rateLimitPerMinute, sharedPool),
      uploads: requestLimiter('upload', config.uploadsPerMinute, sharedPool),
      sessions: requestLimiter('session', requestsOfSession, sharedPool),
    },
    sharedLimiters: {
      requests: sharedLimiters('request', config.rateLimitPerMinute, requestsOfSession, sharedPool),
      // An upload at the console counts by the limit of a key, so a session adds nothing here.
      uploads: sharedLimiters('upload', config.uploadsPerMinute, 0, sharedPool),
    },
    authenticationLimiter: authenticationLimiter(sharedPool),
  });
  registerPlainText(app);
  registerQueryParameters(app);
  await registerOpenApi(app);

  registerHealth(app);
  await registerConsole(app);
  const lockOuts = lockOutRecord(db, app.log);
  app.addHook('onClose', () => lockOuts.written());
  const signIn = { auth, sessions, lockOut: lockOut(sharedPool, lockOuts.tell), ownOrigin };
  signInRoutes(app, signIn);
  oidcRoutes(app, signIn);
  joiningRoutes(app, signIn);
  // `/api/v1`, by key; and the same handlers as `/console/api/v1`, by session.
  for (const routes of reads) routes(app);
  await app.register(
    async (console) => {
      console.addHook('onRoute', (route) => {
        route.schema = { ...route.schema, hide: true };
      });
      for (const routes of reads) routes(console as unknown as Server);
    },
    { prefix: '/console' },
  );
  uploadRoutes(app);
  decisionRoutes(app);
  assignmentRoutes(app);
  commentRoutes(app);
  splitMergeRoutes(app);
  policyRoutes(app);
  policyCountRoutes(app);
  repositoryPolicyRoutes(app);
  snoozeRoutes(app);
  exceptionRoutes(app);
  streamRoutes(app);
  scanEventRoutes(app);
  exportRoutes(app);
  workspaceRoutes(app);
  settingsRoutes(app);
  memberRoutes(app);
  keyRoutes(app);
  applicationWriteRoutes(app);
  repositoryChangeRoutes(app);
  advisoryNameRoutes(app);
  auditRoutes(app);

  return app;
}

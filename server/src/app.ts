/**
 * The server, put together: every plugin and every feature in order, in one list. Nothing is loaded by its place
 * in a folder.
 */

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { keyAuthentication } from './features/api-keys/authentication.ts';
import { applicationRoutes } from './features/applications/routes.ts';
import { exportRoutes } from './features/export/routes.ts';
import { intelRoutes } from './features/intel/routes.ts';
import { membershipLookup } from './features/members/service.ts';
import { organizationRoutes } from './features/organizations/routes.ts';
import { policyRoutes } from './features/policies/routes.ts';
import { repositoryRoutes } from './features/repositories/routes.ts';
import { scanRoutes } from './features/scans/routes.ts';
import { streamRoutes } from './features/scans/streams/stream-routes.ts';
import { uploadRoutes } from './features/scans/upload/upload-routes.ts';
import { tenantRoutes } from './features/tenants/routes.ts';
import { tenantLookup } from './features/tenants/service.ts';
import { exceptionRoutes } from './features/violations/exceptions/exception-routes.ts';
import { violationRoutes } from './features/violations/routes.ts';
import { snoozeRoutes } from './features/violations/snooze/snooze-routes.ts';
import { gateRoutes } from './features/violations/verdict/gate-routes.ts';
import { decisionRoutes } from './features/vulnerabilities/decision-routes.ts';
import { vulnerabilityRoutes } from './features/vulnerabilities/routes.ts';
import { splitMergeRoutes } from './features/vulnerabilities/split-merge-routes.ts';
import { whoamiRoutes } from './features/whoami/routes.ts';
import { registerAccess } from './http/access.ts';
import { cursors } from './http/cursor.ts';
import { clientErrorHandler, frameworkErrors, registerErrorHandler } from './http/error-handler.ts';
import { registerHealth } from './http/health.ts';
import { registerOpenApi } from './http/openapi.ts';
import { registerPlainText } from './http/plain-text.ts';
import { parseQueryString, registerQueryParameters } from './http/query-parameters.ts';
import { authenticationLimiter, requestLimiter } from './http/rate-limit.ts';
import { registerRequestContext, requestId } from './http/request-context.ts';
import type { Server } from './http/server.ts';
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
        allErrors: true,
        keywords: ['x-maxText'],
      },
    },
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as Server;
  // It sends jobs; who works on them is another's business.
  const queue = lazyQueue(db);
  app.addHook('onClose', () => queue.close());
  app.decorate('deps', { config, db, queue, secret, cursors: cursors(secret.key('cursor')) });
  app.removeContentTypeParser('text/plain');

  const keys = keyAuthentication(db, (error) => app.log.warn({ err: error }, 'last use of keys not written'));
  app.addHook('onClose', () => keys.stop());
  const sharedPool = config.databaseUrl === null ? null : db.pool;

  registerRequestContext(app);
  registerErrorHandler(app);
  registerAccess(app, {
    authenticate: keys.authenticate,
    findTenant: tenantLookup(db),
    findRole: membershipLookup(db),
    limiters: {
      requests: requestLimiter('key', config.rateLimitPerMinute, sharedPool),
      uploads: requestLimiter('upload', config.uploadsPerMinute, sharedPool),
    },
    authenticationLimiter: authenticationLimiter(sharedPool),
  });
  registerPlainText(app);
  registerQueryParameters(app);
  await registerOpenApi(app);

  registerHealth(app);
  tenantRoutes(app);
  whoamiRoutes(app);
  organizationRoutes(app);
  repositoryRoutes(app);
  applicationRoutes(app);
  vulnerabilityRoutes(app);
  decisionRoutes(app);
  splitMergeRoutes(app);
  policyRoutes(app);
  violationRoutes(app);
  snoozeRoutes(app);
  exceptionRoutes(app);
  gateRoutes(app);
  exportRoutes(app);
  intelRoutes(app);
  scanRoutes(app);
  uploadRoutes(app);
  streamRoutes(app);

  return app;
}

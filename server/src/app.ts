/**
 * Builds the server: every plugin and every route file, in order, in one list. No file is loaded because of its folder.
 */

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyBaseLogger } from 'fastify';
import { keyRoutes } from './access/api-keys/routes.ts';
import { auditRoutes } from './access/audit/routes.ts';
import { keyAuthentication, membershipLookup, tenantLookup } from './access/entry.ts';
import { invitationMails } from './access/members/invitation-mail.ts';
import { memberRoutes } from './access/members/routes.ts';
import { savedViewRoutes } from './access/saved-views/routes.ts';
import { invitationRoutes } from './access/sign-in/invitation-routes.ts';
import { knownBrowsers } from './access/sign-in/known-browsers.ts';
import { lazyAuth } from './access/sign-in/lazy-auth.ts';
import { lockOut } from './access/sign-in/lock-out.ts';
import { lockOutRecord } from './access/sign-in/lock-out-record.ts';
import { oidcRoutes } from './access/sign-in/oidc-routes.ts';
import { signInRoutes } from './access/sign-in/routes.ts';
import { sessionsOf } from './access/sign-in/sessions.ts';
import { trustRuleRoutes } from './access/trust-rules/routes.ts';
import { whoamiRoutes } from './access/whoami/routes.ts';
import { tenantRoutes } from './access/workspaces/routes.ts';
import { applicationRemovalRoutes } from './actions/applications/removal-routes.ts';
import { keyExchangeRoutes } from './actions/ci-tokens/exchange-routes.ts';
import { tokenVerifier } from './actions/ci-tokens/verify-token.ts';
import { craRecordRoutes } from './actions/cra/record-routes.ts';
import { intelRoutes } from './actions/intel/routes.ts';
import { memberRemovalRoutes } from './actions/members/removal-routes.ts';
import { repositoryChangeRoutes } from './actions/repositories/change-routes.ts';
import { vulnerabilityAssignmentRoute } from './actions/triage/assignment-route.ts';
import { assignmentRoutes } from './actions/triage/assignment-routes.ts';
import { decisionRoutes } from './actions/triage/decision-routes.ts';
import { splitMergeRoutes } from './actions/triage/split-merge-routes.ts';
import { workspaceRoutes } from './actions/workspaces/workspace-routes.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { InstallSecret } from './db/install-secret.ts';
import { hourMs } from './domain/time.ts';
import { registerAccess } from './http/access.ts';
import { registerApiReader } from './http/api-reader.ts';
import { registerConsole } from './http/console.ts';
import { clientErrorHandler, frameworkErrors, registerErrorHandler } from './http/error-handler.ts';
import { registerHealth } from './http/health.ts';
import { parseQueryString, registerInput } from './http/input.ts';
import { registerOpenApi } from './http/openapi.ts';
import { cursors } from './http/page.ts';
import { authenticationLimiter, type Counts, requestLimiter, sharedLimiters } from './http/rate-limit.ts';
import { registerRequestContext, requestId } from './http/request-context.ts';
import { registerRequestMetrics } from './http/request-metrics.ts';
import { registerRequestTraces } from './http/request-traces.ts';
import type { Server } from './http/server.ts';
import { SharedWaits } from './http/shared-wait.ts';
import { advisoryNameRoutes } from './ingest/advisory-names/name-routes.ts';
import { scanEventRoutes } from './ingest/events/scan-event-routes.ts';
import { scanRoutes } from './ingest/scans/routes.ts';
import { seriesRoutes } from './ingest/series/series-routes.ts';
import { codeOwnersUploadRoute } from './ingest/upload/code-owners-route.ts';
import { uploadRoutes } from './ingest/upload/upload-routes.ts';
import { applicationRoutes } from './inventory/applications/routes.ts';
import { applicationWriteRoutes } from './inventory/applications/write-routes.ts';
import { codeOwnersRoutes } from './inventory/code-owners/code-owners-routes.ts';
import { organizationRoutes } from './inventory/organizations/routes.ts';
import { packageRoutes } from './inventory/packages/routes.ts';
import { referenceRoutes } from './inventory/repositories/reference-routes.ts';
import { repositoryRoutes } from './inventory/repositories/routes.ts';
import { applyGroups } from './inventory/teams/group-members.ts';
import { teamRoutes } from './inventory/teams/team-routes.ts';
import { lazyQueue } from './jobs/queue.ts';
import type { Metrics } from './metrics/metrics.ts';
import { eventRoutes } from './notifications/feed/event-routes.ts';
import { linkedIssueReadRoutes, linkedIssueRoutes } from './notifications/issues/linked-issue-routes.ts';
import { trackerRoutes } from './notifications/issues/tracker-routes.ts';
import { mailRoutes } from './notifications/mail/mail-routes.ts';
import { webhookRoutes } from './notifications/webhooks/webhook-routes.ts';
import { policyApplyRoutes } from './policies/definition/apply-routes.ts';
import { policyRoutes } from './policies/definition/routes.ts';
import { exceptionRoutes } from './policies/exceptions/exception-routes.ts';
import { snoozeRoutes } from './policies/snooze/snooze-routes.ts';
import { policyCountRoutes } from './policies/violations/policy-counts-routes.ts';
import { repositoryPolicyRoutes } from './policies/violations/repository-policies-routes.ts';
import { violationRoutes } from './policies/violations/routes.ts';
import { workspaceViolationRoutes } from './policies/violations/workspace-violations-routes.ts';
import { craRoutes } from './reports/cra/cra-routes.ts';
import { exportRoutes } from './reports/export/routes.ts';
import { gateRoutes } from './reports/gate/gate-routes.ts';
import { overviewRoutes } from './reports/overview/routes.ts';
import { settingsRoutes } from './reports/settings/routes.ts';
import { vexRoutes } from './reports/vex/vex-routes.ts';
import { waitingRoutes } from './reports/waiting/routes.ts';
import type { Tracing } from './tracing/tracing.ts';
import { commentReadRoutes, commentRoutes } from './vulnerabilities/comment-routes.ts';
import { vulnerabilityRoutes } from './vulnerabilities/routes.ts';

export interface Dependencies {
  config: Config;
  db: Database;
  secret: InstallSecret;
  log: FastifyBaseLogger | false;
  /** The store of the rate counts of this node. Several nodes with one database count there. */
  counts?: Exclude<Counts, object>;
  /** Null if nothing is measured. */
  metrics?: Metrics | null;
  tracing?: Tracing | null;
  /** Called when a job is about to be sent, so that a worker can start meanwhile. */
  wakeWorker?: () => void;
}

// A request body is a few ids and a reason; uploads have a route of their own with its own limit.
const maxBodyBytes = 1024 * 1024;

// A sender that was switched off never ends its request. The largest report takes less on a line of 2.4 Mbit/s.
const requestMs = hourMs;

// A page sends at most ten requests, and a person does not open a page every second for long.
const requestsOfSession = 600;

const reads = [
  tenantRoutes,
  whoamiRoutes,
  organizationRoutes,
  repositoryRoutes,
  referenceRoutes,
  applicationRoutes,
  packageRoutes,
  vulnerabilityRoutes,
  vulnerabilityAssignmentRoute,
  commentReadRoutes,
  linkedIssueReadRoutes,
  violationRoutes,
  workspaceViolationRoutes,
  gateRoutes,
  intelRoutes,
  scanRoutes,
  overviewRoutes,
  exportRoutes,
  vexRoutes,
  craRoutes,
  eventRoutes,
];

export async function buildApp({
  config,
  db,
  secret,
  log,
  metrics = null,
  tracing = null,
  counts: countsOfNode = 'memory',
  wakeWorker,
}: Dependencies): Promise<Server> {
  const app = fastify({
    ...(log ? { loggerInstance: log } : { logger: false }),
    genReqId: requestId,
    requestIdHeader: false,
    trustProxy: config.trustProxy,
    bodyLimit: maxBodyBytes,
    requestTimeout: requestMs,
    routerOptions: { maxParamLength: 512, querystringParser: parseQueryString },
    // Node would refuse a request without Host by itself, with an empty body. `registerRequestContext` refuses it.
    http: { requireHostHeader: false },
    clientErrorHandler,
    frameworkErrors,
    forceCloseConnections: 'idle',
    // A request on a connection that is still open is answered during the shutdown too.
    return503OnClosing: false,
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as Server;
  // This process sends jobs. Another process may work on them.
  const queue = lazyQueue(db, wakeWorker);
  app.addHook('onClose', () => queue.close());
  app.decorate('deps', {
    config,
    db,
    queue,
    secret,
    cursors: cursors(secret.key('cursor')),
    waits: new SharedWaits(),
    isDraining: false,
  });

  const keys = keyAuthentication(db, (error) => app.log.warn({ err: error }, 'last use of keys not written'));
  app.addHook('onClose', () => keys.stop());
  const counts = config.databaseUrl === null ? countsOfNode : db.pool;
  const auth = lazyAuth({ ...config, oidc: null }, db, secret, app.log);
  // With a provider the library waits for it when it is loaded. Passwords and sessions must not wait.
  const authWithProvider = lazyAuth(config, db, secret, app.log);
  const sessions = sessionsOf(auth, secret, { ownOrigin: config.publicUrl, passwords: config.passwords });
  const failures = authenticationLimiter(counts);

  if (metrics !== null) registerRequestMetrics(app, metrics);
  // Only a trusted proxy in front may pass on the trace that a request belongs to.
  if (tracing !== null) registerRequestTraces(app, tracing, config.trustProxy !== false);
  registerRequestContext(app);
  registerErrorHandler(app);
  registerAccess(app, {
    knowsOwnHost: config.publicUrl !== null,
    authenticateKey: keys.authenticate,
    authenticateSession: sessions.authenticate,
    findTenant: tenantLookup(db),
    findRole: membershipLookup(db),
    limiters: {
      requests: requestLimiter('key', config.rateLimitPerMinute, counts),
      uploads: requestLimiter('upload', config.uploadsPerMinute, counts),
      sessions: requestLimiter('session', requestsOfSession, counts),
    },
    sharedLimiters: {
      requests: sharedLimiters('request', config.rateLimitPerMinute, requestsOfSession, counts),
      // An upload at the console counts against the limit of a key, so a session has no limit of its own here.
      uploads: sharedLimiters('upload', config.uploadsPerMinute, 0, counts),
    },
    authenticationLimiter: failures,
  });
  registerInput(app);
  await registerOpenApi(app);
  await registerApiReader(app);

  registerHealth(app);
  await registerConsole(app);
  const lockOuts = lockOutRecord(db, app.log);
  app.addHook('onClose', () => lockOuts.written());
  const signIn = {
    auth,
    sessions,
    lockOut: lockOut(counts, lockOuts.tell),
    knownBrowsers: knownBrowsers(config, secret),
    ownOrigin: config.publicUrl,
  };
  signInRoutes(app, signIn);
  oidcRoutes(
    app,
    { ...signIn, auth: authWithProvider },
    (userId, groups, id) => applyGroups(db, userId, groups, id),
    counts,
  );
  invitationRoutes(app, signIn);
  // `/api/v1` and `/export/v1`, by key; and the same handlers under `/console`, by session.
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
  codeOwnersUploadRoute(app);
  keyExchangeRoutes(app, { verify: tokenVerifier(config.ciIssuers), failures });
  decisionRoutes(app);
  assignmentRoutes(app);
  commentRoutes(app);
  splitMergeRoutes(app);
  policyRoutes(app);
  policyApplyRoutes(app);
  policyCountRoutes(app);
  repositoryPolicyRoutes(app);
  snoozeRoutes(app);
  exceptionRoutes(app);
  seriesRoutes(app);
  scanEventRoutes(app);
  workspaceRoutes(app);
  settingsRoutes(app);
  savedViewRoutes(app);
  waitingRoutes(app);
  memberRoutes(app, invitationMails(counts));
  memberRemovalRoutes(app);
  keyRoutes(app);
  trustRuleRoutes(app);
  webhookRoutes(app);
  mailRoutes(app);
  teamRoutes(app);
  codeOwnersRoutes(app);
  trackerRoutes(app);
  linkedIssueRoutes(app);
  applicationWriteRoutes(app);
  craRecordRoutes(app);
  applicationRemovalRoutes(app);
  repositoryChangeRoutes(app);
  advisoryNameRoutes(app);
  auditRoutes(app);

  return app;
}

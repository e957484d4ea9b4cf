/** `/overview`, `/status-report` and `/trend`: the main numbers of a workspace. */
import { Type } from 'typebox';
import { listReadTx } from '../../db/database.ts';
import { invalidInput } from '../../domain/errors.ts';
import { tenantIdOf } from '../../http/access.ts';
import { idsParameter, repositoryText } from '../../http/page.ts';
import { list, oneOf } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { type ListScope, listScopes } from '../../vulnerabilities/scope.ts';
import { readGroupCounts } from './group-counts.ts';
import { readOverview } from './overview.ts';
import { readRepositoryCounts } from './repository-counts.ts';
import { GroupCounts, Overview, RepositoryCounts, StatusReport, TeamOpen, Trend } from './schema.ts';
import { readStatusReport } from './status-report.ts';
import { type PartKind, partKinds } from './status-report-store.ts';
import { readTeamOpen } from './team-open.ts';
import { readTrend } from './trend.ts';

const defaultDays = 90;

const nameText = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 500, description }));

export function overviewRoutes(app: Server): void {
  const { db, config } = app.deps;

  app.get('/api/v1/:tenant_slug/overview', {
    config: { access: { scopes: ['vulnerabilities:read', 'policy-violations:read', 'scans:read'] } },
    schema: {
      operationId: 'getOverview',
      tags: ['Overview'],
      summary:
        'Show the main figures of the workspace: open vulnerabilities, overdue violations, highest risks, time to fix, and scans',
      querystring: Type.Object({
        scope: Type.Optional(
          oneOf<ListScope>(
            listScopes,
            'References whose open vulnerabilities `open` and `repositories` count; tracked is the default.',
          ),
        ),
      }),
      response: { 200: Overview },
    },
    handler: async (request) => {
      const { scope = 'tracked' } = request.query;
      return listReadTx(db, tenantIdOf(request), (tx) =>
        readOverview(tx, scope, new Date(), config.activeDays),
      );
    },
  });

  app.get('/api/v1/:tenant_slug/status-report', {
    config: {
      access: {
        scopes: ['vulnerabilities:read', 'policy-violations:read', 'organizations:read', 'applications:read'],
      },
    },
    schema: {
      operationId: 'getStatusReport',
      tags: ['Overview'],
      summary: 'Show the figures of a workspace, an organization or an application, for a report',
      querystring: Type.Object({
        organization: nameText('Only the repositories of this organization: id or full path.'),
        application: nameText('Only the repositories of this application: id or name.'),
        by: Type.Optional(oneOf<PartKind>(partKinds, 'What the `parts` are; organization is the default.')),
      }),
      response: { 200: StatusReport },
    },
    handler: async (request) => {
      const { query } = request;
      if (query.organization !== undefined && query.application !== undefined) {
        throw invalidInput('Give organization or application, not both.', 'application');
      }
      return listReadTx(db, tenantIdOf(request), (tx) => readStatusReport(tx, query, new Date()));
    },
  });

  app.get('/api/v1/:tenant_slug/repository-counts', {
    config: { access: { scopes: ['vulnerabilities:read'] }, forConsole: true },
    schema: {
      operationId: 'listRepositoryCounts',
      tags: ['Overview'],
      summary: 'Count the open vulnerabilities of repositories, by their ids',
      querystring: Type.Object({ ids: idsParameter('repository') }),
      response: { 200: list(RepositoryCounts) },
    },
    handler: async (request) => {
      const { ids } = request.query;
      return listReadTx(db, tenantIdOf(request), async (tx) => ({
        items: await readRepositoryCounts(tx, ids),
      }));
    },
  });

  for (const [kind, plural] of [
    ['application', 'applications'],
    ['organization', 'organizations'],
  ] as const) {
    app.get(`/api/v1/:tenant_slug/${kind}-open`, {
      config: {
        access: { scopes: [`${plural}:read`, 'repositories:read', 'vulnerabilities:read'] },
        forConsole: true,
      },
      schema: {
        operationId: kind === 'application' ? 'listApplicationOpen' : 'listOrganizationOpen',
        tags: ['Overview'],
        summary: `Show the open vulnerabilities, the last scan and the verdict of ${plural}, by their ids`,
        // Both routes have the limit of the longest ids, which are those of repositories.
        querystring: Type.Object({ ids: idsParameter('repository') }),
        response: { 200: list(GroupCounts) },
      },
      handler: async (request) => {
        const { ids } = request.query;
        return listReadTx(db, tenantIdOf(request), async (tx) => ({
          items: await readGroupCounts(tx, kind, ids),
        }));
      },
    });
  }

  app.get('/api/v1/:tenant_slug/team-open', {
    config: { access: { scopes: ['vulnerabilities:read'] } },
    schema: {
      operationId: 'listTeamOpen',
      tags: ['Overview'],
      summary: 'Show the open vulnerabilities of each team that owns code, the teams by name',
      response: { 200: list(TeamOpen) },
    },
    handler: async (request) =>
      listReadTx(db, tenantIdOf(request), async (tx) => ({ items: await readTeamOpen(tx) })),
  });

  app.get('/api/v1/:tenant_slug/trend', {
    config: { access: { scopes: ['vulnerabilities:read'] } },
    schema: {
      operationId: 'getTrend',
      tags: ['Overview'],
      summary: 'Show how many vulnerabilities were open, new and fixed on each day',
      querystring: Type.Object({
        repo: Type.Optional(repositoryText),
        days: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 365,
            default: defaultDays,
            description: 'Number of days (UTC), today included.',
          }),
        ),
      }),
      response: { 200: Trend },
    },
    handler: async (request) => {
      const { repo, days = defaultDays } = request.query;
      return listReadTx(db, tenantIdOf(request), (tx) => readTrend(tx, { repo, days, now: new Date() }));
    },
  });
}

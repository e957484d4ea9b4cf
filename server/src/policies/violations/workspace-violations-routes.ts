/** `/api/v1/{tenant_slug}`: policy violations of all repositories, and those of one vulnerability. */
import { Type } from 'typebox';
import { tenantReadTx } from '../../db/database.ts';
import { tenantIdOf } from '../../http/access.ts';
import { pageParameters } from '../../http/page.ts';
import { list, namedObject, page, paramsWith } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { getVulnerabilityId } from '../../vulnerabilities/vulnerability-ids.ts';
import { workspaceFilters } from './filters.ts';
import { ViolationInRepository, ViolationSummary } from './schema.ts';
import { listViolationsOfVulnerability, listWorkspaceViolations } from './workspace-violations.ts';

export function workspaceViolationRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get('/api/v1/:tenant_slug/policy-violations/all', {
    config: { access: { scopes: ['policy-violations:read'] } },
    schema: {
      operationId: 'listAllPolicyViolations',
      tags: ['Policy violations'],
      summary: 'List the policy violations of all repositories, soonest due first',
      querystring: Type.Object({ ...workspaceFilters.parameters, ...pageParameters }),
      response: {
        200: namedObject('RepositoryPolicyViolationPage', {
          filters: Type.Object(workspaceFilters.echo),
          summary: ViolationSummary,
          ...page(ViolationInRepository).properties,
        }),
      },
    },
    handler: async (request) => listWorkspaceViolations(db, cursors, tenantIdOf(request), request.query),
  });

  app.get('/api/v1/:tenant_slug/vulnerabilities/:vulnerability/violations', {
    config: { access: { scopes: ['vulnerabilities:read', 'policy-violations:read'] } },
    schema: {
      operationId: 'listVulnerabilityViolations',
      tags: ['Policy violations'],
      summary: 'List the policy violations of a vulnerability, active ones first',
      params: paramsWith({ vulnerability: 'Id of the vulnerability, vc_….' }),
      response: { 200: list(ViolationInRepository) },
    },
    handler: async (request) =>
      tenantReadTx(db, tenantIdOf(request), async (tx) => {
        const id = await getVulnerabilityId(tx, request.params.vulnerability);
        return { items: await listViolationsOfVulnerability(tx, id) };
      }),
  });
}

/** `/api/v1/{tenant_slug}`: policy violations of all repositories, and those of one vulnerability. */
import { Type } from 'typebox';
import { tenantReadTx } from '../../db/database.ts';
import { dueValues } from '../../domain/due.ts';
import { tenantIdOf } from '../../http/access.ts';
import { pageParameters } from '../../http/page.ts';
import { list, NullableString, namedObject, oneOf, page, paramsWith } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { getVulnerabilityId } from '../../vulnerabilities/vulnerability-ids.ts';
import { sharedEcho, sharedParameters } from './filters.ts';
import { ViolationInRepository, ViolationSummary } from './schema.ts';
import { listAllViolations, listViolationsOfVulnerability } from './workspace-violations.ts';

const yesNo = ['yes', 'no'] as const;

export function allViolationRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get('/api/v1/:tenant_slug/policy-violations/all', {
    config: { access: { scopes: ['policy-violations:read'] } },
    schema: {
      operationId: 'listAllPolicyViolations',
      tags: ['Policy violations'],
      summary: 'List the policy violations of all repositories, soonest due first',
      querystring: Type.Object({
        repo: Type.Optional(
          Type.String({ minLength: 1, maxLength: 255, description: 'Repository: id or full name.' }),
        ),
        ...sharedParameters,
        due: Type.Optional(
          oneOf(
            dueValues,
            'Only violations that are open or in review: overdue, due within seven days, or due later.',
          ),
        ),
        snoozed: Type.Optional(oneOf(yesNo, 'Snoozed by a person.')),
        blocking: Type.Optional(oneOf(yesNo, 'Blocks a merge.')),
        q: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 500,
            description:
              'Only violations of vulnerabilities: words of the title and the package, of at least three characters each, or ids of advisories.',
          }),
        ),
        ...pageParameters,
      }),
      response: {
        200: namedObject('RepositoryPolicyViolationPage', {
          filters: Type.Object({
            repo: NullableString,
            ...sharedEcho,
            due: NullableString,
            snoozed: NullableString,
            blocking: NullableString,
          }),
          summary: ViolationSummary,
          ...page(ViolationInRepository).properties,
        }),
      },
    },
    handler: async (request) => listAllViolations(db, cursors, tenantIdOf(request), request.query),
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

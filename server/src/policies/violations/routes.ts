/** `/api/v1/{tenant_slug}/policy-violations`: the list of a repository, and one violation in full. */
import { Type } from 'typebox';
import { tenantReadTx } from '../../db/database.ts';
import { tenantIdOf } from '../../http/access.ts';
import { pageParameters } from '../../http/page.ts';
import {
  BranchHead,
  NullableString,
  NullableTimestamp,
  namedObject,
  page,
  paramsWith,
  RepositoryBrief,
} from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { PolicyDefinition } from '../definition/schema.ts';
import { repositoryFilters } from './filters.ts';
import { ViolationItem, ViolationScope, ViolationSummary } from './schema.ts';
import { getPolicyViolation, listPolicyViolations } from './service.ts';
import { Target } from './targets.ts';

const access = { scopes: ['policy-violations:read'] } as const;

const Override = namedObject('ViolationOverride', {
  id: Type.String(),
  mode: Type.String(),
  enforcement_mode: NullableString,
});
const Rule = namedObject('ViolationRuleDetail', {
  type: Type.String(),
  id: Type.String(),
  action: NullableString,
  enforcement_mode: NullableString,
});
const SeeingScan = namedObject('ViolationScan', {
  id: Type.String(),
  status: Type.String(),
  ref: Type.String(),
  sha: NullableString,
  started_at: NullableTimestamp,
  finished_at: NullableTimestamp,
});

export function violationRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get('/api/v1/:tenant_slug/policy-violations', {
    config: { access },
    schema: {
      operationId: 'listPolicyViolations',
      tags: ['Policy violations'],
      summary: 'List the policy violations of a repository, soonest due first',
      querystring: Type.Object({ ...repositoryFilters.parameters, ...pageParameters }),
      response: {
        200: namedObject('PolicyViolationPage', {
          repository: RepositoryBrief,
          reference: BranchHead,
          filters: Type.Object(repositoryFilters.echo),
          summary: ViolationSummary,
          ...page(ViolationItem).properties,
        }),
      },
    },
    handler: async (request) => {
      const list = await listPolicyViolations(db, cursors, tenantIdOf(request), request.query);
      return { ...list, reference: list.reference ?? { ref: null, sha: null } };
    },
  });

  app.get('/api/v1/:tenant_slug/policy-violations/:violation', {
    config: { access },
    schema: {
      operationId: 'getPolicyViolation',
      tags: ['Policy violations'],
      summary: 'Show a policy violation with its policy, exception, rule, reference, target and scan',
      params: paramsWith({ violation: 'Id of the violation, pvl_….' }),
      querystring: Type.Object({
        repo: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 255,
            description:
              'Repository of the violation: id or full name. The violation of another repository is not found.',
          }),
        ),
      }),
      response: {
        200: namedObject('PolicyViolationDetail', {
          violation: ViolationItem,
          policy: PolicyDefinition,
          override: Type.Union([Override, Type.Null()]),
          rule: Type.Union([Rule, Type.Null()]),
          scope: ViolationScope,
          target: Target,
          scan: Type.Union([SeeingScan, Type.Null()]),
        }),
      },
    },
    handler: async (request) => {
      const { violation } = request.params;
      const { repo } = request.query;
      return tenantReadTx(db, tenantIdOf(request), (tx) => getPolicyViolation(tx, violation, repo));
    },
  });
}

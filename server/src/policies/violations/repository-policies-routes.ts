/** `/manage/v1/{tenant_slug}/repository-policies`: the policies that apply to a repository, and their violations. */
import { Type } from 'typebox';
import { tenantReadTx } from '../../db/database.ts';
import { policyModes, ruleTypes, targetTypes } from '../../domain/policy-enums.ts';
import { tenantIdOf } from '../../http/access.ts';
import { repositoryText } from '../../http/page.ts';
import { list, NullableString, namedObject, PolicyName } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { listPoliciesOf } from './repository-policies.ts';

const RepositoryPolicy = namedObject('RepositoryPolicy', {
  policy: PolicyName,
  target_type: Type.String({ description: targetTypes.join(', ') }),
  enforcement_mode: Type.String({
    description: `The mode in force there, from the rule or else from the policy: ${policyModes.join(', ')}`,
  }),
  rule: Type.Union(
    [
      Type.Object({
        type: Type.String({ description: ruleTypes.join(', ') }),
        id: Type.String(),
        name: NullableString,
      }),
      Type.Null(),
    ],
    {
      description:
        'The nearest rule, which decides; null: the policy applies everywhere except where a rule excludes it.',
    },
  ),
  unresolved: Type.Integer({ description: 'Open, or in review.' }),
  blocking: Type.Integer({ description: 'How many of the unresolved ones.' }),
  snoozed: Type.Integer({ description: 'How many of the unresolved ones.' }),
  waived: Type.Integer(),
});

export function repositoryPolicyRoutes(app: Server): void {
  const { db } = app.deps;
  app.get('/manage/v1/:tenant_slug/repository-policies', {
    config: { access: { scopes: ['policy-violations:read'] } },
    schema: {
      operationId: 'listRepositoryPolicies',
      tags: ['Policies'],
      summary: 'List the active policies that apply to a repository, with their violations there',
      querystring: Type.Object({
        repo: repositoryText,
      }),
      response: { 200: list(RepositoryPolicy) },
    },
    handler: async (request) => {
      const { repo } = request.query;
      return tenantReadTx(db, tenantIdOf(request), async (tx) => ({
        items: await listPoliciesOf(tx, repo),
      }));
    },
  });
}

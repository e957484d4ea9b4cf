/** `/manage/v1/{tenant_slug}/policies/plan` and `/apply`: policies as code, all of a document or nothing. */
import { Type } from 'typebox';
import { actorOf } from '../../access/audit/record.ts';
import { type Tx, tenantReadTx, tenantTx } from '../../db/database.ts';
import { principalOf, tenantIdOf } from '../../http/access.ts';
import { list, namedObject } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { applyPolicies, type PolicyDifference, planPolicies } from './apply.ts';
import { checkedBody } from './checked-body.ts';
import { checkPolicies, maxPolicies, PolicyDocument, refuseOtherNames } from './document.ts';
import { PolicyDifferenceItem } from './schema.ts';
import { showDifferences } from './show.ts';

const PoliciesBody = namedObject(
  'PolicyDocuments',
  { policies: Type.Array(PolicyDocument, { minItems: 1, maxItems: maxPolicies }) },
  { additionalProperties: false },
);

export function policyApplyRoutes(app: Server): void {
  const { db, queue } = app.deps;
  const route = {
    config: { access: { scopes: ['policies:write'], role: 'admin' } },
    attachValidation: true,
  } as const;
  const schema = {
    tags: ['Policies'],
    body: PoliciesBody,
    response: { 200: list(PolicyDifferenceItem) },
  };

  app.post('/manage/v1/:tenant_slug/policies/plan', {
    ...route,
    schema: {
      ...schema,
      operationId: 'planPolicies',
      summary: 'Show what applying these policies would change, without a change',
    },
    handler: async (request) => {
      const inputs = checkedBody(request, policiesOf);
      return tenantReadTx(db, tenantIdOf(request), async (tx) => {
        const planned = await planPolicies(tx, inputs);
        return answer(
          tx,
          planned.map(({ difference }) => difference),
        );
      });
    },
  });

  app.post('/manage/v1/:tenant_slug/policies/apply', {
    ...route,
    schema: {
      ...schema,
      operationId: 'applyPolicies',
      summary: 'Create or replace all policies of a document: all of them or none',
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const inputs = checkedBody(request, policiesOf);
      const actor = actorOf(principal);
      const boss = await queue.open();
      return tenantTx(db, principal.tenant.id, async (tx) =>
        answer(tx, await applyPolicies(tx, boss, inputs, actor)),
      );
    },
  });
}

function policiesOf(body: Record<string, unknown>, problems: Parameters<typeof checkPolicies>[2]) {
  const { policies } = body;
  refuseOtherNames(body, problems);
  // The schema of the route refuses a body without a list of policies.
  return Array.isArray(policies) ? checkPolicies(policies, (i) => `policies[${i}]`, problems) : [];
}

async function answer(tx: Tx, differences: PolicyDifference[]) {
  return { items: await showDifferences(tx, differences) };
}

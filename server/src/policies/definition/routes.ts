/** `/manage/v1/{tenant_slug}/policies`: list, show, make or change, try out; and the table of facts. */

import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { actorOf } from '../../access/audit/record.ts';
import { senderGone } from '../../db/connection-share.ts';
import { type Tx, tenantReadTx, tenantTx } from '../../db/database.ts';
import { orNotFound, rateLimitExceeded, resourceNotFound } from '../../domain/errors.ts';
import { parseId, type TenantId } from '../../domain/ids.ts';
import { principalOf, requireScopes, tenantIdOf } from '../../http/access.ts';
import { extendsKeyword, list, namedObject, paramsWith } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { dryRunPolicy } from '../evaluation/dry-run.ts';
import { DryRunMatch, maxListed, showMatches } from '../evaluation/dry-run-matches.ts';
import { applyPolicies, type PolicyDifference } from './apply.ts';
import { checkedBody } from './checked-body.ts';
import { checkPolicy, PolicyDocument, PolicyFields } from './document.ts';
import { findPolicy, type Policy } from './policy.ts';
import { FactItem, factItems, PolicyItem } from './schema.ts';
import { showPolicies } from './show.ts';
import { listPolicies } from './store.ts';

const read = { scopes: ['policy-violations:read'] } as const;
const write = { scopes: ['policies:write'], role: 'admin' } as const;

const policyParams = paramsWith({ policy: 'Id of the policy, pol_…, or its key.' });

const PolicyBody = Type.Object(PolicyFields.properties, {
  additionalProperties: false,
  [extendsKeyword]: PolicyFields,
});

// The answer must come before a client gives up, which is often after 30 seconds.
const dryRunMs = 20_000;
// A new dry run waits this long for one whose sender has hung up: a statement that has begun may still run.
const handoverMs = 5_000;

export function policyRoutes(app: Server): void {
  const { db, queue } = app.deps;
  /** Workspaces with a dry run in this process. The function says whether its sender has hung up. */
  const dryRuns = new Map<string, () => boolean>();
  const takeDryRun = async (tenantId: TenantId): Promise<() => void> => {
    // An editor sends a new dry run while a person types. The earlier run ends after its current repository.
    for (let waits = 0; dryRuns.get(tenantId)?.() && waits < handoverMs; waits += 100) await sleep(100);
    const giveBack = await db.shares.dryRun.take(tenantId).catch(() => {
      throw rateLimitExceeded(
        5,
        'A dry run of this workspace is running. Wait for its answer, then try again.',
      );
    });
    dryRuns.set(tenantId, senderGone());
    return () => {
      dryRuns.delete(tenantId);
      giveBack();
    };
  };

  app.get('/manage/v1/:tenant_slug/policies', {
    config: { access: read },
    schema: {
      operationId: 'listPolicies',
      tags: ['Policies'],
      summary: 'List the policies, by key',
      response: { 200: list(PolicyItem) },
    },
    handler: async (request) =>
      tenantReadTx(db, tenantIdOf(request), async (tx) => ({
        items: await showPolicies(tx, await listPolicies(tx)),
      })),
  });

  app.get('/manage/v1/:tenant_slug/policy-facts', {
    config: { access: read },
    schema: {
      operationId: 'listPolicyFacts',
      tags: ['Policies'],
      summary: 'List the facts that a condition may test',
      response: { 200: list(FactItem) },
    },
    handler: async () => ({ items: factItems() }),
  });

  app.get('/manage/v1/:tenant_slug/policies/:policy', {
    config: { access: read },
    schema: {
      operationId: 'getPolicy',
      tags: ['Policies'],
      summary: 'Show a policy',
      params: policyParams,
      response: { 200: PolicyItem },
    },
    handler: async (request) => {
      const { policy } = request.params;
      return tenantReadTx(db, tenantIdOf(request), async (tx) =>
        shown(tx, findPolicy(await listPolicies(tx), policy)),
      );
    },
  });

  app.put('/manage/v1/:tenant_slug/policies/:policy', {
    config: { access: write },
    attachValidation: true,
    schema: {
      operationId: 'putPolicy',
      tags: ['Policies'],
      summary: 'Create or replace a policy; the workspace is evaluated afterwards',
      params: paramsWith({ policy: 'Key of the policy, or id of an existing one.' }),
      body: PolicyBody,
      response: {
        200: namedObject('PolicyChange', {
          policy: PolicyItem,
          change: Type.String({ description: 'created, changed, same' }),
        }),
      },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const tenantId = principal.tenant.id;
      const { policy } = request.params;
      const id = parseId('policy', policy);
      const written = checkedBody(request, (body, problems) =>
        checkPolicy({ ...body, key: id === undefined ? policy : 'known' }, '', problems),
      );
      const boss = await queue.open();
      return tenantTx(db, tenantId, async (tx) => {
        const known = (await listPolicies(tx)).find((one) => one.id === id);
        if (id !== undefined && !known) throw resourceNotFound();
        const input = { ...written, key: known?.key ?? policy };
        const actor = actorOf(principal);
        const [difference] = await applyPolicies(tx, boss, [input], actor, () => '');
        const stored = (await listPolicies(tx)).find((one) => one.key === input.key);
        return {
          policy: await shown(tx, stored),
          change: (difference as PolicyDifference).change,
        };
      });
    },
  });

  app.post('/manage/v1/:tenant_slug/policies/dry-run', {
    config: { access: write },
    attachValidation: true,
    schema: {
      operationId: 'dryRunPolicy',
      tags: ['Policies'],
      summary: 'Show what a policy would match and block, without a change',
      querystring: Type.Object({
        matches: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: maxListed,
            description:
              'Highest number of matches to list, in the order of the repositories. Needs the scopes policy-violations:read and vulnerabilities:read.',
          }),
        ),
      }),
      body: PolicyDocument,
      response: {
        200: namedObject('PolicyDryRun', {
          matches: Type.Integer(),
          repositories: Type.Integer(),
          blocked_references: Type.Integer(),
          complete: Type.Boolean({
            description: 'False: the time limit was reached before all repositories were evaluated.',
          }),
          items: Type.Array(DryRunMatch, {
            description: 'At most as many as the parameter `matches` says.',
          }),
        }),
      },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { tenant } = principal;
      const { matches: listed = 0 } = request.query;
      if (listed > 0) requireScopes(principal, ['policy-violations:read', 'vulnerabilities:read']);
      const input = checkedBody(request, (body, problems) => checkPolicy(body, '', problems));
      const giveBack = await takeDryRun(tenant.id);
      const options = { limitMs: dryRunMs, listed, path: () => '' };
      const { found, ...counts } = await dryRunPolicy(db, tenant.id, input, options).finally(giveBack);
      return { ...counts, items: await showMatches(db, tenant.id, input.target_type, found) };
    },
  });
}

async function shown(tx: Tx, policy: Policy | undefined) {
  const [item] = policy ? await showPolicies(tx, [policy]) : [];
  return orNotFound(item);
}

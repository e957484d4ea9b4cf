/** `/manage/v1/{tenant_slug}/trust-rules`: admins make, list and delete the rules by which CI gets keys. */
import { Type } from 'typebox';
import { tenantReadTx, tenantTx } from '../../db/database.ts';
import { ciProviders } from '../../domain/ci-providers.ts';
import { formatId } from '../../domain/ids.ts';
import { maxNameLength } from '../../domain/plain-name.ts';
import { principalOf, tenantIdOf } from '../../http/access.ts';
import {
  closedObject,
  list,
  NullableString,
  NullableTimestamp,
  namedObject,
  oneOf,
  paramsWith,
  Timestamp,
  timestamp,
  timestampOrNull,
} from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { createTrustRule, removeTrustRule } from './service.ts';
import { listTrustRules, type TrustRuleRow } from './store.ts';

const tags = ['Keys'];
// Like keys, rules give power: only people at the console use these routes, never a key.
const access = { session: 'any', role: 'admin' } as const;
const recentAccess = { session: 'recent', role: 'admin' } as const;

const fields = {
  name: Type.String({ minLength: 1, maxLength: maxNameLength }),
  provider: oneOf(ciProviders),
  issuer: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Address of the provider, as in its tokens. The server must allow it.',
  }),
  audience: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Audience that a token must name, such as the address of this server.',
  }),
  claims: Type.Record(Type.String(), Type.String(), {
    description:
      'Claims with the values that a token must have. At least one must be an id: repository_id or repository_owner_id (GitHub), project_id or namespace_id (GitLab).',
    maxProperties: 20,
  }),
};

const TrustRule = namedObject('TrustRule', {
  id: Type.String(),
  ...fields,
  created_at: Timestamp,
  last_used_at: NullableTimestamp,
  last_refused_at: NullableTimestamp,
  last_refusal: NullableString,
});

const TrustRules = namedObject('TrustRules', {
  ...list(TrustRule).properties,
  issuers: Type.Array(Type.String(), { description: 'Issuers that the server allows.' }),
});

export function trustRuleRoutes(app: Server): void {
  const { db, config } = app.deps;

  app.get('/manage/v1/:tenant_slug/trust-rules', {
    config: { access },
    schema: {
      operationId: 'listTrustRules',
      tags,
      summary: 'List the trust rules by which CI runs get keys, newest first',
      response: { 200: TrustRules },
    },
    handler: async (request) => {
      const rows = await tenantReadTx(db, tenantIdOf(request), (tx) => listTrustRules(tx));
      return { items: rows.map(trustRule), issuers: [...config.ciIssuers] };
    },
  });

  app.post('/manage/v1/:tenant_slug/trust-rules', {
    config: { access: recentAccess, conflicts: true },
    schema: {
      operationId: 'createTrustRule',
      tags,
      summary:
        'Create a trust rule, by which runs of a CI provider exchange their token for a key that is valid for fifteen minutes',
      body: closedObject(fields),
      response: { 201: TrustRule },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      const made = await tenantTx(db, principal.tenant.id, (tx) =>
        createTrustRule(tx, principal, request.body, config.ciIssuers),
      );
      return reply.code(201).send(trustRule(made));
    },
  });

  app.delete('/manage/v1/:tenant_slug/trust-rules/:rule', {
    config: { access },
    schema: {
      operationId: 'deleteTrustRule',
      tags,
      summary: 'Delete a trust rule, and disable the keys that were given by it',
      params: paramsWith({ rule: 'Id of the trust rule, tru_….' }),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      await tenantTx(db, principal.tenant.id, (tx) => removeTrustRule(tx, principal, request.params.rule));
      return reply.code(204).send(null);
    },
  });
}

function trustRule(row: TrustRuleRow) {
  return {
    id: formatId('trustRule', row.id),
    name: row.name,
    provider: row.provider,
    issuer: row.issuer,
    audience: row.audience,
    claims: row.claims,
    created_at: timestamp(row.created_at),
    last_used_at: timestampOrNull(row.last_used_at),
    last_refused_at: timestampOrNull(row.last_refused_at),
    last_refusal: row.last_refusal,
  };
}

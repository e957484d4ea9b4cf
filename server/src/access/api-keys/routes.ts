/**
 * `/console/keys` and `/manage/v1/{tenant_slug}/keys`: personal keys, and those of a workspace. Only people at the
 * console use them. A key cannot create, list or revoke keys.
 */
import { Type } from 'typebox';
import { callerOf, principalOf } from '../../http/access.ts';
import { type Role, roleForScope, roles, scopes } from '../../http/principal.ts';
import { closedObject, list, namedObject, oneOf, RoleName, tenantParams } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { actorOf } from '../audit/record.ts';
import { createOwnKey, listOwnKeys, revokePersonalKey } from './personal-keys.ts';
import { CreatedKeyBody, KeyItem, keyItem, newKeyFields } from './schema.ts';
import { presets, scopeLabels } from './scope-labels.ts';
import { defaultExpiry, offeredExpiries } from './service.ts';
import { createWorkspaceKeyFor, listWorkspaceKeys, revokeWorkspaceKey } from './workspace-keys.ts';

const tags = ['Keys'];
const keyId = Type.String({ description: 'Id of the key, key_….' });
const Keys = list(KeyItem);

// A person does not choose more workspaces by hand.
const maxWorkspaces = 1_000;

export function keyRoutes(app: Server): void {
  const { db } = app.deps;

  app.get('/console/key-scopes', {
    config: { access: { session: 'any' } },
    schema: {
      operationId: 'listKeyScopes',
      tags,
      summary: 'List what a key may be given: scopes and what each opens, usual sets, expiries',
      response: {
        200: namedObject('KeyScopes', {
          scopes: Type.Array(
            Type.Object({
              name: oneOf(scopes),
              role: oneOf(roles, 'The lowest role of a user who may give the scope to a key.'),
              opens: Type.String(),
            }),
          ),
          presets: Type.Array(Type.Object({ name: Type.String(), scopes: Type.Array(Type.String()) })),
          expiries: Type.Array(Type.String()),
          default_expiry: Type.String(),
        }),
      },
    },
    handler: async () => ({
      scopes: scopes.map((name) => ({ name, role: roleForScope(name), opens: scopeLabels[name] })),
      presets,
      expiries: offeredExpiries,
      default_expiry: defaultExpiry,
    }),
  });

  app.get('/console/keys', {
    config: { access: { session: 'any' } },
    schema: {
      operationId: 'listOwnKeys',
      tags,
      summary: 'List one’s personal keys, newest first',
      response: { 200: Keys },
    },
    handler: async (request) => ({ items: (await listOwnKeys(db, callerOf(request))).map(keyItem) }),
  });

  app.post('/console/keys', {
    config: { access: { session: 'recent' }, conflicts: true },
    schema: {
      operationId: 'createOwnKey',
      tags,
      summary: 'Make a personal key; its value is shown this once',
      body: closedObject({
        ...newKeyFields,
        workspaces: Type.Union(
          [
            Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
              minItems: 1,
              maxItems: maxWorkspaces,
            }),
            Type.Null(),
          ],
          { description: 'Slugs that it is restricted to; null: wherever one is a member.' },
        ),
      }),
      response: { 201: CreatedKeyBody },
    },
    handler: async (request, reply) => {
      const { expires = defaultExpiry, ...input } = request.body;
      const { key, value } = await createOwnKey(db, callerOf(request), { ...input, expires }, request.id);
      return reply.code(201).send({ key: keyItem(key), value });
    },
  });

  app.delete('/console/keys/:key', {
    config: { access: { session: 'any' } },
    schema: {
      operationId: 'revokeOwnKey',
      tags,
      summary: 'Revoke a personal key, for ever',
      params: Type.Object({ key: keyId }),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const { user } = callerOf(request);
      await revokePersonalKey(db, user.id, request.params.key, { actorId: user.id, requestId: request.id });
      return reply.code(204).send(null);
    },
  });

  app.get('/manage/v1/:tenant_slug/keys', {
    config: { access: { session: 'any', role: 'admin' } },
    schema: {
      operationId: 'listWorkspaceKeys',
      tags,
      summary: 'List the keys of the workspace, newest first',
      response: { 200: Keys },
    },
    handler: async (request) => ({ items: (await listWorkspaceKeys(db, principalOf(request))).map(keyItem) }),
  });

  app.post('/manage/v1/:tenant_slug/keys', {
    config: { access: { session: 'recent', role: 'admin' }, conflicts: true },
    schema: {
      operationId: 'createWorkspaceKey',
      tags,
      summary: 'Create a key of the workspace; only this answer shows its value',
      body: closedObject({
        ...newKeyFields,
        role: Type.Optional(Type.Unsafe<Role>({ ...RoleName, default: 'viewer' })),
      }),
      response: { 201: CreatedKeyBody },
    },
    handler: async (request, reply) => {
      const { expires = defaultExpiry, role = 'viewer', ...input } = request.body;
      const { key, value } = await createWorkspaceKeyFor(db, principalOf(request), {
        ...input,
        expires,
        role,
      });
      return reply.code(201).send({ key: keyItem(key), value });
    },
  });

  app.delete('/manage/v1/:tenant_slug/keys/:key', {
    config: { access: { session: 'any', role: 'admin' } },
    schema: {
      operationId: 'revokeWorkspaceKey',
      tags,
      summary: 'Revoke a key of the workspace; this cannot be undone',
      params: Type.Object({ ...tenantParams.properties, key: keyId }),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      await revokeWorkspaceKey(db, principal.tenant.id, request.params.key, actorOf(principal));
      return reply.code(204).send(null);
    },
  });
}

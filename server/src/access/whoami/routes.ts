/** `/{tenant_slug}/whoami`: the key, the workspace and the scopes in effect, for any valid key without a scope. */
import { Type } from 'typebox';
import { formatId, formatTenantId } from '../../domain/ids.ts';
import { principalOf } from '../../http/access.ts';
import { scopesInEffect } from '../../http/principal.ts';
import { NullableTimestamp, namedObject, timestampOrNull, Workspace } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';

const Whoami = namedObject('Whoami', {
  actor: Type.Object({
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    type: Type.String({ description: 'user, or service for a workspace key' }),
  }),
  tenant: Workspace,
  token: Type.Object({
    id: Type.String(),
    name: Type.String(),
    scopes: Type.Array(Type.String()),
    expires_at: NullableTimestamp,
  }),
});

export function whoamiRoutes(app: Server): void {
  app.get('/api/v1/:tenant_slug/whoami', {
    config: { access: 'key', boundKeys: true },
    schema: {
      operationId: 'getWhoami',
      tags: ['Workspaces'],
      summary: 'Show the key, its workspace and the scopes in effect',
      response: { 200: Whoami },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { credential, user, tenant } = principal;
      return {
        actor: { id: formatId('user', user.id), name: user.name, email: user.email, type: user.kind },
        tenant: { id: formatTenantId(tenant.id), slug: tenant.slug, workspace: tenant.name },
        token: {
          id: formatId(credential.type, credential.id),
          name: credential.type === 'key' ? credential.name : 'Console',
          scopes: scopesInEffect(principal),
          expires_at: timestampOrNull(credential.expiresAt),
        },
      };
    },
  });
}

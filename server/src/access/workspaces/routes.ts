/** `/tenants`: the workspaces that the key may enter. */
import { Type } from 'typebox';
import { formatTenantId, type TenantId } from '../../domain/ids.ts';
import { callerOf } from '../../http/access.ts';
import { openPage, pageParameters } from '../../http/page.ts';
import type { Tenant } from '../../http/principal.ts';
import { page, Workspace } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { listTenantsOfCaller } from './service.ts';

export function tenantRoutes(app: Server): void {
  const { db, cursors } = app.deps;
  app.get('/api/v1/tenants', {
    config: { access: { scopes: ['tenants:read'] } },
    schema: {
      operationId: 'listTenants',
      tags: ['Workspaces'],
      summary: 'List the workspaces that the key opens',
      querystring: Type.Object(pageParameters),
      response: { 200: page(Workspace) },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      const list = openPage(cursors, [caller.credential.id, 'listTenants'], request.query);
      const after = list.after && (String(list.after[0]) as TenantId);
      const tenants = await listTenantsOfCaller(db, caller, after, list.take);
      return list.answer(tenants, tenantItem, (last) => [last.id]);
    },
  });
}

function tenantItem({ id, slug, name }: Tenant) {
  return { id: formatTenantId(id), slug, workspace: name };
}

/** `/tenants`: the workspaces that the key opens. */
import { Type } from 'typebox';
import { formatId } from '../../domain/ids.ts';
import { callerOf } from '../../http/access.ts';
import { cursorScope } from '../../http/cursor.ts';
import { pageOf } from '../../http/page.ts';
import type { Tenant } from '../../http/principal.ts';
import { defaultPerPage, pageParameters } from '../../http/query-parameters.ts';
import { page, Workspace } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { listTenantsOfCaller } from './service.ts';

export function tenantRoutes(app: Server): void {
  const { db, cursors } = app.deps;
  app.get(
    '/api/v1/tenants',
    {
      config: { access: { scopes: ['tenants:read'] } },
      schema: {
        operationId: 'listTenants',
        tags: ['Workspaces'],
        summary: 'List the workspaces that the key opens',
        querystring: Type.Object(pageParameters),
        response: { 200: page(Workspace) },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const limit = request.query.per_page ?? defaultPerPage;
      const scope = cursorScope(caller.credential.id, 'listTenants', null);
      const after = request.query.cursor ? String(cursors.decode(scope, request.query.cursor)[0]) : null;
      const tenants = await listTenantsOfCaller(db, caller, after, limit + 1);
      return pageOf(tenants, limit, tenantItem, (last) => cursors.encode(scope, [last.id]));
    },
  );
}

function tenantItem({ id, slug, name }: Tenant) {
  return { id: formatId('tenant', id), slug, workspace: name };
}

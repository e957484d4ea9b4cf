/** `/applications`: the list. */
import { Type } from 'typebox';
import { tenantReadTx } from '../../db/database.ts';
import { principalOf } from '../../http/access.ts';
import { cursorScope } from '../../http/cursor.ts';
import { pageOf } from '../../http/page.ts';
import { defaultPerPage, pageParameters } from '../../http/query-parameters.ts';
import { NullableString, page, Timestamp, tenantParams, timestamp } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { formatId } from '../../ids.ts';
import { type ApplicationRow, listApplications } from './store.ts';

const ApplicationItem = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: NullableString,
  created_at: Timestamp,
  updated_at: Timestamp,
});

export function applicationRoutes(app: Server): void {
  const { db, cursors } = app.deps;
  app.get(
    '/api/v1/:tenant_slug/applications',
    {
      config: { access: { scopes: ['applications:read'] } },
      schema: {
        operationId: 'listApplications',
        tags: ['Applications'],
        summary: 'List applications',
        params: tenantParams,
        querystring: Type.Object(pageParameters),
        response: { 200: page(ApplicationItem) },
      },
    },
    async (request) => {
      const { tenant } = principalOf(request);
      const limit = request.query.per_page ?? defaultPerPage;
      const scope = cursorScope(tenant.id, 'listApplications', null);
      const after = request.query.cursor ? String(cursors.decode(scope, request.query.cursor)[0]) : null;
      const rows = await tenantReadTx(db, tenant.id, (tx) =>
        listApplications(tx, tenant.id, after, limit + 1),
      );
      return pageOf(rows, limit, applicationItem, (last) => cursors.encode(scope, [last.id]));
    },
  );
}

function applicationItem(row: ApplicationRow) {
  return {
    id: formatId('application', row.id),
    name: row.name,
    description: row.description,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

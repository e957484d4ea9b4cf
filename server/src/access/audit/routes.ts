/** `/manage/v1/{tenant_slug}/audit`: the audit log, as pages and as CSV. */
import { Type } from 'typebox';
import { principalOf } from '../../http/access.ts';
import { pageParameters } from '../../http/page.ts';
import { page } from '../../http/schema.ts';
import { sendExport } from '../../http/send-export.ts';
import type { Server } from '../../http/server.ts';
import { AuditItem } from './schema.ts';
import { auditCsvHeader, auditFilters, exportAudit, listAudit } from './service.ts';

const access = { scopes: ['workspace:admin'], role: 'admin' } as const;
const tags = ['Audit'];

export function auditRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get('/manage/v1/:tenant_slug/audit', {
    config: { access },
    schema: {
      operationId: 'listAudit',
      tags,
      summary: 'List the events of the audit log, newest first',
      querystring: Type.Object({ ...auditFilters.parameters, ...pageParameters }),
      response: { 200: page(AuditItem) },
    },
    handler: async (request) => listAudit(db, cursors, principalOf(request), request.query),
  });

  app.get('/manage/v1/:tenant_slug/audit/export', {
    config: { access },
    schema: {
      operationId: 'exportAudit',
      tags,
      summary: 'Stream the audit log as CSV, newest first',
      querystring: Type.Object(auditFilters.parameters),
      response: {
        200: {
          description: 'The audit log as CSV.',
          content: { 'text/csv': { schema: Type.String({ examples: [auditCsvHeader()] }) } },
        },
      },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      const checkedAt = Date.now();
      const begin = async () => {
        const chunks = await exportAudit(db, principal, request.query);
        reply
          .type('text/csv; charset=utf-8; header=present')
          .header('content-disposition', `attachment; filename="audit-${principal.tenant.slug}.csv"`);
        return chunks;
      };
      return sendExport(app, reply, begin, checkedAt) as never;
    },
  });
}

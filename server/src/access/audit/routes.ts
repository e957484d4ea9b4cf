/** `/manage/v1/{tenant_slug}/audit`: the audit log, as pages and as CSV. */
import { Type } from 'typebox';
import { principalOf } from '../../http/access.ts';
import { pageParameters } from '../../http/page.ts';
import { oneOf, page } from '../../http/schema.ts';
import { sendExport } from '../../http/send-export.ts';
import type { Server } from '../../http/server.ts';
import { auditActions } from './actions.ts';
import { AuditItem } from './schema.ts';
import { csvHeader, exportAudit, listAudit } from './service.ts';

const access = { scopes: ['workspace:admin'], role: 'admin' } as const;
const tags = ['Audit'];

const filters = {
  actor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'me, a user id, an e-mail address, or operator for actions of the command line.',
    }),
  ),
  action: Type.Optional(oneOf(auditActions, 'Only this action.')),
  target: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Id of the object of the action.' }),
  ),
  since: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'RFC 3339.' })),
  until: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Only before this time (RFC 3339).' }),
  ),
};

export function auditRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get('/manage/v1/:tenant_slug/audit', {
    config: { access },
    schema: {
      operationId: 'listAudit',
      tags,
      summary: 'List the events of the audit log, newest first',
      querystring: Type.Object({ ...filters, ...pageParameters }),
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
      querystring: Type.Object(filters),
      response: {
        200: {
          description: 'The audit log as CSV.',
          content: { 'text/csv': { schema: Type.String({ examples: [csvHeader()] }) } },
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

/** `DELETE /manage/v1/{tenant_slug}/applications/{application}`. */
import { Type } from 'typebox';
import { tenantTx } from '../../db/database.ts';
import { principalOf } from '../../http/access.ts';
import type { Server } from '../../http/server.ts';
import { access, applicationParams } from '../../inventory/applications/write-routes.ts';
import { removeUnusedApplication } from './remove-application.ts';

export function applicationRemovalRoutes(app: Server): void {
  const { db } = app.deps;

  app.delete('/manage/v1/:tenant_slug/applications/:application', {
    config: { access, conflicts: true },
    schema: {
      operationId: 'deleteApplication',
      tags: ['Applications'],
      summary: 'Delete an application; its repositories stay',
      params: applicationParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      await tenantTx(db, principal.tenant.id, (tx) =>
        removeUnusedApplication(tx, principal, request.params.application),
      );
      return reply.code(204).send(null);
    },
  });
}

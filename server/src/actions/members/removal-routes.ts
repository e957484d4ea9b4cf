/** `DELETE /manage/v1/{tenant_slug}/members/{user}`. */
import { Type } from 'typebox';
import { memberParams, recentAdmin } from '../../access/members/routes.ts';
import { principalOf } from '../../http/access.ts';
import type { Server } from '../../http/server.ts';
import { removeMember } from './remove-member.ts';

export function memberRemovalRoutes(app: Server): void {
  const { db } = app.deps;

  app.delete('/manage/v1/:tenant_slug/members/:user', {
    config: { access: recentAdmin, conflicts: true },
    schema: {
      operationId: 'removeMember',
      tags: ['Members'],
      summary: 'Remove a member; the access ends at once, and the assignments are removed',
      params: memberParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      await removeMember(db, principalOf(request), request.params.user);
      return reply.code(204).send(null);
    },
  });
}

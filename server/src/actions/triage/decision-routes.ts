/** `/manage/v1/{tenant_slug}/vulnerabilities/decisions`: triage of one or many at a time. */
import { Type } from 'typebox';
import { formatId } from '../../domain/ids.ts';
import { principalOf } from '../../http/access.ts';
import { namedObject } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { DecisionRequest, decide } from './decisions.ts';
import { decidedItem, decisionFields } from './triage-schema.ts';

export function decisionRoutes(app: Server): void {
  const { db } = app.deps;
  app.post('/manage/v1/:tenant_slug/vulnerabilities/decisions', {
    config: { access: { scopes: ['vulnerabilities:write'], role: 'member' }, conflicts: true },
    schema: {
      operationId: 'decideVulnerabilities',
      tags: ['Triage'],
      summary: 'Accept, ignore, reject, confirm or reopen vulnerabilities: all of them or none',
      body: DecisionRequest,
      response: {
        200: namedObject('DecidedVulnerabilities', {
          items: Type.Array(
            Type.Object({
              ...decisionFields,
              changed: Type.Boolean({
                description: 'True: this request has changed it. Only a change can be undone.',
              }),
              exceptions: Type.Array(
                Type.String({
                  description:
                    'Exceptions (ovr_…) that were requested instead, because a policy blocks. They wait for the approval of another admin.',
                }),
              ),
            }),
          ),
        }),
      },
    },
    handler: async (request) => {
      const rows = await decide(db, principalOf(request), request.body);
      return {
        items: rows.map((row) => ({
          ...decidedItem(row),
          changed: row.changed,
          exceptions: row.exceptionIds.map((id) => formatId('exception', id)),
        })),
      };
    },
  });
}

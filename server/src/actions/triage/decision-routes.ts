/** `/manage/v1/{tenant_slug}/vulnerabilities/decisions`: triage of one or many at a time. */
import { Type } from 'typebox';
import { formatId } from '../../domain/ids.ts';
import { principalOf } from '../../http/access.ts';
import { closedObject, namedObject, oneOf } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { resolutions } from '../../vulnerabilities/schema.ts';
import { actions, type DecisionRequest, decide } from './decisions.ts';
import { decisionFields, decisionOf, many } from './triage-schema.ts';

export function decisionRoutes(app: Server): void {
  const { db } = app.deps;
  app.post('/manage/v1/:tenant_slug/vulnerabilities/decisions', {
    config: { access: { scopes: ['vulnerabilities:write'], role: 'member' }, conflicts: true },
    schema: {
      operationId: 'decideVulnerabilities',
      tags: ['Triage'],
      summary: 'Accept, ignore, reject, confirm or reopen vulnerabilities: all of them or none',
      body: closedObject({
        action: oneOf(actions),
        vulnerabilities: many(
          closedObject({
            id: Type.String({ maxLength: 255 }),
            status_version: Type.Optional(Type.String({ maxLength: 255 })),
          }),
        ),
        reason: Type.Optional(
          Type.String({ maxLength: 2000, description: 'Required for accept, ignore and reject.' }),
        ),
        resolution: Type.Optional(oneOf(resolutions)),
        until: Type.Optional(
          Type.String({ maxLength: 64, description: 'End of an acceptance: a time in RFC 3339.' }),
        ),
      }),
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
      const rows = await decide(db, principalOf(request), request.body as DecisionRequest);
      return {
        items: rows.map((row) => ({
          ...decisionOf(row),
          changed: row.changed,
          exceptions: row.exceptionIds.map((id) => formatId('override', id)),
        })),
      };
    },
  });
}

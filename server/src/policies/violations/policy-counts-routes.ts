/** `/manage/v1/{tenant_slug}/policy-counts`: the number of violations of each policy now. */
import { Type } from 'typebox';
import { listReadTx } from '../../db/database.ts';
import { tenantIdOf } from '../../http/access.ts';
import { namedObject } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { countByPolicy } from './policy-counts.ts';

export function policyCountRoutes(app: Server): void {
  const { db } = app.deps;
  app.get('/manage/v1/:tenant_slug/policy-counts', {
    config: { access: { scopes: ['policy-violations:read'] }, forConsole: true },
    schema: {
      operationId: 'listPolicyCounts',
      tags: ['Policies'],
      summary: 'Count the violations of each policy that has any',
      response: {
        200: namedObject('PolicyCountList', {
          items: Type.Array(
            Type.Object({
              policy: Type.String({ description: 'Id of the policy.' }),
              unresolved: Type.Integer({ description: 'Open, or in review.' }),
              blocking: Type.Integer({ description: 'How many of the unresolved ones.' }),
              snoozed: Type.Integer({ description: 'How many of the unresolved ones.' }),
              waived: Type.Integer(),
            }),
          ),
        }),
      },
    },
    handler: async (request) => ({
      items: await listReadTx(db, tenantIdOf(request), (tx) => countByPolicy(tx)),
    }),
  });
}

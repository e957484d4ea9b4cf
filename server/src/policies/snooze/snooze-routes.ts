/** `/manage/v1/{tenant_slug}/policy-violations/decisions`: snooze or wake one or many violations, or undo it. */
import { Type } from 'typebox';
import { tenantReadTx, tenantTx } from '../../db/database.ts';
import { formatId } from '../../domain/ids.ts';
import { principalOf } from '../../http/access.ts';
import { NullableTimestamp, namedObject } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { listExceptionsById } from '../exceptions/exception-store.ts';
import { showViolations } from '../violations/service.ts';
import { decideViolations, ViolationDecision } from './snooze.ts';

export function snoozeRoutes(app: Server): void {
  const { db } = app.deps;
  app.post('/manage/v1/:tenant_slug/policy-violations/decisions', {
    config: { access: { scopes: ['policy-violations:write'], role: 'member' }, conflicts: true },
    schema: {
      operationId: 'decideViolations',
      tags: ['Policy violations'],
      summary:
        'Snooze or wake violations, or undo that: all of them or none. If the policy blocks, the snooze of a member requests an exception',
      body: ViolationDecision,
      response: {
        200: namedObject('DecidedViolations', {
          items: Type.Array(
            Type.Object({
              id: Type.String(),
              status: Type.String(),
              blocking: Type.Boolean(),
              snoozed: Type.Boolean(),
              snoozed_until: NullableTimestamp,
              snooze_count: Type.Integer(),
              exception: Type.Union([Type.Object({ id: Type.String(), status: Type.String() }), Type.Null()]),
            }),
          ),
        }),
      },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const tenantId = principal.tenant.id;
      const decided = await tenantTx(db, tenantId, (tx) => decideViolations(tx, principal, request.body));
      return tenantReadTx(db, tenantId, async (tx) => {
        const items = await showViolations(tx, decided.ids, null);
        const exceptions = await listExceptionsById(tx, decided.exceptionIds);
        return {
          items: items.map((item) => {
            const requested = exceptions.find(
              ({ violation_id: id }) => id !== null && formatId('violation', id) === item.id,
            );
            const { id, status, blocking, snoozed, snoozed_until, snooze_count } = item;
            const exception = requested
              ? { id: formatId('exception', requested.id), status: requested.status }
              : null;
            return { id, status, blocking, snoozed, snoozed_until, snooze_count, exception };
          }),
        };
      });
    },
  });
}

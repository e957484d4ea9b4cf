/**
 * `/manage/v1/{tenant_slug}/waiting`: the number of waiting tasks of the person at the console, for the badges of the
 * navigation.
 */
import { Type } from 'typebox';
import { tenantReadTx } from '../../db/database.ts';
import { principalOf } from '../../http/access.ts';
import { namedObject } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { countedAtMost, countOverdue, countReviewable } from './store.ts';

const count = (description: string) => Type.Integer({ minimum: 0, maximum: countedAtMost, description });

const WaitingCounts = namedObject('WaitingCounts', {
  exceptions: count(
    `Requested exceptions that the caller may review; 0 without the role admin. ${countedAtMost} means ${countedAtMost} or more.`,
  ),
  overdue: count(
    `Open vulnerabilities that are assigned to the caller and overdue. ${countedAtMost} means ${countedAtMost} or more.`,
  ),
});

export function waitingRoutes(app: Server): void {
  const { db } = app.deps;
  app.get('/manage/v1/:tenant_slug/waiting', {
    config: { access: { session: 'any' } },
    schema: {
      operationId: 'getWaiting',
      tags: ['Overview'],
      summary: 'Count the requests and overdue vulnerabilities that wait for the caller',
      response: { 200: WaitingCounts },
    },
    handler: async (request) => {
      const { tenant, user, role } = principalOf(request);
      return tenantReadTx(db, tenant.id, async (tx) => ({
        exceptions: role === 'admin' ? await countReviewable(tx, user.id) : 0,
        overdue: await countOverdue(tx, user.id, new Date()),
      }));
    },
  });
}

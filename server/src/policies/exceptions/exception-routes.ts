/** `/manage/v1/{tenant_slug}/exceptions`: request, list, review, withdraw. */

import { Type } from 'typebox';
import { listReadTx, listSearchTx, type Tx, tenantReadTx, tenantTx } from '../../db/database.ts';
import { orNotFound } from '../../domain/errors.ts';
import { type ExceptionId, getId } from '../../domain/ids.ts';
import { principalOf, tenantIdOf } from '../../http/access.ts';
import { listParameter } from '../../http/input.ts';
import {
  declareFilters,
  openPage,
  pageParameters,
  type QueryOf,
  repositoryText,
  textFilter,
} from '../../http/page.ts';
import { closedObject, list, oneOf, page, paramsWith } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { getRepository } from '../../inventory/repositories/service.ts';
import { checkedTerms } from '../../vulnerabilities/filters.ts';
import { boundedSearch } from '../../vulnerabilities/list.ts';
import { findPolicies } from '../violations/filters.ts';
import { ExceptionItem, showExceptions } from './exception-schema.ts';
import {
  type ExceptionFilter,
  exceptionStatuses,
  listExceptions,
  listExceptionsById,
  listSubjects,
  type SubjectRow,
} from './exception-store.ts';
import {
  ExceptionRequest,
  reason,
  requestExceptions,
  reviewException,
  withdrawException,
} from './exceptions.ts';

const exceptionParams = paramsWith({ exception: 'Id of the exception, ovr_….' });

const filters = {
  status: {
    schema: listParameter('Status.', { values: exceptionStatuses }),
  },
  repo: { schema: repositoryText },
  policy: { schema: listParameter('Policies: ids or keys.') },
  violation: {
    schema: Type.String({
      maxLength: 255,
      description: 'Only exceptions for this violation, or for its policy in the whole repository.',
    }),
  },
  q: {
    schema: textFilter(
      500,
      'Only exceptions for one vulnerability: words of its title and package, of at least three characters each, or ids of advisories.',
    ),
  },
};
const exceptionFilters = declareFilters(filters);

export function exceptionRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get('/manage/v1/:tenant_slug/exceptions', {
    config: { access: { scopes: ['policy-violations:read'] } },
    schema: {
      operationId: 'listExceptions',
      tags: ['Exceptions'],
      summary: 'List exceptions, newest first',
      querystring: Type.Object({ ...exceptionFilters.parameters, ...pageParameters }),
      response: { 200: page(ExceptionItem) },
    },
    handler: async (request) => {
      const tenantId = tenantIdOf(request);
      const { query } = request;
      const list = openPage(cursors, [tenantId, 'listExceptions'], query);
      const terms = query.q === undefined ? [] : checkedTerms(query.q);
      const read = query.q === undefined ? listReadTx : listSearchTx;
      return read(db, tenantId, async (tx) => {
        const filter = { ...(await exceptionFilter(tx, query)), terms };
        const rows = await boundedSearch(tx, filter, () =>
          listExceptions(tx, filter, list.afterId, list.take),
        );
        return list.readAnswer(
          rows,
          (shown) => showExceptions(tx, shown),
          (last) => [last.id],
        );
      });
    },
  });

  app.post('/manage/v1/:tenant_slug/exceptions', {
    config: { access: { scopes: ['policy-violations:write'], role: 'member' }, conflicts: true },
    schema: {
      operationId: 'requestExceptions',
      tags: ['Exceptions'],
      summary: 'Request an exception for violations, or for a policy in a repository',
      body: ExceptionRequest,
      response: { 200: list(ExceptionItem) },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const tenantId = principal.tenant.id;
      const requested = await tenantTx(db, tenantId, (tx) => requestExceptions(tx, principal, request.body));
      return tenantReadTx(db, tenantId, async (tx) => {
        const ids = requested.map((exception) => exception.id);
        return { items: await showExceptions(tx, await listExceptionsById(tx, ids)) };
      });
    },
  });

  app.post('/manage/v1/:tenant_slug/exceptions/:exception/review', {
    config: { access: { scopes: ['policy-violations:write'], role: 'admin' }, conflicts: true },
    schema: {
      operationId: 'reviewException',
      tags: ['Exceptions'],
      summary: 'Approve or refuse an exception that another person has requested',
      params: exceptionParams,
      body: closedObject({
        decision: oneOf(['approve', 'refuse']),
        reason: Type.Optional(reason),
      }),
      response: { 200: ExceptionItem },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      return tenantTx(db, principal.tenant.id, async (tx) =>
        showException(tx, await reviewException(tx, principal, request.params.exception, request.body)),
      );
    },
  });

  app.post('/manage/v1/:tenant_slug/exceptions/:exception/withdraw', {
    config: { access: { scopes: ['policy-violations:write'], role: 'member' }, conflicts: true },
    schema: {
      operationId: 'withdrawException',
      tags: ['Exceptions'],
      summary: 'Withdraw your own request, or as an admin any request or approved exception',
      params: exceptionParams,
      body: closedObject({ reason: Type.Optional(reason) }),
      response: { 200: ExceptionItem },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      return tenantTx(db, principal.tenant.id, async (tx) =>
        showException(
          tx,
          await withdrawException(tx, principal, request.params.exception, request.body.reason),
        ),
      );
    },
  });
}

/** Throws 422 for an unknown policy and 404 for other unknown resources. */
async function exceptionFilter(
  tx: Tx,
  query: QueryOf<typeof filters>,
): Promise<Omit<ExceptionFilter, 'terms'>> {
  // 422 comes before 404.
  const statuses = query.status ?? null;
  const policyIds = query.policy === undefined ? null : await findPolicies(tx, query.policy);
  const repositoryId = query.repo === undefined ? null : (await getRepository(tx, query.repo)).id;
  const violation = query.violation === undefined ? null : await getSubject(tx, query.violation);
  return { statuses, policyIds, repositoryId, violation };
}

async function getSubject(tx: Tx, violation: string): Promise<SubjectRow> {
  const [row] = await listSubjects(tx, [getId('violation', violation)]);
  return orNotFound(row);
}

async function showException(tx: Tx, id: ExceptionId) {
  const [item] = await showExceptions(tx, await listExceptionsById(tx, [id]));
  return orNotFound(item);
}

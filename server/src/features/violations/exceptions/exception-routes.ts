/** `/manage/v1/{tenant_slug}/exceptions`: ask, list, review, withdraw. */
import { Type } from 'typebox';
import { type Tx, tenantReadTx, tenantTx } from '../../../db/database.ts';
import { invalidFilterValue, resourceNotFound } from '../../../errors.ts';
import { principalOf } from '../../../http/access.ts';
import { cursorScope } from '../../../http/cursor.ts';
import { pageOf } from '../../../http/page.ts';
import { defaultPerPage, listParameter, pageParameters } from '../../../http/query-parameters.ts';
import {
  NullableString,
  NullableTimestamp,
  page,
  Timestamp,
  tenantParams,
  timestamp,
  timestampOrNull,
} from '../../../http/schema.ts';
import type { Server } from '../../../http/server.ts';
import { formatId, formatIdOrNull } from '../../../ids.ts';
import { enforcementModes } from '../../policies/words.ts';
import { getRepository } from '../../repositories/service.ts';
import { NullablePerson, personOf } from '../../vulnerabilities/full-item.ts';
import {
  type ExceptionMode,
  type ExceptionRow,
  exceptionModes,
  exceptionStatuses,
  listExceptions,
  listExceptionsById,
} from './exception-store.ts';
import {
  askExceptions,
  type ExceptionRequest,
  type Review,
  reviewException,
  withdrawException,
} from './exceptions.ts';

const ExceptionItem = Type.Object({
  id: Type.String(),
  status: Type.String({ description: exceptionStatuses.join(', ') }),
  mode: Type.String({ description: exceptionModes.join(', ') }),
  enforcement_mode: NullableString,
  policy: Type.Object({ id: Type.String(), key: Type.String(), name: Type.String() }),
  repository: Type.Object({ id: Type.String(), full_name: Type.String() }),
  violation_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Null: of the policy in the whole repository.',
  }),
  reason: Type.String(),
  until: NullableTimestamp,
  requested_by: NullablePerson,
  requested_at: Timestamp,
  reviewed_by: NullablePerson,
  reviewed_at: NullableTimestamp,
  review_reason: NullableString,
});

const exceptionParams = Type.Object({
  ...tenantParams.properties,
  exception: Type.String({ description: 'Id of the exception, ovr_….' }),
});
const reason = Type.String({ minLength: 1, maxLength: 2000 });
// More than a person selects by hand on a page or two.
const maxAtOnce = 500;

export function exceptionRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get(
    '/manage/v1/:tenant_slug/exceptions',
    {
      config: { access: { scopes: ['policy-violations:read'] } },
      schema: {
        operationId: 'listExceptions',
        tags: ['Exceptions'],
        summary: 'List exceptions, newest first',
        params: tenantParams,
        querystring: Type.Object({
          status: Type.Optional(listParameter(`${exceptionStatuses.join(', ')}.`)),
          repo: Type.Optional(
            Type.String({ minLength: 1, maxLength: 255, description: 'Repository: id or full name.' }),
          ),
          ...pageParameters,
        }),
        response: { 200: page(ExceptionItem) },
      },
    },
    async (request) => {
      const { tenant } = principalOf(request);
      const { cursor, per_page: limit = defaultPerPage, repo } = request.query;
      const status = request.query.status as string[] | undefined;
      const bound = cursorScope(tenant.id, 'listExceptions', { status, repo });
      const before = cursor ? String(cursors.decode(bound, cursor)[0]) : null;
      const statuses = status === undefined ? null : statusNumbers(status);
      const rows = await tenantReadTx(db, tenant.id, async (tx) => {
        const repositoryId = repo === undefined ? null : (await getRepository(tx, tenant.id, repo)).id;
        return listExceptions(tx, tenant.id, { statuses, repositoryId }, before, limit + 1);
      });
      return pageOf(rows, limit, exceptionItem, (last) => cursors.encode(bound, [last.id]));
    },
  );

  app.post(
    '/manage/v1/:tenant_slug/exceptions',
    {
      config: { access: { scopes: ['policy-violations:write'], role: 'member' } },
      schema: {
        operationId: 'requestExceptions',
        tags: ['Exceptions'],
        summary: 'Ask for an exception: of violations, or of a policy in a repository',
        params: tenantParams,
        querystring: Type.Object({}),
        body: Type.Object(
          {
            violations: Type.Optional(
              Type.Array(Type.String({ maxLength: 255 }), { minItems: 1, maxItems: maxAtOnce }),
            ),
            policy: Type.Optional(
              Type.String({ minLength: 1, maxLength: 255, description: 'Id or key; with repo.' }),
            ),
            repo: Type.Optional(
              Type.String({ minLength: 1, maxLength: 255, description: 'Id or full name; with policy.' }),
            ),
            mode: Type.Optional(Type.Unsafe<ExceptionMode>({ type: 'string', enum: exceptionModes })),
            enforcement_mode: Type.Optional(
              Type.Unsafe<'monitor' | 'warn'>({
                type: 'string',
                enum: ['monitor', 'warn'],
                description: 'Of a downgrade.',
              }),
            ),
            until: Type.Optional(Type.String({ maxLength: 64, description: 'Its end, RFC 3339.' })),
            reason,
          },
          { additionalProperties: false },
        ),
        response: { 200: Type.Object({ items: Type.Array(ExceptionItem) }) },
      },
    },
    async (request) => {
      const principal = principalOf(request);
      const tenantId = principal.tenant.id;
      const asked = await tenantTx(db, tenantId, (tx) =>
        askExceptions(tx, principal, request.body as ExceptionRequest, request.id),
      );
      return tenantReadTx(db, tenantId, async (tx) => ({
        items: (
          await listExceptionsById(
            tx,
            tenantId,
            asked.map((exception) => exception.id),
          )
        ).map(exceptionItem),
      }));
    },
  );

  app.post(
    '/manage/v1/:tenant_slug/exceptions/:exception/review',
    {
      config: { access: { scopes: ['policy-violations:write'], role: 'admin' } },
      schema: {
        operationId: 'reviewException',
        tags: ['Exceptions'],
        summary: 'Approve or refuse an exception that somebody else has asked for',
        params: exceptionParams,
        querystring: Type.Object({}),
        body: Type.Object(
          {
            decision: Type.Unsafe<Review['decision']>({ type: 'string', enum: ['approve', 'refuse'] }),
            reason: Type.Optional(reason),
          },
          { additionalProperties: false },
        ),
        response: { 200: ExceptionItem },
      },
    },
    async (request) => {
      const principal = principalOf(request);
      return tenantTx(db, principal.tenant.id, async (tx) =>
        showException(
          tx,
          principal.tenant.id,
          await reviewException(tx, principal, request.params.exception, request.body, request.id),
        ),
      );
    },
  );

  app.post(
    '/manage/v1/:tenant_slug/exceptions/:exception/withdraw',
    {
      config: { access: { scopes: ['policy-violations:write'], role: 'member' } },
      schema: {
        operationId: 'withdrawException',
        tags: ['Exceptions'],
        summary: 'Withdraw a request of one’s own; an admin withdraws any, and what is approved',
        params: exceptionParams,
        querystring: Type.Object({}),
        body: Type.Object({ reason: Type.Optional(reason) }, { additionalProperties: false }),
        response: { 200: ExceptionItem },
      },
    },
    async (request) => {
      const principal = principalOf(request);
      return tenantTx(db, principal.tenant.id, async (tx) =>
        showException(
          tx,
          principal.tenant.id,
          await withdrawException(tx, principal, request.params.exception, request.body.reason, request.id),
        ),
      );
    },
  );
}

function statusNumbers(values: string[]): number[] {
  const numbers = values.map((value) => (exceptionStatuses as readonly string[]).indexOf(value));
  const unknown = values.filter((_, i) => numbers[i] === -1);
  if (unknown.length > 0) throw invalidFilterValue([...new Set(unknown)]);
  return numbers;
}

async function showException(tx: Tx, tenantId: string, id: string) {
  const [row] = await listExceptionsById(tx, tenantId, [id]);
  if (!row) throw resourceNotFound();
  return exceptionItem(row);
}

function exceptionItem(row: ExceptionRow) {
  return {
    id: formatId('override', row.id),
    status: exceptionStatuses[row.status] ?? 'ended',
    mode: exceptionModes[row.mode] ?? 'exempt',
    enforcement_mode: row.enforcement_mode === null ? null : (enforcementModes[row.enforcement_mode] ?? null),
    policy: { id: formatId('policy', row.policy_id), key: row.policy_key, name: row.policy_name },
    repository: { id: formatId('repository', row.repository_id), full_name: row.repository_full_name },
    violation_id: formatIdOrNull('violation', row.violation_id),
    reason: row.reason,
    until: timestampOrNull(row.ends_at),
    requested_by: personOf(row.requester),
    requested_at: timestamp(row.created_at),
    reviewed_by: personOf(row.reviewer),
    reviewed_at: timestampOrNull(row.reviewed_at),
    review_reason: row.review_reason,
  };
}

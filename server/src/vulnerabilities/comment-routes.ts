/** Comments on a vulnerability: read under `/api/v1`, written and removed under `/manage/v1`. */
import { Type } from 'typebox';
import { tenantReadTx, tenantTx } from '../db/database.ts';
import { formatId } from '../domain/ids.ts';
import { principalOf, tenantIdOf } from '../http/access.ts';
import { openPage, pageParameters } from '../http/page.ts';
import {
  closedObject,
  NullablePerson,
  namedObject,
  page,
  paramsWith,
  personOf,
  Timestamp,
  timestamp,
} from '../http/schema.ts';
import type { Server } from '../http/server.ts';
import { type CommentRow, listComments } from './comment-store.ts';
import { addComment, removeComment } from './comments.ts';
import { getVulnerabilityId } from './vulnerability-ids.ts';

const writing = { scopes: ['vulnerabilities:write'], role: 'member' } as const;
// A comment may have a few pages of text, with a log or some code in it.
const maxBodyLength = 10_000;

const Comment = namedObject('Comment', {
  id: Type.String(),
  author: NullablePerson,
  body: Type.String(),
  created_at: Timestamp,
});

const vulnerabilityParams = paramsWith({ vulnerability: 'Id of the vulnerability, vc_….' });

export function commentReadRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get('/api/v1/:tenant_slug/vulnerabilities/:vulnerability/comments', {
    config: { access: { scopes: ['vulnerabilities:read'] } },
    schema: {
      operationId: 'listComments',
      tags: ['Vulnerabilities'],
      summary: 'List the comments on a vulnerability, newest last',
      params: vulnerabilityParams,
      querystring: Type.Object(pageParameters),
      response: { 200: page(Comment) },
    },
    handler: async (request) => {
      const tenantId = tenantIdOf(request);
      const { vulnerability } = request.params;
      const list = openPage(cursors, [tenantId, 'listComments', vulnerability], request.query);
      const rows = await tenantReadTx(db, tenantId, async (tx) => {
        const id = await getVulnerabilityId(tx, vulnerability);
        return listComments(tx, id, list.afterId, list.take);
      });
      return list.answer(rows, commentItem, (last) => [last.id]);
    },
  });
}

export function commentRoutes(app: Server): void {
  const { db } = app.deps;

  app.post('/manage/v1/:tenant_slug/vulnerabilities/:vulnerability/comments', {
    config: { access: writing },
    schema: {
      operationId: 'addComment',
      tags: ['Triage'],
      summary: 'Comment on a vulnerability',
      params: vulnerabilityParams,
      body: closedObject({
        body: Type.String({ minLength: 1, maxLength: maxBodyLength, description: 'Plain text.' }),
      }),
      response: { 201: Comment },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      const { vulnerability } = request.params;
      const { body } = request.body;
      const row = await tenantTx(db, principal.tenant.id, (tx) =>
        addComment(tx, principal, vulnerability, body),
      );
      return reply.code(201).send(commentItem(row));
    },
  });

  app.delete('/manage/v1/:tenant_slug/vulnerabilities/:vulnerability/comments/:comment', {
    config: { access: writing },
    schema: {
      operationId: 'deleteComment',
      tags: ['Triage'],
      summary: 'Delete your own comment, or as an admin any comment',
      params: Type.Object({
        ...vulnerabilityParams.properties,
        comment: Type.String({ description: 'Id of the comment, cmt_….' }),
      }),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      const { vulnerability, comment } = request.params;
      await tenantTx(db, principal.tenant.id, (tx) => removeComment(tx, principal, vulnerability, comment));
      return reply.code(204).send(null);
    },
  });
}

function commentItem(row: CommentRow) {
  return {
    id: formatId('comment', row.id),
    author: personOf(row.author),
    body: row.body,
    created_at: timestamp(row.created_at),
  };
}

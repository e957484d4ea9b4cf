/** `/manage/v1/{tenant_slug}/issue-trackers`: admins say in which projects Merlon makes issues. */
import { Type } from 'typebox';
import { actorOf } from '../../access/audit/record.ts';
import { adminTx } from '../../access/members/lookup.ts';
import { tenantReadTx, tenantTx } from '../../db/database.ts';
import { principalOf, tenantIdOf } from '../../http/access.ts';
import { list, paramsWith } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { outboundRules } from '../outbound/outbound-rules.ts';
import { IssueTracker, trackerItem } from './issue-schema.ts';
import { NewTracker, TrackerChange } from './tracker-input.ts';
import { changeTracker, createTracker, removeTracker, showTrackers } from './tracker-service.ts';

const tags = ['Issues'];
const access = { scopes: ['workspace:admin'], role: 'admin' } as const;
// A tracker reads all vulnerabilities, and holds a token of another system.
const recentAccess = { session: 'recent', role: 'admin' } as const;

const trackerParams = paramsWith({ tracker: 'Id of the issue tracker, trk_….' });

export function trackerRoutes(app: Server): void {
  const { db, config, secret } = app.deps;
  const rules = outboundRules(config, secret);

  app.get('/manage/v1/:tenant_slug/issue-trackers', {
    config: { access },
    schema: {
      operationId: 'listIssueTrackers',
      tags,
      summary: 'List the issue trackers, newest first',
      response: { 200: list(IssueTracker) },
    },
    handler: async (request) => {
      const shown = await tenantReadTx(db, tenantIdOf(request), (tx) => showTrackers(tx));
      return { items: shown.map(trackerItem) };
    },
  });

  app.post('/manage/v1/:tenant_slug/issue-trackers', {
    config: { access: recentAccess, conflicts: true },
    schema: {
      operationId: 'createIssueTracker',
      tags,
      summary: 'Create an issue tracker: a project of GitHub, GitLab or Jira in which issues are made',
      body: NewTracker,
      response: { 201: IssueTracker },
    },
    handler: async (request, reply) => {
      const shown = await adminTx(db, principalOf(request), (tx, actor) =>
        createTracker(tx, actor, request.body, rules),
      );
      return reply.code(201).send(trackerItem(shown));
    },
  });

  app.patch('/manage/v1/:tenant_slug/issue-trackers/:tracker', {
    config: { access: recentAccess, conflicts: true },
    schema: {
      operationId: 'changeIssueTracker',
      tags,
      summary: 'Change an issue tracker; what has failed is tried again',
      params: trackerParams,
      body: TrackerChange,
      response: { 200: IssueTracker },
    },
    handler: async (request) => {
      const shown = await adminTx(db, principalOf(request), (tx, actor) =>
        changeTracker(tx, actor, request.params.tracker, request.body, rules),
      );
      return trackerItem(shown);
    },
  });

  app.delete('/manage/v1/:tenant_slug/issue-trackers/:tracker', {
    config: { access },
    schema: {
      operationId: 'deleteIssueTracker',
      tags,
      summary: 'Delete an issue tracker with its links; the issues stay where they are',
      params: trackerParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      await tenantTx(db, principal.tenant.id, (tx) =>
        removeTracker(tx, actorOf(principal), request.params.tracker),
      );
      return reply.code(204).send(null);
    },
  });
}

/** Issues of a vulnerability: read under `/api/v1`, made and unlinked under `/manage/v1`. */
import { Type } from 'typebox';
import { tenantReadTx, tenantTx } from '../../db/database.ts';
import { formatId } from '../../domain/ids.ts';
import { principalOf, tenantIdOf } from '../../http/access.ts';
import { closedObject, paramsWith } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { LinkedIssue, linkedIssueItem, VulnerabilityIssues } from './issue-schema.ts';
import { requestIssue, showIssues, unlinkIssue } from './linked-issue-service.ts';
import { listTrackers } from './tracker-store.ts';

const tags = ['Issues'];
const writing = { scopes: ['vulnerabilities:write'], role: 'member' } as const;

const vulnerabilityParams = paramsWith({ vulnerability: 'Id of the vulnerability, vc_….' });

export function linkedIssueReadRoutes(app: Server): void {
  const { db } = app.deps;

  app.get('/api/v1/:tenant_slug/vulnerabilities/:vulnerability/issues', {
    config: { access: { scopes: ['vulnerabilities:read'] } },
    schema: {
      operationId: 'listVulnerabilityIssues',
      tags,
      summary: 'List the issues of a vulnerability, and the trackers in which it may have one',
      params: vulnerabilityParams,
      response: { 200: VulnerabilityIssues },
    },
    handler: async (request) =>
      tenantReadTx(db, tenantIdOf(request), async (tx) => {
        const rows = await showIssues(tx, request.params.vulnerability);
        const having = new Set(rows.map((row) => row.tracker_id));
        const trackers = (await listTrackers(tx)).filter(({ id, enabled }) => enabled && !having.has(id));
        return {
          items: rows.map(linkedIssueItem),
          trackers: trackers.map(({ id, name, kind }) => ({ id: formatId('issueTracker', id), name, kind })),
        };
      }),
  });
}

export function linkedIssueRoutes(app: Server): void {
  const { db } = app.deps;

  app.post('/manage/v1/:tenant_slug/vulnerabilities/:vulnerability/issues', {
    config: { access: writing, conflicts: true },
    schema: {
      operationId: 'createVulnerabilityIssue',
      tags,
      summary: 'Make an issue for a vulnerability, or for its package in its repository',
      params: vulnerabilityParams,
      body: closedObject({
        tracker: Type.String({ maxLength: 64, description: 'Id of the issue tracker, trk_….' }),
        group: Type.Optional(
          Type.Boolean({ description: 'One issue for all open vulnerabilities of the package.' }),
        ),
      }),
      response: { 201: LinkedIssue },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      const { tracker, group = false } = request.body;
      const row = await tenantTx(db, principal.tenant.id, (tx) =>
        requestIssue(tx, principal, request.params.vulnerability, { tracker, group }),
      );
      return reply.code(201).send(linkedIssueItem(row));
    },
  });

  app.delete('/manage/v1/:tenant_slug/vulnerabilities/:vulnerability/issues/:issue', {
    config: { access: writing },
    schema: {
      operationId: 'unlinkIssue',
      tags,
      summary: 'Take the link to an issue away, for all its vulnerabilities; the issue stays in the tracker',
      params: Type.Object({
        ...vulnerabilityParams.properties,
        issue: Type.String({ description: 'Id of the linked issue, iss_….' }),
      }),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      const { vulnerability, issue } = request.params;
      await tenantTx(db, principal.tenant.id, (tx) => unlinkIssue(tx, principal, vulnerability, issue));
      return reply.code(204).send(null);
    },
  });
}

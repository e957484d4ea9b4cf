/** `PATCH /vulnerabilities/{vulnerability}/assignment`. */
import { Type } from 'typebox';
import { principalOf } from '../../http/access.ts';
import { closedObject, namedObject } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { vulnerabilityParams } from '../../vulnerabilities/routes.ts';
import { assignVulnerability } from './assignments.ts';
import { Assigned, Assignee, assignedOf, StatusVersion } from './triage-schema.ts';

export function vulnerabilityAssignmentRoute(app: Server): void {
  const { db } = app.deps;

  app.patch('/api/v1/:tenant_slug/vulnerabilities/:vulnerability/assignment', {
    config: {
      access: { scopes: ['vulnerabilities:read', 'vulnerabilities:write'], role: 'member' },
      conflicts: true,
    },
    schema: {
      operationId: 'assignVulnerability',
      tags: ['Vulnerabilities'],
      summary: 'Assign a vulnerability, or clear its assignment',
      params: vulnerabilityParams,
      body: closedObject({
        assignee: Assignee,
        status_version: Type.Optional(StatusVersion),
      }),
      response: {
        200: namedObject('Assignment', { vulnerability: Assigned }),
      },
    },
    handler: async (request) => {
      const row = await assignVulnerability(
        db,
        principalOf(request),
        request.params.vulnerability,
        request.body,
      );
      return { vulnerability: assignedOf(row) };
    },
  });
}

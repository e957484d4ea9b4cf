/** `PATCH /vulnerabilities/{vulnerability}/assignment`. */
import { Type } from 'typebox';
import { formatId } from '../../domain/ids.ts';
import { principalOf } from '../../http/access.ts';
import { closedObject, namedObject, Timestamp, timestamp } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { vulnerabilityParams } from '../../vulnerabilities/routes.ts';
import { NullablePerson, personOf } from '../../vulnerabilities/vulnerability-fields.ts';
import { assignVulnerability } from './assignments.ts';

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
        assignee: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          maxLength: 255,
          description: 'me, a user id or an e-mail address; null or unassigned clears the assignment.',
        }),
        status_version: Type.Optional(
          Type.String({
            maxLength: 255,
            description:
              'The version that you have read. If it has changed, the request is refused with 409.',
          }),
        ),
      }),
      response: {
        200: namedObject('Assignment', {
          vulnerability: Type.Object({
            id: Type.String(),
            assignee: NullablePerson,
            status_version: Type.String(),
            updated_at: Timestamp,
          }),
        }),
      },
    },
    handler: async (request) => {
      const row = await assignVulnerability(
        db,
        principalOf(request),
        request.params.vulnerability,
        request.body,
      );
      return {
        vulnerability: {
          id: formatId('vulnerability', row.id),
          assignee: personOf(row.assignee),
          status_version: String(row.status_version),
          updated_at: timestamp(row.updated_at),
        },
      };
    },
  });
}

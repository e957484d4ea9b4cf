/** `/manage/v1/{tenant_slug}/vulnerabilities`: assigns many at a time, and undoes the person's last action. */
import { Type } from 'typebox';
import { formatId } from '../../domain/ids.ts';
import { principalOf } from '../../http/access.ts';
import { closedObject, NullablePerson, namedObject, nullableString, personOf } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { assignVulnerabilities } from './assignments.ts';
import {
  Assigned,
  Assignee,
  assignedOf,
  decidedItem,
  decisionFields,
  NamedVulnerability,
  nonEmptyList,
  StatusVersion,
} from './triage-schema.ts';
import { type UndoneItem, undo } from './undo.ts';

const access = { scopes: ['vulnerabilities:write'], role: 'member' } as const;

export function assignmentRoutes(app: Server): void {
  const { db } = app.deps;

  app.post('/manage/v1/:tenant_slug/vulnerabilities/assignments', {
    config: { access, conflicts: true },
    schema: {
      operationId: 'assignVulnerabilities',
      tags: ['Triage'],
      summary: 'Assign vulnerabilities, or clear their assignments: all of them or none',
      body: closedObject({
        assignee: Assignee,
        vulnerabilities: nonEmptyList(NamedVulnerability),
      }),
      response: {
        200: namedObject('AssignedVulnerabilities', {
          items: Type.Array(
            Type.Object({
              ...Assigned.properties,
              changed: Type.Boolean({
                description: 'False: it had this assignee before. Only a change can be undone.',
              }),
            }),
          ),
        }),
      },
    },
    handler: async (request) => {
      const items = await assignVulnerabilities(db, principalOf(request), request.body);
      return { items: items.map((item) => ({ ...assignedOf(item), changed: item.changed })) };
    },
  });

  app.post('/manage/v1/:tenant_slug/vulnerabilities/undo', {
    config: { access, conflicts: true },
    schema: {
      operationId: 'undoVulnerabilities',
      tags: ['Triage'],
      summary:
        'Undo your own last decision or assignment of each vulnerability, if it is at most 15 minutes old: all of them or none',
      body: closedObject({
        vulnerabilities: nonEmptyList(
          closedObject({ id: NamedVulnerability.properties.id, status_version: StatusVersion }),
        ),
      }),
      response: {
        200: namedObject('UndoneVulnerabilities', {
          items: Type.Array(
            Type.Object({
              ...decisionFields,
              assignee: NullablePerson,
              undone: nullableString(
                'The event that was undone; null: exceptions had been requested instead.',
              ),
              exceptions: Type.Array(
                Type.String({
                  description:
                    'Exceptions (ovr_…) that you requested just before and that still wait; the undo does not withdraw them.',
                }),
              ),
            }),
          ),
        }),
      },
    },
    handler: async (request) => {
      const { vulnerabilities } = request.body;
      const items = await undo(db, principalOf(request), vulnerabilities);
      return { items: items.map(undoneItem) };
    },
  });
}

function undoneItem(row: UndoneItem) {
  return {
    ...decidedItem(row),
    assignee: personOf(row.assignee),
    undone: row.undone,
    exceptions: row.exceptionIds.map((one) => formatId('exception', one)),
  };
}

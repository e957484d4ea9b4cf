/** `/export/v1/{tenant_slug}/events`: what has happened since a cursor, as NDJSON. */
import { Type } from 'typebox';
import { tokenAbilityDenied } from '../../domain/errors.ts';
import { subjectOf, workspaceEventTypes } from '../../domain/workspace-event.ts';
import { principalOf } from '../../http/access.ts';
import { listParameter } from '../../http/input.ts';
import { scopesInEffect } from '../../http/principal.ts';
import type { Server } from '../../http/server.ts';
import { readFeed } from './event-feed.ts';
import { EventLine, scopeOfSubject, typesFor } from './event-schema.ts';

const defaultLimit = 1_000;
// Some two megabytes.
const maxLimit = 5_000;

export function eventRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get('/export/v1/:tenant_slug/events', {
    // The scope depends on the type of the event, so the handler asks for it.
    config: { access: 'key', conflicts: true },
    schema: {
      operationId: 'readEvents',
      tags: ['Events'],
      summary: 'Read the events since a cursor, in order, each of them once',
      description: [
        'Shows the types that the scopes of the key open: `vulnerabilities:read` those of vulnerabilities and',
        'advisories, `policy-violations:read` those of violations and exceptions, `scans:read` those of scans,',
        '`workspace:admin` those of keys, for admins.',
      ].join(' '),
      querystring: Type.Object({
        since: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 255,
            description:
              'Cursor of the last line of the answer before; `latest` returns only a cursor for the present. Without it: from the oldest event that is kept.',
          }),
        ),
        types: Type.Optional(
          listParameter('Only these types.', { values: workspaceEventTypes, maxText: 1_000 }),
        ),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: maxLimit,
            default: defaultLimit,
            description: 'Highest number of events in the answer.',
          }),
        ),
      }),
      response: {
        200: {
          description: 'The answer is complete if its last line is the cursor.',
          content: { 'application/x-ndjson': { schema: EventLine } },
        },
      },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      const { tenant, scopes } = principal;
      const open = typesFor(scopesInEffect(principal));
      const { since, limit = defaultLimit, types = open } = request.query;
      const closed = types.filter((type) => !open.includes(type));
      if (closed.length > 0 || open.length === 0) {
        const missing = closed.length > 0 ? closed : workspaceEventTypes;
        const needed = [...new Set(missing.map((type) => scopeOfSubject[subjectOf(type)]))];
        const hasAll = needed.every((scope) => scopes.includes(scope));
        throw tokenAbilityDenied(hasAll ? { role: 'admin' } : { scopes: needed });
      }
      const { items, end } = await readFeed(db, cursors, tenant, { since, types, limit });
      return reply
        .type('application/x-ndjson; charset=utf-8')
        .send([...items, end].map((line) => `${JSON.stringify(line)}\n`).join('') as never);
    },
  });
}

/**
 * `/export/v1/{tenant_slug}/vulnerabilities`: all vulnerabilities, the changed ones, or those of a list, as a Node
 * stream.
 */
import { Type } from 'typebox';
import type { Database } from '../../db/database.ts';
import { DomainError } from '../../domain/domain-error.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { TenantId } from '../../domain/ids.ts';
import { principalOf } from '../../http/access.ts';
import { type Cursors, cursorScope } from '../../http/page.ts';
import type { Principal } from '../../http/principal.ts';
import { namedObject, oneOf } from '../../http/schema.ts';
import { sendExport } from '../../http/send-export.ts';
import type { Server } from '../../http/server.ts';
import { filterParameters, type ListQuery, type Sort, sorts } from '../../vulnerabilities/filters.ts';
import { csv, csvHeader } from './csv.ts';
import { ExportItem } from './item.ts';
import { startListWalk } from './list-walk.ts';
import { ndjson, ndjsonOfList } from './ndjson.ts';
import { sarifExport } from './sarif.ts';
import { startWalk } from './walk.ts';

const formats = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  sarif: 'application/sarif+json; charset=utf-8',
} as const;
type Format = keyof typeof formats;

const Line = Type.Union(
  [
    ExportItem,
    namedObject('MergedVulnerability', { id: Type.String(), merged_into: Type.String() }),
    namedObject('ExportCursor', {
      cursor: Type.String({ description: 'In the last line: send it as `since` of the next export.' }),
    }),
    namedObject('ExportEnd', {
      complete: Type.Literal(true, {
        description:
          'True in the last line of an export with filters or `sort`, which shows that the export is complete.',
      }),
      count: Type.Integer({ description: 'Number of vulnerabilities before this line.' }),
    }),
  ],
  { title: 'ExportLine' },
);

export function exportRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get('/export/v1/:tenant_slug/vulnerabilities', {
    config: { access: { scopes: ['vulnerabilities:read'] } },
    schema: {
      operationId: 'exportVulnerabilities',
      tags: ['Vulnerabilities'],
      summary:
        'Stream all vulnerabilities, those that have changed since a cursor, or those that match filters',
      querystring: Type.Object({
        since: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 255,
            description:
              'Cursor of the last line of an earlier export: only vulnerabilities that have changed since then. Cannot be combined with filters or sort.',
          }),
        ),
        format: Type.Optional(
          Type.Unsafe<Format>({
            type: 'string',
            enum: Object.keys(formats),
            description: 'ndjson (the default), csv, sarif.',
          }),
        ),
        ...filterParameters,
        sort: Type.Optional(oneOf<Sort>(sorts, 'Order of NDJSON and CSV. Without filters and sort: by id.')),
      }),
      response: {
        200: {
          description: 'As long as it takes; NDJSON is whole when its last line is the cursor or `complete`.',
          content: {
            'application/x-ndjson': { schema: Line },
            'text/csv': { schema: Type.String({ examples: [csvHeader()] }) },
            'application/sarif+json': {
              schema: Type.Object(
                {},
                { additionalProperties: true, examples: [{ version: '2.1.0', runs: [] }] },
              ),
            },
          },
        },
      },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      const { tenant } = principal;
      const { since, format = 'ndjson', ...query } = request.query;
      const checkedAt = Date.now();
      const begin = async () => {
        const writers = Object.values(query).some((value) => value !== undefined)
          ? await listWriters(db, principal, query, since)
          : await workspaceWriters(db, cursors, tenant.id, since);
        reply.type(formats[format]);
        if (format !== 'ndjson') {
          reply.header(
            'content-disposition',
            `attachment; filename="vulnerabilities-${tenant.slug}.${format}"`,
          );
        }
        return writers[format]();
      };
      return sendExport(app, reply, begin, checkedAt) as never;
    },
  });
}

type Writers = Record<Format, () => AsyncGenerator<string>>;

async function workspaceWriters(
  db: Database,
  cursors: Cursors,
  tenantId: TenantId,
  since: string | undefined,
): Promise<Writers> {
  const bound = cursorScope(tenantId, 'exportVulnerabilities', []);
  const walk = await startWalk(db, tenantId, since === undefined ? null : decode(cursors, bound, since));
  return {
    ndjson: () => ndjson(walk, cursors.encode(bound, [walk.next.toISOString()])),
    csv: () => csv(walk),
    sarif: () => sarifExport(walk),
  };
}

async function listWriters(
  db: Database,
  principal: Principal,
  query: ListQuery,
  since: string | undefined,
): Promise<Writers> {
  // A list with `since` could not report the rows that have left the list.
  if (since !== undefined) {
    throw invalidInput('Cannot be combined with filters or sort.', 'since');
  }
  const walk = await startListWalk(db, principal, query);
  return { ndjson: () => ndjsonOfList(walk), csv: () => csv(walk), sarif: () => sarifExport(walk) };
}

function decode(cursors: Cursors, bound: string, since: string): Date {
  try {
    return new Date(String(cursors.decode(bound, since)[0]));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw invalidInput(
      'Is not a cursor of an export of this workspace: send the cursor of the last line unchanged.',
      'since',
    );
  }
}

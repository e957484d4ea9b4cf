/**
 * `/references`: the branches, tags and pull requests of a repository, with the open vulnerabilities of each.
 * `/repository-scans`: the last scan and the verdict of each repository of a page.
 */

import { Type } from 'typebox';
import { listReadTx, tenantReadTx } from '../../db/database.ts';
import { distinctIds, formatId } from '../../domain/ids.ts';
import { verdicts } from '../../domain/policy-enums.ts';
import { referenceTypes, shortRef } from '../../domain/reference-name.ts';
import { tenantIdOf } from '../../http/access.ts';
import { BySeverity, bySeverityOf, severityCountsOf } from '../../http/by-severity.ts';
import {
  type CursorValue,
  declareFilters,
  idIn,
  idsParameter,
  openPage,
  pageParameters,
  repositoryText,
} from '../../http/page.ts';
import {
  list,
  NullableString,
  NullableTimestamp,
  namedObject,
  nullableString,
  page,
  timestampOrNull,
} from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import {
  listReferences,
  listRepositoryScans,
  type ReferenceListRow,
  type ReferencePosition,
} from './reference-store.ts';
import { getRepository } from './service.ts';

const filters = declareFilters({ repo: { schema: repositoryText, required: true } });

const ReferenceItem = namedObject('Reference', {
  id: Type.String(),
  ref: Type.String(),
  type: Type.String({ description: referenceTypes.join(', ') }),
  sha: NullableString,
  is_default: Type.Boolean(),
  tracked: Type.Boolean({
    description: 'True: its open vulnerabilities count, however old its last scan is.',
  }),
  active: Type.Boolean({ description: 'True: it is tracked, or was scanned recently.' }),
  last_scanned_at: NullableTimestamp,
  base_ref: NullableString,
  environment: NullableString,
  open_by_severity: BySeverity,
  verdict: nullableString(`${verdicts.join(', ')}: of its newest scans; null without any.`),
});

const RepositoryScans = namedObject('RepositoryScans', {
  id: Type.String(),
  last_scanned_at: NullableTimestamp,
  verdict: nullableString(
    `${verdicts.join(', ')}: of the newest scans of the default branch; null without any.`,
  ),
});

export function referenceRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get('/api/v1/:tenant_slug/repository-scans', {
    config: { access: { scopes: ['repositories:read'] }, forConsole: true },
    schema: {
      operationId: 'listRepositoryScans',
      tags: ['Repositories'],
      summary: 'Show the last scan of repositories, and the verdict of their default branches, by their ids',
      querystring: Type.Object({ ids: idsParameter('repository') }),
      response: { 200: list(RepositoryScans) },
    },
    handler: async (request) => {
      const ids = distinctIds('repository', request.query.ids);
      const rows = await listReadTx(db, tenantIdOf(request), (tx) => listRepositoryScans(tx, ids));
      return {
        items: rows.map((row) => ({
          id: formatId('repository', row.id),
          last_scanned_at: timestampOrNull(row.last_scanned_at),
          verdict: row.verdict,
        })),
      };
    },
  });

  app.get('/api/v1/:tenant_slug/references', {
    // It counts the open vulnerabilities of each.
    config: { access: { scopes: ['repositories:read', 'vulnerabilities:read'] } },
    schema: {
      operationId: 'listReferences',
      tags: ['Repositories'],
      summary: 'List the references of a repository: the default branch, then the newest scanned',
      querystring: Type.Object({ ...filters.parameters, ...pageParameters }),
      response: { 200: page(ReferenceItem) },
    },
    handler: async (request) => {
      const tenantId = tenantIdOf(request);
      const { repo } = request.query;
      const list = openPage(cursors, [tenantId, 'listReferences'], request.query);
      const rows = await tenantReadTx(db, tenantId, async (tx) => {
        const repository = await getRepository(tx, repo);
        return listReferences(tx, repository.id, list.after && positionOf(list.after), list.take);
      });
      return list.answer(rows, referenceItem, (last) => [
        Number(last.is_default),
        last.last_scanned_at?.getTime() ?? '',
        last.id,
      ]);
    },
  });
}

function positionOf([isDefault, time, id]: CursorValue[]): ReferencePosition {
  return {
    isDefault: isDefault === 1,
    scannedAt: typeof time === 'number' ? new Date(time) : null,
    id: idIn(id),
  };
}

function referenceItem(row: ReferenceListRow) {
  const open = severityCountsOf(row.open);
  return {
    id: formatId('reference', row.id),
    ref: shortRef(row.full_ref),
    type: row.type,
    sha: row.head_sha,
    is_default: row.is_default,
    tracked: row.tracked,
    active: row.active,
    last_scanned_at: timestampOrNull(row.last_scanned_at),
    base_ref: row.base_ref === null ? null : shortRef(row.base_ref),
    environment: row.environment_key,
    open_by_severity: bySeverityOf(open),
    verdict: row.verdict,
  };
}

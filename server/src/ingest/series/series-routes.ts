/** `/manage/v1/{tenant_slug}/scan-series`: the tools of each reference, held closures, and the retirement of series. */
import { Type } from 'typebox';
import { actorOf } from '../../access/audit/record.ts';
import { importTx, tenantReadTx } from '../../db/database.ts';
import { invalidInput } from '../../domain/errors.ts';
import { formatId, formatIdOrNull } from '../../domain/ids.ts';
import { dayMs } from '../../domain/time.ts';
import { principalOf, tenantIdOf } from '../../http/access.ts';
import { declareFilters, openPage, pageParameters, repositoryText } from '../../http/page.ts';
import {
  closedObject,
  extendedObject,
  NullableString,
  NullableTimestamp,
  namedObject,
  nullableString,
  oneOf,
  page,
  paramsWith,
  RepositoryBrief,
  timestampOrNull,
} from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { getRepository } from '../../inventory/repositories/service.ts';
import { ReferenceBrief, referenceOf } from '../../vulnerabilities/schema.ts';
import { countLive } from '../import/observation-store.ts';
import { ChangedList, heldOfSeries, readChanged } from '../scans/changed-vulnerabilities.ts';
import { getScanId } from '../scans/service.ts';
import { decideHeld, getSeries, heldActions, retireSeries } from './scan-series.ts';
import { listScanSeries, type SeriesDetailRow } from './series-store.ts';

const SeriesItem = namedObject('Series', {
  id: Type.String(),
  repository: RepositoryBrief,
  reference: ReferenceBrief,
  tool: Type.String(),
  category: Type.String(),
  file_name: nullableString('The file whose reports alone make the series; null if files share it.'),
  source: Type.String(),
  last_scan_id: NullableString,
  last_scanned_at: NullableTimestamp,
  stale: Type.Boolean({
    description: 'True: no report of the series has come for long, although its reference is active.',
  }),
  retired_at: NullableTimestamp,
  replaced_by: nullableString(
    'The newer series that sees most of the same vulnerabilities. Retire this one if it gets no more reports.',
  ),
  held: Type.Union([Type.Object({ scan_id: Type.String(), vulnerabilities: Type.Integer() }), Type.Null()]),
});
const Outcome = namedObject('FixedCount', {
  fixed: Type.Integer({ description: 'Number of vulnerabilities that this fixed.' }),
});
const seriesParams = paramsWith({ series: 'Id of the series, ser_….' });
const reason = Type.Optional(Type.String({ maxLength: 2000, description: 'Shown in the audit log.' }));

const filters = declareFilters({
  repo: { schema: repositoryText },
  scan: {
    schema: Type.String({
      maxLength: 64,
      description: 'Id of a scan: only the series of its report. Cannot be combined with `state`.',
    }),
  },
  state: {
    schema: oneOf(
      ['held', 'stale', 'replaced'],
      'held: with a held closure; stale: without a report for long; replaced: a newer series sees most of the same vulnerabilities.',
    ),
  },
});

export function seriesRoutes(app: Server): void {
  const { db, cursors, config } = app.deps;

  app.get('/manage/v1/:tenant_slug/scan-series', {
    config: { access: { scopes: ['scans:read'] } },
    schema: {
      operationId: 'listScanSeries',
      tags: ['Scans'],
      summary: 'List the series of scans, each of one tool on one reference, and their held closures',
      querystring: Type.Object({ ...filters.parameters, ...pageParameters }),
      response: { 200: page(SeriesItem) },
    },
    handler: async (request) => {
      const tenantId = tenantIdOf(request);
      const { repo, scan, state } = request.query;
      if (scan !== undefined && state !== undefined) {
        throw invalidInput('Give scan or state, not both.', 'state');
      }
      const list = openPage(cursors, [tenantId, 'listScanSeries'], request.query);
      const staleBefore = new Date(Date.now() - config.activeDays * dayMs);
      const rows = await tenantReadTx(db, tenantId, async (tx) => {
        const filter = {
          repositoryId: repo === undefined ? undefined : (await getRepository(tx, repo)).id,
          scanId: scan === undefined ? undefined : await getScanId(tx, scan),
          held: state === 'held',
          replaced: state === 'replaced',
          staleBefore: state === 'stale' ? staleBefore : undefined,
        };
        return listScanSeries(tx, filter, list.afterId, list.take);
      });
      return list.answer(
        rows,
        (row) => seriesItem(row, staleBefore),
        (last) => [last.id],
      );
    },
  });

  app.get('/manage/v1/:tenant_slug/scan-series/:series/held-closure', {
    config: { access: { scopes: ['scans:read', 'vulnerabilities:read'] } },
    schema: {
      operationId: 'listHeldClosure',
      tags: ['Scans'],
      summary: 'List the vulnerabilities that a release of a held closure would fix, the most severe first',
      params: seriesParams,
      querystring: Type.Object(pageParameters),
      response: {
        200: extendedObject('HeldClosure', ChangedList, {
          seen: Type.Integer({
            description: 'Number of vulnerabilities that the series sees, held ones included.',
          }),
        }),
      },
    },
    handler: async (request) => {
      const tenantId = tenantIdOf(request);
      const list = openPage(cursors, [tenantId, 'listHeldClosure', request.params.series], request.query);
      return tenantReadTx(db, tenantId, async (tx) => {
        const series = await getSeries(tx, request.params.series);
        return {
          seen: await countLive(tx, series.id),
          ...(await readChanged(tx, heldOfSeries(series), list)),
        };
      });
    },
  });

  app.post('/manage/v1/:tenant_slug/scan-series/:series/held-closure', {
    config: { access: { scopes: ['scans:write'], role: 'admin' } },
    schema: {
      operationId: 'decideHeldClosure',
      tags: ['Scans'],
      summary: 'Release or discard a held closure',
      params: seriesParams,
      body: closedObject({
        action: oneOf(heldActions),
        scan_id: Type.String({
          maxLength: 64,
          description:
            'Id of the scan whose closure was reviewed, `held.scan_id`: 409 if another is held now, or none to discard.',
        }),
        reason,
      }),
      response: { 200: Outcome },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      return importTx(db, principal.tenant.id, (tx) =>
        decideHeld(tx, request.params.series, request.body, actorOf(principal), () =>
          app.checkStill(request),
        ),
      );
    },
  });

  app.post('/manage/v1/:tenant_slug/scan-series/:series/retire', {
    config: { access: { scopes: ['scans:write'], role: 'admin' } },
    // The body is optional, so a request without one counts as an empty object.
    preValidation: async (request) => {
      if (request.body === undefined) request.body = {};
    },
    schema: {
      operationId: 'retireSeries',
      tags: ['Scans'],
      summary:
        'Retire a series that is no longer used; vulnerabilities that only this series reported become fixed',
      params: seriesParams,
      body: closedObject({
        last_scan_id: Type.Optional(
          nullableString(
            '`last_scan_id` of the series as it was reviewed: 409 if it has a newer scan by now.',
            { maxLength: 64 },
          ),
        ),
        reason,
      }),
      response: { 200: Outcome },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { series } = request.params;
      return importTx(db, principal.tenant.id, (tx) =>
        retireSeries(tx, series, actorOf(principal), request.body, () => app.checkStill(request)),
      );
    },
  });
}

function seriesItem(row: SeriesDetailRow, staleBefore: Date) {
  return {
    id: formatId('series', row.id),
    repository: { id: formatId('repository', row.repository_id), full_name: row.repository_full_name },
    reference: referenceOf(row),
    tool: row.tool,
    category: row.category,
    file_name: row.file_name,
    source: row.source,
    last_scan_id: formatIdOrNull('scan', row.last_scan_id),
    last_scanned_at: timestampOrNull(row.last_scanned_at),
    stale:
      row.retired_at === null &&
      row.reference_active &&
      row.last_scanned_at !== null &&
      row.last_scanned_at < staleBefore,
    retired_at: timestampOrNull(row.retired_at),
    replaced_by: formatIdOrNull('series', row.replaced_by),
    held:
      row.held_scan_id === null
        ? null
        : { scan_id: formatId('scan', row.held_scan_id), vulnerabilities: row.held },
  };
}

/** `/scans`: the list, a scan, its changes, and the state of a reference. */
import { Type } from 'typebox';
import { tenantReadTx } from '../../db/database.ts';
import { commitPattern } from '../../domain/commit.ts';
import { invalidInput, orNotFound, resourceNotFound } from '../../domain/errors.ts';
import { getId } from '../../domain/ids.ts';
import { principalOf, tenantIdOf } from '../../http/access.ts';
import { listParameter } from '../../http/input.ts';
import { declareFilters, openPage, pageParameters, repositoryText, textFilter } from '../../http/page.ts';
import { mayReadRepository } from '../../http/principal.ts';
import { oneOf, page, paramsWith } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { resolveBoundRepository } from '../../inventory/repositories/bound-repository.ts';
import { ChangedList, changedByScan, readChanged, scanChanges } from './changed-vulnerabilities.ts';
import { ScanDetail, ScanItem, ScanState, scanDetail, scanItem } from './schema.ts';
import { resolveScanFilter, type ScanStateQuery, scanFilters, waitForScanState } from './service.ts';
import { findScan, findScanDetail, listScans } from './store.ts';

const access = { scopes: ['scans:read'] } as const;

const scanParams = paramsWith({ scan: 'Id of the scan, scan_….' });

const changeFilters = declareFilters({
  change: { schema: oneOf(scanChanges, 'What the scan has done to the vulnerabilities.'), required: true },
});

export function scanRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get('/api/v1/:tenant_slug/scans', {
    config: { access },
    schema: {
      operationId: 'listScans',
      tags: ['Scans'],
      summary: 'List scans, newest first',
      querystring: Type.Object({ ...scanFilters.parameters, ...pageParameters }),
      response: { 200: page(ScanItem) },
    },
    handler: async (request) => {
      const tenantId = tenantIdOf(request);
      const { query } = request;
      const list = openPage(cursors, [tenantId, 'listScans'], query);
      const rows = await tenantReadTx(db, tenantId, async (tx) => {
        const filter = await resolveScanFilter(tx, query);
        return filter ? listScans(tx, filter, list.afterId, list.take) : [];
      });
      return list.answer(rows, scanItem, (last) => [last.id]);
    },
  });

  app.get('/api/v1/:tenant_slug/scans/:scan', {
    config: { access, boundKeys: true },
    schema: {
      operationId: 'getScan',
      tags: ['Scans'],
      summary: 'Show a scan with its counts, warnings and unreadable rows',
      params: scanParams,
      response: { 200: ScanDetail },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const id = getId('scan', request.params.scan);
      const row = await tenantReadTx(db, principal.tenant.id, (tx) => findScanDetail(tx, id));
      if (!row || !mayReadRepository(principal, row.repository_id)) throw resourceNotFound();
      return scanDetail(row);
    },
  });

  app.get('/api/v1/:tenant_slug/scans/:scan/vulnerabilities', {
    config: { access: { scopes: ['scans:read', 'vulnerabilities:read'] } },
    schema: {
      operationId: 'listScanVulnerabilities',
      tags: ['Scans'],
      summary:
        'List the vulnerabilities that are new in a scan, or that it fixed, in their present state, the most severe first',
      params: scanParams,
      querystring: Type.Object({ ...changeFilters.parameters, ...pageParameters }),
      response: { 200: ChangedList },
    },
    handler: async (request) => {
      const tenantId = tenantIdOf(request);
      const { change } = request.query;
      const list = openPage(
        cursors,
        [tenantId, 'listScanVulnerabilities', request.params.scan],
        request.query,
      );
      const id = getId('scan', request.params.scan);
      return tenantReadTx(db, tenantId, async (tx) => {
        const scan = orNotFound(await findScan(tx, id));
        return readChanged(tx, changedByScan(scan, change), list);
      });
    },
  });

  app.get('/api/v1/:tenant_slug/scans/status', {
    config: { access, boundKeys: true },
    schema: {
      operationId: 'getScanStatus',
      tags: ['Scans'],
      summary: 'Show the progress of the scans of a reference or commit',
      querystring: Type.Object({
        repo: repositoryText,
        ref: Type.Optional(
          textFilter(255, 'Reference: short or full name, or HEAD. Without ref and sha: the default branch.'),
        ),
        sha: Type.Optional(
          Type.String({
            pattern: commitPattern,
            description: 'Commit, on all references with a scan of it.',
          }),
        ),
        expect: Type.Optional(listParameter('Tools that must have a completed scan.')),
        wait: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 30,
            description: 'Seconds to wait until the scans have ended.',
          }),
        ),
      }),
      response: { 200: ScanState },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { wait = 0, ...query } = request.query;
      if (query.ref !== undefined && query.sha !== undefined) {
        throw invalidInput('Give ref or sha, not both.', 'sha');
      }
      query.repo = await resolveBoundRepository(db, principal, query.repo);
      const state = await waitForScanState(
        app.deps,
        principal.tenant.id,
        query as ScanStateQuery,
        wait,
        request.signal,
      );
      if (wait > 0) await app.checkStill(request);
      return state;
    },
  });
}

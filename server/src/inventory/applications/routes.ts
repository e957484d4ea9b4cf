/**
 * `/applications`: the list, the numbers of repositories for a page of it, and one application with its repositories.
 */
import { Type } from 'typebox';
import { listReadTx, tenantReadTx } from '../../db/database.ts';
import { distinctIds, formatId } from '../../domain/ids.ts';
import { tenantIdOf } from '../../http/access.ts';
import { declareFilters, idsParameter, openPage, pageParameters } from '../../http/page.ts';
import { list, page, paramsWith, personOf } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { nameFilter, namePosition, nameSearch } from '../name-terms.ts';
import {
  ApplicationCounts,
  ApplicationDetail,
  ApplicationItem,
  applicationDetail,
  applicationItem,
} from './schema.ts';
import { getApplication } from './service.ts';
import { countApplicationRepositories, listApplications } from './store.ts';

const access = { scopes: ['applications:read'] } as const;
const tags = ['Applications'];

const filters = declareFilters({ q: nameFilter });

export function applicationRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get('/api/v1/:tenant_slug/applications', {
    config: { access },
    schema: {
      operationId: 'listApplications',
      tags,
      summary: 'List applications',
      querystring: Type.Object({ ...filters.parameters, ...pageParameters }),
      response: { 200: page(ApplicationItem) },
    },
    handler: async (request) => {
      const tenantId = tenantIdOf(request);
      const { q } = request.query;
      const list = openPage(cursors, [tenantId, 'listApplications'], request.query);
      const search = nameSearch(q, list);
      const rows = await listReadTx(db, tenantId, (tx) => listApplications(tx, search));
      return list.answer(rows, applicationItem, namePosition);
    },
  });

  app.get('/api/v1/:tenant_slug/application-counts', {
    config: { access, forConsole: true },
    schema: {
      operationId: 'listApplicationCounts',
      tags,
      summary: 'Show the owners of applications and how many repositories they group, by their ids',
      querystring: Type.Object({ ids: idsParameter('application') }),
      response: { 200: list(ApplicationCounts) },
    },
    handler: async (request) => {
      const { ids } = request.query;
      const known = distinctIds('application', ids);
      const rows = await listReadTx(db, tenantIdOf(request), (tx) => countApplicationRepositories(tx, known));
      return {
        items: rows.map(({ id, repositories, owner }) => ({
          id: formatId('application', id),
          repositories,
          owner: personOf(owner),
        })),
      };
    },
  });

  app.get('/api/v1/:tenant_slug/applications/:application', {
    config: { access },
    schema: {
      operationId: 'getApplication',
      tags,
      summary: 'Show an application and its repositories',
      params: paramsWith({ application: 'Id of the application, app_….' }),
      response: { 200: ApplicationDetail },
    },
    handler: async (request) => {
      const { application } = request.params;
      return applicationDetail(
        await tenantReadTx(db, tenantIdOf(request), (tx) => getApplication(tx, application)),
      );
    },
  });
}

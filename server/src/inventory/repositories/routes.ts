/** `/repositories`: list and detail. */

import { Type } from 'typebox';
import { listReadTx, tenantReadTx } from '../../db/database.ts';
import { orNotFound } from '../../domain/errors.ts';
import { nameKeyOf } from '../../domain/plain-name.ts';
import { repositorySources } from '../../domain/repository-enums.ts';
import { tenantIdOf } from '../../http/access.ts';
import { listParameter } from '../../http/input.ts';
import { declareFilters, openPage, pageParameters, textFilter } from '../../http/page.ts';
import { page, paramsWith } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { nameFilter, namePosition, nameSearch } from '../name-terms.ts';
import { findNamedOrganization } from '../organizations/service.ts';
import { RepositoryDetail, RepositoryItem, repositoryDetail, repositoryItem } from './schema.ts';
import { getRepository } from './service.ts';
import { listRepositories } from './store.ts';

const access = { scopes: ['repositories:read'] } as const;

const filters = declareFilters({
  q: nameFilter,
  org: { schema: textFilter(255, 'Organization: id or full path.') },
  source: { schema: listParameter('VCS.', { values: repositorySources }) },
});

export function repositoryRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get('/api/v1/:tenant_slug/repositories', {
    config: { access },
    schema: {
      operationId: 'listRepositories',
      tags: ['Repositories'],
      summary: 'List repositories',
      querystring: Type.Object({ ...filters.parameters, ...pageParameters }),
      response: { 200: page(RepositoryItem) },
    },
    handler: async (request) => {
      const tenantId = tenantIdOf(request);
      const { q, org, source } = request.query;
      const sources = source ? [...new Set(source)].sort() : null;
      const list = openPage(cursors, [tenantId, 'listRepositories'], {
        ...request.query,
        org: org && nameKeyOf(org),
        source: sources,
      });
      const rows = await listReadTx(db, tenantId, async (tx) => {
        const organization = org ? orNotFound(await findNamedOrganization(tx, org)) : null;
        const filter = { organizationId: organization?.id ?? null, sources };
        return listRepositories(tx, filter, nameSearch(q, list));
      });
      return list.answer(rows, repositoryItem, namePosition);
    },
  });

  app.get('/api/v1/:tenant_slug/repositories/*', {
    config: { access, wildcard: 'repo' },
    schema: {
      operationId: 'getRepository',
      tags: ['Repositories'],
      summary: 'Show a repository, by id or by org/name',
      params: paramsWith({ '*': 'Id of the repository, repo_…, or its full name.' }),
      response: { 200: RepositoryDetail },
    },
    handler: async (request) => {
      const row = await tenantReadTx(db, tenantIdOf(request), (tx) => getRepository(tx, request.params['*']));
      return repositoryDetail(row);
    },
  });
}

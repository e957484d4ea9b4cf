/** `/organizations`: list and detail, and the parents of the organizations of a page. */
import { Type } from 'typebox';
import { listReadTx, tenantReadTx } from '../../db/database.ts';
import { orNotFound } from '../../domain/errors.ts';
import { distinctIds } from '../../domain/ids.ts';
import { tenantIdOf } from '../../http/access.ts';
import { declareFilters, idsParameter, openPage, pageParameters } from '../../http/page.ts';
import { list, page, paramsWith } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { nameFilter, namePosition, nameSearch } from '../name-terms.ts';
import {
  OrganizationDetail,
  OrganizationItem,
  OrganizationParent,
  organizationDetail,
  organizationItem,
  organizationParent,
} from './schema.ts';
import { findNamedOrganization } from './service.ts';
import { listOrganizations, listParents } from './store.ts';

const access = { scopes: ['organizations:read'] } as const;

const filters = declareFilters({ q: nameFilter });

export function organizationRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get('/api/v1/:tenant_slug/organizations', {
    config: { access },
    schema: {
      operationId: 'listOrganizations',
      tags: ['Organizations'],
      summary: 'List organizations',
      querystring: Type.Object({ ...filters.parameters, ...pageParameters }),
      response: { 200: page(OrganizationItem) },
    },
    handler: async (request) => {
      const tenantId = tenantIdOf(request);
      const { q } = request.query;
      const list = openPage(cursors, [tenantId, 'listOrganizations'], request.query);
      const search = nameSearch(q, list);
      const rows = await listReadTx(db, tenantId, (tx) => listOrganizations(tx, search));
      return list.answer(rows, organizationItem, namePosition);
    },
  });

  app.get('/api/v1/:tenant_slug/organization-parents', {
    config: { access, forConsole: true },
    schema: {
      operationId: 'listOrganizationParents',
      tags: ['Organizations'],
      summary: 'Show the parents of organizations, by their ids',
      querystring: Type.Object({ ids: idsParameter('organization') }),
      response: { 200: list(OrganizationParent) },
    },
    handler: async (request) => {
      const { ids } = request.query;
      const known = distinctIds('organization', ids);
      const rows = await listReadTx(db, tenantIdOf(request), (tx) => listParents(tx, known));
      return { items: rows.map(organizationParent) };
    },
  });

  app.get('/api/v1/:tenant_slug/organizations/*', {
    config: { access, wildcard: 'org' },
    schema: {
      operationId: 'getOrganization',
      tags: ['Organizations'],
      summary: 'Show an organization, by id or by full path',
      params: paramsWith({ '*': 'Id of the organization, org_…, or its full path.' }),
      response: { 200: OrganizationDetail },
    },
    handler: async (request) => {
      const row = orNotFound(
        await tenantReadTx(db, tenantIdOf(request), (tx) => findNamedOrganization(tx, request.params['*'])),
      );
      return organizationDetail(row);
    },
  });
}

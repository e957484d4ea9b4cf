/** `/vulnerabilities`: the list, the detail and the locations. */
import { Type } from 'typebox';
import { listReadTx, tenantReadTx } from '../db/database.ts';
import { formatId } from '../domain/ids.ts';
import { type Grouping, groupings } from '../domain/open-groups.ts';
import { principalOf, tenantIdOf } from '../http/access.ts';
import { declareFilters, idsParameter, openPage, pageParameters } from '../http/page.ts';
import { list, namedObject, oneOf, page, paramsWith } from '../http/schema.ts';
import type { Server } from '../http/server.ts';
import { getVulnerabilityDetail, VulnerabilityDetail } from './detail.ts';
import { Facets, readFacets } from './facets.ts';
import { FilterEcho, filterParameters, type Sort, sorts } from './filters.ts';
import { Groups, maxGroups, readGroups } from './groups.ts';
import { includeParameter, ListedVulnerability } from './includes.ts';
import { listVulnerabilities, readTxOf } from './list.ts';
import { LocationItem, locationOf, Summary } from './schema.ts';
import { readSignals, SignalItem } from './signals.ts';
import { countLocations, type LocationRow, listLocations } from './store.ts';
import { getVulnerabilityId } from './vulnerability-ids.ts';

const access = { scopes: ['vulnerabilities:read'] } as const;
export const vulnerabilityParams = paramsWith({ vulnerability: 'Id of the vulnerability, vc_….' });

const ListParameters = Type.Object({
  ...filterParameters,
  sort: Type.Optional(oneOf<Sort>(sorts, 'Order; severity is the default.')),
  include: includeParameter,
  ...pageParameters,
});

const locationFilters = declareFilters({
  scope: {
    schema: oneOf(['live', 'all'], 'live (the default): only locations where it is present now.'),
  },
});

export function vulnerabilityRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get('/api/v1/:tenant_slug/vulnerabilities', {
    config: { access },
    schema: {
      operationId: 'listVulnerabilities',
      tags: ['Vulnerabilities'],
      summary: 'List vulnerabilities, with an exact summary of the whole list',
      querystring: ListParameters,
      response: {
        200: namedObject('VulnerabilityPage', {
          filters: FilterEcho,
          summary: Summary,
          ...page(ListedVulnerability).properties,
        }),
      },
    },
    handler: async (request) => listVulnerabilities(db, cursors, principalOf(request), request.query),
  });

  app.get('/api/v1/:tenant_slug/vulnerabilities/facets', {
    config: { access },
    schema: {
      operationId: 'getVulnerabilityFacets',
      tags: ['Vulnerabilities'],
      summary: 'Count the results of each value of each filter, with the other filters applied',
      querystring: Type.Object(filterParameters),
      response: { 200: Facets },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      return readTxOf(request.query)(db, principal.tenant.id, (tx) =>
        readFacets(tx, principal, request.query),
      );
    },
  });

  app.get('/api/v1/:tenant_slug/vulnerabilities/groups', {
    config: { access },
    schema: {
      operationId: 'listVulnerabilityGroups',
      tags: ['Vulnerabilities'],
      summary: 'Group vulnerabilities by package, rule or repository, the most severe group first',
      querystring: Type.Object({
        by: oneOf<Grouping>(
          groupings,
          'What a group has in common. Groups by package show the upgrade that fixes most.',
        ),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: maxGroups, default: 50, description: 'Number of groups.' }),
        ),
        ...filterParameters,
      }),
      response: { 200: Groups },
    },
    handler: async (request) => {
      const { by, limit = 50, ...query } = request.query;
      return readGroups(db, principalOf(request), by, limit, query);
    },
  });

  app.get('/api/v1/:tenant_slug/vulnerabilities/signals', {
    config: { access: { scopes: ['vulnerabilities:read', 'policy-violations:read'] }, forConsole: true },
    schema: {
      operationId: 'listVulnerabilitySignals',
      tags: ['Vulnerabilities'],
      summary: 'Show exploits, scores, tools and due dates of vulnerabilities, by their ids',
      querystring: Type.Object({ ids: idsParameter('vulnerability') }),
      response: { 200: list(SignalItem) },
    },
    handler: async (request) => {
      const { ids } = request.query;
      return listReadTx(db, tenantIdOf(request), async (tx) => ({
        items: await readSignals(tx, ids, new Date()),
      }));
    },
  });

  app.get('/api/v1/:tenant_slug/vulnerabilities/:vulnerability', {
    config: { access },
    schema: {
      operationId: 'getVulnerability',
      tags: ['Vulnerabilities'],
      summary: 'Show a vulnerability with all its details',
      params: vulnerabilityParams,
      response: { 200: VulnerabilityDetail },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      return tenantReadTx(db, principal.tenant.id, async (tx) =>
        getVulnerabilityDetail(tx, principal, await getVulnerabilityId(tx, request.params.vulnerability)),
      );
    },
  });

  app.get('/api/v1/:tenant_slug/vulnerabilities/:vulnerability/locations', {
    config: { access },
    schema: {
      operationId: 'listVulnerabilityLocations',
      tags: ['Vulnerabilities'],
      summary: 'List the locations of a vulnerability',
      params: vulnerabilityParams,
      querystring: Type.Object({ ...locationFilters.parameters, ...pageParameters }),
      response: {
        200: namedObject('LocationPage', {
          vulnerability: Type.Object({ id: Type.String(), title: Type.String() }),
          filters: Type.Object({ scope: Type.String() }),
          summary: Type.Object({ total: Type.Integer(), active: Type.Integer(), fixed: Type.Integer() }),
          ...page(LocationItem).properties,
        }),
      },
    },
    handler: async (request) => {
      const tenantId = tenantIdOf(request);
      const { scope = 'live' } = request.query;
      const list = openPage(cursors, [tenantId, 'listVulnerabilityLocations', request.params.vulnerability], {
        ...request.query,
        scope,
      });
      return tenantReadTx(db, tenantId, async (tx) => {
        const id = await getVulnerabilityId(tx, request.params.vulnerability);
        const [counts, rows] = await Promise.all([
          countLocations(tx, id),
          listLocations(tx, id, scope, list.afterId, list.take),
        ]);
        return {
          vulnerability: { id: formatId('vulnerability', id), title: counts.title },
          filters: { scope },
          summary: { total: counts.total, active: counts.active, fixed: counts.total - counts.active },
          ...list.answer(rows, locationItem, (last) => [last.location_id]),
        };
      });
    },
  });
}

function locationItem(row: LocationRow) {
  return {
    ...locationOf(row, row.exploitable_at),
    artifact:
      row.artifact_id === null
        ? null
        : {
            id: formatId('artifact', row.artifact_id),
            type: row.artifact_type ?? 'file',
            name: row.artifact_name ?? '',
            purl: row.artifact_purl,
            digest: row.artifact_digest,
          },
  };
}

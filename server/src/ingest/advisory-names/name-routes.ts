/**
 * `/manage/v1/{tenant_slug}/advisory-names` lists the ids that reports have called another name of a CVE, and forgets
 * or restores one.
 */
import { Type } from 'typebox';
import { tenantReadTx, tenantTx } from '../../db/database.ts';
import { formatId, formatIdOrNull } from '../../domain/ids.ts';
import { principalOf, tenantIdOf } from '../../http/access.ts';
import { declareFilters, openPage, pageParameters, textFilter } from '../../http/page.ts';
import {
  closedObject,
  NullableString,
  namedObject,
  oneOf,
  PersonBrief,
  page,
  paramsWith,
  personOf,
  RepositoryBrief,
  Timestamp,
  timestamp,
} from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { setForgotten } from './advisory-names.ts';
import { listAdvisoryNames, type NameRow, nameStates } from './name-store.ts';

const AdvisoryName = namedObject('AdvisoryName', {
  id: Type.String(),
  name: Type.String(),
  advisory: Type.String({
    description: 'The CVE that the name stands for; empty if one report gave it to two CVEs.',
  }),
  state: oneOf(
    nameStates,
    'joins: findings with the name belong to the CVE; ambiguous: reports gave the name to two CVEs, so it joins nothing; forgotten: an admin has removed it.',
  ),
  repository: Type.Union([
    RepositoryBrief,
    Type.Null({
      description:
        'The name counts in the whole workspace, because it was learned from a key that may decide.',
    }),
  ]),
  taught_by: Type.Union([PersonBrief, Type.Null({ description: 'The operator, by the command line.' })]),
  scan_id: NullableString,
  learned_at: Timestamp,
});

const filters = declareFilters({ name: { schema: textFilter(255, 'Only this exact name.') } });

export function advisoryNameRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get('/manage/v1/:tenant_slug/advisory-names', {
    config: { access: { scopes: ['vulnerabilities:read'] } },
    schema: {
      operationId: 'listAdvisoryNames',
      tags: ['Vulnerabilities'],
      summary: 'List the names of advisories that Merlon has learned from reports, and who uploaded these',
      querystring: Type.Object({ ...filters.parameters, ...pageParameters }),
      response: { 200: page(AdvisoryName) },
    },
    handler: async (request) => {
      const tenantId = tenantIdOf(request);
      const { name } = request.query;
      const list = openPage(cursors, [tenantId, 'listAdvisoryNames'], request.query);
      const rows = await tenantReadTx(db, tenantId, (tx) =>
        listAdvisoryNames(tx, name === undefined ? {} : { name }, list.afterId, list.take),
      );
      // A report may teach a name that is too long for a cursor.
      return list.answer(rows, nameItem, (last) => [last.id]);
    },
  });

  app.patch('/manage/v1/:tenant_slug/advisory-names/:name', {
    config: { access: { scopes: ['vulnerabilities:write'], role: 'admin' } },
    schema: {
      operationId: 'changeAdvisoryName',
      tags: ['Vulnerabilities'],
      summary: 'Forget a learned name of an advisory, or restore it',
      description:
        'A forgotten name joins no more findings, and no report teaches it again. The vulnerabilities that it has joined stay joined until you split them; until somebody decides about them again, policies that block ignore their decisions.',
      params: paramsWith({ name: 'Id of the name, adn_….' }),
      body: closedObject({ forgotten: Type.Boolean() }),
      response: { 200: AdvisoryName },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const tenantId = principal.tenant.id;
      return tenantTx(db, tenantId, async (tx) => {
        const { name } = request.params;
        const { forgotten } = request.body;
        const row = await setForgotten(tx, principal, name, forgotten);
        return nameItem(row);
      });
    },
  });
}

function nameItem(row: NameRow) {
  return {
    id: formatId('advisoryName', row.id),
    name: row.name,
    advisory: row.advisory,
    state: row.state,
    repository:
      row.repository === null
        ? null
        : { id: formatId('repository', row.repository.id), full_name: row.repository.full_name },
    taught_by: personOf(row.taught_by),
    scan_id: formatIdOrNull('scan', row.scan_id),
    learned_at: timestamp(row.learned_at),
  };
}

/**
 * `/manage/v1/{tenant_slug}/advisory-names` lists the ids that reports have called another name of a CVE, and forgets
 * or restores one.
 */
import { Type } from 'typebox';
import { tenantReadTx, tenantTx } from '../../db/database.ts';
import { formatId, formatIdOrNull } from '../../domain/ids.ts';
import { principalOf } from '../../http/access.ts';
import { openPage, pageParameters } from '../../http/page.ts';
import {
  NullableString,
  namedObject,
  oneOf,
  PersonBrief,
  page,
  RepositoryBrief,
  Timestamp,
  tenantParams,
  timestamp,
} from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { setForgotten } from './advisory-names.ts';
import { listNames, type NameRow, nameStates } from './name-store.ts';

const AdvisoryName = namedObject('AdvisoryName', {
  id: Type.String(),
  name: Type.String(),
  advisory: Type.String({
    description: 'The CVE that the name stands for; empty where it was said of two at once.',
  }),
  state: oneOf(
    nameStates,
    'joins: findings under the name are findings of the CVE; ambiguous: it was said of two CVEs, and joins nothing; forgotten: an admin took it away.',
  ),
  repository: Type.Union([
    RepositoryBrief,
    Type.Null({ description: 'It counts in the whole workspace: a key that may decide taught it.' }),
  ]),
  taught_by: Type.Union([PersonBrief, Type.Null({ description: 'The operator at the command line.' })]),
  scan_id: NullableString,
  learned_at: Timestamp,
});

export function advisoryNameRoutes(app: Server): void {
  const { db, cursors } = app.deps;

  app.get(
    '/manage/v1/:tenant_slug/advisory-names',
    {
      config: { access: { scopes: ['vulnerabilities:read'] } },
      schema: {
        operationId: 'listAdvisoryNames',
        tags: ['Vulnerabilities'],
        summary: 'List the names of advisories that reports have taught, and who taught them',
        params: tenantParams,
        querystring: Type.Object({
          name: Type.Optional(
            Type.String({ minLength: 1, maxLength: 255, description: 'This name alone, as it is written.' }),
          ),
          ...pageParameters,
        }),
        response: { 200: page(AdvisoryName) },
      },
    },
    async (request) => {
      const { tenant } = principalOf(request);
      const { name } = request.query;
      const list = openPage(cursors, [tenant.id, 'listAdvisoryNames', name], request.query);
      const after = list.after && { name: String(list.after[0]), id: String(list.after[1]) };
      const rows = await tenantReadTx(db, tenant.id, (tx) =>
        listNames(tx, name === undefined ? {} : { name }, after, list.take),
      );
      return list.answer(rows, nameItem, (last) => [last.name, last.id]);
    },
  );

  app.patch(
    '/manage/v1/:tenant_slug/advisory-names/:name',
    {
      config: { access: { scopes: ['vulnerabilities:write'], role: 'admin' } },
      schema: {
        operationId: 'changeAdvisoryName',
        tags: ['Vulnerabilities'],
        summary: 'Have a name of an advisory forgotten, or take that back',
        description:
          'A forgotten name joins no finding any more, and no report teaches it again. Decisions about what it has joined bind no policy that blocks until somebody decides again; a split sets the findings apart.',
        params: Type.Object({
          ...tenantParams.properties,
          name: Type.String({ description: 'Id of the name, adn_….' }),
        }),
        body: Type.Object({ forgotten: Type.Boolean() }, { additionalProperties: false }),
        response: { 200: AdvisoryName },
      },
    },
    async (request) => {
      const principal = principalOf(request);
      const tenantId = principal.tenant.id;
      return tenantTx(db, tenantId, async (tx) => {
        const { name } = request.params;
        const { forgotten } = request.body;
        const row = await setForgotten(tx, principal, name, forgotten, request.id);
        return nameItem(row);
      });
    },
  );
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
    taught_by:
      row.taught_by === null
        ? null
        : {
            id: formatId('user', row.taught_by.id),
            display_name: row.taught_by.name,
            email: row.taught_by.email,
          },
    scan_id: formatIdOrNull('scan', row.scan_id),
    learned_at: timestamp(row.learned_at),
  };
}

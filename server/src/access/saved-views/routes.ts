/** `/manage/v1/{tenant_slug}/saved-views`: list, make, change and delete the views that people save at the console. */
import { Type } from 'typebox';
import { tenantReadTx, tenantTx } from '../../db/database.ts';
import { formatId, type UserId } from '../../domain/ids.ts';
import { principalOf } from '../../http/access.ts';
import {
  closedObject,
  IdAndName,
  list,
  namedObject,
  oneOf,
  paramsWith,
  Timestamp,
  timestamp,
} from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { changeSavedView, createSavedView, removeSavedView } from './service.ts';
import { listSavedViews, SavedViewFields, type SavedViewRow, savedViewPages } from './store.ts';

// A view belongs to a person, so a key cannot create or read one.
const access = { session: 'any' } as const;
const tags = ['Saved views'];

const SavedView = namedObject('SavedView', {
  id: Type.String(),
  name: Type.String(),
  page: oneOf(savedViewPages),
  query: Type.String(),
  shared: Type.Boolean(),
  owner: IdAndName,
  own: Type.Boolean({ description: 'True: the caller owns it.' }),
  created_at: Timestamp,
  updated_at: Timestamp,
});

const viewParams = paramsWith({ view: 'Id of the saved view, view_….' });

export function savedViewRoutes(app: Server): void {
  const { db } = app.deps;

  app.get('/manage/v1/:tenant_slug/saved-views', {
    config: { access },
    schema: {
      operationId: 'listSavedViews',
      tags,
      summary: 'List your own saved views and those that others share, by name',
      response: { 200: list(SavedView) },
    },
    handler: async (request) => {
      const { tenant, user } = principalOf(request);
      const rows = await tenantReadTx(db, tenant.id, (tx) => listSavedViews(tx, user.id));
      return { items: rows.map((row) => savedView(row, user.id)) };
    },
  });

  app.post('/manage/v1/:tenant_slug/saved-views', {
    config: { access, conflicts: true },
    schema: {
      operationId: 'createSavedView',
      tags,
      summary: 'Save a view under a name',
      body: closedObject({
        ...SavedViewFields.properties,
        page: oneOf(savedViewPages),
        shared: Type.Optional(SavedViewFields.properties.shared),
      }),
      response: { 201: SavedView },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      const input = { shared: false, ...request.body };
      const made = await tenantTx(db, principal.tenant.id, (tx) => createSavedView(tx, principal, input));
      return reply.code(201).send(savedView(made, principal.user.id));
    },
  });

  app.patch('/manage/v1/:tenant_slug/saved-views/:view', {
    config: { access, conflicts: true },
    schema: {
      operationId: 'changeSavedView',
      tags,
      summary: 'Change the name, query or sharing of your own view',
      params: viewParams,
      body: Type.Partial(SavedViewFields, { additionalProperties: false }),
      response: { 200: SavedView },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { view } = request.params;
      const input = request.body;
      const changed = await tenantTx(db, principal.tenant.id, (tx) =>
        changeSavedView(tx, principal, view, input),
      );
      return savedView(changed, principal.user.id);
    },
  });

  app.delete('/manage/v1/:tenant_slug/saved-views/:view', {
    config: { access },
    schema: {
      operationId: 'deleteSavedView',
      tags,
      summary: 'Delete your own view, or as an admin any shared view',
      params: viewParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      const { view } = request.params;
      await tenantTx(db, principal.tenant.id, (tx) => removeSavedView(tx, principal, view));
      return reply.code(204).send(null);
    },
  });
}

function savedView(row: SavedViewRow, userId: UserId) {
  return {
    id: formatId('savedView', row.id),
    name: row.name,
    page: row.page,
    query: row.query,
    shared: row.shared,
    owner: { id: formatId('user', row.owner_id), name: row.owner_name },
    own: row.owner_id === userId,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

/** `/manage/v1/{tenant_slug}/applications`: make, change and delete applications, and set their repositories. */
import { Type } from 'typebox';
import { tenantTx } from '../../db/database.ts';
import { principalOf } from '../../http/access.ts';
import { closedObject, paramsWith } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { ApplicationDetail, applicationDetail } from './schema.ts';
import { ApplicationFields, changeApplication, createApplication, regroup } from './service.ts';

export const access = { scopes: ['workspace:admin'], role: 'admin' } as const;
const tags = ['Applications'];

// An organization has fewer repositories. A larger group belongs into an inventory file.
const maxRepositories = 10_000;

export const applicationParams = paramsWith({ application: 'Id of the application, app_….' });

export function applicationWriteRoutes(app: Server): void {
  const { db } = app.deps;

  app.post('/manage/v1/:tenant_slug/applications', {
    config: { access },
    schema: {
      operationId: 'createApplication',
      tags,
      summary: 'Create an application',
      body: closedObject({
        ...Type.Partial(ApplicationFields).properties,
        name: ApplicationFields.properties.name,
      }),
      response: { 201: ApplicationDetail },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      const { name, description = null, owner = null, product = false } = request.body;
      const input = { name, description, owner, product };
      const made = await tenantTx(db, principal.tenant.id, (tx) => createApplication(tx, principal, input));
      return reply.code(201).send(applicationDetail(made));
    },
  });

  app.patch('/manage/v1/:tenant_slug/applications/:application', {
    config: { access },
    schema: {
      operationId: 'changeApplication',
      tags,
      summary: 'Change the name, description or owner of an application, or whether it is a product',
      params: applicationParams,
      body: Type.Partial(ApplicationFields, { additionalProperties: false }),
      response: { 200: ApplicationDetail },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { application } = request.params;
      const input = request.body;
      return applicationDetail(
        await tenantTx(db, principal.tenant.id, (tx) => changeApplication(tx, principal, application, input)),
      );
    },
  });

  app.put('/manage/v1/:tenant_slug/applications/:application/repositories', {
    config: { access },
    schema: {
      operationId: 'setApplicationRepositories',
      tags,
      summary: 'Replace the list of repositories that an application groups',
      params: applicationParams,
      body: closedObject({
        repositories: Type.Array(Type.String({ maxLength: 64 }), {
          maxItems: maxRepositories,
          description: 'Ids of repositories, repo_….',
        }),
      }),
      response: { 200: ApplicationDetail },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { application } = request.params;
      const { repositories } = request.body;
      return applicationDetail(
        await tenantTx(db, principal.tenant.id, (tx) => regroup(tx, principal, application, repositories)),
      );
    },
  });
}

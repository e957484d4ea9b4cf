/** `/manage/v1/{tenant_slug}/applications`: make, change and delete applications, and set their repositories. */
import { Type } from 'typebox';
import { tenantTx } from '../../db/database.ts';
import { maxNameLength } from '../../domain/plain-name.ts';
import { principalOf } from '../../http/access.ts';
import { closedObject, paramsWith } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { ApplicationDetail, applicationDetail } from './schema.ts';
import { changeApplication, createApplication, regroup } from './service.ts';

export const access = { scopes: ['workspace:admin'], role: 'admin' } as const;
const tags = ['Applications'];

// This is about one page of text, which is enough for a description.
const maxDescription = 2_000;
// An organization has fewer repositories. A larger group belongs into an inventory file.
const maxRepositories = 10_000;

const name = Type.String({ minLength: 1, maxLength: maxNameLength });
const description = Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: maxDescription });
const owner = Type.Unsafe<string | null>({
  title: 'ApplicationOwner',
  type: ['string', 'null'],
  maxLength: 320,
  description: 'Member of the workspace: `me`, a user id or an e-mail address; null: no owner.',
});
const product = Type.Boolean({
  description: 'True: a product that the company makes available in the European Union.',
});
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
        name,
        description: Type.Optional(description),
        owner: Type.Optional(owner),
        product: Type.Optional(product),
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
      body: closedObject({
        name: Type.Optional(name),
        description: Type.Optional(description),
        owner: Type.Optional(owner),
        product: Type.Optional(product),
      }),
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

/** `GET /export/v1/{tenant_slug}/vex`: decisions as OpenVEX, CSAF 2.0 or CycloneDX, for those who use the product. */
import { Type } from 'typebox';
import { principalOf, requireScopes } from '../../http/access.ts';
import { repositoryText } from '../../http/page.ts';
import { oneOf } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { readVex, type VexFormat, type VexQuery, vexFormats } from './vex.ts';

const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }));

const Document = Type.Object(
  {},
  { additionalProperties: true, title: 'VexDocument', examples: [{ version: 1 }] },
);

export function vexRoutes(app: Server): void {
  const { db, config } = app.deps;

  app.get('/export/v1/:tenant_slug/vex', {
    config: { access: { scopes: ['vulnerabilities:read'] } },
    schema: {
      operationId: 'exportVex',
      tags: ['Vulnerabilities'],
      summary:
        'Export the decisions about vulnerabilities of a repository, application or reference as a VEX document',
      querystring: Type.Object({
        format: oneOf<VexFormat>(vexFormats, 'openvex, csaf, cyclonedx.'),
        repo: Type.Optional(repositoryText),
        ref: text(
          'Reference of the repository: short or full name, or HEAD. Needs `repo`. Without it the document is about the tracked references.',
        ),
        application: text('Application: id or name. It needs the scope applications:read too.'),
      }),
      response: {
        200: {
          description: 'The document. Vulnerabilities in packages that are open or decided have a statement.',
          content: { 'application/json': { schema: Document } },
        },
      },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      const { tenant } = principal;
      const { format, ...query } = request.query;
      if (query.application !== undefined) requireScopes(principal, ['applications:read']);
      const document = await readVex(db, tenant, query as VexQuery, {
        format,
        publicUrl: config.publicUrl,
      });
      reply.header('content-disposition', `attachment; filename="vex-${tenant.slug}.${format}.json"`);
      return reply.type('application/json; charset=utf-8').send(document);
    },
  });
}

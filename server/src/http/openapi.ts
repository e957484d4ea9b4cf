/**
 * The OpenAPI document, from the routes' own schemas, and `/docs`, which shows it. `/openapi.json` at the root of
 * the repository is this document, committed.
 */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { Server } from '../app.ts';
import { ErrorResponse } from './schema.ts';

export async function registerOpenApi(app: Server): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Merlon: Tenant Security Data API',
        version: 'v1',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: 'API key, mrl_pat_… or mrl_wsk_…' },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const access = route.config?.access;
      const described: Record<string, unknown> = { ...schema };
      if (access === 'public') described['security'] = [];
      else described['security'] = [{ key: typeof access === 'object' ? [...access.scopes] : [] }];
      if (access !== 'public') {
        described['response'] = { ...(schema?.response as object), '4XX': ErrorResponse };
      }
      return { schema: described, url };
    },
    hideUntagged: true,
  });
  app.get(
    '/openapi.json',
    { config: { access: 'public' }, schema: { hide: true } },
    async (_request, reply) => reply.type('application/json').send(JSON.stringify(app.swagger())),
  );
  // Static pages of the viewer's package, nothing from a third party; public by `access.ts`.
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    uiConfig: { deepLinking: true, persistAuthorization: false },
  });
}

/**
 * The OpenAPI document, from the routes' own schemas, and `/docs`, which shows it. `/openapi.json` at the root of
 * the repository is this document, committed.
 */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifySchema } from 'fastify';
import type { Access } from './access.ts';
import { ErrorResponse } from './schema.ts';
import type { Server } from './server.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the parameter that stands for the rest of the path. */
    wildcard?: string;
  }
}

interface ObjectSchema {
  type: 'object';
  required?: string[];
  properties: Record<string, unknown>;
}

function securityOf(access: Access | undefined, url: string): Record<string, string[]>[] {
  if (access === undefined || access === 'public') return [];
  const session = { session: [] };
  if (access === 'key') return [{ key: [] }];
  if ('session' in access) return [session];
  const key = { key: [...access.scopes] };
  return url.startsWith('/manage/') ? [key, session] : [key];
}

export async function registerOpenApi(app: Server): Promise<void> {
  app.addSchema({ $id: 'ApiError', ...ErrorResponse });
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
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'merlon.session_token',
            description:
              'A person at the console; behind TLS __Host-merlon.session_token. Writes need Origin and X-CSRF-Token too',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const { access, wildcard } = route.config ?? {};
      const described = {
        ...schema,
        security: securityOf(access, url),
        response: { ...(schema?.response as object), '4XX': { $ref: 'ApiError#' } },
      } as FastifySchema & { params?: ObjectSchema };
      if (wildcard === undefined) return { schema: described, url };
      // Slashes may be written raw or as %2F; OpenAPI knows only a parameter of one segment.
      const { '*': rest, ...params } = described.params?.properties ?? {};
      described.params = {
        type: 'object',
        required: [...Object.keys(params), wildcard],
        properties: { ...params, [wildcard]: rest },
      };
      return { schema: described, url: url.replace('*', `:${wildcard}`) };
    },
    hideUntagged: true,
    refResolver: {
      buildLocalReference: (schema, _base, _fragment, i) => String(schema.$id ?? `schema-${i}`),
    },
  });
  app.get(
    '/openapi.json',
    { config: { access: 'public' }, schema: { hide: true } },
    async (_request, reply) => reply.type('application/json').send(JSON.stringify(app.swagger())),
  );
  // Static pages of the viewer's package, nothing from a third party; public by `access.ts`.
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    theme: {
      title: 'Merlon API',
      css: [{ filename: 'merlon.css', content: '.swagger-ui .topbar { display: none }' }],
    },
    uiConfig: { deepLinking: true, persistAuthorization: false, validatorUrl: null },
    staticCSP:
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
      "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  });
}

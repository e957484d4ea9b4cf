/**
 * The OpenAPI document comes from the schemas of the routes. `app.swagger()` is the whole document, which the types of
 * the client are generated from. `/openapi.json` serves the public part, and `/docs` shows it; the file `openapi.json`
 * at the root of the repository is that part. It lacks the operations that only the console needs: those of a session,
 * and those that complete the rows of its pages.
 */
import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import { version } from '../domain/version.ts';
import { eventSchemaName, subjectOf, workspaceEventTypes } from '../domain/workspace-event.ts';
import type { Access } from './access.ts';
import { describedParameters } from './input.ts';
import {
  consoleMark,
  type OpenApiDocument,
  publicPart,
  referenceTo,
  withComponents,
} from './openapi-components.ts';
import { errorStatusesOf } from './openapi-errors.ts';
import { addExamples } from './openapi-examples.ts';
import { introduction } from './openapi-introduction.ts';
import { roles } from './principal.ts';
import { ErrorResponse } from './schema.ts';
import type { Server } from './server.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the parameter for the rest of the path. */
    wildcard?: string;
    /** True if only the console needs the route, such as to complete the rows of a page. Keys may call it. */
    forConsole?: true;
  }
}

interface ObjectSchema {
  type: 'object';
  required?: string[];
  properties: Record<string, unknown>;
}

const publicDocuments = new WeakMap<Server, OpenApiDocument>();

// The library writes this description if a route does not describe its answer.
const unnamedAnswer = 'Default Response';

function securityOf(access: Access | undefined, url: string): Record<string, string[]>[] {
  if (access === undefined || access === 'public') return [];
  const session = { session: [] };
  if (access === 'key') return [{ key: [] }];
  if ('session' in access) return [session];
  const key = { key: [...access.scopes] };
  return url.startsWith('/manage/') ? [key, session] : [key];
}

function isForConsole(access: Access | undefined, url: string, forConsole: boolean): boolean {
  return forConsole || url.startsWith('/console/') || (typeof access === 'object' && 'session' in access);
}

/** A body that is declared without a name gets that of its operation, such as `DecideVulnerabilitiesBody`. */
function namedBody(body: object, operationId = ''): object {
  if (!('properties' in body)) return body;
  return { title: `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Body`, ...body };
}

/** Describes in words who may call an operation. OpenAPI has a field for scopes, but none for roles. */
function accessText(access: Access | undefined): string {
  if (access === undefined || access === 'public') return 'Needs no key.';
  if (access === 'key') return 'Needs any valid key.';
  const higher = access.role === roles.at(-1) ? '' : ' or a higher one';
  const role = access.role === undefined ? '' : `, and the role \`${access.role}\`${higher}`;
  const recent = 'session' in access ? access.session === 'recent' : access.recent === true;
  const age = recent ? ' A session must come from a sign-in of the last hour.' : '';
  if ('session' in access) return `Needs a person at the console, not a key${role}.${age}`;
  const names = access.scopes.map((scope) => `\`${scope}\``).join(' and ');
  return `Needs the ${access.scopes.length === 1 ? 'scope' : 'scopes'} ${names}${role}.${age}`;
}

/** The whole document: the public one and the operations that only the console calls. */
export function wholeDocument(app: Server): OpenApiDocument {
  return app.swagger() as unknown as OpenApiDocument;
}

/** The document that users read. It is made once, at the first request for it. */
export function publicDocument(app: Server): OpenApiDocument {
  const document = publicDocuments.get(app) ?? copyOf(publicPart(wholeDocument(app)));
  publicDocuments.set(app, document);
  return document;
}

// The copy removes values that examples share, because YAML would write those as anchors and aliases.
function copyOf<T>(document: T): T {
  return JSON.parse(JSON.stringify(document)) as T;
}

export async function registerOpenApi(app: Server): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Merlon: Tenant Security Data API',
        version,
        description: introduction,
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
      const { access, conflicts = false, wildcard, forConsole = false } = route.config ?? {};
      const errors = errorStatusesOf({ access, conflicts, method: String(route.method), url });
      const described = {
        ...schema,
        ...(schema?.body ? { body: namedBody(schema.body, schema.operationId) } : {}),
        ...(schema?.querystring ? { querystring: describedParameters(schema.querystring) } : {}),
        security: securityOf(access, url),
        ...(isForConsole(access, url, forConsole) ? { [consoleMark]: true } : {}),
        description: [schema?.description, accessText(access)].filter(Boolean).join('\n\n'),
        response: {
          ...(schema?.response as object),
          ...Object.fromEntries(errors.map((status) => [status, ErrorResponse])),
        },
      } as FastifySchema & { params?: ObjectSchema };
      if (wildcard === undefined) return { schema: described, url };
      // Slashes may be written raw or as %2F. OpenAPI only has parameters of one segment.
      const { '*': rest, ...params } = described.params?.properties ?? {};
      described.params = {
        type: 'object',
        required: [...Object.keys(params), wildcard],
        properties: { ...params, [wildcard]: rest },
      };
      return { schema: described, url: url.replace('*', `:${wildcard}`) };
    },
    transformObject: (made) => {
      if (!('openapiObject' in made)) throw new Error('the document is no OpenAPI document');
      const document = withComponents(made.openapiObject as unknown as OpenApiDocument);
      describeAnswers(document);
      addWebhooks(document);
      addExamples(document);
      return document as never;
    },
    hideUntagged: true,
  });
  app.get('/openapi.json', {
    config: { access: 'public' },
    schema: { hide: true },
    handler: async (_request, reply) =>
      reply.type('application/json').send(JSON.stringify(publicDocument(app))),
  });
}

/** Adds the requests that a receiver of webhooks gets: the events that `readEvents` reads. */
function addWebhooks(document: OpenApiDocument): void {
  const { requestBodies, responses } = document.components;
  responses.EventReceived = { description: 'The event was received. 410 disables the webhook.' };
  document.webhooks = {};
  for (const type of workspaceEventTypes) {
    const name = eventSchemaName(subjectOf(type));
    requestBodies[name] = {
      description: 'The example is one of these events; the others have the same form.',
      content: { 'application/json': { schema: referenceTo('schemas', name) } },
    };
    document.webhooks[type] = {
      post: {
        requestBody: referenceTo('requestBodies', name),
        responses: { '2XX': referenceTo('responses', 'EventReceived') },
      },
    };
  }
}

function describeAnswers({ paths }: OpenApiDocument): void {
  for (const { responses } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, answer] of Object.entries(responses)) {
      if (answer.description === unnamedAnswer) answer.description = STATUS_CODES[status] ?? status;
    }
  }
}

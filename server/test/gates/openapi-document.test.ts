/**
 * Tests that the API's document is complete for a reader who has nothing else: names, errors and examples of every
 * operation.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { openApiDocuments } from '../../../tools/openapi-document.ts';
import { knownRoutes } from '../../src/doctor/isolation/known-routes.ts';
import {
  consoleMark,
  type JsonSchema,
  type MediaType,
  type OpenApiDocument,
  type Operation,
  withComponents,
} from '../../src/http/openapi-components.ts';
import { exampleValues } from '../../src/http/openapi-example-values.ts';
import { namedObject } from '../../src/http/schema.ts';
import { createTestServer } from '../support/server.ts';

const usedValues = new Set<string>();
for (const [name, value] of Object.entries(exampleValues)) {
  Object.defineProperty(exampleValues, name, {
    get: () => {
      usedValues.add(name);
      return value;
    },
  });
}
const documents = await openApiDocuments();
const open = JSON.parse(documents.open) as OpenApiDocument;
const whole = JSON.parse(documents.whole) as OpenApiDocument;
// The length follows the number of operations. Each is short, because schemas and examples are there once.
const maxBytesEach = 2_850;

function operationsOf({ paths }: OpenApiDocument): (Operation & { method: string; url: string })[] {
  return Object.entries(paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, url })),
  );
}

function answersOf({ responses }: Operation): MediaType[] {
  return Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? Object.values(content ?? {}) : [],
  );
}

function bodiesOf({ requestBody }: Operation): MediaType[] {
  return Object.entries(requestBody?.content ?? {}).flatMap(([type, media]) =>
    type === 'application/json' ? media : [],
  );
}

/** The example beside the schema, or the components that several answers share. */
function examplesOf({ example, examples }: MediaType, components: OpenApiDocument['components']): unknown[] {
  if (examples === undefined) return example === undefined ? [] : [example];
  return Object.values(examples).map(({ $ref }) => components.examples[$ref.split('/').at(-1) ?? '']?.value);
}

/** The statuses of the error answers; those of a range are the names of its examples. */
function errorStatusesOf({ responses }: Operation, components: OpenApiDocument['components']): string[] {
  return Object.values(responses).flatMap(({ $ref }) => {
    const answer = components.responses[$ref?.split('/').at(-1) ?? ''];
    return Object.keys(answer?.content?.['application/json']?.examples ?? {});
  });
}

/** Every object schema with fields that is written inline, without a name. */
function inlineObjects(node: unknown, at: string): [string, string][] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, properties } = node as JsonSchema;
  const own: [string, string][] =
    type === 'object' && Object.keys(properties ?? {}).length > 0 ? [[JSON.stringify(node), at]] : [];
  return [...own, ...Object.entries(node).flatMap(([name, one]) => inlineObjects(one, `${at}/${name}`))];
}

test('the public document is not larger than its operations need', () => {
  const { length } = readFileSync(new URL('../../../openapi.json', import.meta.url));
  const each = length / operationsOf(open).length;
  assert.ok(each < maxBytesEach, `${Math.round(each)} bytes for each operation`);
});

test('the public document has no operation for the console or for a session alone, and the whole one has them', () => {
  const ofConsole = (document: OpenApiDocument) =>
    operationsOf(document).filter(
      ({ url, security = [], [consoleMark]: mark }) =>
        mark === true ||
        url.startsWith('/console/') ||
        (security.length > 0 && security.every(({ key }) => key === undefined)),
    );
  assert.deepEqual(ofConsole(open), []);
  const others = ofConsole(whole).map(({ operationId }) => operationId);
  for (const one of ['getSession', 'createSavedView', 'listRepositoryCounts'])
    assert.ok(others.includes(one), one);
});

test('the server serves the public document, and a reader of it that asks no other host', async () => {
  const { app } = await createTestServer();
  assert.deepEqual((await app.inject({ url: '/openapi.json' })).json(), open);
  const [page, other] = [await app.inject({ url: '/docs/' }), await app.inject({ url: '/docs/' })];
  const policy = String(page.headers['content-security-policy']);
  const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
  assert.ok(nonce.length >= 20 && page.body.includes(`nonce="${nonce}"`) && !other.body.includes(nonce));
  assert.doesNotMatch(policy.replace("style-src-attr 'unsafe-inline'", ''), /unsafe|http|\*/);
  const scripts = [...page.body.matchAll(/<script[^>]*src="([^"]*)"/g)].map(([, src]) => src);
  assert.deepEqual(scripts, ['js/scalar.js']);
  const plain = await app.inject({ url: '/docs/js/scalar.js' });
  const url = '/docs/js/scalar.js';
  const packed = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
  assert.equal(gunzipSync(packed.rawPayload).toString(), plain.body);
  assert.ok(packed.rawPayload.length < 1_500_000);
  // After an upgrade the browser gets the new script.
  assert.equal(plain.headers['cache-control'], 'no-cache');
  const [known, changed] = await Promise.all(
    [String(packed.headers.etag), 'W/"other"'].map((tag) =>
      app.inject({ url, headers: { 'if-none-match': tag } }),
    ),
  );
  assert.deepEqual([known?.statusCode, known?.body], [304, '']);
  assert.deepEqual([changed?.statusCode, changed?.body.length], [200, plain.body.length]);
});

test('every reference of the public document leads to a component, and every component is used', () => {
  const referred = new Set(
    [...documents.open.matchAll(/"#\/components\/([^"/]+\/[^"/]+)"/g)].map(([, name]) => name),
  );
  const { securitySchemes: _, ...components } = open.components;
  const declared = Object.entries(components).flatMap(([kind, named]) =>
    Object.keys(named).map((name) => `${kind}/${name}`),
  );
  assert.deepEqual([...referred].sort(), declared.sort());
});

test('every operation says which scopes and role it needs, as its security does', () => {
  const needed = new Map<string, unknown>(knownRoutes.map(({ route, access }) => [route, access]));
  for (const { url, method, description = '', security = [] } of operationsOf(open)) {
    const scopes = security.flatMap(({ key = [] }) => key);
    for (const scope of scopes) assert.ok(description.includes(`\`${scope}\``), `${method} ${url}: ${scope}`);
    const access = needed.get(`${method.toUpperCase()} ${url.replace(/\{(\w+)\}/g, ':$1')}`);
    const { role } = (access ?? {}) as { role?: string };
    assert.equal(/role `(\w+)`/.exec(description)?.[1], role, `${method} ${url}`);
  }
});

test('every operation has a summary, its error answers and a named success answer', () => {
  for (const operation of operationsOf(whole)) {
    const { operationId = operation.url, summary, responses } = operation;
    assert.ok(summary, operationId);
    const statuses = errorStatusesOf(operation, whole.components);
    const inWorkspace = operation.url.includes('{tenant_slug}') ? ['401', '403', '404', '429'] : [];
    const withBody = operation.requestBody === undefined ? [] : ['400', '413', '415'];
    for (const status of ['422', '5XX', ...inWorkspace, ...withBody]) {
      assert.ok(statuses.includes(status), `${operationId} has no ${status}`);
    }
    for (const [status, response] of Object.entries(responses)) {
      if (status.startsWith('2')) {
        const { schema } = response.content?.['application/json'] ?? {};
        assert.ok(!schema || schema.$ref, `${operationId}: the success answer has no name`);
      } else assert.match(response.$ref ?? '', /^#\/components\/responses\//, `${operationId} ${status}`);
    }
  }
});

test('every body of a request has a name, and every parameter of the public document a description', () => {
  for (const operation of operationsOf(whole)) {
    for (const { schema } of bodiesOf(operation)) {
      assert.ok(schema.$ref, `${operation.operationId}: the body has no name`);
    }
  }
  for (const { operationId, parameters = [] } of operationsOf(open)) {
    for (const { $ref, name, description } of parameters) {
      assert.ok($ref ?? description, `${operationId}: ${name} has no description`);
    }
  }
  for (const [name, { description }] of Object.entries(open.components.parameters)) {
    assert.ok(description, `${name} has no description`);
  }
});

test('no object schema occurs at two paths', () => {
  const places = Map.groupBy(inlineObjects(whole, ''), ([schema]) => schema);
  for (const [, same] of places) assert.equal(same.length, 1, same.map(([, at]) => at).join('\n'));
});

test('every success answer and public body of a request has an example, and every example is true to its schema', () => {
  const { components } = whole;
  const assertOfSchema = ({ schema }: MediaType, value: unknown, at = '') => {
    const checked = { ...schema, components } as never;
    assert.ok(Check(checked, value), `${at}: ${JSON.stringify(Errors(checked, value))}`);
  };
  for (const operation of operationsOf(whole)) {
    const bodies = operation[consoleMark] === true ? [] : bodiesOf(operation);
    for (const media of [...answersOf(operation), ...bodies]) {
      const values = examplesOf(media, components);
      assert.ok(values.length > 0, `${operation.operationId} has no example`);
      for (const value of values) assertOfSchema(media, value, operation.operationId);
    }
  }
  const shared = { ...components.responses, ...components.requestBodies };
  for (const [name, { content }] of Object.entries(shared)) {
    for (const media of Object.values(content ?? {})) {
      const values = examplesOf(media, components);
      assert.ok(values.length > 0, `${name} has no example`);
      for (const value of values) assertOfSchema(media, value, name);
    }
  }
});

test('every operation has a success answer, and only a 204 has no body and so no example', () => {
  for (const { operationId, responses } of operationsOf(whole)) {
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    assert.ok(successes.length > 0, `${operationId} has no success answer`);
    for (const [status, { content }] of successes) {
      assert.equal(content === undefined, status === '204', `${operationId} answers ${status}`);
    }
  }
});

test('every example value is used', () => {
  assert.deepEqual(
    Object.keys(exampleValues).filter((name) => !usedValues.has(name)),
    [],
  );
});

test('two different schemas with one name are an error', () => {
  const answer = (schema: unknown) => ({
    get: { responses: { 200: { content: { 'application/json': { schema } } } } },
  });
  const document = (second: unknown) =>
    ({
      paths: { '/a': answer(namedObject('Thing', { id: Type.String() })), '/b': answer(second) },
      components: {},
    }) as unknown as OpenApiDocument;
  assert.throws(
    () => withComponents(document(namedObject('Thing', { id: Type.Integer() }))),
    /two different schemas have the name Thing/,
  );
  const { components: made } = withComponents(document(namedObject('Thing', { id: Type.String() })));
  assert.deepEqual(Object.keys(made.schemas), ['Thing']);
});

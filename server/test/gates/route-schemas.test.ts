/**
 * The schemas of all routes compile, although the server compiles each of them only at its first request. The
 * parameters of lists are declared in one way.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { FastifySchema } from 'fastify';
import { collectRoutes } from '../../src/doctor/isolation/self-test.ts';
import { compileSerializer, compileValidator } from '../../src/http/input.ts';
import { createTestServer } from '../support/server.ts';

const { registered } = await collectRoutes(() => createTestServer());
const schemasOf = (part: 'body' | 'querystring' | 'params' | 'headers'): unknown[] =>
  registered.flatMap(({ schema }) => (schema as FastifySchema | undefined)?.[part] ?? []);
const compile = { method: 'GET', url: '/' };

test('every schema of a request compiles', () => {
  const schemas = (['body', 'querystring', 'params', 'headers'] as const).flatMap(schemasOf);
  assert.ok(schemas.length > 100, `${schemas.length} schemas`);
  for (const schema of schemas) compileValidator({ ...compile, schema, httpPart: 'body' });
});

test('every schema of an answer compiles', () => {
  const schemas = registered.flatMap(({ schema }) => Object.values(schema?.response ?? {}));
  assert.ok(schemas.length > 100, `${schemas.length} schemas`);
  for (const schema of schemas) compileSerializer({ ...compile, schema, httpStatus: '200' });
});

test('the query of a list is its declared filters and the page', () => {
  const bare = /(?<!\{\s*\.\.\.\w+\.parameters,\s*)\.\.\.pageParameters/;
  const found = globSync('server/src/**/*.ts').filter((path) => bare.test(readFileSync(path, 'utf8')));
  // It has an order, and fields that a caller may add.
  assert.deepEqual(found, ['server/src/vulnerabilities/routes.ts']);
});

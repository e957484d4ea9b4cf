/** The operations of openapi.json, and whether an answer is what it says. */
import { readFileSync } from 'node:fs';
import { Check } from 'typebox/schema';
import type { Answer, RequestOptions } from '../support/client.ts';
import { foreignMarker } from './api-target.ts';

export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

export interface Operation {
  operationId?: string;
  method: NonNullable<RequestOptions['method']>;
  path: string;
  parameters?: Parameter[];
  requestBody?: { content?: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>;
  components: object;
};

// They end the session or the people that the other requests are made with.
const ending = /^DELETE \/console\/sessions?$|^PUT \/console\/password$/;

export const operations: Operation[] = Object.entries(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase() as Operation['method'],
    })),
  )
  .filter(({ method, path }) => !ending.test(`${method} ${path}`));

/** Null: the answer is what the document says. */
export function problemOfAnswer(
  operation: Operation,
  { status, text, body, headers }: Answer,
): string | null {
  if (text.includes(foreignMarker)) return 'data of another workspace';
  if (status >= 500) return `status ${status}`;
  const documented = operation.responses[status] ?? operation.responses[`${String(status)[0]}XX`];
  if (!documented) return `status ${status} is not documented`;
  const schema = documented.content?.['application/json']?.schema;
  const isJson = (headers['content-type'] ?? '').startsWith('application/json');
  if (status >= 400 && (!isJson || typeof body.code !== 'string')) return 'an error is no error in JSON';
  if (!schema || !isJson) return null;
  return Check({ ...schema, components: document.components }, body)
    ? null
    : 'the answer is not of its schema';
}

/** Null: the answer is 422 and names this field, among others perhaps. */
export function problemOfRefusal({ status, body }: Answer, field: string): string | null {
  if (status !== 422) return `status ${status} instead of 422`;
  const fields = Object.keys(Object(body.errors));
  return fields.includes(field) ? null : `422 names ${fields} instead of ${field}`;
}

/** The operations of the API's document, including those of the console, and the check whether an answer matches it. */
import { Check } from 'typebox/schema';
import { openApiDocuments } from '../../../tools/openapi-document.ts';
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
  responses: Record<string, { content?: Record<string, { schema: Schema; examples?: object }> }>;
}

interface Document {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>;
}

const { whole } = await openApiDocuments();
const { paths } = withoutReferences(JSON.parse(whole)) as Document;

// These end the session or remove the people that the other requests need.
const ending = /^DELETE \/console\/sessions?$|^PUT \/console\/password$/;

export const operations: Operation[] = Object.entries(paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase() as Operation['method'],
    })),
  )
  .filter(({ method, path }) => !ending.test(`${method} ${path}`))
  // The stream of scan events has no end to wait for.
  .filter(({ responses }) => !('text/event-stream' in (responses['200']?.content ?? {})));

/** Null means that the answer matches the document. */
export function problemOfAnswer(
  operation: Operation,
  { status, text, body, headers }: Answer,
): string | null {
  if (text.includes(foreignMarker)) return 'data of another workspace';
  if (status >= 500) return `status ${status}`;
  const own = operation.responses[status]?.content;
  const range = operation.responses[`${String(status)[0]}XX`]?.content;
  // A range has an example for each of its statuses.
  const isInRange = String(status) in (range?.['application/json']?.examples ?? {});
  if (!(status in operation.responses) && !isInRange) return `status ${status} is not documented`;
  const schema = (own ?? range)?.['application/json']?.schema;
  const isJson = (headers['content-type'] ?? '').startsWith('application/json');
  if (status >= 400 && (!isJson || typeof body.code !== 'string')) return 'an error is no error in JSON';
  if (!schema || !isJson) return null;
  return Check(schema, body) ? null : 'the answer is not of its schema';
}

/** Null means that the answer is 422 and names this field. */
export function problemOfRefusal({ status, body }: Answer, field: string): string | null {
  if (status !== 422) return `status ${status} instead of 422`;
  const fields = Object.keys(Object(body.errors));
  return fields.includes(field) ? null : `422 names ${fields} instead of ${field}`;
}

/** The document with each reference replaced by what it refers to. */
function withoutReferences(document: unknown): unknown {
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref } = node as { $ref?: string };
    if ($ref === undefined) {
      return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolve(value)]));
    }
    const names = $ref.split('/').slice(1);
    return resolve(names.reduce((at, name) => (at as Record<string, unknown>)[name], document));
  };
  return resolve(document);
}

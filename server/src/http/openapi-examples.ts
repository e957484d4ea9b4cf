/**
 * Examples of the OpenAPI document: one for each schema of a success answer, built from the example values of its
 * fields. A text or number without an example value is an error, so that a new field gets one.
 */

import type { JsonSchema, MediaType, OpenApiDocument, Operation } from './openapi-components.ts';
import { exampleValues } from './openapi-example-values.ts';

const maxDepth = 12;

/** Adds an example to every webhook, and to every success answer that has a body. Throws for a field that has no example value. */
export function addExamples(document: OpenApiDocument): void {
  const { schemas, examples } = document.components;
  for (const { requestBody } of Object.values(document.webhooks ?? {}).flatMap(Object.values<Operation>)) {
    for (const media of Object.values(requestBody?.content ?? {})) addExample(media, schemas, examples);
  }
  for (const methods of Object.values(document.paths)) {
    for (const { responses } of Object.values(methods)) {
      const media = Object.entries(responses).flatMap(([status, { content }]) =>
        status.startsWith('2') ? Object.values(content ?? {}) : [],
      );
      for (const one of media) addExample(one, schemas, examples);
    }
  }
}

function addExample(
  media: MediaType,
  schemas: Record<string, JsonSchema>,
  examples: OpenApiDocument['components']['examples'],
): void {
  const name = media.schema.$ref?.split('/').at(-1);
  if (name === undefined) {
    const { examples: [value] = [], ...schema } = media.schema;
    media.schema = schema;
    media.examples = { example: { value: value ?? exampleOf(schema, '', schemas, 0) } };
    return;
  }
  examples[name] ??= { value: exampleOf(media.schema, name, schemas, 0) };
  media.examples = { example: { $ref: `#/components/examples/${name}` } };
}

/** `path` is the name of the schema and of the fields down to this one, joined by dots. */
function exampleOf(
  schema: JsonSchema,
  path: string,
  schemas: Record<string, JsonSchema>,
  depth: number,
): unknown {
  if (depth > maxDepth) throw new Error(`the schema at ${path} holds itself`);
  const inner = (one: JsonSchema, at: string): unknown => exampleOf(one, at, schemas, depth + 1);
  if (path in exampleValues) return exampleValues[path];
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) as string;
    return inner(schemas[name] as JsonSchema, name);
  }
  const [first] = schema.anyOf ?? [];
  if (first !== undefined) return inner(first, path);
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.properties !== undefined) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [name, inner(field, `${path}.${name}`)]),
    );
  }
  if (schema.items !== undefined) return [inner(schema.items, path)];
  return simpleValue(schema, path);
}

/** The value of every field of this name, if its type fits; otherwise a value that fits any field of the type. */
function simpleValue(schema: JsonSchema, path: string): unknown {
  const types = [schema.type].flat();
  const named = exampleValues[path.split('.').at(-1) as string];
  if (named !== undefined && types.includes(jsonType(named, types))) return named;
  if (types.includes('null')) return null;
  if (types.includes('boolean')) return false;
  if (types.includes('integer') || types.includes('number')) return exampleValues.number;
  if (schema.format === 'date-time') return exampleValues.time;
  throw new Error(`${path} has no example value: give it one in openapi-example-values.ts`);
}

function jsonType(value: unknown, among: (string | undefined)[]): string {
  if (value === null) return 'null';
  if (typeof value !== 'number') return typeof value;
  return Number.isInteger(value) && among.includes('integer') ? 'integer' : 'number';
}

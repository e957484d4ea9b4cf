/**
 * Examples of the OpenAPI document: one for each schema of a success answer or of a request's body, built from the
 * example values of its fields. A text or number without an example value is an error, so that a new field gets one.
 */

import {
  consoleMark,
  type JsonSchema,
  type MediaType,
  type OpenApiDocument,
  type Operation,
  referenceTo,
} from './openapi-components.ts';
import { exampleValues, idOf } from './openapi-example-values.ts';

// The deepest schema has 13 levels: the fields, lists and extensions on the way to its innermost field.
const maxDepth = 20;

/**
 * Adds an example to every success answer and public request that has a body, and to the events that webhooks send. An
 * example that several answers share becomes a component. Throws for a field that has no example value.
 */
export function addExamples(document: OpenApiDocument): void {
  const { schemas, examples, requestBodies } = document.components;
  const operations = Object.values(document.paths).flatMap(Object.values<Operation>);
  const answers = operations.flatMap(successBodies);
  const bodies = operations.flatMap((operation) =>
    operation[consoleMark] ? [] : Object.values(operation.requestBody?.content ?? {}),
  );
  const events = Object.values(requestBodies).flatMap(({ content }) => Object.values(content ?? {}));
  const add = (name: string, uses: MediaType[], value: unknown): void => {
    const [only, ...others] = uses;
    if (only !== undefined && others.length === 0) only.example = value;
    else {
      examples[name] = { value };
      for (const media of uses) media.examples = { example: referenceTo('examples', name) };
    }
  };
  for (const [name, uses] of Map.groupBy([...answers, ...events], (media) => nameOf(media, schemas))) {
    if (name === undefined) for (const media of uses) addUnnamedExample(media, schemas);
    else add(name, uses, exampleOf(referenceTo('schemas', name), name, schemas, 0));
  }
  for (const [name, uses] of Map.groupBy(bodies, (media) => nameOf(media, schemas))) {
    if (name !== undefined) add(name, uses, bodyExample(name, schemas));
  }
}

function successBodies({ responses }: Operation): MediaType[] {
  return Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? Object.values(content ?? {}) : [],
  );
}

/** A body has its required fields, or all if none is required, unless an example value is for the whole schema. */
function bodyExample(name: string, schemas: Record<string, JsonSchema>): unknown {
  const { required = [], properties = {}, ...schema } = schemas[name] ?? {};
  const isShown = (field: string) => required.length === 0 || required.includes(field);
  const shown = Object.entries(properties).filter(([field]) => isShown(field));
  return exampleOf({ ...schema, properties: Object.fromEntries(shown) }, name, schemas, 0);
}

/** The name of the schema. The example of a line that has several forms is that of its first form. */
function nameOf({ schema }: MediaType, schemas: Record<string, JsonSchema>): string | undefined {
  const name = schema.$ref?.split('/').at(-1);
  const [first] = schemas[name ?? '']?.anyOf ?? [];
  return first?.$ref === undefined ? name : nameOf({ schema: first }, schemas);
}

function addUnnamedExample(media: MediaType, schemas: Record<string, JsonSchema>): void {
  const { examples: [value] = [], ...schema } = media.schema;
  media.schema = schema;
  media.example = value ?? exampleOf(schema, '', schemas, 0);
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
    const named = schemas[name] as JsonSchema;
    // The value of a named text or list follows from the field, as without the name.
    return inner(named, named.properties || named.allOf || name in exampleValues ? name : path);
  }
  if (schema.allOf !== undefined) {
    const fields: object = Object.assign({}, ...schema.allOf.map((part) => inner(part, path)));
    // A field of the extended schema may have another value here.
    return Object.fromEntries(
      Object.entries(fields).map(([name, value]) => {
        const own = `${path}.${name}`;
        return [name, own in exampleValues ? exampleValues[own] : value];
      }),
    );
  }
  const [first] = schema.anyOf ?? [];
  if (first !== undefined) return inner(first, path);
  if (schema.enum !== undefined) {
    const named = exampleValues[path.split('.').at(-1) as string];
    return schema.enum.includes(named) ? named : schema.enum[0];
  }
  if (schema.properties !== undefined) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [name, inner(field, `${path}.${name}`)]),
    );
  }
  if (schema.items !== undefined) return [inner(schema.items, path)];
  return simpleValue(schema, path);
}

/**
 * The id of the schema, or the value of every field of this name, if its type fits; otherwise a value that fits any
 * field of the type.
 */
function simpleValue(schema: JsonSchema, path: string): unknown {
  const types = [schema.type].flat();
  const named = idOf(path) ?? exampleValues[path.split('.').at(-1) as string];
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

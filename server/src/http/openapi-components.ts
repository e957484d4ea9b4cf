/**
 * Makes the parts that operations of the OpenAPI document share into components, each written once under its name. A
 * schema is named by its title where it is declared, a parameter by its own name, an error answer in
 * `openapi-errors.ts`.
 */
import { isDeepStrictEqual } from 'node:util';
import { type ErrorStatus, errorAnswers, errors } from './openapi-errors.ts';
import { extendsKeyword } from './schema.ts';

/** Marks an operation of the whole document that only the console needs. */
export const consoleMark = 'x-console';

export interface JsonSchema {
  $ref?: string;
  title?: string;
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  unevaluatedProperties?: false;
  examples?: unknown[];
  [extendsKeyword]?: JsonSchema;
}

interface Example {
  value: unknown;
}

interface Reference {
  $ref: string;
}

export interface MediaType {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, Reference>;
}

export interface RequestBody {
  description?: string;
  $ref?: string;
  content?: Record<string, MediaType>;
}

export interface Response {
  $ref?: string;
  description?: string;
  content?: Record<string, MediaType>;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: JsonSchema;
}

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  security?: { key?: string[]; session?: string[] }[];
  parameters?: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, Response>;
  [consoleMark]?: true;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Response>;
    requestBodies: Record<string, RequestBody>;
    examples: Record<string, Example>;
    securitySchemes: object;
  };
}

export function referenceTo(kind: keyof OpenApiDocument['components'], name: string): Reference {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Returns the document with every shared part as a component. Throws if two different schemas have one name. */
export function withComponents(document: OpenApiDocument): OpenApiDocument {
  const schemas: Record<string, JsonSchema> = {};
  const paths = hoistSchemas(document.paths, schemas) as OpenApiDocument['paths'];
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const parameters = hoistParameters(operations);
  const responses = hoistErrors(operations);
  return {
    ...document,
    components: {
      ...document.components,
      schemas: sorted(schemas),
      parameters: sorted(parameters),
      responses,
      requestBodies: {},
      examples: Object.fromEntries(
        Object.values(errors).map(({ name, example }) => [name, { value: example }]),
      ),
    },
    paths,
  };
}

/** The part of the document for users, without the operations of the console and the parts that only those need. */
export function publicPart(document: OpenApiDocument): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const [path, methods] of Object.entries(document.paths)) {
    const open = Object.entries(methods).filter(([, operation]) => operation[consoleMark] !== true);
    if (open.length > 0) paths[path] = Object.fromEntries(open);
  }
  const needed = new Set<string>();
  const collect = (text: string): void => {
    for (const [, kind, name] of text.matchAll(/"\$ref":"#\/components\/([^"/]+)\/([^"/]+)"/g)) {
      const key = `${kind}/${name}`;
      if (needed.has(key)) continue;
      needed.add(key);
      const components = document.components as unknown as Record<string, Record<string, unknown>>;
      collect(JSON.stringify(components[kind as string]?.[name as string]));
    }
  };
  collect(JSON.stringify([paths, document.webhooks]));
  const only = <T>(kind: string, parts: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(parts).filter(([name]) => needed.has(`${kind}/${name}`)));
  const { schemas, parameters, responses, requestBodies, examples, securitySchemes } = document.components;
  return {
    ...document,
    components: {
      securitySchemes,
      schemas: only('schemas', schemas),
      parameters: only('parameters', parameters),
      responses: only('responses', responses),
      requestBodies: only('requestBodies', requestBodies),
      examples: only('examples', examples),
    },
    paths,
  };
}

function hoistSchemas(node: unknown, schemas: Record<string, JsonSchema>): unknown {
  if (Array.isArray(node)) return node.map((one) => hoistSchemas(one, schemas));
  if (typeof node !== 'object' || node === null) return node;
  const inner = Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, hoistSchemas(value, schemas)]),
  );
  const { title, ...schema } = inner;
  // A property may have the name title; its value is then a schema and not a text.
  if (typeof title !== 'string') return inner;
  const rest = extendsKeyword in schema ? extension(schema, node) : schema;
  if (!isDeepStrictEqual(schemas[title] ?? rest, rest)) {
    throw new Error(`two different schemas have the name ${title}`);
  }
  schemas[title] = rest;
  return referenceTo('schemas', title);
}

/**
 * The extended schema and the fields that are not as there. `declared` is the schema with all fields in full. A schema
 * that refuses further fields says so of both together.
 */
function extension(
  {
    [extendsKeyword]: base = {},
    properties = {},
    required = [],
    additionalProperties,
    ...schema
  }: JsonSchema,
  declared: JsonSchema,
): JsonSchema {
  const inherited = declared[extendsKeyword]?.properties ?? {};
  const isOwn = (name: string) => !isDeepStrictEqual(declared.properties?.[name], inherited[name]);
  const ownRequired = required.filter(isOwn);
  const own = {
    ...schema,
    ...(ownRequired.length > 0 && { required: ownRequired }),
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isOwn(name))),
  };
  return {
    allOf: Object.keys(own.properties).length > 0 ? [base, own] : [base],
    ...(additionalProperties === false && { unevaluatedProperties: false }),
  };
}

/**
 * A parameter becomes a component if several operations declare it in the same way. If several declarations have one
 * name, the most frequent one gets it. The name of any other one says how it differs: by the part of the request, by
 * being required, or else by its first operation.
 */
function hoistParameters(operations: Operation[]): Record<string, Parameter> {
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    // This is what OpenAPI means without the field.
    if (parameter.required === false) delete parameter.required;
  }
  const byName = Map.groupBy(
    operations.flatMap((operation) => operation.parameters ?? []),
    ({ name }) => name,
  );
  const firstUserOf = (text: string) =>
    operations.find(({ parameters = [] }) => parameters.some((one) => JSON.stringify(one) === text));
  const shared: Record<string, Parameter> = {};
  const names = new Map<string, string>();
  for (const [name, all] of byName) {
    const variants = [...Map.groupBy(all, (parameter) => JSON.stringify(parameter))]
      .filter(([, same]) => same.length > 1)
      .toSorted(([, a], [, b]) => b.length - a.length);
    const [first] = variants[0]?.[1] ?? [];
    for (const [text, [parameter]] of variants) {
      if (first === undefined || parameter === undefined) continue;
      const isElsewhere = parameter.in !== first.in;
      const isMoreRequired = !isElsewhere && parameter.required === true && first.required !== true;
      const byDifference = `${name}${isElsewhere ? `_in_${parameter.in}` : ''}${isMoreRequired ? '_required' : ''}`;
      const isTaken = byDifference in shared;
      const unique = isTaken ? `${name}_of_${firstUserOf(text)?.operationId}` : byDifference;
      shared[unique] = parameter;
      names.set(text, unique);
    }
  }
  for (const operation of operations) {
    operation.parameters &&= operation.parameters.map((parameter) => {
      const name = names.get(JSON.stringify(parameter));
      return name === undefined ? parameter : (referenceTo('parameters', name) as Parameter);
    });
  }
  return shared;
}

function hoistErrors(operations: Operation[]): Record<string, Response> {
  const shared: Record<string, Response> = {};
  for (const { responses } of operations) {
    for (const { name, key, statuses } of errorAnswers) {
      if (!statuses.every((status) => status in responses)) continue;
      shared[name] = errorAnswer(statuses);
      for (const status of statuses) delete responses[status];
      responses[key] = referenceTo('responses', name);
    }
  }
  return shared;
}

/** The examples are named by their statuses, so that a reader sees which ones a range has. */
function errorAnswer(statuses: ErrorStatus[]): Response {
  const texts = statuses.map((status) => errors[status].description);
  const list = statuses.map((status, i) => `- **${status}** ${texts[i]}`);
  const examples = statuses.map((status) => [status, referenceTo('examples', errors[status].name)]);
  return {
    description: (list.length === 1 ? texts : list).join('\n'),
    content: {
      'application/json': {
        schema: referenceTo('schemas', 'ApiError'),
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function sorted<T>(parts: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Converts the texts of query parameters to the types of the route's schema, without guessing. Integers are digits;
 * lists are comma lists or the parameter repeated; any other parameter occurs once. Validation then sees real types.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import leven from 'leven';
import { Type } from 'typebox';
import { invalidFilterValue, validationFailed } from '../domain/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The server does not read the query: it belongs to a page, or a provider sends it. */
    anyQuery?: true;
  }
}

interface ParameterSchema {
  type?: string;
  /** The maximum length of a whole comma list. */
  'x-maxText'?: number;
  /** The values that a list may have. */
  'x-words'?: readonly string[];
}

interface QuerySchema {
  properties?: Record<string, ParameterSchema>;
}

/** The keywords above, which the validator of schemas leaves to this file. */
export const parameterKeywords = ['x-maxText', 'x-words'];

/**
 * A comma list, or the parameter repeated. `maxText` limits the characters of all values together. With `words`, any
 * other value is refused with 422 INVALID_FILTER_VALUE.
 */
export function listParameter<const Word extends string = string>(
  description: string,
  { words, maxText = 255, maxItems }: { words?: readonly Word[]; maxText?: number; maxItems?: number } = {},
) {
  return Type.Unsafe<Word[]>({
    type: 'array',
    items: { type: 'string', minLength: 1 },
    ...(maxItems === undefined ? {} : { maxItems }),
    'x-maxText': maxText,
    ...(words && { 'x-words': words }),
    description: `${description} A comma list, or the parameter repeated.`,
  });
}

/** Page size and cursor, the same on every list. */
export const pageParameters = {
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Rows of a page.' }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: '`next_cursor` of the page before.' }),
  ),
};
export const defaultPerPage = 50;

export interface PageQuery {
  cursor?: string;
  per_page?: number;
}

/** `a=1&a=2` → `{a: ['1', '2']}`, without prototype. */
export function parseQueryString(text: string): Record<string, unknown> {
  const result: Record<string, unknown> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const before = result[name];
    if (before === undefined) result[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else result[name] = [before, value];
  }
  return result;
}

export function registerQueryParameters(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    // An unknown path has no schema, so that none of its parameters can be wrong.
    if (request.is404 || request.routeOptions.config.anyQuery) return;
    request.query = convert(request, parametersOf(request));
  });
  // Validation comes first, because a value that is too long, say, is no filter value at all.
  app.addHook('preHandler', async (request) => {
    const values = request.query as Record<string, string[]>;
    for (const [name, { 'x-words': words }] of Object.entries(parametersOf(request))) {
      const unknown =
        words === undefined ? [] : (values[name] ?? []).filter((value) => !words.includes(value));
      if (unknown.length > 0) throw invalidFilterValue([...new Set(unknown)]);
    }
  });
}

/**
 * The same parameters for the API's document, without the keywords above. A client may send any text in a list, so that
 * the server tells a person which value is wrong; the description names the values.
 */
export function describedParameters(querystring: unknown): unknown {
  const { properties = {}, ...schema } = querystring as QuerySchema;
  const described = Object.entries(properties).map(
    ([name, { 'x-maxText': _, 'x-words': __, ...parameter }]) => [name, parameter],
  );
  return { ...schema, properties: Object.fromEntries(described) };
}

function parametersOf(request: FastifyRequest): Record<string, ParameterSchema> {
  return (request.routeOptions.schema?.querystring as QuerySchema | undefined)?.properties ?? {};
}

function convert(
  request: FastifyRequest,
  properties: Record<string, ParameterSchema>,
): Record<string, unknown> {
  const errors: Record<string, string[]> = Object.create(null);
  const converted: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(request.query as Record<string, string | string[]>)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!schema) {
      errors[name] = [unknownParameter(name, Object.keys(properties))];
      continue;
    }
    const result = convertOne(schema, value);
    if (typeof result === 'object' && 'problem' in result) errors[name] = [result.problem];
    else converted[name] = result.value;
  }
  if (Object.keys(errors).length > 0) throw validationFailed(errors);
  return converted;
}

function convertOne(
  schema: ParameterSchema,
  value: string | string[],
): { value: unknown } | { problem: string } {
  if (schema.type === 'array') {
    const texts = Array.isArray(value) ? value : [value];
    const limit = schema['x-maxText'] ?? 255;
    if (texts.join(',').length > limit) return { problem: `Must not be longer than ${limit} characters.` };
    return { value: texts.flatMap((text) => text.split(',')) };
  }
  if (Array.isArray(value)) return { problem: 'Must be given once.' };
  if (schema.type === 'integer') {
    if (!/^[0-9]{1,9}$/.test(value)) return { problem: 'Must be an integer, written as digits.' };
    return { value: Number(value) };
  }
  return { value };
}

function unknownParameter(name: string, known: string[]): string {
  const nearest = known
    .map((candidate) => ({ candidate, distance: leven(name, candidate, { maxDistance: 4 }) }))
    .sort((a, b) => a.distance - b.distance)[0];
  const hint = nearest && nearest.distance <= 3 ? ` Did you mean ${nearest.candidate}?` : '';
  return `Unknown parameter.${hint}`;
}

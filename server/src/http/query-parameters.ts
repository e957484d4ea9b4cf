/**
 * Converts the texts of query parameters to the types of the route's schema, without guessing. Integers are digits;
 * lists are comma lists or the parameter repeated; any other parameter occurs once. Validation then sees real types.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import leven from 'leven';
import { type TSchema, Type } from 'typebox';
import { validationFailed } from '../domain/errors.ts';

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
}

/** A comma list, or the parameter repeated; `maxText` limits the characters of all values together. */
export function listParameter(
  description: string,
  { maxText = 255, maxItems }: { maxText?: number; maxItems?: number } = {},
): TSchema {
  return Type.Unsafe<string[]>({
    type: 'array',
    items: { type: 'string', minLength: 1 },
    ...(maxItems === undefined ? {} : { maxItems }),
    'x-maxText': maxText,
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
    const schema = request.routeOptions.schema?.querystring as
      | { properties?: Record<string, ParameterSchema> }
      | undefined;
    request.query = convert(request, schema?.properties ?? {});
  });
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

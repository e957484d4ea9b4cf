/**
 * Checks the input of a request. First it refuses texts that cannot be stored, and gives query parameters the types of
 * the route's schema. No value is guessed: integers are digits; a list is a comma list or a repeated parameter; any
 * other parameter occurs once. A few parameters and values have a second spelling, which is replaced here, so that no
 * other file knows about it. Then the schema checks the input. It is compiled at the first request of its route, as is
 * that of the answer.
 */

import AjvCompiler from '@fastify/ajv-compiler';
import SerializerSelector from '@fastify/fast-json-stringify-compiler';
import type {
  FastifyInstance,
  FastifyRequest,
  FastifySchemaCompiler,
  FastifySerializerCompiler,
} from 'fastify';
import leven from 'leven';
import { Type } from 'typebox';
import {
  invalidFilterValue,
  invalidInput,
  malformedRequest,
  resourceNotFound,
  unsupportedMediaType,
  validationFailed,
} from '../domain/errors.ts';
import { lengthRule } from '../domain/field-rules.ts';
import type { Sentence } from '../domain/sentence.ts';
import { extendsKeyword, tenantParams } from './schema.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The server does not read the query. It belongs to a page, or a provider sends it. */
    anyQuery?: true;
  }
}

interface ParameterSchema {
  type?: string;
  /** The maximum length of a whole comma list. */
  'x-maxText'?: number;
  /** The allowed values of a list. */
  'x-values'?: readonly string[];
  /** Other spellings of a value, with the value that each stands for. */
  'x-synonyms'?: Readonly<Record<string, string>>;
}

interface QuerySchema {
  properties?: Record<string, ParameterSchema>;
}

// The validator of schemas leaves the keywords above to the checks before it, and the last one to the API's document.
const otherKeywords = ['x-maxText', 'x-values', 'x-synonyms', extendsKeyword];

export const compileValidator = AjvCompiler()(
  {},
  {
    customOptions: {
      coerceTypes: false,
      removeAdditional: false,
      useDefaults: false,
      // The answer names the first wrong field only. A body of one megabyte could give an answer of forty megabytes.
      allErrors: false,
      keywords: otherKeywords,
    },
  },
) as FastifySchemaCompiler<unknown>;

export const compileSerializer = SerializerSelector()({}, {}) as FastifySerializerCompiler<unknown>;

/**
 * Declares a list: a comma list, or a repeated parameter. `maxText` limits the characters of all values together. With
 * `values`, any other value is refused with 422 INVALID_FILTER_VALUE.
 */
export function listParameter<const Value extends string = string>(
  description: string,
  {
    values,
    maxText = 255,
    maxItems,
  }: { values?: readonly Value[]; maxText?: number; maxItems?: number } = {},
) {
  return Type.Unsafe<Value[]>({
    type: 'array',
    items: { type: 'string', minLength: 1 },
    ...(maxItems === undefined ? {} : { maxItems }),
    'x-maxText': maxText,
    ...(values && { 'x-values': values }),
    description,
  });
}

/** Marks a query that is not validly percent-encoded. The router calls the parser, which must not throw. */
const isMalformed = Symbol('isMalformed');

type ParsedQuery = Record<string, unknown> & { [isMalformed]?: true };

/** `a=1&a=2` → `{a: ['1', '2']}`, without prototype. */
export function parseQueryString(text: string): ParsedQuery {
  const result: ParsedQuery = Object.create(null);
  try {
    for (const part of text.split('&')) {
      if (part === '') continue;
      const [name = ''] = part.split('=', 1);
      add(decoded(name), decoded(part.slice(name.length + 1)));
    }
  } catch {
    result[isMalformed] = true;
  }
  return result;

  function add(name: string, value: string): void {
    const before = result[name];
    if (before === undefined) result[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else result[name] = [before, value];
  }
}

/** Throws URIError if a percent sign does not begin the code of a character. */
function decoded(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? decodeURIComponent(spaced) : spaced;
}

/**
 * Registers the validation by the route's schema and the checks before and after it. The server has more than two
 * hundred schemas, and compiling all of them would take a second of each start, so each is compiled at its first use. A
 * gate compiles all.
 */
export function registerInput(app: FastifyInstance): void {
  // A route that declares no parameters of its path has the workspace alone.
  app.addHook('onRoute', (route) => {
    const isInWorkspace = route.url.includes('/:tenant_slug/');
    if (isInWorkspace && route.schema) route.schema = { params: tenantParams, ...route.schema };
  });
  app.setValidatorCompiler((route) => {
    let validate: ReturnType<typeof compileValidator> | undefined;
    return (data: unknown) => {
      validate ??= compileValidator(route);
      return validate(data) || { error: validate.errors ?? [] };
    };
  });
  app.setSerializerCompiler((route) => {
    let serialize: ReturnType<typeof compileSerializer> | undefined;
    return (data) => {
      serialize ??= compileSerializer(route);
      return serialize(data);
    };
  });
  app.removeAllContentTypeParsers();
  // The check of fields below refuses what would reach a prototype, and names its path.
  const parseJson = app.getDefaultJsonParser('ignore', 'ignore');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const encoding = request.headers['content-encoding'] || 'identity';
    const isUnderstood = request.is404 || encoding.toLowerCase() === 'identity';
    if (isUnderstood) parseJson(request, body as string, done);
    else
      done(unsupportedMediaType('Only reports may be compressed: send the body without Content-Encoding.'));
  });
  app.addHook('preValidation', async (request) => {
    // An unknown path has no schema, so that none of its parameters can be wrong.
    if (request.is404) return;
    const readsQuery = !request.routeOptions.config.anyQuery;
    if (readsQuery && (request.query as ParsedQuery)[isMalformed]) {
      throw malformedRequest('The query is not validly percent-encoded.');
    }
    checkPlainText(request);
    if (readsQuery) request.query = convert(request, parametersOf(request));
  });
  // Validation comes first, because a value that is too long, for example, is not a filter value at all.
  app.addHook('preHandler', async (request) => {
    const sent = request.query as Record<string, string[]>;
    const refused = Object.entries(parametersOf(request)).flatMap(([name, { 'x-values': values }]) => {
      const unknown =
        values === undefined ? [] : (sent[name] ?? []).filter((value) => !values.includes(value));
      return values === undefined || unknown.length === 0 ? [] : { unknown, accepts: { name, values } };
    });
    if (refused.length === 0) return;
    throw invalidFilterValue(
      refused.flatMap(({ unknown }) => unknown),
      refused.map(({ accepts }) => accepts),
    );
  });
}

/**
 * The same parameters for the API's document, without the keywords above. It gives the items of a list their allowed
 * values, which the validator leaves to a later check, so that the server can say which value is wrong.
 */
export function describedParameters(querystring: unknown): unknown {
  const { properties = {}, ...schema } = querystring as QuerySchema;
  const described = Object.entries(properties).map(
    ([name, { 'x-maxText': _, 'x-values': values, 'x-synonyms': __, ...parameter }]) => [
      name,
      values === undefined ? parameter : { ...parameter, items: { type: 'string', enum: values } },
    ],
  );
  return { ...schema, properties: Object.fromEntries(described) };
}

/**
 * Throws for a text with NUL or half of a surrogate pair, which no database column can hold. In a path such a text
 * names nothing (404), and in the query or the body it is a wrong value (422). A body must not have the field
 * `__proto__` either, because its assignment to another object would change the prototype of that object.
 */
function checkPlainText(request: FastifyRequest): void {
  // The spread makes plain objects, because the router's objects have their own prototype.
  if (!isPlain({ ...(request.params as object) })) throw resourceNotFound();
  const refused = refusedField(request.query) ?? refusedField(request.body);
  if (refused !== null) throw invalidInput(refused.problem, refused.field);
}

const maxFieldLength = 255;

/**
 * The path of such a text or field in a parsed value, or null. It is one path, with a limit, because those of all texts
 * of a body can be thousands of times as long as the body.
 */
function refusedField(value: unknown): { field: string; problem: Sentence } | null {
  if (isPlain(value)) return null;
  interface Part {
    value: unknown;
    name: string;
    parent: Part | null;
  }
  const rest: Part[] = [{ value, name: '', parent: null }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const problem = problemOf(next.value);
    if (problem !== null) {
      const names: string[] = typeof next.value === 'string' ? [] : [prototypeField];
      for (let part = next; part.parent; part = part.parent) names.push(part.name);
      return { field: names.reverse().join('.').slice(0, maxFieldLength) || 'body', problem };
    }
    if (!isParsed(next.value)) continue;
    for (const [name, item] of Object.entries(next.value)) rest.push({ value: item, name, parent: next });
  }
  return null;
}

/** A list and no recursion, because a body may nest as deep as it is long. */
function isPlain(value: unknown): boolean {
  const rest = [value];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (problemOf(next) !== null) return false;
    if (!isParsed(next)) continue;
    for (const item of Object.values(next)) {
      if (typeof item === 'string' || isParsed(item)) rest.push(item);
    }
  }
  return true;
}

const prototypeField = '__proto__';

/** The problem of a text, or of an object without its values. */
function problemOf(value: unknown): Sentence | null {
  if (typeof value === 'string') {
    return isStorableText(value) ? null : 'Must not contain NUL or half a character (an unpaired surrogate).';
  }
  // The query is an object without prototype, and any name is a parameter of it.
  const isObject = isParsed(value) && Object.getPrototypeOf(value) === Object.prototype;
  return isObject && Object.hasOwn(value, prototypeField) ? 'Unknown field.' : null;
}

function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** True for an object or array that a parser made. Its route checks a stream or bytes. */
function isParsed(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}

function parametersOf(request: FastifyRequest): Record<string, ParameterSchema> {
  return (request.routeOptions.schema?.querystring as QuerySchema | undefined)?.properties ?? {};
}

function convert(
  request: FastifyRequest,
  properties: Record<string, ParameterSchema>,
): Record<string, unknown> {
  const errors: Record<string, Sentence[]> = Object.create(null);
  const converted: Record<string, unknown> = Object.create(null);
  const lists: Record<string, string[]> = Object.create(null);
  for (const [written, value] of Object.entries(request.query as Record<string, string | string[]>)) {
    const name = parameterName(written, properties);
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!schema) {
      errors[written] = [unknownParameter(written, Object.keys(properties))];
      continue;
    }
    const isList = schema.type === 'array';
    // The values of `severity` and `severity[]` are one list.
    if (isList) lists[name] = [lists[name] ?? [], value].flat();
    const result = convertOne(schema, lists[name] ?? value);
    if ('problem' in result) errors[name] = [result.problem];
    else if (isList || !(name in converted)) converted[name] = result.value;
    else if (converted[name] !== result.value) {
      errors[name] = ['Is given in two spellings with different values: give only one.'];
    }
  }
  if (Object.keys(errors).length > 0) throw validationFailed(errors);
  // The order of the schema: a cursor is bound to the filters, in whatever order a client sends them.
  const sent = Object.keys(properties).filter((name) => name in converted);
  return Object.fromEntries(sent.map((name) => [name, converted[name]]));
}

const pageSizeNames = ['limit', 'page_size'];

/** The name in the schema: `limit` and `page_size` stand for `per_page`, and `severity[]` for the list `severity`. */
function parameterName(written: string, properties: Record<string, ParameterSchema>): string {
  if (Object.hasOwn(properties, written)) return written;
  if (pageSizeNames.includes(written) && Object.hasOwn(properties, 'per_page')) return 'per_page';
  const list = written.endsWith('[]') ? written.slice(0, -2) : '';
  return Object.hasOwn(properties, list) && properties[list]?.type === 'array' ? list : written;
}

function convertOne(
  schema: ParameterSchema,
  value: string | string[],
): { value: unknown } | { problem: Sentence } {
  if (schema.type === 'array') {
    const texts = Array.isArray(value) ? value : [value];
    const limit = schema['x-maxText'] ?? 255;
    if ([...texts.join(',')].length > limit) return { problem: lengthRule(limit) };
    return { value: texts.flatMap((text) => text.split(',')) };
  }
  if (Array.isArray(value)) return { problem: 'Must be given only once.' };
  if (schema.type === 'integer') {
    if (!/^[0-9]{1,9}$/.test(value)) return { problem: 'Must be an integer, written as digits.' };
    return { value: Number(value) };
  }
  const synonyms = schema['x-synonyms'] ?? {};
  return { value: Object.hasOwn(synonyms, value) ? synonyms[value] : value };
}

function unknownParameter(name: string, known: string[]): Sentence {
  const nearest = known
    .map((candidate) => ({ candidate, distance: leven(name, candidate, { maxDistance: 4 }) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return nearest && nearest.distance <= 3
    ? `Unknown parameter. Did you mean ${nearest.candidate}?`
    : 'Unknown parameter.';
}

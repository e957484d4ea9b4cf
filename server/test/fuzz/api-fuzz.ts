/** Requests made from openapi.json, valid, nearly valid and hostile, by every kind of caller. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Check } from 'typebox/schema';
import { type Answer, type RequestOptions, send } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';
import { oddTexts } from './mutate.ts';
import { Random } from './random.ts';

interface Schema {
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

export interface Caller {
  name: string;
  headers: Record<string, string>;
}

export interface ApiFuzz {
  server: TestServer;
  slug: string;
  callers: Caller[];
  /** Stands in every text of another workspace, and in no request. */
  foreignMarker: string;
  /** Ids of both workspaces, which are known to exist. */
  ids: string[];
  seed: string;
  requestsOfOperation: number;
  deadline: number;
}

const words = [
  'acme/shop',
  'acme',
  'main',
  'HEAD',
  'me',
  'unassigned',
  'high',
  'open',
  'lodash',
  '2030-01-01T00:00:00Z',
  '30d',
];
// Cursors of answers go into the next requests; more of them say no more.
const mostKnown = 400;

class RequestMaker {
  readonly #random: Random;
  readonly #known: readonly string[];

  constructor(random: Random, known: readonly string[]) {
    this.#random = random;
    this.#known = known;
  }

  value(schema: Schema): unknown {
    const random = this.#random;
    if (random.chance(0.08)) return this.#hostile();
    if (schema.anyOf) return this.value(random.pick(schema.anyOf));
    if (schema.enum) return random.chance(0.9) ? random.pick(schema.enum) : `${random.pick(schema.enum)}x`;
    const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
    switch (type) {
      case 'object':
        return this.#object(schema);
      case 'array': {
        const count = random.chance(0.03) ? (schema.maxItems ?? 100) + 1 : random.below(4);
        return Array.from({ length: count }, () => this.value(schema.items ?? {}));
      }
      case 'integer':
      case 'number': {
        const { minimum = 0, maximum = 100 } = schema;
        return random.chance(0.1)
          ? random.pick([minimum - 1, maximum + 1, 1.5])
          : minimum + random.below(Math.min(1_000, maximum - minimum + 1));
      }
      case 'boolean':
        return random.chance(0.5);
      case 'null':
        return null;
      default:
        if (schema.maxLength && random.chance(0.02)) return 'x'.repeat(schema.maxLength + random.below(2));
        return this.text();
    }
  }

  text(): string {
    return this.#random.chance(0.6) ? this.#random.pick(this.#known) : this.#random.pick(words);
  }

  #object({ properties = {}, required = [] }: Schema): object {
    const fields = Object.entries(properties).filter(([name]) =>
      this.#random.chance(required.includes(name) ? 0.97 : 0.4),
    );
    const body = Object.fromEntries(fields.map(([name, field]) => [name, this.value(field)]));
    return this.#random.chance(0.03) ? { ...body, zz_unknown: 1 } : body;
  }

  #hostile(): unknown {
    return this.#random.pick([...oddTexts, null, -1, 2 ** 63, 1e308, [], {}, [[[]]], { a: { b: [] } }, true]);
  }
}

interface Made {
  options: RequestOptions;
  caller: Caller;
  /** It has a parameter that is documented nowhere. */
  unknown: boolean;
}

function requestOf(
  operation: Operation,
  { slug, callers }: ApiFuzz,
  random: Random,
  known: readonly string[],
): Made {
  const maker = new RequestMaker(random, known);
  const textOf = (value: unknown): string =>
    typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  let { path } = operation;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  for (const { name, in: where, required, schema } of operation.parameters ?? []) {
    if (where === 'path') {
      const value = name === 'tenant_slug' && random.chance(0.95) ? slug : textOf(maker.value(schema));
      path = path.replace(`{${name}}`, encodeURIComponent(value.toWellFormed()) || '-');
    } else if (where === 'query' && random.chance(required ? 0.97 : 0.25)) {
      // A gate that waits takes as long as it is told.
      const value = name === 'wait' ? '0' : maker.value(schema);
      for (const item of Array.isArray(value) ? value : [value]) query.append(name, textOf(item));
    } else if (where === 'header' && random.chance(0.3)) {
      headers[name] = textOf(maker.value(schema)).replace(/[^\x20-\x7e]/g, '?');
    }
  }
  const unknown = random.chance(0.05);
  if (unknown) query.set(random.pick(['zz_unknown', '__proto__', 'constructor', 'per_page[]']), '1');
  if (random.chance(0.05)) headers.accept = random.pick(['text/html', '*/*;q=x', 'application/xml', ',']);
  if (random.chance(0.05)) headers['x-request-id'] = 'a'.repeat(random.below(500));
  const caller = random.pick(callers);
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  const body = schema && random.chance(0.97) ? maker.value(schema) : undefined;
  const text = query.size === 0 ? '' : `?${query}`;
  const payload =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const options = {
    method: operation.method,
    path: path + text,
    ...payload,
    headers: { ...payload.headers, ...headers, ...caller.headers },
  };
  return { options, caller, unknown };
}

/** Null: the answer is what the document says. */
function problemOf(
  operation: Operation,
  answer: Answer,
  { unknown }: Made,
  foreignMarker: string,
): string | null {
  const { status, text, body } = answer;
  if (text.includes(foreignMarker)) return 'data of another workspace';
  if (status >= 500) return `status ${status}`;
  if (unknown && status < 400) return 'an undocumented parameter is taken';
  const documented = operation.responses[status] ?? operation.responses[`${String(status)[0]}XX`];
  if (!documented) return `status ${status} is not documented`;
  const schema = documented.content?.['application/json']?.schema;
  const isJson = (answer.headers['content-type'] ?? '').startsWith('application/json');
  if (status >= 400 && (!isJson || typeof body.code !== 'string')) return 'an error is no error in JSON';
  if (!schema || !isJson) return null;
  return Check({ ...schema, components: document.components }, body)
    ? null
    : 'the answer is not of its schema';
}

export interface ApiTotals {
  requests: number;
  /** By the first digit of the status. */
  byStatus: Record<string, number>;
  /** Operations that were answered with success at least once. */
  succeeded: number;
}

export async function fuzzApi(fuzz: ApiFuzz): Promise<ApiTotals> {
  const { server, seed, requestsOfOperation, deadline, foreignMarker } = fuzz;
  const totals: ApiTotals = { requests: 0, byStatus: {}, succeeded: 0 };
  const known = [...fuzz.ids, ...words];
  const succeeded = new Set<string>();
  for (let round = 0; round < requestsOfOperation; round++) {
    for (const operation of operations) {
      if (performance.now() > deadline) break;
      const name = `${operation.method} ${operation.path}`;
      const made = requestOf(operation, fuzz, new Random(`${seed}:${name}:${round}`), known);
      const answer = await send(server.app, made.options);
      const problem = problemOf(operation, answer, made, foreignMarker);
      assert.equal(
        problem,
        null,
        `${problem}: ${made.options.method} ${made.options.path} ${made.options.body ?? ''} by ${made.caller.name}` +
          ` (TEST_SEED=${seed}, round ${round}) → ${answer.status} ${answer.text.slice(0, 600)}`,
      );
      totals.requests++;
      const kind = `${String(answer.status)[0]}xx`;
      totals.byStatus[kind] = (totals.byStatus[kind] ?? 0) + 1;
      if (answer.status < 400) succeeded.add(name);
      const { next_cursor: cursor } = answer.body;
      if (typeof cursor === 'string' && known.length < mostKnown) known.push(cursor);
    }
  }
  return { ...totals, succeeded: succeeded.size };
}

/**
 * Random requests made from the whole document of the API, valid, nearly valid and hostile, by every kind of caller.
 */
import assert from 'node:assert/strict';
import { type Answer, type RequestOptions, send } from '../support/client.ts';
import {
  type Operation,
  operations,
  problemOfAnswer,
  problemOfRefusal,
  type Schema,
} from './api-document.ts';
import type { ApiTarget, Caller } from './api-target.ts';
import { type FuzzJob, type FuzzRow, Tally } from './fuzz-job.ts';
import { oddTexts } from './mutate.ts';
import { Random } from './random.ts';

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
// Cursors of answers are used in the next requests. More of them would not help.
const mostKnown = 400;

class RequestMaker {
  readonly #random: Random;
  readonly #known: readonly string[];
  readonly #isValid: boolean;

  /** `valid`: valid by the schema, but perhaps not by its meaning. */
  constructor(random: Random, known: readonly string[], which: 'any' | 'valid' = 'any') {
    this.#random = random;
    this.#known = known;
    this.#isValid = which === 'valid';
  }

  value(schema: Schema): unknown {
    const random = this.#random;
    if (this.#sometimes(0.08)) return this.#hostile();
    if (schema.anyOf) return this.value(random.pick(schema.anyOf));
    if (schema.enum) return this.#sometimes(0.1) ? `${random.pick(schema.enum)}x` : random.pick(schema.enum);
    const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
    switch (type) {
      case 'object':
        return this.#object(schema);
      case 'array': {
        const count = this.#sometimes(0.03) ? (schema.maxItems ?? 100) + 1 : random.below(4);
        return Array.from({ length: count }, () => this.value(schema.items ?? {}));
      }
      case 'integer':
      case 'number': {
        const { minimum = 0, maximum = 100 } = schema;
        return this.#sometimes(0.1)
          ? random.pick([minimum - 1, maximum + 1, 1.5])
          : minimum + random.below(Math.min(1_000, maximum - minimum + 1));
      }
      case 'boolean':
        return random.chance(0.5);
      case 'null':
        return null;
      default:
        if (schema.maxLength && this.#sometimes(0.02)) return 'x'.repeat(schema.maxLength + random.below(2));
        return this.text();
    }
  }

  /** True if this value should violate the schema. */
  #sometimes(share: number): boolean {
    return this.#random.chance(share) && !this.#isValid;
  }

  text(): string {
    return this.#random.chance(0.6) ? this.#random.pick(this.#known) : this.#random.pick(words);
  }

  #object({ properties = {}, required = [] }: Schema): object {
    const fields = Object.entries(properties).filter(([name]) =>
      required.includes(name) ? !this.#sometimes(0.03) : this.#random.chance(0.4),
    );
    const body = Object.fromEntries(fields.map(([name, field]) => [name, this.value(field)]));
    return this.#sometimes(0.03) ? { ...body, zz_unknown: 1 } : body;
  }

  #hostile(): unknown {
    return this.#random.pick([...oddTexts, null, -1, 2 ** 63, 1e308, [], {}, [[[]]], { a: { b: [] } }, true]);
  }
}

interface Made {
  options: RequestOptions;
  caller: Caller;
  /** A parameter that is documented nowhere. */
  unknown: string | null;
}

const unknownNames = ['zz_unknown', '__proto__', 'constructor', 'toString', 'per_page[]', 'CURSOR', ''];

function requestOf(
  operation: Operation,
  { slug, callers }: ApiTarget,
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
      // A gate would wait as long as this parameter says.
      const value = name === 'wait' ? '0' : maker.value(schema);
      for (const item of Array.isArray(value) ? value : [value]) query.append(name, textOf(item));
    } else if (where === 'header' && random.chance(0.3)) {
      headers[name] = textOf(maker.value(schema)).replace(/[^\x20-\x7e]/g, '?');
    }
  }
  const unknown = random.chance(0.05) ? random.pick(unknownNames) : null;
  if (unknown !== null) query.set(unknown, '1');
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

async function assertAnswer(
  target: ApiTarget,
  operation: Operation,
  { options, caller }: Pick<Made, 'options' | 'caller'>,
  problemOf: (answer: Answer) => string | null,
): Promise<Answer> {
  const answer = await send(target.server.app, options);
  const problem = problemOfAnswer(operation, answer) ?? problemOf(answer);
  const body = typeof options.body === 'string' ? options.body.slice(0, 2_000) : '';
  assert.equal(
    problem,
    null,
    `${problem}: ${options.method} ${options.path} ${body} by ${caller.name} → ${answer.status} ${answer.text.slice(0, 600)}`,
  );
  return answer;
}

/** Random requests, one operation after the other, so that every one is tested. */
export async function fuzzOperations(job: FuzzJob, target: ApiTarget, deadline: number): Promise<FuzzRow> {
  const tally = new Tally(job);
  const known = [...target.ids, ...words];
  for (const number of tally.numbers(deadline)) {
    const operation = operations[number % operations.length] as Operation;
    const made = requestOf(operation, target, new Random(`${job.seed}:operations:${number}`), known);
    try {
      const answer = await assertAnswer(target, operation, made, ({ status }) =>
        // A caller without the right, or of an unknown workspace, gets that refusal first.
        made.unknown === null || [401, 403, 404, 422].includes(status)
          ? null
          : `status ${status} instead of 422`,
      );
      if (answer.status < 400) tally.accepted++;
      const { next_cursor: cursor } = answer.body;
      if (typeof cursor === 'string' && known.length < mostKnown) known.push(cursor);
    } catch (problem) {
      tally.fail(number, problem);
    }
  }
  return tally.row();
}

/** The path with ids of the workspace. */
export function pathOf(
  { path, parameters = [] }: Operation,
  { slug, ownIds }: ApiTarget,
  random: Random,
): string {
  return parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name }) => {
      const prefix = { vulnerability: 'vul_', scan: 'scn_', series: 'ser_' }[name] ?? '';
      const ids = ownIds.filter((id) => id.startsWith(prefix));
      const id = name === 'tenant_slug' ? slug : random.pick(ids.length > 0 ? ids : ownIds);
      return text.replace(`{${name}}`, encodeURIComponent(id));
    }, path);
}

/** The admin who may call the operation: with a key for operations of CI, else with a session. */
export function adminFor({ path }: Operation, admins: readonly Caller[]): Caller {
  return admins[/^\/(?:console|manage)\//.test(path) ? 1 : 0] as Caller;
}

/** An undocumented name in the query or the body of an otherwise valid request: the answer is 422 and names it. */
export async function fuzzUnknownNames(job: FuzzJob, target: ApiTarget, deadline: number): Promise<FuzzRow> {
  const tally = new Tally(job);
  for (const number of tally.numbers(deadline)) {
    const operation = operations[number % operations.length] as Operation;
    const random = new Random(`${job.seed}:unknown-names:${number}`);
    const caller = adminFor(operation, target.admins);
    const path = pathOf(operation, target, random);
    const name = random.pick(unknownNames.filter((candidate) => candidate !== ''));
    const schema = operation.requestBody?.content?.['application/json']?.schema;
    // The reader of JSON itself refuses `__proto__` in a body.
    const inBody = schema?.properties !== undefined && name !== '__proto__' && random.chance(0.6);
    const body = schema && Object(new RequestMaker(random, target.ownIds, 'valid').value(schema));
    if (inBody) Object.defineProperty(body, name, { value: 1, enumerable: true });
    const options: RequestOptions = {
      method: operation.method,
      path: inBody ? path : `${path}?${new URLSearchParams({ [name]: '1' })}`,
      headers: { ...caller.headers, ...(schema ? { 'content-type': 'application/json' } : {}) },
      ...(schema ? { body: JSON.stringify(body) } : {}),
    };
    try {
      await assertAnswer(target, operation, { options, caller }, (answer) => problemOfRefusal(answer, name));
    } catch (problem) {
      tally.fail(number, problem);
    }
  }
  return tally.row();
}

/** Requests of a test with one key, through the whole server, and a walk through all pages of a list. */
import assert from 'node:assert/strict';
import type { components } from '../../../client/src/api.gen.ts';
import { type Answer, type Json, type RequestOptions, send } from '../../src/doctor/isolation/send.ts';
import type { Server } from '../../src/http/server.ts';

export { type Answer, type Json, type RequestOptions, send };

/** The named schemas of the API's document, as types. */
export type Schemas = components['schemas'];

export interface Client {
  get<Body = Json>(path: string): Promise<Answer<Body>>;
  patch<Body = Json>(path: string, body: object | string): Promise<Answer<Body>>;
  post<Body = Json>(path: string, body: object | string): Promise<Answer<Body>>;
  put<Body = Json>(path: string, body: object | string): Promise<Answer<Body>>;
}

export function clientOf(app: Server, key: string): Client {
  const authorization = `Bearer ${key}`;
  return {
    get: (path) => send(app, { path, authorization }),
    patch: (path, body) => send(app, { method: 'PATCH', path, authorization, body }),
    post: (path, body) => send(app, { method: 'POST', path, authorization, body }),
    put: (path, body) => send(app, { method: 'PUT', path, authorization, body }),
  };
}

/** Checks that the request has succeeded, and returns the body of its answer. */
export function succeeded<Body>({ status, text, body }: Answer<Body>, expected = 200): Body {
  assert.equal(status, expected, text);
  return body;
}

/** Checks the status and the code of a refusal, and that it names only this field. */
export function refused(answer: Answer<unknown>, status: number, code: string, field?: string): void {
  assert.deepEqual([answer.status, (answer.body as Json).code], [status, code], answer.text);
  if (field) assert.deepEqual(Object.keys((answer.body as { errors: Json }).errors), [field]);
}

/** The mistake that a refused POST names on the field. Fails for any other answer. */
export async function refusalOn(
  client: Pick<Client, 'post'>,
  path: string,
  body: object,
  field: string,
): Promise<string> {
  const answer = await client.post<{ details: { errors: Record<string, string[]> } }>(path, body);
  assert.equal(answer.status, 422, answer.text);
  return answer.body.details.errors[field]?.join(' ') ?? assert.fail(answer.text);
}

export interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

/** `a=1&b=2` with every value encoded; undefined ones are left out. */
export function queryOf(parameters: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** Every item of a list, page by page; `between` runs after each page. */
export async function walk<Item, Body extends Page<Item> = Page<Item>>(
  client: Client,
  path: string,
  parameters: Record<string, string | number | undefined> = {},
  between: (page: Body) => Promise<void> | void = () => {},
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const { status, body, text } = await client.get<Body>(`${path}${queryOf({ ...parameters, cursor })}`);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    items.push(...body.items);
    await between(body);
    cursor = body.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

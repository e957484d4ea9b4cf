/**
 * The typed client: `createMerlonClient({ baseUrl, key })` has a function for each operation of the OpenAPI document,
 * such as `client.getScan({ path: { tenant_slug, scan } })`. It adds only the key, a time limit, and errors for
 * refusals.
 */
import { type Operations, operationsOver } from './operations.ts';

export type { operations } from './api.gen.ts';
export {
  type Answer,
  addressOf,
  type OperationRequest,
  operationsOver,
  type Query,
  type RequestBody,
  requestOf,
} from './operations.ts';
export { queryValues } from './query-values.gen.ts';

export type MerlonClient = Operations;

export interface MerlonClientOptions {
  /** Address of the server without a path: `https://merlon.example.com`. */
  baseUrl: string;
  /** API key, `mrl_pat_…` or `mrl_wsk_…`. */
  key: string;
  /** Limit of one request; 30 seconds by default. */
  timeoutMs?: number;
  /** Used instead of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** A refusal of the server, as an error. */
export class MerlonError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown>;
  readonly requestId: string | null;

  constructor(
    status: number,
    body: { code?: string; message?: string; details?: Record<string, unknown> },
    requestId: string | null,
  ) {
    super(body.message ?? `HTTP ${status}`);
    this.name = 'MerlonError';
    this.status = status;
    this.code = body.code ?? 'UNKNOWN';
    this.details = body.details ?? {};
    this.requestId = requestId;
  }
}

/** Every answer that is not a success is thrown as a MerlonError. */
export function createMerlonClient(options: MerlonClientOptions): MerlonClient {
  const { key, timeoutMs = 30_000, fetch: send = fetch } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  return operationsOver(async ({ address, method, headers, body, signal }) => {
    const limit = AbortSignal.timeout(timeoutMs);
    const response = await send(
      new Request(baseUrl + address, {
        method,
        headers: { ...headers, authorization: `Bearer ${key}` },
        body,
        signal: signal === null ? limit : AbortSignal.any([signal, limit]),
      }),
    );
    if (response.ok) return response;
    const refusal = (await response.json().catch(() => ({}))) as ConstructorParameters<typeof MerlonError>[1];
    throw new MerlonError(response.status, refusal, response.headers.get('x-request-id'));
  });
}

interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

/** Every row of a list, page after page: `for await (const row of pages((cursor) => client.listScans(…)))`. */
export async function* pages<T>(load: (cursor: string | null) => Promise<Page<T>>): AsyncGenerator<T> {
  let cursor: string | null = null;
  do {
    const page: Page<T> = await load(cursor);
    yield* page.items;
    cursor = page.next_cursor;
  } while (cursor !== null);
}

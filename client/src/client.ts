/**
 * The typed client: `createMerlonClient({ baseUrl, key })`. Paths, parameters and answers are those of the OpenAPI
 * document; it holds no logic of its own but the key, a time limit, and the error of a refusal.
 */
import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './api.gen.ts';

export type { components, operations, paths } from './api.gen.ts';

export interface MerlonClientOptions {
  /** Address of the server without a path: `https://merlon.example.com`. */
  baseUrl: string;
  /** API key, `mrl_pat_…` or `mrl_wsk_…`. */
  key: string;
  /** Limit of one request; 30 seconds by default. */
  timeoutMs?: number;
  /** Instead of the global `fetch`. */
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

/** Every answer that is no success is thrown as a MerlonError. */
export function createMerlonClient(options: MerlonClientOptions): Client<paths> {
  const client = createClient<paths>({
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    headers: { authorization: `Bearer ${options.key}`, accept: 'application/json' },
    ...(options.fetch ? { fetch: options.fetch } : {}),
  });
  const timeoutMs = options.timeoutMs ?? 30_000;
  client.use({
    onRequest: ({ request }) =>
      new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]) }),
    onResponse: async ({ response }) => {
      if (response.ok) return;
      const body = (await response.json().catch(() => ({}))) as ConstructorParameters<typeof MerlonError>[1];
      throw new MerlonError(response.status, body, response.headers.get('x-request-id'));
    },
  });
  return client;
}

interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

/** Every row of a list, page after page: `for await (const row of pages((cursor) => client.GET(…)))`. */
export async function* pages<T>(
  load: (cursor: string | undefined) => Promise<{ data?: Page<T> }>,
): AsyncGenerator<T> {
  let cursor: string | undefined;
  do {
    const { data } = await load(cursor);
    if (!data) return;
    yield* data.items;
    cursor = data.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/** One request through the whole server, without a socket. */
import type { Server } from '../../http/server.ts';

export type Json = Record<string, unknown>;

export interface Answer<Body = Json> {
  status: number;
  /** Parsed; `{}` of an answer without a body, and of one that is not JSON. */
  body: Body;
  /** As it was sent. */
  text: string;
  headers: Record<string, string>;
}

export interface RequestOptions {
  method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
  /** The whole header; by default none. */
  authorization?: string | undefined;
  /** An object is sent as JSON, text and bytes as they are. */
  body?: object | string | Buffer | undefined;
  headers?: Record<string, string>;
}

let addresses = 0;

/** Each request from an address of its own, so that failed ones never meet the limit of addresses. */
export async function send<Body = Json>(app: Server, options: RequestOptions): Promise<Answer<Body>> {
  const { method = 'GET', path, authorization, body, headers = {} } = options;
  addresses++;
  const response = await app.inject({
    method,
    url: path,
    remoteAddress: `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`,
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
  });
  // An export is text of another kind.
  const isJson =
    /^application\/json\b/.test(String(response.headers['content-type'])) && response.body !== '';
  return {
    status: response.statusCode,
    text: response.body,
    body: (isJson ? JSON.parse(response.body) : {}) as Body,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
    ),
  };
}

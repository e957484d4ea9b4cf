/** Sends one request through the whole server, without a socket. */
import type { Server } from '../../http/server.ts';

export type Json = Record<string, unknown>;

export interface Answer<Body = Json> {
  status: number;
  /** The parsed JSON; `{}` if the answer has no body or is not JSON. */
  body: Body;
  /** The body as it was sent. */
  text: string;
  headers: Record<string, string>;
}

export interface RequestOptions {
  method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
  /** The whole header; none by default. */
  authorization?: string | undefined;
  /** An object is sent as JSON; text and bytes are sent unchanged. */
  body?: object | string | Buffer | undefined;
  headers?: Record<string, string>;
}

let addresses = 0;

/** Each request has its own address, so that failed requests never reach the limit per address. */
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
  // An export is text, but not JSON.
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

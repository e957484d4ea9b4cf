/** A server with chosen faults: one for each request, in order, and then the normal answers. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after } from 'node:test';
import { gunzipSync } from 'node:zlib';

export type Trick =
  /** Ends the connection before the body has arrived. */
  | 'drop'
  /** Accepts the body and ends the connection without an answer. */
  | 'silent'
  /** Ends the connection in the middle of the answer. */
  | 'cut'
  | { status: number; headers?: Record<string, string>; body?: unknown };

export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  /** The decompressed body; null if it was not read. */
  body: string | null;
}

export interface BadServer {
  url: string;
  received: Received[];
  next(tricks: Trick[], last: Trick): void;
}

/** Closed after the tests of the file. */
export async function badServer(): Promise<BadServer> {
  let tricks: Trick[] = [];
  let last: Trick = { status: 200 };
  const received: Received[] = [];
  const server: Server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const entry: Received = { method, url, headers, body: null };
    received.push(entry);
    const trick = tricks.shift() ?? last;
    if (trick === 'drop') {
      request.socket.destroy();
      return;
    }
    const body = await buffer(request).catch(() => null);
    entry.body = body === null ? null : (headers['content-encoding'] ? gunzipSync(body) : body).toString();
    if (trick === 'silent') {
      request.socket.destroy();
      return;
    }
    if (trick === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
      response.write('{', () => request.socket.destroy());
      return;
    }
    response.writeHead(trick.status, { 'content-type': 'application/json', ...trick.headers });
    response.end(typeof trick.body === 'string' ? trick.body : JSON.stringify(trick.body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    next: (order, then) => {
      received.length = 0;
      tricks = [...order];
      last = then;
    },
  };
}

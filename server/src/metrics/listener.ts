/**
 * `/metrics` on a port of its own. A scrape must send the token. Without a token the listener is on loopback and
 * answers under a loopback name alone, so that a page in a browser cannot read it through a name of its own.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config.ts';
import { isLoopback } from '../domain/loopback.ts';
import { type Exposition, expose } from './exposition.ts';
import type { Snapshot } from './snapshot.ts';

export interface MetricsListener {
  url: string;
  close(): Promise<void>;
}

/** `collect` gives the snapshots of all processes. Rejects with the error of the port. */
export async function listenForScrapes(
  { port, host, token, workspaces }: NonNullable<Config['metrics']>,
  collect: () => Promise<Snapshot[]>,
): Promise<MetricsListener> {
  let scrape: Promise<Exposition> | null = null;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!mayScrape(request, token)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    } else if (request.url !== '/metrics') {
      response.writeHead(404).end();
    } else if (request.method !== 'GET') {
      response.writeHead(405, { allow: 'GET' }).end();
    } else {
      // Scrapes at the same time share one answer.
      scrape ??= collect()
        .then((snapshots) => expose(snapshots, workspaces))
        .finally(() => {
          scrape = null;
        });
      const { contentType, text } = await scrape;
      response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
    }
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(503).end());
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { address, family, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/metrics`,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function mayScrape({ headers }: IncomingMessage, token: string | null): boolean {
  if (token === null) return isLoopback(headers.host ?? '');
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

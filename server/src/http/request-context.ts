/**
 * Every request gets an id (the caller's X-Request-Id if it is a plain one), and headers that keep answers out of
 * caches. While the server drains, each answer closes its connection, and so does one to a request without Host. A URL
 * is logged without its query and without keys, because a secret may be in either by mistake. An error is logged
 * without further fields, because those of PostgreSQL quote rows.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type SerializedError, stdSerializers } from 'pino';
import { inRequest } from '../db/connection-share.ts';
import { malformedRequest } from '../domain/errors.ts';
import type { Server } from './server.ts';

const plainId = /^[A-Za-z0-9_.:-]{1,128}$/;

export function requestId(request: IncomingMessage | { headers: Record<string, unknown> }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && plainId.test(given) ? given : randomUUID();
}

export const logSerializers = {
  req: (request: { method: string; url: string; ip: string }) => ({
    method: request.method,
    path: request.url.split('?', 1)[0]?.replaceAll(/mrl(?:_|%5f)[^/]*/gi, 'mrl_…'),
    ip: request.ip,
  }),
  // pino's own puts the causes into message and stack.
  err: (error: unknown) => (error instanceof Error ? loggedError(stdSerializers.err(error)) : error),
};

function loggedError({ type, message, stack, code, aggregateErrors }: SerializedError): object {
  return { type, message, stack, code, aggregateErrors: aggregateErrors?.map(loggedError) };
}

export function registerRequestContext(app: Server): void {
  app.addHook('onRequest', (request, reply, done) => {
    addContextHeaders(request, reply);
    if (app.deps.isDraining || !hasHost(request)) reply.header('connection', 'close');
    // The answer closes unfinished when the sender hangs up. The stream of the request is no sign, as it may close when
    // its body has been read.
    const hangUp = new AbortController();
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) hangUp.abort();
    });
    inRequest(hangUp.signal, () =>
      done(hasHost(request) ? undefined : malformedRequest('The request has no Host header.')),
    );
  });
}

// HTTP/1.1 requires the header.
function hasHost({ raw, headers }: FastifyRequest): boolean {
  return raw.httpVersion !== '1.1' || headers.host !== undefined;
}

/** Every answer has these headers, even if its request never reached a route. */
export function addContextHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    'x-request-id': request.id,
    'cache-control': 'private, no-store',
    vary: 'Authorization',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
}

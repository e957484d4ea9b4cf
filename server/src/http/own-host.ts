/**
 * Without MERLON_PUBLIC_URL the server does not know its own name, so the console answers under loopback names alone.
 * This stops DNS rebinding: a foreign page whose name resolves to this server sends its own name as the host.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { originRefused } from '../domain/errors.ts';
import { isLoopback } from '../domain/loopback.ts';
import { takesSession } from './access.ts';

/** Throws 403 if the host of the request is no loopback name. */
export async function checkLoopback(request: FastifyRequest): Promise<void> {
  const { host } = request.headers;
  if (host !== undefined && isLoopback(host)) return;
  throw originRefused(
    'Without MERLON_PUBLIC_URL, the console opens only at localhost. Set MERLON_PUBLIC_URL to the address that people use.',
  );
}

/** Checks the host on every route that takes a session, and on those that start one. */
export function registerOwnHost(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (takesSession(request)) await checkLoopback(request);
  });
}

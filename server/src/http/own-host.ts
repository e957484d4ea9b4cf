/**
 * Without MERLON_PUBLIC_URL the server does not know its own name, and the console answers under loopback names alone. A
 * page of another name that is made to lead to this server (DNS rebinding) is of its own origin there, and gets no further.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { originRefused } from '../errors.ts';
import { takesSession } from './access.ts';

/** `host`: with or without a port, as the header of that name has it. */
export function isLoopback(host: string): boolean {
  const name = URL.parse(`http://${host}`)?.hostname ?? '';
  return /^(?:(?:.+\.)?localhost|127(?:\.[0-9]+){3}|\[::1\])$/.test(name);
}

/** Throws 403 for a request under another name. */
export async function checkLoopback(request: FastifyRequest): Promise<void> {
  const { host } = request.headers;
  if (host !== undefined && isLoopback(host)) return;
  throw originRefused(
    'Without MERLON_PUBLIC_URL the console answers under localhost alone: set MERLON_PUBLIC_URL to the address that people open.',
  );
}

/** For every route that takes a session, and for those by which somebody gets one. */
export function registerOwnHost(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (takesSession(request)) await checkLoopback(request);
  });
}

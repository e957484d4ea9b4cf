/**
 * Without MERLON_PUBLIC_URL the server does not know its own name, so the console answers under loopback names alone.
 * This stops DNS rebinding: a foreign page whose name resolves to this server sends its own name as the host.
 */
import { isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { originRefused } from '../domain/errors.ts';
import { takesSession } from './access.ts';

/** `host` is the value of a Host header, with or without a port, or an address that the server listens on. */
export function isLoopback(host: string): boolean {
  const name = URL.parse(`http://${isIPv6(host) ? `[${host}]` : host}`)?.hostname ?? '';
  return /^(?:(?:.+\.)?localhost|127(?:\.[0-9]+){3}|\[::1\])$/.test(name);
}

/** Throws 403 if the host of the request is no loopback name. */
export async function checkLoopback(request: FastifyRequest): Promise<void> {
  const { host } = request.headers;
  if (host !== undefined && isLoopback(host)) return;
  throw originRefused(
    'Without MERLON_PUBLIC_URL the console answers under localhost alone: set MERLON_PUBLIC_URL to the address that people open.',
  );
}

/** Checks the host on every route that takes a session, and on those that start one. */
export function registerOwnHost(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (takesSession(request)) await checkLoopback(request);
  });
}

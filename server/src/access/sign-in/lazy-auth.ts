/**
 * Loads the sign-in library at the first session or sign-in. Loading it takes half of a start, and a node that answers
 * only keys never needs it.
 */
import type { FastifyRequest } from 'fastify';
import type { Auth, createAuth } from './auth.ts';

export type LazyAuth = () => Promise<Auth>;

export function lazyAuth(...settings: Parameters<typeof createAuth>): LazyAuth {
  let auth: Promise<Auth> | undefined;
  return () => {
    auth ??= import('./auth.ts').then((module) => module.createAuth(...settings));
    return auth;
  };
}

/**
 * Converts the headers of a request for the library, or only those with these names. The library's own function for
 * this would load it.
 */
export function requestHeadersOf(request: FastifyRequest, names = Object.keys(request.headers)): Headers {
  const headers = new Headers();
  for (const name of names) {
    for (const one of [request.headers[name] ?? []].flat()) headers.append(name, one);
  }
  // The library stores the address from this header with a session, so it must be ours and never that of the client.
  headers.set('x-forwarded-for', request.ip);
  return headers;
}

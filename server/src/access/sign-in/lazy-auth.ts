/**
 * Loads the sign-in library at the first session or sign-in: to load it takes half of a start, and a node that answers
 * keys alone never needs it.
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

/** The headers of a request as the library takes them; the function that it has for this would load it. */
export function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return headers;
}

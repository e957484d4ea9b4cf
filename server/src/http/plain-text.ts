/**
 * No database column can hold NUL and halves of surrogate pairs, so this hook refuses them. In a path such a text names
 * nothing (404), and in the query or the body it is a wrong value (422). After this hook every string can be stored.
 */
import type { FastifyInstance } from 'fastify';
import { resourceNotFound, validationFailed } from '../domain/errors.ts';

/** Register this before `registerQueryParameters`, so that the answer names the real mistake of a text. */
export function registerPlainText(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    if (request.is404) return;
    // The spread makes plain objects, because the router's objects have their own prototype.
    if (unstorable({ ...(request.params as object) }).length > 0) throw resourceNotFound();
    const fields = [...unstorable({ ...(request.query as object) }), ...unstorable(request.body)];
    if (fields.length === 0) return;
    const message = 'Must not contain NUL or half a character.';
    throw validationFailed(Object.fromEntries(fields.map((field) => [field, [message]])));
  });
}

/** The paths of such strings in a parsed value. */
function unstorable(value: unknown): string[] {
  const found: string[] = [];
  // A list and no recursion, because a body may nest as deep as it is long.
  const rest: { value: unknown; path: string }[] = [{ value, path: '' }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    if (typeof next.value === 'string') {
      if (next.value.includes('\0') || !next.value.isWellFormed()) found.push(next.path || 'body');
    } else if (isParsed(next.value)) {
      for (const [name, item] of Object.entries(next.value)) {
        rest.push({ value: item, path: next.path === '' ? name : `${next.path}.${name}` });
      }
    }
  }
  return found;
}

/** True for an object or array that a parser made; a stream or bytes are checked by their route. */
function isParsed(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}

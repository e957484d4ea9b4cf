/**
 * Text that no database column can hold, NUL and halves of surrogate pairs, ends at the door: in a path it names
 * nothing (404), in the query or the body it is a wrong value (422). Past this point every string can be stored.
 */
import type { FastifyInstance } from 'fastify';
import { resourceNotFound, validationFailed } from '../domain/errors.ts';

/** Before `registerQueryParameters`, so that what is wrong with a text is told as such. */
export function registerPlainText(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    if (request.is404) return;
    // Spread: the router's objects have a prototype of their own.
    if (unstorable({ ...(request.params as object) }).length > 0) throw resourceNotFound();
    const fields = [...unstorable({ ...(request.query as object) }), ...unstorable(request.body)];
    if (fields.length === 0) return;
    const message = 'Must not contain NUL or half a character.';
    throw validationFailed(Object.fromEntries(fields.map((field) => [field, [message]])));
  });
}

/** Places of such strings in a value as it was parsed. */
function unstorable(value: unknown): string[] {
  const found: string[] = [];
  // A list of what is to do, not a recursion: a body may nest as deep as it is long.
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

/** What a parser made; a series or bytes are their route's to read. */
function isParsed(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}

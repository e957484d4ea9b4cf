/**
 * Checks the policies in the body of a request. The checks of the document come before the schema of the route, because
 * the schema knows no facts and its messages are hard to read.
 */
import type { FastifyRequest } from 'fastify';
import { isObject, type Problems } from './condition.ts';
import { invalidPolicies } from './document.ts';

/** The route must have `attachValidation`. Throws 422 with every mistake and its document path. */
export function checkedBody<T>(
  request: FastifyRequest,
  check: (body: Record<string, unknown>, problems: Problems) => T | null,
): T {
  const { body, validationError: wrong } = request;
  if (wrong && (wrong.validationContext !== 'body' || !isObject(body))) throw wrong;
  const problems: Problems = new Map();
  const checked = check(body as Record<string, unknown>, problems);
  if (checked === null || problems.size > 0) throw invalidPolicies(problems);
  if (wrong) throw wrong;
  return checked;
}

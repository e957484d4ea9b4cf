/**
 * Turns errors into answers; no other module does. An error outside the catalogue is a 500 without details, and
 * the log has them under the same request id.
 */

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isConnectionLost } from '../db/connection-errors.ts';
import { lockNotAvailable, queryCanceled, readOnlyDatabase } from '../db/error-codes.ts';
import { DomainError } from '../domain/domain-error.ts';
import {
  headersTooLarge,
  internalError,
  malformedRequest,
  methodNotAllowed,
  payloadTooLarge,
  resourceNotFound,
  serviceUnavailable,
  unsupportedMediaType,
  validationFailed,
} from '../domain/errors.ts';
import { countRule, lengthRule } from '../domain/field-rules.ts';
import type { Sentence } from '../domain/sentence.ts';
import { errorBodyOf, headersOf, statusOf } from './error-answers.ts';
import { addContextHeaders } from './request-context.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** The error code of this answer. */
    errorCode: string | null;
  }
}

export function registerErrorHandler(app: FastifyInstance): void {
  app.decorateReply('errorCode', null);
  const routes: { method: string; pattern: RegExp }[] = [];
  app.addHook('onRoute', (route) => {
    const pattern = new RegExp(
      `^${route.url
        .replaceAll(/[.]/g, '\\.')
        .replaceAll(/:[a-z_]+/g, '[^/]+')
        .replace('*', '.+')}$`,
    );
    for (const method of [route.method].flat()) routes.push({ method, pattern });
  });

  app.setErrorHandler((error: FastifyError, request, reply) => {
    // The framework checks a body also where no route would read it. Its own errors alone have a status.
    if (request.is404 && (error.statusCode ?? 500) < 500) return answerNotFound(request, reply);
    const known = translate(error, request);
    if (statusOf(known) >= 500) request.log.error({ err: error }, 'request failed');
    return send(reply, known);
  });

  app.setNotFoundHandler(answerNotFound);

  function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = routes.filter((route) => route.pattern.test(path)).map((route) => route.method);
    // If a route has this method, it did not find the resource, so the answer is 404.
    const isOther = allowed.length > 0 && !allowed.includes(request.method);
    if (!isOther) return send(reply, resourceNotFound());
    return send(reply.header('allow', [...new Set(allowed)].sort().join(', ')), methodNotAllowed());
  }
}

/** Handles errors before routing, such as a broken percent encoding of the path. No hook runs for them. */
export function frameworkErrors(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  addContextHeaders(request, reply);
  send(reply, translate(error, request));
}

/** Handles errors before there is a request, such as a bad request line or headers that are too large. */
export function clientErrorHandler(error: Error & { code?: string }, socket: Socket): void {
  // A sender whose request takes too long may not close its side, and would keep what the request holds.
  if (!socket.writable || ['ECONNRESET', 'ERR_HTTP_REQUEST_TIMEOUT'].includes(error.code ?? '')) {
    socket.destroy();
    return;
  }
  const known =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? headersTooLarge()
      : malformedRequest('The request is not valid HTTP.');
  const body = JSON.stringify(errorBodyOf(known));
  const status = statusOf(known);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: private, no-store\r\nConnection: close\r\n\r\n${body}`,
  );
}

function send(reply: FastifyReply, error: DomainError): FastifyReply {
  reply.errorCode = error.code;
  return reply
    .code(statusOf(error))
    .headers(headersOf(error))
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(errorBodyOf(error));
}

const emptyBody = 'The body is empty; it must be JSON.';

function translate(error: FastifyError, request: FastifyRequest): DomainError {
  if (error instanceof DomainError) return error;
  if (error.validation) {
    const { validation, validationContext: context } = error;
    if (context === 'body' && request.body === undefined) return malformedRequest(emptyBody);
    return validationFailed(validationErrors(validation, context));
  }
  if (isUnavailable(error)) return serviceUnavailable();
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return payloadTooLarge(request.routeOptions.bodyLimit ?? 0);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType(mediaTypeProblem(request));
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return malformedRequest(emptyBody);
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return malformedRequest('The body is not valid JSON.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return malformedRequest('The body does not have the length that the Content-Length header says.');
    case 'FST_ERR_BAD_URL':
      return malformedRequest('The path is not validly percent-encoded.');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      // No name or id is that long, so the resource does not exist.
      return resourceNotFound();
  }
  if (error instanceof SyntaxError || error.statusCode === 400) {
    return malformedRequest(`The request is not valid: ${error.message.replace(/\.$/, '')}.`);
  }
  return internalError(request.id);
}

/** A route for bodies of any type refuses only a header that is not a media type. */
function mediaTypeProblem({ headers }: FastifyRequest): Sentence | undefined {
  if (/^[^/\s]+\/[^/\s]/.test(headers['content-type'] ?? '')) return undefined;
  return 'The Content-Type is not a media type: send one such as application/json, or application/octet-stream for a report.';
}

// These codes mean that a statement has timed out, waited too long for a lock, or has met a standby.
const unavailableCodes = new Set([queryCanceled, readOnlyDatabase, lockNotAvailable]);

function isUnavailable(error: FastifyError): boolean {
  return unavailableCodes.has(error.code) || isConnectionLost(error);
}

interface ValidationProblem {
  keyword: string;
  instancePath: string;
  message?: string;
  params: Record<string, unknown>;
}

function validationErrors(
  problems: readonly unknown[],
  context: FastifyError['validationContext'],
): Record<string, Sentence[]> {
  // The object has no prototype, because a caller may name a field `constructor`.
  const errors: Record<string, Sentence[]> = Object.create(null);
  for (const problem of problems as ValidationProblem[]) {
    const path = problem.instancePath.split('/').slice(1);
    const named = problem.params.missingProperty ?? problem.params.additionalProperty;
    if (typeof named === 'string') path.push(named);
    // A field of a query is a parameter, also if one value of its list is wrong.
    const field = (context === 'querystring' ? path.slice(0, 1) : path).join('.') || 'body';
    const message = problemSentence(problem, field);
    const before = errors[field] ?? [];
    errors[field] = before.includes(message) ? before : [...before, message];
  }
  return errors;
}

function problemSentence(problem: ValidationProblem, field: string): Sentence {
  const limit = problem.params.limit;
  switch (problem.keyword) {
    case 'required':
      return `The ${field} field is required.`;
    case 'additionalProperties':
      return 'Unknown field.';
    case 'enum':
      return `Must be one of ${(problem.params.allowedValues as unknown[]).join(', ')}.`;
    case 'const':
      return `Must be ${String(problem.params.allowedValue)}.`;
    case 'minimum':
      return `Must be at least ${limit}.`;
    case 'maximum':
      return `Must not be greater than ${limit}.`;
    case 'minLength':
      return limit === 1 ? 'Must not be empty.' : `Must have at least ${limit} characters.`;
    case 'maxLength':
      return lengthRule(Number(limit));
    case 'minItems':
      return `Must have at least ${limit} entries.`;
    case 'maxItems':
      return countRule(Number(limit));
    case 'pattern':
      return `Must match ${String(problem.params.pattern)}.`;
    case 'type':
      return `Must be ${[problem.params.type].flat().join(' or ')}.`;
    default:
      return `Must ${problem.message?.slice('must '.length) ?? 'be valid'}.`;
  }
}

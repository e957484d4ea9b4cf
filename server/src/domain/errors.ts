/**
 * The closed catalogue of errors that a caller can see. Code throws one of these errors, and only
 * `http/error-handler.ts` turns them into answers. Any other error becomes a 500 without details. The API's contract
 * fixes the codes and messages of the first eight; all other messages are sentences.
 */
import type { Sentence } from './sentence.ts';

export interface ErrorBody {
  code: string;
  message: string;
  details?: Record<string, unknown>;
  /** The same map of a validation error, for clients that expect it under this name. */
  errors?: Record<string, string[]>;
}

/** An error of the API, with its final status and body. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Record<string, string>;

  constructor(status: number, body: ErrorBody, headers: Record<string, string> = {}) {
    super(body.message);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Every code that an answer may carry, with its status. The documentation and the tests read this table. */
export const errorStatuses = {
  AUTHENTICATION_REQUIRED: 401,
  TOKEN_INVALID_FOR_TENANT: 403,
  TOKEN_ABILITY_DENIED: 403,
  ORIGIN_REFUSED: 403,
  ADDRESS_UNPROVED: 403,
  SIGN_IN_AGAIN: 403,
  TENANT_NOT_FOUND: 404,
  RESOURCE_NOT_FOUND: 404,
  VALIDATION_FAILED: 422,
  INVALID_FILTER_VALUE: 422,
  RATE_LIMIT_EXCEEDED: 429,
  MALFORMED_REQUEST: 400,
  METHOD_NOT_ALLOWED: 405,
  STATUS_VERSION_CONFLICT: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  INVALID_TRANSITION: 409,
  CURSOR_EXPIRED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;
export type ErrorCode = keyof typeof errorStatuses;

function apiError(
  code: ErrorCode,
  message: string,
  details?: Record<string, unknown>,
  headers?: Record<string, string>,
): ApiError {
  return new ApiError(errorStatuses[code], { code, message, ...(details ? { details } : {}) }, headers);
}

/** The error of a reader of events that cannot go on where it was. */
export function eventCursorExpired(): ApiError {
  return apiError(
    'CURSOR_EXPIRED',
    'Events after this cursor have been deleted, or the server was restored from a backup since then. Get a new cursor with since=latest, export the vulnerabilities again, and continue from that cursor.',
  );
}

/** `hint` goes into the WWW-Authenticate header only (RFC 6750), because the API's contract fixes the body. */
export function authenticationRequired(hint?: { error: string; description: string }): ApiError {
  const challenge = hint
    ? `Bearer error="${hint.error}", error_description="${hint.description}"`
    : 'Bearer realm="merlon"';
  return apiError('AUTHENTICATION_REQUIRED', 'Unauthenticated.', undefined, {
    'www-authenticate': challenge,
  });
}

export function tokenInvalidForTenant(): ApiError {
  return apiError('TOKEN_INVALID_FOR_TENANT', 'Token not valid for this tenant.', undefined, {
    'www-authenticate':
      'Bearer error="insufficient_scope", error_description="The key is not valid for this workspace"',
  });
}

/** `need` names what the caller lacks, such as a scope; only the WWW-Authenticate header carries it. */
export function tokenAbilityDenied(
  need: { scopes: readonly string[] } | { role: string } | { person: string },
): ApiError {
  const lack =
    'scopes' in need
      ? `scope="${need.scopes.join(' ')}"`
      : `error_description="${'role' in need ? `The role ${need.role} is needed in this workspace` : need.person}"`;
  return apiError('TOKEN_ABILITY_DENIED', 'Forbidden.', undefined, {
    'www-authenticate': `Bearer error="insufficient_scope", ${lack}`,
  });
}

/** The error of a write with a session that did not come from the console's own pages. */
export function originRefused(message: Sentence): ApiError {
  return apiError('ORIGIN_REFUSED', message);
}

/** An account with an unproved address may use the workspace that invited it, and no other. */
export function addressUnproved(): ApiError {
  return apiError(
    'ADDRESS_UNPROVED',
    'The e-mail address of this account is not verified, so the account cannot join another workspace. Sign in through the provider with this address, open a mailed invitation while you are signed out and choose a new password, or ask the operator to reset the account: merlond user password EMAIL.',
  );
}

/** The error of an action that gives power and needs a sign-in younger than an hour. */
export function signInAgain(): ApiError {
  return apiError('SIGN_IN_AGAIN', 'Sign in again: this action needs a sign-in of the last hour.');
}

export function tenantNotFound(): ApiError {
  return apiError('TENANT_NOT_FOUND', 'Workspace not found');
}

export function resourceNotFound(): ApiError {
  return apiError('RESOURCE_NOT_FOUND', 'Not found.');
}

/** Returns what was looked up. Throws 404 if there is nothing. */
export function orNotFound<Row>(row: Row | null | undefined): Row {
  if (row === null || row === undefined) throw resourceNotFound();
  return row;
}

/** `errors` maps a field to its mistakes. */
export function validationFailed(errors: Record<string, Sentence[]>): ApiError {
  return new ApiError(422, {
    code: 'VALIDATION_FAILED',
    message: 'The given data was invalid.',
    details: { errors },
    errors,
  });
}

/**
 * `accepts` lists the values of a filter with a fixed list. Only the message names them, because the contract fixes
 * `details`.
 */
export function invalidFilterValue(
  values: string[],
  accepts?: { name: string; values: readonly string[] },
): ApiError {
  const accepted = accepts ? `; ${accepts.name} takes ${accepts.values.join(', ')}` : '';
  return apiError('INVALID_FILTER_VALUE', `Unsupported filter values: ${values.join(', ')}${accepted}`, {
    invalid_values: values,
  });
}

export function rateLimitExceeded(retryAfterSeconds: number): ApiError {
  return apiError(
    'RATE_LIMIT_EXCEEDED',
    'Too many requests.',
    { retry_after_seconds: retryAfterSeconds },
    { 'retry-after': String(retryAfterSeconds) },
  );
}

/** The error for too many objects of one kind at once. `message` says of which kind, and what to do. */
export function tooManyAtOnce(message: Sentence, retryAfterSeconds: number): ApiError {
  return apiError(
    'RATE_LIMIT_EXCEEDED',
    message,
    { retry_after_seconds: retryAfterSeconds },
    { 'retry-after': String(retryAfterSeconds) },
  );
}

export function malformedRequest(message: Sentence): ApiError {
  return apiError('MALFORMED_REQUEST', message);
}

export function methodNotAllowed(allowed: string[]): ApiError {
  return apiError('METHOD_NOT_ALLOWED', 'Method not allowed.', undefined, { allow: allowed.join(', ') });
}

/** `current` is the version that a client must read before it tries again, of one vulnerability or of several. */
export function statusVersionConflict(current: unknown): ApiError {
  return apiError(
    'STATUS_VERSION_CONFLICT',
    'The vulnerability has changed since it was read. Read it again, and send its present status_version.',
    { current },
  );
}

/** The error of an action that the state of its object does not allow. `message` says which object and state. */
export function invalidTransition(message: Sentence): ApiError {
  return apiError('INVALID_TRANSITION', message);
}

/** `message` names the limit if a body has several. */
export function payloadTooLarge(maxBytes: number): ApiError {
  return apiError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`, {
    max_bytes: maxBytes,
  });
}

/** The error of a body whose decompressed content is over this limit. */
export function decompressedTooLarge(
  message: Sentence,
  limit: { max_decompressed_bytes: number } | { max_ratio: number },
): ApiError {
  return apiError('PAYLOAD_TOO_LARGE', message, limit);
}

export function unsupportedMediaType(message: Sentence = 'The body must be application/json.'): ApiError {
  return apiError('UNSUPPORTED_MEDIA_TYPE', message);
}

export function idempotencyKeyReused(): ApiError {
  return apiError(
    'IDEMPOTENCY_KEY_REUSED',
    'The Idempotency-Key was used with another report, or with other parameters, within the last 24 hours. Send a new key.',
  );
}

export function headersTooLarge(): ApiError {
  return apiError('HEADERS_TOO_LARGE', 'The request headers are too large.');
}

export function internalError(requestId: string): ApiError {
  return apiError('INTERNAL_ERROR', 'The server failed. Its log has the reason under the request id.', {
    request_id: requestId,
  });
}

/** `message` says the reason and what to do, if they are known. */
export function serviceUnavailable(message: Sentence = 'The service is not available right now.'): ApiError {
  return apiError('SERVICE_UNAVAILABLE', message, undefined, { 'retry-after': '5' });
}

/** The answers of the API to errors: status, body and headers, as its contract fixes them. */
import type { Challenge, DomainError, ErrorCode } from '../domain/domain-error.ts';

/** The documentation and the tests read this table. */
export const errorStatuses: Record<ErrorCode, number> = {
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
};

export interface ErrorBody {
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown>;
  /** The same map of a validation error, for clients that expect it under this name. */
  errors?: Record<string, string[]>;
}

export function statusOf({ code }: DomainError): number {
  return errorStatuses[code];
}

export function errorBodyOf(error: DomainError): ErrorBody {
  const { code, message, data } = error;
  switch (code) {
    case 'VALIDATION_FAILED': {
      const errors = data.errors ?? { body: [message] };
      return { code, message: 'The given data was invalid.', details: { errors }, errors };
    }
    case 'RESOURCE_NOT_FOUND':
      return { code, message: 'Not found.' };
    case 'RATE_LIMIT_EXCEEDED':
      return { code, message, details: { retry_after_seconds: data.retryAfterSeconds } };
    default: {
      // The contract writes these two texts without a full stop.
      const isShort = code === 'TENANT_NOT_FOUND' || code === 'INVALID_FILTER_VALUE';
      const shown = isShort ? message.slice(0, -1) : message;
      return { code, message: shown, ...(data.details && { details: data.details }) };
    }
  }
}

export function headersOf({ code, data }: DomainError): Record<string, string> {
  const { challenge, retryAfterSeconds } = data;
  if (retryAfterSeconds !== undefined) return { 'retry-after': String(retryAfterSeconds) };
  if (challenge === undefined && code !== 'AUTHENTICATION_REQUIRED') return {};
  return { 'www-authenticate': `Bearer ${challengeText(challenge)}` };
}

function challengeText(challenge: Challenge | undefined): string {
  if (challenge === undefined) return 'realm="merlon"';
  return 'scopes' in challenge
    ? `error="insufficient_scope", scope="${challenge.scopes.join(' ')}"`
    : `error="${challenge.error}", error_description="${challenge.description}"`;
}

/** The error by which the server refuses a request, and functions that build its text. */
import type { Sentence } from './sentence.ts';

/** Every code of an error. An answer of the API carries it, and `http/error-answers.ts` has its status. */
export type ErrorCode =
  | 'AUTHENTICATION_REQUIRED'
  | 'TOKEN_INVALID_FOR_TENANT'
  | 'TOKEN_ABILITY_DENIED'
  | 'ORIGIN_REFUSED'
  | 'ADDRESS_UNPROVED'
  | 'SIGN_IN_AGAIN'
  | 'TENANT_NOT_FOUND'
  | 'RESOURCE_NOT_FOUND'
  | 'VALIDATION_FAILED'
  | 'INVALID_FILTER_VALUE'
  | 'RATE_LIMIT_EXCEEDED'
  | 'MALFORMED_REQUEST'
  | 'METHOD_NOT_ALLOWED'
  | 'STATUS_VERSION_CONFLICT'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'INVALID_TRANSITION'
  | 'CURSOR_EXPIRED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'HEADERS_TOO_LARGE'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE';

/** The lack of a credential, in the terms of RFC 6750. */
export type Challenge =
  | { error: 'invalid_request' | 'invalid_token' | 'insufficient_scope'; description: string }
  | { scopes: readonly string[] };

interface ErrorData {
  /** The mistakes of each field. */
  errors?: Record<string, Sentence[]>;
  /** True if the input is well-formed, and existing data does not allow it. */
  isConflict?: boolean;
  /** Values for programs, under the names of the API. */
  details?: Record<string, unknown>;
  retryAfterSeconds?: number;
  challenge?: Challenge;
}

/**
 * A request of a caller of the API, or of the operator, that is not carried out. The message tells that person what is
 * wrong, where, and what to do. The functions of `errors.ts` make these errors.
 */
export class DomainError extends Error {
  declare readonly message: Sentence;
  readonly code: ErrorCode;
  readonly data: ErrorData;

  constructor(code: ErrorCode, message: Sentence, data: ErrorData = {}) {
    super(message);
    this.name = 'DomainError';
    this.code = code;
    this.data = data;
  }
}

/** Does the work. The text of each DomainError begins with `context`, which says what was done with what. */
export async function withContext<T>(context: Sentence, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
    const { isConflict = false } = error.data;
    throw new DomainError(error.code, `${context} ${error.message}`, { isConflict });
  });
}

/** Returns one text for all mistakes in a document that a person wrote, each on a line of its own. */
export function describeMistakes(mistakes: string[]): Sentence {
  return `The document has mistakes:\n${mistakes.join('\n')}\nCorrect them, and try again.`;
}

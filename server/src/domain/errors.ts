/**
 * The catalogue of errors that a caller of the API or the operator can see. Code throws these errors; only
 * `http/error-handler.ts` and `main.ts` turn them into answers. Any other error becomes a 500 without details.
 */
import { type Challenge, DomainError } from './domain-error.ts';
import type { Sentence } from './sentence.ts';

/** The error of a reader of events that cannot go on where it was. */
export function eventCursorExpired(): DomainError {
  return new DomainError(
    'CURSOR_EXPIRED',
    'Events after this cursor have been deleted, or the server was restored from a backup since then. Get a new cursor with since=latest, export the vulnerabilities again, and continue from that cursor.',
  );
}

/** Only the WWW-Authenticate header carries the challenge, because the API's contract fixes the body. */
export function authenticationRequired(challenge?: Challenge): DomainError {
  return new DomainError('AUTHENTICATION_REQUIRED', 'Unauthenticated.', challenge && { challenge });
}

export function tokenInvalidForTenant(): DomainError {
  return new DomainError('TOKEN_INVALID_FOR_TENANT', 'Token not valid for this tenant.', {
    challenge: { error: 'insufficient_scope', description: 'The key is not valid for this workspace' },
  });
}

/** `need` names what the caller lacks, such as a scope; only the WWW-Authenticate header carries it. */
export function tokenAbilityDenied(
  need: { scopes: readonly string[] } | { role: string } | { person: string },
): DomainError {
  if ('role' in need) {
    return tokenAbilityDenied({ person: `The role ${need.role} is needed in this workspace` });
  }
  return new DomainError('TOKEN_ABILITY_DENIED', 'Forbidden.', {
    challenge: 'scopes' in need ? need : { error: 'insufficient_scope', description: need.person },
  });
}

/** The error of a write with a session that did not come from the console's own pages. */
export function originRefused(message: Sentence): DomainError {
  return new DomainError('ORIGIN_REFUSED', message);
}

/** An account with an unproved address may use the workspace that invited it, and no other. */
export function addressUnproved(): DomainError {
  return new DomainError(
    'ADDRESS_UNPROVED',
    'The e-mail address of this account is not verified, so the account cannot join another workspace. Sign in through the provider with this address, open a mailed invitation while you are signed out and choose a new password, or ask the operator to reset the account: merlond user password EMAIL.',
  );
}

/** The error of an action that gives power and needs a sign-in younger than an hour. */
export function signInAgain(): DomainError {
  return new DomainError('SIGN_IN_AGAIN', 'Sign in again: this action needs a sign-in of the last hour.');
}

export function tenantNotFound(): DomainError {
  return new DomainError('TENANT_NOT_FOUND', 'Workspace not found.');
}

/** `message` is for the command line; the API does not show it. */
export function resourceNotFound(message: Sentence = 'Nothing has this id or name.'): DomainError {
  return new DomainError('RESOURCE_NOT_FOUND', message);
}

/** Returns what was looked up. Throws 404 if there is nothing; `message` is for the command line. */
export function orNotFound<Row>(row: Row | null | undefined, message?: Sentence): Row {
  if (row === null || row === undefined) throw resourceNotFound(message);
  return row;
}

/** The error of all mistakes in the input together: `errors` maps a field to its mistakes. */
export function validationFailed(errors: Record<string, Sentence[]>): DomainError {
  const [message = 'A field has a mistake.'] = Object.values(errors).flat();
  return new DomainError('VALIDATION_FAILED', message, { errors });
}

/** The error of one mistake in the input. `field` is the option or field that has it, if there is one. */
export function invalidInput(message: Sentence, field?: string): DomainError {
  return field === undefined
    ? new DomainError('VALIDATION_FAILED', message)
    : validationFailed({ [field]: [message] });
}

/** Works like `invalidInput` for input that existing data does not allow. */
export function conflictingInput(message: Sentence, field?: string): DomainError {
  const { code, data } = invalidInput(message, field);
  return new DomainError(code, message, { ...data, isConflict: true });
}

/**
 * `accepts` lists the values of a filter with a fixed list. Only the message names them, because the contract fixes
 * `details`.
 */
export function invalidFilterValue(
  values: string[],
  accepts: readonly { name: string; values: readonly string[] }[] = [],
): DomainError {
  const refused = [...new Set(values)];
  const accepted = accepts.map(({ name, values }) => `; ${name} takes ${values.join(', ')}`).join('');
  return new DomainError(
    'INVALID_FILTER_VALUE',
    `Unsupported filter values: ${refused.join(', ')}${accepted}.`,
    { details: { invalid_values: refused } },
  );
}

/** `message` says of which kind there are too many objects at once, and what to do. */
export function rateLimitExceeded(
  retryAfterSeconds: number,
  message: Sentence = 'Too many requests.',
): DomainError {
  return new DomainError('RATE_LIMIT_EXCEEDED', message, { retryAfterSeconds });
}

export function malformedRequest(message: Sentence): DomainError {
  return new DomainError('MALFORMED_REQUEST', message);
}

export function methodNotAllowed(): DomainError {
  return new DomainError('METHOD_NOT_ALLOWED', 'Method not allowed.');
}

/** `current` is the version that a client must read before it tries again, of one vulnerability or of several. */
export function statusVersionConflict(current: unknown): DomainError {
  return new DomainError(
    'STATUS_VERSION_CONFLICT',
    'The vulnerability has changed since it was read. Read it again, and send its present status_version.',
    { details: { current } },
  );
}

/** The error of an action that the state of its object does not allow. `message` says which object and state. */
export function invalidTransition(message: Sentence): DomainError {
  return new DomainError('INVALID_TRANSITION', message);
}

export function payloadTooLarge(maxBytes: number): DomainError {
  return new DomainError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`, {
    details: { max_bytes: maxBytes },
  });
}

/** The error of a body whose decompressed content is over this limit, which `message` names. */
export function decompressedTooLarge(
  message: Sentence,
  limit: { max_decompressed_bytes: number } | { max_ratio: number },
): DomainError {
  return new DomainError('PAYLOAD_TOO_LARGE', message, { details: limit });
}

export function unsupportedMediaType(message: Sentence = 'The body must be application/json.'): DomainError {
  return new DomainError('UNSUPPORTED_MEDIA_TYPE', message);
}

export function idempotencyKeyReused(): DomainError {
  return new DomainError(
    'IDEMPOTENCY_KEY_REUSED',
    'The Idempotency-Key was used with another report, or with other parameters, within the last 24 hours. Send a new key.',
  );
}

export function headersTooLarge(): DomainError {
  return new DomainError('HEADERS_TOO_LARGE', 'The request headers are too large.');
}

export function internalError(requestId: string): DomainError {
  return new DomainError(
    'INTERNAL_ERROR',
    'The server failed. Its log has the reason under the request id.',
    {
      details: { request_id: requestId },
    },
  );
}

/** `message` says the reason and what to do, if they are known. */
export function serviceUnavailable(
  message: Sentence = 'The service is not available right now.',
): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 5 });
}

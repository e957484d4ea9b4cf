/** An error answer of the server, with the texts that a form reads from it. */
interface RefusalBody {
  code?: string;
  message?: string;
  details?: Record<string, unknown>;
  errors?: Record<string, string[]>;
}

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown>;
  /** Maps a field to its mistakes. It is empty for every status but 422. */
  readonly errors: Record<string, string[]>;
  readonly requestId: string | null;

  constructor(status: number, body: RefusalBody, requestId: string | null) {
    super(body.message ?? `The server answered with status ${status}.`);
    this.name = 'ApiError';
    this.status = status;
    this.code = body.code ?? 'UNKNOWN';
    this.details = body.details ?? {};
    this.errors = body.errors ?? {};
    this.requestId = requestId;
  }

  static async of(response: Response): Promise<ApiError> {
    const body = (await response.json().catch(() => ({}))) as RefusalBody;
    return new ApiError(response.status, body, response.headers.get('x-request-id'));
  }
}

export function isApiError(error: unknown, code?: string): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}

/** Returns the text for `error` of an input: the mistake in this field, or null. */
export function fieldError(error: unknown, field: string): string | null {
  return (isApiError(error) && error.errors[field]?.join(' ')) || null;
}

/** Returns the seconds until another attempt makes sense, or null if the server does not say. */
export function retryAfter(error: unknown): number | null {
  const seconds = isApiError(error) ? error.details.retry_after_seconds : undefined;
  return typeof seconds === 'number' ? seconds : null;
}

/** Explains an error to people in one or two sentences, with the next step. */
export function errorText(error: unknown): string {
  if (!isApiError(error)) {
    return error instanceof TypeError
      ? 'The server cannot be reached. Check the connection and try again.'
      : 'Something went wrong in this page. Reload it; if that does not help, tell the operator of this server.';
  }
  switch (error.code) {
    case 'TOKEN_ABILITY_DENIED':
      return 'Your role in this workspace does not allow this. An administrator of the workspace can change it.';
    case 'TOKEN_INVALID_FOR_TENANT':
      return 'You are not a member of this workspace, or no longer. An administrator of it can invite you.';
    case 'TENANT_NOT_FOUND':
      return 'There is no such workspace, or you are not a member of it.';
    case 'RESOURCE_NOT_FOUND':
      return 'It does not exist, or was deleted.';
    case 'RATE_LIMIT_EXCEEDED': {
      const seconds = retryAfter(error);
      return `Too many requests at once.${seconds === null ? '' : ` Try again in ${waitText(seconds)}.`}`;
    }
    case 'STATUS_VERSION_CONFLICT':
      return 'Somebody else has changed this in the meantime. Reload it and decide again.';
    case 'VALIDATION_FAILED':
      return Object.values(error.errors).flat().join(' ') || error.message;
    default:
      // A proxy in front of the server has no code of the API.
      return [502, 503, 504].includes(error.status)
        ? 'The server is not available right now. Try again in a few seconds.'
        : error.message;
  }
}

/** Writes a wait in words: 75 → `2 minutes`. */
export function waitText(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

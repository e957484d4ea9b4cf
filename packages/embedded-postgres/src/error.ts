// Owns the one error type of the embedded PostgreSQL. Its message is for the operator: what failed,
// where, and what to do. It must never carry a password.

/** A failure to start, reach or stop the embedded PostgreSQL; the message says what, where and what to do. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError';
}

/** The `code` of a Node system error (`EACCES`, `ENOENT`, …), or undefined for any other value. */
export function errorCode(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return undefined;
}

/** The message of anything thrown, for putting inside another message. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

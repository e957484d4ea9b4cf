/**
 * The one error type of the package. Its message is for the operator of the program: it says what failed, where, and
 * what to do. A message never contains a password.
 */

/**
 * - `no_programs`: PostgreSQL's programs are not installed for this platform, or they do not run.
 * - `data_dir_unreachable`: the unprivileged user that PostgreSQL runs as cannot enter the data directory.
 * - `data_dir_unusable`: this process cannot write or lock the data directory, or foreign files stand in the way.
 * - `disk_full`: the disk of the data directory is full.
 * - `in_use`: another process holds the data directory, and this one cannot share it.
 * - `credentials`: the file with the generated passwords is missing, damaged, or of another cluster.
 * - `other_version`: another major version of PostgreSQL made the data.
 * - `failed`: anything else, such as a start that PostgreSQL itself refuses.
 */
export type ErrorCode =
  | 'no_programs'
  | 'data_dir_unreachable'
  | 'data_dir_unusable'
  | 'disk_full'
  | 'in_use'
  | 'credentials'
  | 'other_version'
  | 'failed';

/** A failure to start, reach or stop the embedded PostgreSQL. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A file of the data directory that must be no link. */
export function linkError(file: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'data_dir_unusable',
    `${file} is a symbolic link, through which another file would be written. Remove it, and ask who made it.`,
  );
}

/**
 * The `code` of a Node system error (`EACCES`, `ENOENT`, …) or of a PostgreSQL error; undefined for any other value.
 */
export function systemErrorCode(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return undefined;
}

/** The message of any thrown value, to be put inside another message. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

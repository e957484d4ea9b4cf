/** The public interface of the package. All other files are internal. */
export { EmbeddedPostgresError, type ErrorCode } from './error.ts';
export { keepRunning } from './keep-running.ts';
export { type EmbeddedPostgres, type EmbeddedPostgresOptions, openPostgres } from './open-postgres.ts';
export type { Setting } from './settings.ts';

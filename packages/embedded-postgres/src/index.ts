/** The public interface of the package: all other files are its own business. */
export { EmbeddedPostgresError, type ErrorCode } from './error.ts';
export { keepRunning } from './keep-running.ts';
export { type EmbeddedPostgres, type EmbeddedPostgresOptions, openPostgres } from './open-postgres.ts';
export type { Setting } from './settings.ts';

/** Work on rows of several repositories, of which one may fail. */
import { isConnectionLost, isDiskFull } from '../../db/connection-errors.ts';
import { readOnlyDatabase } from '../../db/error-codes.ts';
import type { RepositoryId } from '../../domain/ids.ts';

// More failures have a common cause, and each costs several transactions.
const maxFailures = 100;

/**
 * Calls `work` with all rows. If it fails, calls it with each half of the repositories, until each failing repository
 * is alone, so that one failure does not stop the others. Passes its error to `failed`. Throws if the database is
 * unavailable, and at the next error after `maxFailures` failures.
 */
export async function isolateFailures<Row extends { repository_id: RepositoryId }>(
  rows: Row[],
  work: (rows: Row[]) => Promise<void>,
  failed: (error: unknown, repositoryId: RepositoryId) => void | Promise<void>,
): Promise<void> {
  let failures = 0;
  const isolate = async (part: Row[]): Promise<void> => {
    const [first] = part;
    if (!first) return;
    try {
      await work(part);
    } catch (error) {
      if (isDatabaseUnavailable(error) || failures === maxFailures) throw error;
      const repositories = [...Map.groupBy(part, (row) => row.repository_id).values()];
      if (repositories.length === 1) {
        failures++;
        return failed(error, first.repository_id);
      }
      const middle = Math.ceil(repositories.length / 2);
      await isolate(repositories.slice(0, middle).flat());
      await isolate(repositories.slice(middle).flat());
    }
  };
  await isolate(rows);
}

export function isDatabaseUnavailable(error: unknown): boolean {
  return (
    isConnectionLost(error) || isDiskFull(error) || (error as { code?: string }).code === readOnlyDatabase
  );
}

/** The `failed` of a caller that does not go on after an error. */
export function rethrow(error: unknown): never {
  throw error;
}

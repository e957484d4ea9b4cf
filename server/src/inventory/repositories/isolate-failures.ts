/** Work on rows of several repositories, of which one may fail. */
import { isConnectionLost, isDiskFull } from '../../db/connection-errors.ts';
import { readOnlyDatabase } from '../../db/database.ts';
import type { RepositoryId } from '../../domain/ids.ts';

// More failures are hardly those of single repositories, and each costs several transactions.
const maxFailures = 100;

/**
 * Calls `work` with all rows. If it fails, it is called with each half of the repositories, until those that fail are
 * alone. So one whose policies cannot be evaluated does not keep the others waiting. Its error is passed to `failed`. Throws
 * the error of a database that no repository can use, and the next error after a hundred failures.
 */
export async function isolateFailures<Row extends { repository_id: RepositoryId }>(
  rows: Row[],
  work: (rows: Row[]) => Promise<void>,
  failed: (error: unknown, repositoryId: RepositoryId) => void | Promise<void>,
): Promise<void> {
  let failures = 0;
  const isolate = async (some: Row[]): Promise<void> => {
    const [first] = some;
    if (!first) return;
    try {
      await work(some);
    } catch (error) {
      if (isOfDatabase(error) || failures === maxFailures) throw error;
      const repositories = [...Map.groupBy(some, (row) => row.repository_id).values()];
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

function isOfDatabase(error: unknown): boolean {
  return (
    isConnectionLost(error) || isDiskFull(error) || (error as { code?: string }).code === readOnlyDatabase
  );
}

/** The `failed` of a caller that does not go on after an error. */
export function rethrow(error: unknown): never {
  throw error;
}

/** Work on rows of several repositories, of which one may fail. */
import type { RepositoryId } from '../../domain/ids.ts';

/**
 * Calls `work` with all rows. If it fails, it is called with each half of the repositories, until those that fail are
 * alone. So one whose policies cannot be evaluated does not keep the others waiting. Its error is passed to `failed`.
 */
export async function isolateFailures<Row extends { repository_id: RepositoryId }>(
  rows: Row[],
  work: (rows: Row[]) => Promise<void>,
  failed: (error: unknown, repositoryId: RepositoryId) => void | Promise<void>,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  try {
    await work(rows);
  } catch (error) {
    const repositories = [...Map.groupBy(rows, (row) => row.repository_id).values()];
    if (repositories.length === 1) return failed(error, first.repository_id);
    const middle = Math.ceil(repositories.length / 2);
    for (const half of [repositories.slice(0, middle), repositories.slice(middle)]) {
      await isolateFailures(half.flat(), work, failed);
    }
  }
}

/** The `failed` of a caller that does not go on after an error. */
export function rethrow(error: unknown): never {
  throw error;
}

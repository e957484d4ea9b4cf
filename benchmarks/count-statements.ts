/** Counts all statements that this process sends to PostgreSQL, for benchmarks and for `statements.test.ts`. */
import pg from 'pg';

/** Starts to count. The returned function returns the number of statements so far. */
export function countStatements(): () => number {
  let count = 0;
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function counted(this: pg.Client, ...parameters: unknown[]) {
    count++;
    return (query as (...all: unknown[]) => unknown).apply(this, parameters);
  } as typeof query;
  return () => count;
}

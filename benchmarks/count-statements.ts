/** Counts what this process asks of PostgreSQL, whoever asks. For figures and for the gate that holds them. */
import pg from 'pg';

/** Counts from now on. The returned function gives the number of statements so far. */
export function countStatements(): () => number {
  let count = 0;
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function counted(this: pg.Client, ...parameters: unknown[]) {
    count++;
    return (query as (...all: unknown[]) => unknown).apply(this, parameters);
  } as typeof query;
  return () => count;
}

/** Records the statements that the service sends to the database for a list, so that other tools can repeat them. */
import type pg from 'pg';
import type { Database } from '../server/src/db/database.ts';
import type { Cursors } from '../server/src/http/page.ts';
import type { Principal } from '../server/src/http/principal.ts';
import { type ListRequest, listVulnerabilities } from '../server/src/vulnerabilities/list.ts';

export interface Statement {
  text: string;
  values: unknown[];
  /** True if it was sent before the answer to the previous statement, in the same round trip. */
  pipelined: boolean;
}

/** Returns the statements of one list in order, from begin to commit, and the cursor of its next page. */
export async function recordList(
  db: Database,
  cursors: Cursors,
  principal: Principal,
  request: ListRequest,
): Promise<{ statements: Statement[]; nextCursor: string | null }> {
  const { statements, result } = await recordStatements(db, (recording) =>
    listVulnerabilities(recording, cursors, principal, request),
  );
  return { statements, nextCursor: result.next_cursor };
}

/** Returns the statements that `work` sends, in order, and its result. */
export async function recordStatements<T>(
  db: Database,
  work: (recording: Database) => Promise<T>,
): Promise<{ statements: Statement[]; result: T }> {
  const recorded: Statement[] = [];
  let unanswered = 0;
  const connect = async (): Promise<pg.PoolClient> => {
    const client = await db.pool.connect();
    const query = (statement: string | { text: string; values?: unknown[] }): unknown => {
      const { text, values = [] } = typeof statement === 'string' ? { text: statement } : statement;
      recorded.push({ text, values, pipelined: unanswered > 0 });
      unanswered++;
      const answer = client.query(statement as string);
      const answered = (): void => {
        unanswered--;
      };
      answer.then(answered, answered);
      return answer;
    };
    return new Proxy(client, {
      get: (target, name) => {
        if (name === 'query') return query;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };
  const pool = new Proxy(db.pool, {
    get: (target, name) => (name === 'connect' ? connect : Reflect.get(target, name, target)),
  });
  const result = await work({ ...db, pool });
  return { statements: recorded, result };
}

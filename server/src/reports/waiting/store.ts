/**
 * SQL that counts a person's waiting tasks. Each count ends at `countedAtMost`, and reads a bounded part of one index.
 */
import type { Tx } from '../../db/database.ts';
import { rowsByKey, separate } from '../../db/planner-hints.ts';
import { nilId, type UserId } from '../../domain/ids.ts';
import { sqlIsOpenIn } from '../../domain/packed-state.ts';
import { unresolvedOfVulnerabilities } from '../../domain/violation-state.ts';

/** A badge has room for two digits, and nobody needs a larger number. */
export const countedAtMost = 100;
// One person works on fewer. More rows would make each page of the console slower for everybody.
const maxCandidates = 500;

/** The number of exceptions that wait for a review, without the person's own requests, which others review. */
export async function countReviewable(tx: Tx, userId: UserId): Promise<number> {
  return count(
    tx,
    `select 1
       from ${separate(`select e.requested_by, e.on_behalf_of
               from ${rowsByKey('policy_exception e', `'requested'`, { column: 'status', next: 'id' })}
              limit ${maxCandidates}`)} e
      where e.requested_by <> $2 and e.on_behalf_of is distinct from $2`,
    [userId],
  );
}

/**
 * The number of vulnerabilities that are assigned to the person, open on tracked references, and have an unresolved
 * violation that is overdue.
 */
export async function countOverdue(tx: Tx, userId: UserId, now: Date): Promise<number> {
  return count(
    tx,
    `select 1
       from ${separate(`select v.id, v.repository_id
               from (select distinct packed_state from vulnerability_count
                      where tenant_id = $1 and scope = 'workspace' and key = '${nilId}' and count > 0
                        and ${sqlIsOpenIn('packed_state', 'tracked')}) b
              cross join lateral (
                select id, repository_id from vulnerability
                 where tenant_id = $1 and assignee_id = $2 and packed_state = b.packed_state
                 order by introduced_at, id limit ${maxCandidates}) v
              limit ${maxCandidates}`)} v
      where exists (
        select 1
          from ${rowsByKey('policy_violation p', 'v.id', {
            column: 'target_id',
            next: 'policy_id',
            where: 'p.repository_id = v.repository_id',
          })}
         where p.packed_state = any($3::smallint[]) and p.due_at < $4)`,
    [userId, unresolvedOfVulnerabilities, now],
  );
}

async function count(tx: Tx, rows: string, values: unknown[]): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `select count(*)::int as n from (${rows} limit ${countedAtMost}) w`,
    [tx.tenantId, ...values],
  );
  return row?.n ?? 0;
}

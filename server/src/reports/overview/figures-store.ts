/**
 * SQL of the figures that the overview and the report share: exploitable vulnerabilities, waiting requests, the first
 * day.
 */
import type { Tx } from '../../db/database.ts';
import { rowsByKey, separate } from '../../db/planner-hints.ts';
import { type OpenScope, sqlIsOpenIn } from '../../domain/packed-state.ts';
import { counterScopeOf, type OverviewSubject } from './store.ts';

/** The number of open vulnerabilities that are known to be exploitable, from their index alone. */
export async function countExploitable(tx: Tx, subject: OverviewSubject, scope: OpenScope): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `select coalesce(sum(c.n), 0)::int as n
       from (select distinct packed_state from vulnerability_count
              where tenant_id = $1 and scope = $2 and key = any($3::uuid[]) and count > 0
                and ${sqlIsOpenIn('packed_state', scope)}) b
      cross join lateral (
        select count(*) as n
          from ${separate(`select id from vulnerability
                 where tenant_id = $1 and packed_state = b.packed_state and exploitable_at is not null
                   and ($4::uuid[] is null or repository_id = any($4)) order by introduced_at, id`)} v) c`,
    [tx.tenantId, ...counterScopeOf(subject), subject?.repositoryIds ?? null],
  );
  return row?.n ?? 0;
}

/** The number of exceptions that wait for an admin. */
export async function countRequested(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `select count(*)::int as n
       from ${rowsByKey('policy_exception e', `'requested'`, { column: 'status', next: 'id' })}`,
    [tx.tenantId],
  );
  return row?.n ?? 0;
}

// The first scans may be about other days than their order, and some of them may have failed.
const firstScans = 10;

/**
 * The day on which the history begins, at most `until`: that of the first change, or of the first scan if it found
 * nothing. Null before the first scan.
 */
export async function findFirstDay(tx: Tx, subject: OverviewSubject, until: string): Promise<string | null> {
  const [counted, keys] = counterScopeOf(subject);
  const [row] = await tx.query<{ day: string }>(
    `select least(min(d.day), $4::date)::text as day
       from (select (select day from vulnerability_day
                      where tenant_id = $1 and scope = $2 and key = k.key order by day limit 1) as day
               from unnest($3::uuid[]) k (key)
             union all
             select (min(s.scanned_at) filter (where s.status = 'completed' and not s.dry_run) at time zone 'UTC')::date
               from ${subject === null ? scansOf('tenant_id = $1', '') : `unnest($3::uuid[]) k (id) cross join lateral ${scansOf('tenant_id = $1 and repository_id = k.id', 'repository_id, ')}`}) d
     having min(d.day) is not null`,
    [tx.tenantId, counted, keys, until],
  );
  return row?.day ?? null;
}

function scansOf(condition: string, order: string): string {
  return `(select scanned_at, status, dry_run from scan where ${condition} order by ${order}id limit ${firstScans}) s`;
}

/**
 * SQL of the status report: violations of some repositories, the greatest risks, and the organizations or applications
 * of a workspace.
 */
import type { Tx } from '../../db/database.ts';
import { rowsByKey, separate } from '../../db/planner-hints.ts';
import type { Id, OrganizationId, RepositoryId, VulnerabilityId } from '../../domain/ids.ts';
import {
  type Severity,
  sqlIsOpenIn,
  sqlSeverity,
  sqlSeverityOfRank,
  sqlSeverityRank,
} from '../../domain/packed-state.ts';
import { blockingStates, unresolvedStates } from '../../domain/violation-state.ts';
import { counterScopeOf, type OverviewSubject, type ViolationCounts } from './store.ts';

export async function listRepositoryIds(tx: Tx, organizationId: OrganizationId): Promise<RepositoryId[]> {
  const rows = await tx.query<{ id: RepositoryId }>(
    'select id from repository where tenant_id = $1 and organization_id = $2 order by id',
    [tx.tenantId, organizationId],
  );
  return rows.map(({ id }) => id);
}

/** Counts the unresolved violations of these repositories that have matched on a tracked reference. */
export async function countViolationsIn(
  tx: Tx,
  repositoryIds: RepositoryId[],
  { now, soon }: { now: Date; soon: Date },
): Promise<ViolationCounts> {
  const [row] = await tx.query<ViolationCounts>(
    `select count(*)::int as open, count(*) filter (where v.packed_state = any($4::smallint[]))::int as blocking,
            count(*) filter (where v.due_at < $5)::int as overdue,
            count(*) filter (where v.due_at >= $5 and v.due_at < $6)::int as due_soon
       from unnest($2::uuid[]) k (id)
      cross join lateral ${rowsByKey('policy_violation v', 'k.id', {
        column: 'repository_id',
        next: 'packed_state, v.due_at, v.id',
      })}
      where v.tracked and v.packed_state = any($3::smallint[])`,
    [tx.tenantId, repositoryIds, unresolvedStates, blockingStates, now, soon],
  );
  return row ?? { open: 0, blocking: 0, overdue: 0, due_soon: 0 };
}

export interface RiskVulnerability {
  id: VulnerabilityId;
  title: string;
  severity: Severity;
  introduced_at: Date;
  repository_id: RepositoryId;
  full_name: string;
}

/** The open vulnerabilities that are known to be exploitable, the most severe first, and of these the oldest. */
export async function listExploitable(
  tx: Tx,
  subject: OverviewSubject,
  limit: number,
): Promise<RiskVulnerability[]> {
  return tx.query<RiskVulnerability>(
    `select v.id, v.title, v.severity, v.introduced_at, r.id as repository_id, r.full_name
       from (select v.*, ${sqlSeverity('b.packed_state')} as severity, ${sqlSeverityRank('b.packed_state')} as rank
               from (select distinct packed_state from vulnerability_count
                      where tenant_id = $1 and scope = $2 and key = any($3::uuid[]) and count > 0
                        and ${sqlIsOpenIn('packed_state', 'tracked')}) b
              cross join lateral (
                select id, title, introduced_at, repository_id from vulnerability
                 where tenant_id = $1 and packed_state = b.packed_state and exploitable_at is not null
                   and ($4::uuid[] is null or repository_id = any($4)) order by introduced_at, id limit $5) v
              order by rank desc, introduced_at, id limit $5) v
       join repository r on r.tenant_id = $1 and r.id = v.repository_id
      order by v.rank desc, v.introduced_at, v.id`,
    [tx.tenantId, ...counterScopeOf(subject), subject?.repositoryIds ?? null, limit],
  );
}

export const partKinds = ['organization', 'application'] as const;
export type PartKind = (typeof partKinds)[number];

export interface PartRow {
  id: Id<'application' | 'organization'>;
  name: string;
  score: number;
  open: Partial<Record<Severity, number>>;
  fixed: number;
  seconds: number;
  resolved: number;
  in_time: number;
}

const membership: Record<PartKind, string> = {
  organization: 'select organization_id as part, id as key from repository where tenant_id = $1',
  application:
    'select application_id as part, repository_id as key from application_repository where tenant_id = $1',
};
const nameOf: Record<PartKind, string> = { organization: 'full_path', application: 'name' };

/**
 * The organizations or applications with the highest score, and their numbers of fixed vulnerabilities and resolved
 * violations since a day.
 */
export async function listParts(
  tx: Tx,
  kind: PartKind,
  { weights, since, limit }: { weights: number[]; since: string; limit: number },
): Promise<PartRow[]> {
  return tx.query<PartRow>(
    `with member as materialized (${membership[kind]}),
     counted as (
       select m.part, ${sqlSeverityRank('c.packed_state')} as rank, sum(c.count) as n
         from member m cross join lateral ${separate(`
           select packed_state, count from vulnerability_count
            where tenant_id = $1 and scope = 'repository' and key = m.key and count > 0
              and ${sqlIsOpenIn('packed_state', 'tracked')}`)} c
        group by 1, 2),
     worst as (
       select part, sum(n * ($2::int[])[rank + 1]) as score,
              json_object_agg(${sqlSeverityOfRank('rank')}, n) as open
         from counted group by part order by score desc, part limit $4)
     select w.part as id, p.${nameOf[kind]} as name, w.score::float8 as score, w.open, t.*
       from worst w join ${kind} p on p.tenant_id = $1 and p.id = w.part
      cross join lateral (
        select coalesce(sum(d.fixed), 0)::int as fixed, coalesce(sum(d.fix_seconds), 0)::float8 as seconds,
               coalesce(sum(d.resolved), 0)::int as resolved, coalesce(sum(d.resolved_in_time), 0)::int as in_time
          from member m cross join lateral ${separate(`
            select fixed, fix_seconds, resolved, resolved_in_time from vulnerability_day
             where tenant_id = $1 and scope = 'repository' and key = m.key and day >= $3`)} d
         where m.part = w.part) t
      order by w.score desc, w.part`,
    [tx.tenantId, weights, since, limit],
  );
}

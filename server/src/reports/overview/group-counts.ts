/**
 * The numbers of open vulnerabilities in all repositories of an application or organization, which their lists show.
 */
import type { Tx } from '../../db/database.ts';
import { rowByKey, rowsByKey } from '../../db/planner-hints.ts';
import { distinctIds, formatId, type Id } from '../../domain/ids.ts';
import { type Severity, sqlSeverity } from '../../domain/packed-state.ts';
import { sqlStrongestVerdict, type Verdict } from '../../domain/policy-enums.ts';
import { bySeverityOf, severityCountsOf } from '../../http/by-severity.ts';
import { timestampOrNull } from '../../http/schema.ts';
import { newestVerdict } from '../../inventory/repositories/reference-store.ts';
import { isOpenHere } from './store.ts';

interface GroupRow {
  id: Id<GroupKind>;
  /** The strongest verdict of the default branches of its repositories. */
  verdict: Verdict | null;
  open: Partial<Record<Severity, number>>;
  last_scanned_at: Date | null;
}

/** SQL of the groups `g` and of the repositories `r` of each, for the ids `k`. */
const groups = {
  application: {
    group: rowByKey('application g', 'k.id'),
    repositories: `(select r.id, r.last_scanned_at, r.default_reference_id
        from ${rowsByKey('application_repository x', 'k.id', { column: 'application_id', next: 'repository_id' })}
       cross join lateral ${rowByKey('repository r', 'x.repository_id')})`,
  },
  organization: {
    group: rowByKey('organization g', 'k.id'),
    repositories: `(select r.id, r.last_scanned_at, r.default_reference_id
        from ${rowsByKey('repository r', 'k.id', { column: 'organization_id', next: 'id' })})`,
  },
} as const;

type GroupKind = keyof typeof groups;

/** Counts with the counters of the repositories, in the order of the ids; unknown ids are left out. */
async function countOpenByGroup(tx: Tx, kind: GroupKind, ids: Id<GroupKind>[]): Promise<GroupRow[]> {
  if (ids.length === 0) return [];
  const { group, repositories } = groups[kind];
  return tx.query<GroupRow>(
    `with asked as materialized (
       select g.id, k.n from unnest($2::uuid[]) with ordinality k (id, n) cross join lateral ${group}),
     member as materialized (
       select k.id as group_id, r.id, r.last_scanned_at, r.default_reference_id from asked k cross join lateral ${repositories} r),
     counted as (
       select m.group_id, c.severity, sum(c.n)::int as n
         from member m
        cross join lateral (
          select ${sqlSeverity('packed_state')} as severity, sum(count) as n from vulnerability_count
           where tenant_id = $1 and scope = 'repository' and key = m.id
             and ${isOpenHere('tracked')} and count > 0 group by 1) c
        group by 1, 2)
     select k.id, coalesce(c.open, '{}') as open, s.last_scanned_at, s.verdict
       from asked k
       left join (select group_id, json_object_agg(severity, n) as open from counted group by 1) c on c.group_id = k.id
       left join (select m.group_id, max(m.last_scanned_at) as last_scanned_at, ${sqlStrongestVerdict('v.verdict')} as verdict
                    from member m
                    left join lateral ${rowByKey('reference d', 'm.default_reference_id', { where: 'd.active' })} on true
                   cross join lateral ${newestVerdict('d.id')} v group by 1) s
              on s.group_id = k.id
      order by k.n`,
    [tx.tenantId, ids],
  );
}

export async function readGroupCounts(tx: Tx, kind: GroupKind, texts: string[]) {
  const ids = distinctIds(kind, texts);
  return (await countOpenByGroup(tx, kind, ids)).map((row) => {
    const counts = severityCountsOf(row.open);
    return {
      id: formatId(kind, row.id),
      open: counts.reduce((sum, { n }) => sum + n, 0),
      by_severity: bySeverityOf(counts),
      last_scanned_at: timestampOrNull(row.last_scanned_at),
      verdict: row.verdict,
    };
  });
}

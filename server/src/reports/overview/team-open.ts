/** The numbers of open vulnerabilities of each team. */
import type { Tx } from '../../db/database.ts';
import { formatId, type TeamId } from '../../domain/ids.ts';
import { type Severity, sqlSeverity } from '../../domain/packed-state.ts';
import { bySeverityOf, severityCountsOf } from '../../http/by-severity.ts';
import { isOpenHere } from './store.ts';

/** Every team is there, also one without any. */
export async function readTeamOpen(tx: Tx) {
  const rows = await tx.query<{ id: TeamId; open: Partial<Record<Severity, number>> }>(
    `select t.id, coalesce(o.open, '{}') as open
       from team t
       left join (
         select c.team_id, json_object_agg(c.severity, c.n) as open
           from (select team_id, ${sqlSeverity('packed_state')} as severity, count(*)::int as n from vulnerability
                  where tenant_id = $1 and team_id is not null and ${isOpenHere('tracked')} group by 1, 2) c
          group by 1) o on o.team_id = t.id
      where t.tenant_id = $1 order by t.name_key`,
    [tx.tenantId],
  );
  return rows.map(({ id, open }) => {
    const counts = severityCountsOf(open);
    return {
      id: formatId('team', id),
      open: counts.reduce((sum, { n }) => sum + n, 0),
      by_severity: bySeverityOf(counts),
    };
  });
}

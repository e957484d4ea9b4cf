/** SQL of signals: it looks up facts for each vulnerability of a page by its own index. */

import type { Tx } from '../db/database.ts';
import { rowByKey, rowsByKey } from '../db/planner-hints.ts';
import type { VulnerabilityId } from '../domain/ids.ts';
import { blockingStates, unresolvedStates } from '../domain/violation-state.ts';
import { sqlClaimCounts, sqlClaimReference } from './counting-claims.ts';
import { type IntelColumns, intelColumns, intelJoins } from './intel-columns.ts';

export interface SignalRow extends IntelColumns {
  id: VulnerabilityId;
  cvss_score: number | null;
  exploitable: boolean;
  status_version: number;
  accepted_until: Date | null;
  /** Due time of the first due violation. */
  due_at: Date | null;
  blocking: boolean;
  tools: string[];
  past_tools: string[];
  references: number;
  live_on: { full_ref: string; is_default: boolean } | null;
}

/** Returns the signals of the vulnerabilities that the workspace has, in no order. */
export async function listSignals(tx: Tx, ids: VulnerabilityId[]): Promise<SignalRow[]> {
  return tx.query<SignalRow>(
    `select v.id, v.cvss_score, v.exploitable_at is not null as exploitable,
            v.status_version, v.accepted_until, ${intelColumns},
            p.due_at, coalesce(p.blocking, false) as blocking, w.tools, w.past_tools, f.n as references,
            f.live_on
       from unnest($2::uuid[]) as k (id)
      cross join lateral ${rowByKey('vulnerability v', 'k.id')}
      ${intelJoins}
      cross join lateral (
        select min(p.due_at) as due_at, bool_or(p.packed_state = any($4::smallint[])) as blocking
          from ${rowsByKey('policy_violation p', 'v.id', {
            column: 'target_id',
            next: 'policy_id',
            where: 'p.repository_id = v.repository_id',
          })}
         where p.packed_state = any($3::smallint[])) p
      cross join lateral (
        select coalesce(array_agg(distinct w.tool) filter (where ${sqlClaimCounts('w')}), '{}') as tools,
               coalesce(array_agg(distinct w.tool), '{}') as past_tools
          from ${rowsByKey('vulnerability_reporter w', 'v.id', { column: 'vulnerability_id', next: 'series_id' })}
          ${sqlClaimReference('w')}) w
      cross join lateral (
        select count(*)::int as n,
               (array_agg(json_build_object('full_ref', f.full_ref, 'is_default', f.is_default)
                          order by f.is_default desc, f.tracked desc, f.last_scanned_at desc, f.id))[1] as live_on
          from ${rowsByKey('vulnerability_reference r', 'v.id', { column: 'vulnerability_id', next: 'reference_id' })}
          join reference f on f.tenant_id = $1 and f.id = r.reference_id and f.active
         where r.live) f`,
    [tx.tenantId, ids, unresolvedStates, blockingStates],
  );
}

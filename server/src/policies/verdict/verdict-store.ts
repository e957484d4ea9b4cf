/** SQL of verdicts: reads by packed states which references have violations that block or warn, and stores verdicts. */

import type { Tx } from '../../db/database.ts';
import { rowByKey, separate } from '../../db/planner-hints.ts';
import type { ReferenceId, ScanId } from '../../domain/ids.ts';
import type { Verdict } from '../../domain/policy-enums.ts';
import { blockingStates, warningStates } from '../../domain/violation-state.ts';
import type { Base } from './base.ts';
import { baseSeries, liveOnBase } from './base-series.ts';

/** True if the reference has a violation in one of these states that was not live on its base. */
export async function hasViolation(
  tx: Tx,
  referenceId: ReferenceId,
  base: Base,
  packedStates: number[],
): Promise<boolean> {
  // One lookup for each packed state, so that the planner uses the index even without statistics of the table.
  const matches = `select m.violation_id from violation_reference m
              where m.tenant_id = $1 and m.reference_id = $2 and m.packed_state = k.packed_state`;
  const states = 'unnest($3::smallint[]) as k (packed_state) cross join lateral';
  if (base.state !== 'compared') {
    const values = [tx.tenantId, referenceId, packedStates];
    const [row] = await tx.query(`select 1 from ${states} (${matches} limit 1) m limit 1`, values);
    return row !== undefined;
  }
  const [row] = await tx.query(
    `${baseSeries('$4', '$5', '$6')}
     select 1 from ${states} ${separate(matches)} m
      cross join lateral ${rowByKey('policy_violation v', 'm.violation_id')}
      where not ${liveOnBase('$4', '$7', '$8')} limit 1`,
    [
      tx.tenantId,
      referenceId,
      packedStates,
      base.referenceId,
      base.at,
      base.sha ?? '',
      base.listedAt,
      base.unmet,
    ],
  );
  return row !== undefined;
}

// SQL: the reference has a series of scans, not retired, without any successful run. It has no verdict meanwhile,
// because its findings are unknown.
function unproven(reference: string): string {
  return `exists (select 1 from scan_series u
                   where u.tenant_id = $1 and u.reference_id = ${reference} and u.last_seq > 0
                     and u.succeeded_at is null and u.retired_at is null)`;
}

export async function isUnproven(tx: Tx, referenceId: ReferenceId): Promise<boolean> {
  const [row] = await tx.query<{ yes: boolean }>(`select ${unproven('$2')} as yes`, [
    tx.tenantId,
    referenceId,
  ]);
  return row?.yes ?? false;
}

interface ActiveReference {
  id: ReferenceId;
  unproven: boolean;
  /** The reference names a base, so `blocks` and `warns`, which count all its violations, do not give its verdict. */
  compared: boolean;
  blocks: boolean;
  warns: boolean;
}

/** Lists those of these references that are active, with whether they have violations that block or warn. */
export async function listActiveReferences(tx: Tx, referenceIds: ReferenceId[]): Promise<ActiveReference[]> {
  return tx.query<ActiveReference>(
    `select f.id, ${unproven('f.id')} as unproven,
            not f.tracked and (f.base_ref is not null or f.base_sha is not null) as compared,
            exists (select 1 from violation_reference m
                     where m.tenant_id = $1 and m.reference_id = f.id and m.packed_state = any($3::smallint[])) as blocks,
            exists (select 1 from violation_reference m
                     where m.tenant_id = $1 and m.reference_id = f.id and m.packed_state = any($4::smallint[])) as warns
       from unnest($2::uuid[]) as k (id)
       join reference f on f.tenant_id = $1 and f.id = k.id and f.active`,
    [tx.tenantId, referenceIds, blockingStates, warningStates],
  );
}

/**
 * Writes the verdicts of these references to their newest completed scans. A scan of an earlier commit keeps its
 * verdict, because the reference shows another commit now. `scan` gets its own verdict, because without findings, such
 * as those of a VEX document, it is the newest of no series.
 */
export async function updateVerdicts(
  tx: Tx,
  verdicts: Map<ReferenceId, Verdict | null>,
  scan: { id: ScanId; verdict?: Verdict | null } | null,
): Promise<void> {
  await tx.query(
    `update scan s set verdict = n.verdict, updated_at = now()
       from (select t.last_scan_id as id, k.verdict, f.head_sha from unnest($2::uuid[], $3::text[]) as k (id, verdict)
               join scan_series t on t.tenant_id = $1 and t.reference_id = k.id
               join reference f on f.tenant_id = $1 and f.id = k.id
              where t.last_scan_id is not null
              union select $4::uuid, $5::text, null) n
      where s.tenant_id = $1 and s.id = n.id and s.status = 'completed' and s.verdict is distinct from n.verdict
        and (n.head_sha is null or s.sha is null or starts_with(n.head_sha, s.sha) or starts_with(s.sha, n.head_sha))`,
    [tx.tenantId, [...verdicts.keys()], [...verdicts.values()], scan?.id ?? null, scan?.verdict ?? null],
  );
}

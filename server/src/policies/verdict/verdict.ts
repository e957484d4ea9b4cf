/**
 * The verdict says whether the violations on a reference stop the merge. It is computed from the matches of violations,
 * so that it is as new as the last commit. It is also stored with the newest scans of the reference, for readers of
 * scans.
 */

import type { ChangeTx, Tx } from '../../db/database.ts';
import { rowByKey, separate } from '../../db/planner-hints.ts';
import type { ReferenceId } from '../../domain/ids.ts';
import type { Verdict } from '../../domain/policy-enums.ts';
import { isBlocking, isWarning, packedStatesWhere } from '../../domain/violation-state.ts';
import { type Base, findBase, liveOnBase } from './base.ts';
import { baseSeries } from './base-series.ts';
import { findComparedReference } from './compared-reference-store.ts';
import { unproven } from './unproven.ts';

export const blockingStates = packedStatesWhere(isBlocking);
/** Packed states of violations that warn without blocking. */
export const warningStates = packedStatesWhere((traits) => isWarning(traits) && !isBlocking(traits));

/** The current verdict of the reference against its base; `pass` if the reference does not exist. */
export async function readVerdict(tx: Tx, referenceId: ReferenceId): Promise<Verdict> {
  const reference = await findComparedReference(tx, referenceId);
  if (!reference) return 'pass';
  return verdictAgainst(tx, referenceId, await findBase(tx, reference));
}

/** The verdict of violations of which some block or warn. */
export function verdictOf(blocks: boolean, warns: boolean): Verdict {
  if (blocks) return 'block';
  return warns ? 'warn' : 'pass';
}

const byStrictness = [null, 'block', 'warn', 'pass'] as const;

/** The first one with the strictest verdict; no verdict yet is the strictest. Undefined if there is none. */
export function strictest<T extends { verdict: Verdict | null }>(items: T[]): T | undefined {
  const strictness = byStrictness.find((verdict) => items.some((item) => item.verdict === verdict));
  return items.find((item) => item.verdict === strictness);
}

export async function verdictAgainst(tx: Tx, referenceId: ReferenceId, base: Base): Promise<Verdict> {
  const blocks = await anyStands(tx, referenceId, base, blockingStates);
  return verdictOf(blocks, !blocks && (await anyStands(tx, referenceId, base, warningStates)));
}

async function anyStands(
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

/**
 * Commit step: computes the verdicts that are due and writes them to the newest scans of their references. The scan
 * that the transaction has imported gets the verdict of its reference, unless it has one already.
 */
export async function refreshVerdicts(tx: ChangeTx): Promise<void> {
  const { scan, referenceIds } = tx.changes.takeVerdicts();
  const isDue = scan !== null && scan.verdict === undefined;
  if (isDue) referenceIds.add(scan.referenceId);
  // The verdicts of a reference come from its newest reports, so a late one does not change them.
  else if (scan) referenceIds.delete(scan.referenceId);
  if (referenceIds.size === 0) return;
  const verdicts = await computeVerdicts(tx, [...referenceIds]);
  if (isDue) scan.verdict = verdicts.get(scan.referenceId) ?? null;
  // A scan without findings, such as a VEX document, is the newest of no series. A scan of an earlier commit keeps its
  // verdict, because the reference shows another commit now.
  await tx.query(
    `update scan s set verdict = n.verdict, updated_at = now()
       from (select t.last_scan_id as id, k.verdict, f.head_sha from unnest($2::uuid[], $3::text[]) as k (id, verdict)
               join scan_series t on t.tenant_id = $1 and t.reference_id = k.id
               join reference f on f.tenant_id = $1 and f.id = k.id
              where t.last_scan_id is not null
              union select $4::uuid, $5::text, null) n
      where s.tenant_id = $1 and s.id = n.id and s.status = 'completed' and s.verdict is distinct from n.verdict
        and (n.head_sha is null or s.sha is null or starts_with(n.head_sha, s.sha) or starts_with(s.sha, n.head_sha))`,
    [
      tx.tenantId,
      [...verdicts.keys()],
      [...verdicts.values()],
      isDue ? scan.id : null,
      isDue ? scan.verdict : null,
    ],
  );
}

/**
 * Returns the verdicts by reference id. An inactive reference has no entry, so that its stored verdict stays. The
 * verdict is null if a series has never succeeded. One statement handles all references without a base; each of the
 * others is compared with its own base.
 */
async function computeVerdicts(tx: Tx, referenceIds: ReferenceId[]): Promise<Map<string, Verdict | null>> {
  const verdicts = new Map<string, Verdict | null>();
  const rows = await tx.query<{
    id: ReferenceId;
    unproven: boolean;
    compared: boolean;
    blocks: boolean;
    warns: boolean;
  }>(
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
  for (const row of rows) {
    if (row.unproven) {
      verdicts.set(row.id, null);
      continue;
    }
    const verdict = row.compared ? await readVerdict(tx, row.id) : verdictOf(row.blocks, row.warns);
    verdicts.set(row.id, verdict);
  }
  return verdicts;
}

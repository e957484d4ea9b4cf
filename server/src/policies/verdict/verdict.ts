/**
 * The verdict: what stands on a reference, and whether it stops the merge. Read from where violations match, so that
 * it is as new as what is committed; written to the newest scans of the reference, for who reads those.
 */

import { byKey } from '../../db/by-key.ts';
import type { Tx } from '../../db/database.ts';
import { type Verdict, verdicts } from '../../domain/policy-enums.ts';
import { bucketsWhere, isBlocking, isWarning } from '../../domain/violation-state.ts';
import { type Base, baseStreams, findBase, findComparedReference, liveOnBase } from './base.ts';
import { unproven } from './unproven.ts';

/** By rising weight: the position is the stored number. */

export const blockingBuckets = bucketsWhere(isBlocking);
/** What stands without blocking. */
export const warningBuckets = bucketsWhere((traits) => isWarning(traits) && !isBlocking(traits));

/** Gives the stored number of a verdict. */
export function verdictNumber(verdict: Verdict | null): number | null {
  return verdict === null ? null : verdicts.indexOf(verdict);
}

/** Of the reference against its base, as it is now. */
export async function readVerdict(tx: Tx, tenantId: string, referenceId: string): Promise<Verdict> {
  const reference = await findComparedReference(tx, tenantId, referenceId);
  if (!reference) return 'pass';
  return verdictAgainst(tx, tenantId, referenceId, await findBase(tx, tenantId, reference));
}

export async function verdictAgainst(
  tx: Tx,
  tenantId: string,
  referenceId: string,
  base: Base,
): Promise<Verdict> {
  if (await anyStands(tx, tenantId, referenceId, base, blockingBuckets)) return 'block';
  if (await anyStands(tx, tenantId, referenceId, base, warningBuckets)) return 'warn';
  return 'pass';
}

async function anyStands(
  tx: Tx,
  tenantId: string,
  referenceId: string,
  base: Base,
  buckets: number[],
): Promise<boolean> {
  // Bucket by bucket, so that the index answers whatever the planner thinks of the table.
  const standing = `unnest($3::smallint[]) as k (bucket)
       cross join lateral (select m.violation_id from violation_reference m
              where m.tenant_id = $1 and m.reference_id = $2 and m.bucket = k.bucket`;
  if (base.state !== 'compared') {
    const [row] = await tx.query(`select 1 from ${standing} limit 1) m limit 1`, [
      tenantId,
      referenceId,
      buckets,
    ]);
    return row !== undefined;
  }
  const [row] = await tx.query(
    `${baseStreams('$4', '$5', '$6')}
     select 1 from ${standing} offset 0) m
      cross join lateral (select * from policy_violation v where v.tenant_id = $1 and ${byKey('v.id', 'm.violation_id')} order by v.id limit 1) v
      where not ${liveOnBase('$4', '$5')} limit 1`,
    [tenantId, referenceId, buckets, base.referenceId, base.at, base.sha ?? ''],
  );
  return row !== undefined;
}

/**
 * The newest scans of these references get their verdict anew, and it is given by reference; of a quiet one it stays as
 * it was told. It is null where a series of scans has never succeeded. References without a base all at once; the
 * others one by one, for each has a base of its own.
 */
export async function refreshVerdicts(
  tx: Tx,
  tenantId: string,
  referenceIds: Iterable<string>,
): Promise<Map<string, Verdict | null>> {
  const ids = [...referenceIds];
  const verdictOf = new Map<string, Verdict | null>();
  if (ids.length === 0) return verdictOf;
  const rows = await tx.query<{
    id: string;
    unproven: boolean;
    compared: boolean;
    blocks: boolean;
    warns: boolean;
  }>(
    `select f.id, ${unproven('f.id')} as unproven,
            not f.tracked and (f.base_ref is not null or f.base_sha is not null) as compared,
            exists (select 1 from violation_reference m
                     where m.tenant_id = $1 and m.reference_id = f.id and m.bucket = any($3::smallint[])) as blocks,
            exists (select 1 from violation_reference m
                     where m.tenant_id = $1 and m.reference_id = f.id and m.bucket = any($4::smallint[])) as warns
       from unnest($2::uuid[]) as k (id)
       join reference f on f.tenant_id = $1 and f.id = k.id and f.active`,
    [tenantId, ids, blockingBuckets, warningBuckets],
  );
  for (const row of rows) {
    if (row.unproven) {
      verdictOf.set(row.id, null);
      continue;
    }
    const verdict = row.compared
      ? await readVerdict(tx, tenantId, row.id)
      : row.blocks
        ? 'block'
        : row.warns
          ? 'warn'
          : 'pass';
    verdictOf.set(row.id, verdict);
  }
  await tx.query(
    `update scan s set verdict = n.verdict, updated_at = now()
       from (select t.last_scan_id as id, k.verdict from unnest($2::uuid[], $3::smallint[]) as k (id, verdict)
               join stream t on t.tenant_id = $1 and t.reference_id = k.id
              where t.last_scan_id is not null group by 1, 2) n
      where s.tenant_id = $1 and s.id = n.id and s.status = 2 and s.verdict is distinct from n.verdict`,
    [tenantId, [...verdictOf.keys()], [...verdictOf.values()].map(verdictNumber)],
  );
  return verdictOf;
}

// More pull requests are seldom open; the gate reads its verdict anew in any case.
const maxCompared = 200;

/** References whose base this is: what they add hangs on it. The newest ones. */
export async function listComparedWith(
  tx: Tx,
  tenantId: string,
  repositoryId: string,
  fullRef: string,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id from reference
      where tenant_id = $1 and repository_id = $2 and base_ref = $3 and active and not tracked
      order by last_scanned_at desc nulls last limit $4`,
    [tenantId, repositoryId, fullRef, maxCompared],
  );
  return rows.map((row) => row.id);
}

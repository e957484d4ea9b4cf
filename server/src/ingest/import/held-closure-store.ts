/** SQL of the closure of a series that the mass-closure check holds. */

import { changedNow, updateRow } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import { rowsByKey } from '../../db/planner-hints.ts';
import type { ReferenceId, ScanId, SeriesId } from '../../domain/ids.ts';
import { sqlSameCommit } from '../scans/store.ts';

/** Marks observations that the mass-closure check holds. A second complete scan or an admin decides about them. */
export async function markHeld(tx: Tx, seriesId: SeriesId, keys: string[]): Promise<void> {
  await tx.query(
    `update location_observation set held = true
      where tenant_id = $1 and series_id = $2 and key = any($3::uuid[]) and until_seq is null`,
    [tx.tenantId, seriesId, keys],
  );
}

/** Clears the held observations, but for those with these keys. */
export async function clearHeld(tx: Tx, seriesId: SeriesId, but: string[] = []): Promise<void> {
  await tx.query(
    `update location_observation set held = false
      where tenant_id = $1 and series_id = $2 and held and key <> all($3::uuid[])`,
    [tx.tenantId, seriesId, but],
  );
}

export async function listHeldKeys(tx: Tx, seriesId: SeriesId): Promise<string[]> {
  const rows = await tx.query<{ key: string }>(
    'select key from location_observation where tenant_id = $1 and series_id = $2 and held',
    [tx.tenantId, seriesId],
  );
  return rows.map((row) => row.key);
}

/**
 * False if the scan is a repetition of the one whose closure the series holds: the same bytes of the same commit, or
 * half a day later at most if one of them names no commit (ADR 120).
 */
export async function isOtherEvidence(tx: Tx, seriesId: SeriesId, scanId: ScanId): Promise<boolean> {
  const rows = await tx.query(
    `select from scan_series s
       join scan h on h.tenant_id = $1 and h.id = s.held_scan_id
       join scan n on n.tenant_id = $1 and n.id = $3 and n.content_digest = h.content_digest
      where s.tenant_id = $1 and s.id = $2
        and coalesce(${sqlSameCommit('h.sha', 'n.sha')}, n.scanned_at < h.scanned_at + interval '12 hours')`,
    [tx.tenantId, seriesId, scanId],
  );
  return rows.length === 0;
}

/** `digest` is that of the closure that is still held; null if none is. */
export async function setHeldClosure(tx: Tx, seriesId: SeriesId, digest: string | null): Promise<void> {
  const held = { held_closure: digest, ...(digest === null ? { held_scan_id: null } : {}) };
  await updateRow(tx, 'scan_series', seriesId, held, changedNow);
}

/**
 * SQL of the ids of the vulnerabilities that a release of the series' held closure would fix: no other observation
 * shows them on the reference. `$1` is the workspace.
 */
export const sqlHeldClosure = (seriesId: string, referenceId: string): string =>
  `select distinct g.vulnerability_id as id from location_observation g
    where g.tenant_id = $1 and g.series_id = ${seriesId} and g.held and g.until_seq is null
      and not exists (
        select 1 from ${rowsByKey('vulnerability_location l', 'g.vulnerability_id', {
          column: 'vulnerability_id',
          next: 'reference_id',
        })}
         where l.reference_id = ${referenceId} and l.fixed_at is null and not l.suppressed
           and (select coalesce(bool_or(not (o.held and o.series_id = ${seriesId})), true)
                  from ${rowsByKey('location_observation o', 'l.id', {
                    column: 'location_id',
                    where: 'o.until_seq is null',
                  })}))`;

/** The number of vulnerabilities that a release of the series' held closure would fix. */
export async function countHeldClosure(
  tx: Tx,
  seriesId: SeriesId,
  referenceId: ReferenceId,
): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `select count(*)::int as n from (${sqlHeldClosure('$2::uuid', '$3::uuid')}) h`,
    [tx.tenantId, seriesId, referenceId],
  );
  return row?.n ?? 0;
}

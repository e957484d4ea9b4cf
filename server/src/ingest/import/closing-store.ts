/** SQL of closing: it ends observations and claims of a series, and closes locations. */

import type { Tx } from '../../db/database.ts';
import type { LocationId, ReferenceId, SeriesId, VulnerabilityId } from '../../domain/ids.ts';

export async function endObservations(
  tx: Tx,
  seriesId: SeriesId,
  keys: string[],
  seq: number,
): Promise<void> {
  await tx.query(
    `update location_observation set until_seq = $4, held = false
      where tenant_id = $1 and series_id = $2 and key = any($3::uuid[]) and until_seq is null`,
    [tx.tenantId, seriesId, keys, seq],
  );
}

/** Closes these locations. */
export async function closeLocations(tx: Tx, locationIds: LocationId[], at: Date): Promise<void> {
  await tx.query(
    `update vulnerability_location set fixed_at = $3
      where tenant_id = $1 and id = any($2::uuid[]) and fixed_at is null`,
    [tx.tenantId, locationIds, at],
  );
}

/** Ends the claims of the series on these vulnerabilities, because it sees them nowhere any more. */
export async function endReporters(
  tx: Tx,
  seriesId: SeriesId,
  vulnerabilityIds: VulnerabilityId[],
): Promise<void> {
  await tx.query(
    `update vulnerability_reporter set live = false, updated_at = now()
      where tenant_id = $1 and series_id = $2 and vulnerability_id = any($3::uuid[]) and live`,
    [tx.tenantId, seriesId, vulnerabilityIds],
  );
}

/** Finds those of these vulnerabilities that are live on the reference through other locations than these. */
export async function findLiveElsewhere(
  tx: Tx,
  referenceId: ReferenceId,
  vulnerabilityIds: VulnerabilityId[],
  exceptLocationIds: LocationId[],
): Promise<VulnerabilityId[]> {
  const rows = await tx.query<{ vulnerability_id: VulnerabilityId }>(
    `select distinct vulnerability_id from vulnerability_location
      where tenant_id = $1 and reference_id = $2 and vulnerability_id = any($3::uuid[])
        and fixed_at is null and not suppressed and id <> all($4::uuid[])`,
    [tx.tenantId, referenceId, vulnerabilityIds, exceptLocationIds],
  );
  return rows.map((row) => row.vulnerability_id);
}

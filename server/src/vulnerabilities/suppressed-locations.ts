/** A location is suppressed in the source only if all series that see it now say so: none hides it from another. */
import type { Tx } from '../db/database.ts';
import { rowsByKey } from '../db/planner-hints.ts';
import type { LocationId } from '../domain/ids.ts';

/** SQL: false if a series sees the location now, and says that it is not suppressed. */
export function sqlIsSuppressed(location: string): string {
  const seen = rowsByKey('location_observation o', location, {
    column: 'location_id',
    where: 'o.until_seq is null',
  });
  return `(select coalesce(bool_and(o.suppressed), true) from ${seen})`;
}

/** Updates these open locations, after observations of them have ended or have moved to them. */
export async function alignSuppressed(tx: Tx, locationIds: LocationId[]): Promise<void> {
  if (locationIds.length === 0) return;
  await tx.query(
    `update vulnerability_location l set suppressed = ${sqlIsSuppressed('l.id')}
      where l.tenant_id = $1 and l.id = any($2::uuid[]) and l.fixed_at is null`,
    [tx.tenantId, locationIds],
  );
}

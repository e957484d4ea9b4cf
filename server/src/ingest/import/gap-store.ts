/** SQL of the fields that gaps of a report are compared with. */

import type { Tx } from '../../db/database.ts';
import type { LocationId, SeriesId } from '../../domain/ids.ts';
import type { Severity } from '../../domain/packed-state.ts';
import { sqlAllIds, sqlRule } from '../../vulnerabilities/identifiers.ts';

/** The fields of a location that gaps of a report are compared with. */
export interface GapFields {
  id: LocationId;
  path: string;
  /** Null for packages and secrets, whose rule is in the vulnerability alone. */
  rule_key: string | null;
  rule: string;
  package: string | null;
  /** All ids, its advisory included. */
  identifiers: string[];
  /** The severity that the series has reported. */
  severity: Severity | null;
  packed_state: number;
}

export async function listGapFields(
  tx: Tx,
  seriesId: SeriesId,
  locationIds: LocationId[],
): Promise<GapFields[]> {
  return tx.query<GapFields>(
    `select l.id, l.path, l.rule_key, ${sqlRule('v')} as rule, v.package, ${sqlAllIds('v')} as identifiers,
            r.severity, v.packed_state
       from vulnerability_location l
       join vulnerability v on v.tenant_id = $1 and v.id = l.vulnerability_id
       left join vulnerability_reporter r
         on r.tenant_id = $1 and r.vulnerability_id = l.vulnerability_id and r.series_id = $2
      where l.tenant_id = $1 and l.id = any($3::uuid[])`,
    [tx.tenantId, seriesId, locationIds],
  );
}

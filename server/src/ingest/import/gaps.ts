/** The gaps of a report: an absent finding that is in one of them is not fixed. */
import type { Tx } from '../../db/database.ts';
import { batches } from '../../domain/batches.ts';
import type { LocationId, SeriesId } from '../../domain/ids.ts';
import { unpackState } from '../../domain/packed-state.ts';
import type { Gap } from '../../parsers/report.ts';
import { ruleKeyOf } from '../prepare/identity.ts';
import { type GapFields, listGapFields } from './gap-store.ts';
import type { ObservationRow } from './observation-store.ts';
import { slices } from './slices.ts';

export interface SeriesWithGaps {
  id: SeriesId;
  tool: string;
  gaps: readonly Gap[];
}

/** Leaves out the absent findings of a series that are in a gap of its report. */
export async function withoutGaps(
  tx: Tx,
  series: SeriesWithGaps,
  absent: ObservationRow[],
): Promise<ObservationRow[]> {
  const inside = await findInGaps(
    tx,
    series,
    absent.map((row) => row.location_id),
  );
  return inside.size === 0 ? absent : absent.filter((row) => !inside.has(row.location_id));
}

/** Finds those of these locations, on any reference, that are in a gap of the report. */
export async function findInGaps(
  tx: Tx,
  { id, tool, gaps }: SeriesWithGaps,
  locationIds: LocationId[],
): Promise<Set<LocationId>> {
  const inside = new Set<LocationId>();
  if (gaps.length === 0) return inside;
  const isCovered = coverage(tool, gaps);
  for (const batch of batches(locationIds, slices.size)) {
    for (const row of await listGapFields(tx, id, batch)) if (isCovered(row)) inside.add(row.id);
  }
  return inside;
}

const names = ['path', 'rule', 'package', 'advisory', 'severity', 'type'] as const satisfies (keyof Gap)[];

/** Returns a test of a finding whose cost depends on the number of fields and not on the number of gaps. */
function coverage(tool: string, gaps: readonly Gap[]): (finding: GapFields) => boolean {
  const byFields = new Map<string, { fields: (keyof Gap)[]; known: Set<string> }>();
  for (const gap of gaps) {
    const values = { ...gap, ...(gap.rule === undefined ? {} : { rule: ruleKeyOf(tool, gap.rule) }) };
    const fields = names.filter((name) => values[name] !== undefined);
    const { known } = byFields.get(fields.join()) ?? { known: new Set<string>() };
    byFields.set(fields.join(), { fields, known: known.add(keyOf(values, fields)) });
  }
  return ({ path, rule_key, rule, package: named, identifiers, severity, packed_state }) => {
    const state = unpackState(packed_state);
    const values = {
      ...{ path, rule: rule_key ?? ruleKeyOf(tool, rule), package: named, type: state.type },
      // A series that has not shown the vulnerability yet gives it the severity that others have reported.
      severity: severity ?? state.severity,
    };
    return byFields.values().some(({ fields, known }) => {
      // A vulnerability can have very many ids.
      const advisories = fields.includes('advisory') ? identifiers : [null];
      return advisories.some((advisory) => known.has(keyOf({ ...values, advisory }, fields)));
    });
  };
}

function keyOf(values: { [name in keyof Gap]?: string | null }, fields: readonly (keyof Gap)[]): string {
  return JSON.stringify(fields.map((field) => values[field]));
}

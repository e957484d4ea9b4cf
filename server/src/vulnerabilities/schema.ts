/** Vulnerabilities as the API shows them: the schemas, and the functions that turn rows into them. */

import { Type } from 'typebox';
import {
  formatId,
  type LocationId,
  type ReferenceId,
  type RepositoryId,
  type VulnerabilityId,
} from '../domain/ids.ts';
import { severities, sources, statuses, types, unpackState } from '../domain/packed-state.ts';
import { type ReferenceType, referenceTypes, shortRef } from '../domain/reference-name.ts';
import { BySeverity } from '../http/by-severity.ts';
import {
  extendedObject,
  NullableInteger,
  NullableString,
  NullableTimestamp,
  namedObject,
  oneOf,
  Timestamp,
  timestamp,
  timestampOrNull,
} from '../http/schema.ts';

/**
 * The reason why a vulnerability is not open; the domain `resolution` has the same values. The database stores it only
 * with a decision.
 */
export const resolutions = [
  'fixed',
  'risk_accepted',
  'wont_fix',
  'false_positive',
  'not_affected',
  'test_code',
] as const;
export type Resolution = (typeof resolutions)[number];

export const ReferenceBrief = namedObject('ReferenceBrief', {
  id: Type.String(),
  ref: Type.String(),
  sha: NullableString,
  type: Type.String({ description: referenceTypes.join(', ') }),
});

const Location = namedObject('Location', {
  id: Type.String(),
  path: Type.String(),
  line: NullableInteger,
  fixed_at: NullableTimestamp,
  vulnerable_at: Timestamp,
  exploitable_at: NullableTimestamp,
  is_vulnerable: Type.Boolean(),
  is_exploitable: Type.Boolean(),
  reference: ReferenceBrief,
});

/** The fields that a vulnerability has in every answer about vulnerabilities. */
export const VulnerabilityItem = namedObject('VulnerabilityBrief', {
  id: Type.String(),
  title: Type.String(),
  repository: namedObject('NamedRepository', {
    id: Type.String(),
    name: Type.String(),
    full_name: Type.String(),
  }),
  severity: oneOf(severities),
  type: oneOf(types),
  source: oneOf(sources),
  status: oneOf(statuses),
  resolution: NullableString,
  confirmed: Type.Boolean(),
  triaged: Type.Boolean(),
  introduced_at: Timestamp,
  vulnerable_at: Timestamp,
  exploitable_at: NullableTimestamp,
  location: Location,
});

export const LocationItem = extendedObject('LocationDetail', Location, {
  artifact: Type.Union([
    Type.Object({
      id: Type.String(),
      type: Type.String({ description: 'package_version, image, file' }),
      name: Type.String(),
      purl: NullableString,
      digest: NullableString,
    }),
    Type.Null(),
  ]),
});

export const SeveritySummary = namedObject('SeveritySummary', {
  total: Type.Integer(),
  by_severity: BySeverity,
});

export const Summary = namedObject('VulnerabilitySummary', {
  total: Type.Integer(),
  by_severity: Type.Record(Type.String(), Type.Integer()),
  by_type: Type.Record(Type.String(), Type.Integer()),
});

export interface ReferenceColumns {
  reference_id: ReferenceId;
  full_ref: string;
  reference_sha: string | null;
  reference_type: ReferenceType;
  reference_active: boolean;
}

/** A time of the database: as a column, or as PostgreSQL writes it in JSON. */
type Time = Date | string;

export interface LocationColumns extends ReferenceColumns {
  location_id: LocationId;
  path: string;
  line: number | null;
  location_vulnerable_at: Time;
  location_fixed_at: Time | null;
  suppressed: boolean;
}

export interface VulnerabilityRow extends LocationColumns {
  id: VulnerabilityId;
  title: string;
  packed_state: number;
  resolution: Resolution | null;
  introduced_at: Time;
  vulnerable_at: Time;
  exploitable_at: Time | null;
  repository_id: RepositoryId;
  repository_name: string;
  repository_full_name: string;
}

export function referenceOf(row: Omit<ReferenceColumns, 'reference_active'>) {
  return {
    id: formatId('reference', row.reference_id),
    ref: shortRef(row.full_ref),
    sha: row.reference_sha,
    type: row.reference_type,
  };
}

/**
 * `exploitableAt` belongs to the vulnerability, because an exploitable vulnerability is exploitable wherever it is
 * live.
 */
export function locationOf(row: LocationColumns, exploitableAt: Time | null) {
  const isVulnerable = row.location_fixed_at === null && row.reference_active && !row.suppressed;
  return {
    id: formatId('location', row.location_id),
    path: row.path,
    line: row.line,
    fixed_at: timestampOrNull(row.location_fixed_at),
    vulnerable_at: timestamp(row.location_vulnerable_at),
    exploitable_at: timestampOrNull(exploitableAt),
    is_vulnerable: isVulnerable,
    is_exploitable: isVulnerable && exploitableAt !== null,
    reference: referenceOf(row),
  };
}

/** Combines a packed state and a stored decision. */
export function resolutionOf(packedState: number, stored: Resolution | null): Resolution | null {
  const { status } = unpackState(packedState);
  if (status === 'open') return null;
  if (status === 'fixed') return 'fixed';
  return stored;
}

export function vulnerabilityItem(row: VulnerabilityRow) {
  const traits = unpackState(row.packed_state);
  return {
    id: formatId('vulnerability', row.id),
    title: row.title,
    repository: {
      id: formatId('repository', row.repository_id),
      name: row.repository_name,
      full_name: row.repository_full_name,
    },
    severity: traits.severity,
    type: traits.type,
    source: traits.source,
    status: traits.status,
    resolution: resolutionOf(row.packed_state, row.resolution),
    confirmed: traits.confirmed,
    triaged: traits.triaged,
    introduced_at: timestamp(row.introduced_at),
    vulnerable_at: timestamp(row.vulnerable_at),
    exploitable_at: timestampOrNull(row.exploitable_at),
    location: locationOf(row, row.exploitable_at),
  };
}

export interface PackedStateCount {
  packed_state: number;
  n: number;
}

/** Turns counters into the summary of a list. It contains every value of the enumerations, even with zero. */
export function summaryOf(counts: PackedStateCount[]) {
  const bySeverity: Record<string, number> = Object.fromEntries(
    [...severities].reverse().map((name) => [name, 0]),
  );
  const byType: Record<string, number> = Object.fromEntries(types.map((name) => [name, 0]));
  let total = 0;
  for (const { packed_state: packedState, n } of counts) {
    const { severity, type } = unpackState(packedState);
    total += n;
    bySeverity[severity] = (bySeverity[severity] ?? 0) + n;
    byType[type] = (byType[type] ?? 0) + n;
  }
  return { total, by_severity: bySeverity, by_type: byType };
}

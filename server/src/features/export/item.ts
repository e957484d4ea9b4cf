/** A vulnerability as an export shows it, in every form: its schema, and rows turned into it. */
import { type Static, Type } from 'typebox';
import {
  NullableNumber,
  NullableString,
  NullableTimestamp,
  Timestamp,
  timestamp,
  timestampOrNull,
} from '../../http/schema.ts';
import { NullableEpss, NullableKev } from '../intel/join.ts';
import { referenceTypes, shortRef } from '../repositories/reference-name.ts';
import { unpackBucket } from '../vulnerabilities/bucket.ts';
import { NullablePerson, personOf } from '../vulnerabilities/detail.ts';
import { VulnerabilityItem, vulnerabilityItem } from '../vulnerabilities/schema.ts';
import type { ExportRow, StatusRow, ToolRow } from './store.ts';

export const ExportItem = Type.Object({
  ...VulnerabilityItem.properties,
  description: NullableString,
  rule: Type.String(),
  identifiers: Type.Array(Type.String()),
  cwes: Type.Array(Type.String()),
  links: Type.Array(Type.String()),
  package: NullableString,
  fix_version: NullableString,
  cvss: Type.Object({ score: NullableNumber, vector: NullableString }),
  kev: NullableKev,
  epss: NullableEpss,
  assignee: NullablePerson,
  accepted_until: NullableTimestamp,
  status_version: Type.String(),
  updated_at: Timestamp,
  references: Type.Array(
    Type.Object({
      ref: Type.String(),
      type: Type.String(),
      status: Type.String(),
      first_seen_at: Timestamp,
      fixed_at: NullableTimestamp,
    }),
  ),
  tools: Type.Array(
    Type.Object({ tool: Type.String(), live: Type.Boolean({ description: 'It reports it now.' }) }),
  ),
});
export type ExportItem = Static<typeof ExportItem>;

export function exportItem(row: ExportRow, statuses: StatusRow[], tools: ToolRow[]): ExportItem {
  return {
    ...vulnerabilityItem(row),
    description: row.description,
    rule: row.rule,
    identifiers: row.identifiers,
    cwes: row.cwes,
    links: row.links,
    package: row.package,
    fix_version: row.fix_version,
    cvss: { score: row.cvss_score, vector: row.cvss_vector },
    kev: row.kev,
    epss: row.epss,
    assignee: personOf(row.assignee),
    accepted_until: timestampOrNull(row.accepted_until),
    status_version: String(row.status_version),
    updated_at: timestamp(row.updated_at),
    references: statuses.map((status) => ({
      ref: shortRef(status.full_ref),
      type: referenceTypes[status.type] ?? 'branch',
      status: unpackBucket(status.bucket).status,
      first_seen_at: timestamp(status.first_seen_at),
      fixed_at: timestampOrNull(status.fixed_at),
    })),
    tools: tools.map(({ tool, live }) => ({ tool, live })),
  };
}

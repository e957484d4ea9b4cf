/**
 * A vulnerability with what a list leaves out: the fields that its detail and the export share, their schema, their
 * columns, and rows turned into them. Asks nothing itself.
 */
import { type Static, Type } from 'typebox';
import type { Person } from '../access/members/lookup.ts';
import { formatId } from '../domain/ids.ts';
import {
  NullableNumber,
  NullableString,
  NullableTimestamp,
  namedObject,
  PersonBrief,
  Timestamp,
  timestamp,
  timestampOrNull,
} from '../http/schema.ts';
import { type IntelColumns, intelColumns, intelJoins, NullableEpss, NullableKev } from './intel-columns.ts';
import { VulnerabilityItem, type VulnerabilityRow, vulnerabilityItem } from './schema.ts';
import { origins } from './status.ts';

export const NullablePerson = Type.Union([PersonBrief, Type.Null()]);

export const VulnerabilityFullItem = Type.Object({
  ...VulnerabilityItem.properties,
  description: NullableString,
  rule: Type.String(),
  identifiers: Type.Array(Type.String({ description: 'CVE, GHSA and other ids' })),
  cwes: Type.Array(Type.String()),
  links: Type.Array(Type.String()),
  package: NullableString,
  fix_version: NullableString,
  cvss: namedObject('CvssScore', { score: NullableNumber, vector: NullableString }),
  kev: NullableKev,
  epss: NullableEpss,
  assignee: NullablePerson,
  accepted_until: NullableTimestamp,
  decided_by: Type.Union([Type.String(), Type.Null()], {
    description: `Whose word the status is: ${origins.join(', ')}. Null: nobody has decided.`,
  }),
  status_version: Type.String(),
  updated_at: Timestamp,
});

export interface FullRow extends VulnerabilityRow, IntelColumns {
  rule: string;
  package: string | null;
  fix_version: string | null;
  cvss_score: number | null;
  cvss_vector: string | null;
  status_version: number;
  updated_at: Date;
  accepted_until: Date | null;
  decided_by: number | null;
  decision_binds: boolean;
  description: string | null;
  identifiers: string[];
  cwes: string[];
  links: string[];
  assignee: Person | null;
}

/** For a statement with `vulnerability` as v and the tenant as $1. */
export const fullColumns = `v.id, v.title, v.bucket, v.resolution, v.introduced_at, v.vulnerable_at, v.exploitable_at,
            v.repository_id, r.name as repository_name, r.full_name as repository_full_name, l.id as location_id,
            l.path, l.line, l.vulnerable_at as location_vulnerable_at, l.fixed_at as location_fixed_at, l.suppressed,
            f.id as reference_id, f.full_ref, f.head_sha as reference_sha, f.type as reference_type,
            f.active as reference_active, v.rule, v.package, v.fix_version, v.cvss_score, d.cvss_vector,
            v.status_version, v.updated_at, v.accepted_until, v.decided_by, v.decision_binds, d.description,
            coalesce(d.identifiers, '{}') as identifiers, coalesce(d.cwes, '{}') as cwes,
            coalesce(d.links, '{}') as links, ${intelColumns},
            case when u.id is null then null
                 else json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as assignee`;

export const fullJoins = `
       join repository r on r.tenant_id = $1 and r.id = v.repository_id
       join vulnerability_location l on l.tenant_id = $1 and l.id = v.primary_location_id
       join reference f on f.tenant_id = $1 and f.id = l.reference_id
       left join vulnerability_detail d on d.tenant_id = $1 and d.vulnerability_id = v.id
       left join user_account u on u.id = v.assignee_id${intelJoins}`;

export function vulnerabilityFullItem(row: FullRow): Static<typeof VulnerabilityFullItem> {
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
    decided_by: row.decided_by === null ? null : (origins[row.decided_by] ?? null),
    status_version: String(row.status_version),
    updated_at: timestamp(row.updated_at),
  };
}

export function personOf(person: Person | null): Static<typeof NullablePerson> {
  return person && { id: formatId('user', person.id), display_name: person.name, email: person.email };
}

/** SQL of single vulnerabilities: the locations, the assignment, the detail. */

import type { Person } from '../access/members/lookup.ts';
import type { ReadTx, Tx } from '../db/database.ts';
import { rowByKey } from '../db/planner-hints.ts';
import type { ArtifactType } from '../domain/artifact-types.ts';
import type {
  ArtifactId,
  EventId,
  LocationId,
  ReferenceId,
  ScanId,
  UserId,
  VulnerabilityId,
} from '../domain/ids.ts';
import { type Severity, sqlIsOpenIn, sqlSeverity } from '../domain/packed-state.ts';
import type { ReferenceType } from '../domain/reference-name.ts';
import { sqlClaimTitle, sqlFixedVersions } from './claim-columns.ts';
import { sqlClaimCounts } from './counting-claims.ts';
import type { EventKind } from './events.ts';
import type { MatchMethod } from './match-methods.ts';
import type { LocationColumns, Resolution } from './schema.ts';
import { type FullRow, fullColumns, fullJoins } from './vulnerability-fields.ts';

/** Returns those of the ids that are open on an active reference, tracked or not, and have one of the severities. */
export async function listOpenOf(
  tx: ReadTx,
  ids: readonly VulnerabilityId[],
  of: readonly Severity[],
): Promise<{ id: VulnerabilityId; tracked: boolean }[]> {
  return tx.query<{ id: VulnerabilityId; tracked: boolean }>(
    `select v.id, ${sqlIsOpenIn('v.packed_state', 'tracked')} as tracked from unnest($2::uuid[]) as k (id)
      cross join lateral ${rowByKey('vulnerability v', 'k.id')}
      where ${sqlIsOpenIn('v.packed_state', 'all')} and ${sqlSeverity('v.packed_state')} = any($3::text[])`,
    [tx.tenantId, ids, of],
  );
}

export interface AssignmentRow {
  id: VulnerabilityId;
  status_version: number;
  updated_at: Date;
  assignee: Person | null;
}

export async function listAssignments(tx: Tx, ids: VulnerabilityId[]): Promise<AssignmentRow[]> {
  return tx.query<AssignmentRow>(
    `select v.id, v.status_version, v.updated_at,
            case when u.id is null then null
                 else json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as assignee
       from vulnerability v left join user_account u on u.id = v.assignee_id
      where v.tenant_id = $1 and v.id = any($2::uuid[])`,
    [tx.tenantId, ids],
  );
}

export interface LocationRow extends LocationColumns {
  exploitable_at: Date | null;
  artifact_id: ArtifactId | null;
  artifact_type: ArtifactType | null;
  artifact_name: string | null;
  artifact_purl: string | null;
  artifact_digest: string | null;
}

const locationColumns = `l.id as location_id, l.path, l.line, l.vulnerable_at as location_vulnerable_at,
  l.fixed_at as location_fixed_at, l.suppressed, f.id as reference_id, f.full_ref, f.head_sha as reference_sha,
  f.type as reference_type, f.active as reference_active`;

// A location is vulnerable if it is not fixed, not suppressed and on an active reference: `is_vulnerable` of the API.
const isVulnerable = 'l.fixed_at is null and f.active and not l.suppressed';

/** Lists locations of one vulnerability after `afterId`, in order of their ids. */
export async function listLocations(
  tx: Tx,
  vulnerabilityId: VulnerabilityId,
  scope: 'live' | 'all',
  afterId: LocationId | null,
  limit: number,
): Promise<LocationRow[]> {
  return tx.query<LocationRow>(
    `select ${locationColumns}, v.exploitable_at, a.id as artifact_id, a.type as artifact_type, a.name as artifact_name,
            a.purl as artifact_purl, a.digest as artifact_digest
       from vulnerability_location l
       join vulnerability v on v.tenant_id = $1 and v.id = l.vulnerability_id
       join reference f on f.tenant_id = $1 and f.id = l.reference_id
       left join artifact a on a.tenant_id = $1 and a.id = l.artifact_id
      where l.tenant_id = $1 and l.vulnerability_id = $2 and ($3::uuid is null or l.id > $3)
        ${scope === 'live' ? `and ${isVulnerable}` : ''}
      order by l.id limit $4`,
    [tx.tenantId, vulnerabilityId, afterId, limit],
  );
}

export async function countLocations(
  tx: Tx,
  vulnerabilityId: VulnerabilityId,
): Promise<{ title: string; total: number; active: number }> {
  const rows = await tx.query<{ title: string; total: number; active: number }>(
    `select v.title, count(l.id)::int as total, count(*) filter (where ${isVulnerable})::int as active
       from vulnerability v
       left join vulnerability_location l on l.tenant_id = $1 and l.vulnerability_id = v.id
       left join reference f on f.tenant_id = $1 and f.id = l.reference_id
      where v.tenant_id = $1 and v.id = $2 group by v.title`,
    [tx.tenantId, vulnerabilityId],
  );
  return rows[0] ?? { title: '', total: 0, active: 0 };
}

export async function findFullRow(tx: Tx, id: VulnerabilityId): Promise<FullRow | undefined> {
  const rows = await tx.query<FullRow>(
    `select ${fullColumns} from vulnerability v${fullJoins} where v.tenant_id = $1 and v.id = $2`,
    [tx.tenantId, id],
  );
  return rows[0];
}

export interface ReporterRow {
  tool: string;
  category: string;
  ref: string;
  live: boolean;
  severity: Severity;
  title: string;
  fixed_versions: string[];
  cvss_score: number | null;
  verified: boolean;
  exploitable: boolean;
  updated_at: Date;
}

/** The detail shows at most this many references, and what tools report there, however many pull requests there are. */
export const maxShownReferences = 200;

/** SQL of an order: the references `f` with these rows of `vulnerability_reference`, the most important ones first. */
export const sqlByImportance = (row: string): string =>
  `f.is_default desc, f.tracked desc, (f.active and ${row}.live) desc, f.active desc, ${row}.first_seen_at desc, f.id desc`;

// SQL of a subquery: the references of the vulnerability $2 that its detail shows.
const shownReferences = `(
  select f.*, count(*) over () as total
    from vulnerability_reference r join reference f on f.tenant_id = $1 and f.id = r.reference_id
   where r.tenant_id = $1 and r.vulnerability_id = $2
   order by ${sqlByImportance('r')} limit ${maxShownReferences}) f`;

export async function listReporters(tx: Tx, id: VulnerabilityId): Promise<ReporterRow[]> {
  return tx.query<ReporterRow>(
    `select w.tool, s.category, f.full_ref as ref, ${sqlClaimCounts('w')} as live, w.severity, ${sqlClaimTitle('w', 'v')} as title,
            ${sqlFixedVersions('w')} as fixed_versions, w.cvss_score, w.verified, w.exploitable, w.updated_at
       from ${shownReferences}
       join scan_series s on s.tenant_id = $1 and s.reference_id = f.id
       join vulnerability_reporter w on w.tenant_id = $1 and w.vulnerability_id = $2 and w.series_id = s.id
       join vulnerability v on v.tenant_id = $1 and v.id = $2
      order by w.tool, s.category, s.file_name, f.full_ref`,
    [tx.tenantId, id],
  );
}

export interface ReferenceStatusRow {
  reference_id: ReferenceId;
  full_ref: string;
  reference_sha: string | null;
  reference_type: ReferenceType;
  reference_active: boolean;
  is_default: boolean;
  packed_state: number;
  live: boolean;
  first_seen_at: Date;
  fixed_at: Date | null;
  /** The number of references of the vulnerability, also of those that are not shown. */
  total: number;
}

export async function listReferenceStatuses(tx: Tx, id: VulnerabilityId): Promise<ReferenceStatusRow[]> {
  return tx.query<ReferenceStatusRow>(
    `select f.id as reference_id, f.full_ref, f.head_sha as reference_sha, f.type as reference_type,
            f.active as reference_active, f.is_default, r.packed_state, r.live, r.first_seen_at, r.fixed_at, f.total::int
       from ${shownReferences}
       join vulnerability_reference r on r.tenant_id = $1 and r.vulnerability_id = $2 and r.reference_id = f.id
      order by f.is_default desc, f.tracked desc, f.active desc, f.full_ref`,
    [tx.tenantId, id],
  );
}

export interface LocationMatchRow {
  location_id: LocationId;
  tool: string;
  match_method: MatchMethod;
}

/** Lists how each location was matched by the series that see it now. */
export async function listMatches(tx: Tx, id: VulnerabilityId): Promise<LocationMatchRow[]> {
  return tx.query<LocationMatchRow>(
    `select g.location_id, s.tool, g.match_method
       from ${shownReferences}
       join vulnerability_location l on l.tenant_id = $1 and l.vulnerability_id = $2 and l.reference_id = f.id
       join location_observation g on g.tenant_id = $1 and g.location_id = l.id and g.until_seq is null
       join scan_series s on s.tenant_id = $1 and s.id = g.series_id
      order by g.location_id, s.tool, s.category, s.id`,
    [tx.tenantId, id],
  );
}

export interface EventRow {
  id: EventId;
  kind: EventKind;
  at: Date;
  actor_id: UserId | null;
  actor_name: string | null;
  scan_id: ScanId | null;
  reason: string | null;
  data: Record<string, unknown> | null;
}

/**
 * Only the newest events of a longer history are shown, so that the answer stays small. Each pull request adds an event
 * about its reference, so these have a limit of their own and never hide who decided.
 */
export const maxEvents = { seenOnReference: 20, other: 200 };

/** Lists the events of the vulnerability and of those that were merged into it, newest first. */
export async function listVulnerabilityEvents(tx: Tx, id: VulnerabilityId): Promise<EventRow[]> {
  return tx.query<EventRow>(
    `with own as (
       select id, opened_at, opened_scan_id from vulnerability where tenant_id = $1 and id = $2
       union all
       select id, opened_at, opened_scan_id from vulnerability_redirect where tenant_id = $1 and vulnerability_id = $2),
     event as (
       select id, kind, at, actor_id, scan_id, reason, data from vulnerability_event
        where tenant_id = $1 and vulnerability_id in (select id from own)
       union all
       select id, 'opened', opened_at, null, opened_scan_id, null, null from own where opened_at is not null)
     select e.id, e.kind, e.at, e.actor_id, u.name as actor_name, e.scan_id, e.reason, e.data
       from ((select * from event where kind <> 'seen_on_reference' order by id desc limit ${maxEvents.other})
             union all
             (select * from event where kind = 'seen_on_reference' order by id desc limit ${maxEvents.seenOnReference})) e
       left join user_account u on u.id = e.actor_id
      order by e.id desc`,
    [tx.tenantId, id],
  );
}

export interface DecidedRow {
  id: VulnerabilityId;
  packed_state: number;
  resolution: Resolution | null;
  accepted_until: Date | null;
  status_version: number;
  updated_at: Date;
}

/** Lists the fields that the answer to a decision shows. */
export async function listDecided(tx: Tx, ids: VulnerabilityId[]): Promise<DecidedRow[]> {
  return tx.query<DecidedRow>(
    `select id, packed_state, resolution, accepted_until, status_version, updated_at
       from vulnerability where tenant_id = $1 and id = any($2::uuid[])`,
    [tx.tenantId, ids],
  );
}

/** SQL of reconciling: it reads and writes sets of vulnerabilities with everything that their status depends on. */
import { insertRows, replacing, rowsOf } from '../db/bulk.ts';
import type { Tx } from '../db/database.ts';
import { rowByKey, rowByKeys, rowsByKey } from '../db/planner-hints.ts';
import type { LocationId, ReferenceId, RepositoryId, UserId, VulnerabilityId } from '../domain/ids.ts';
import type { VexStatus } from '../domain/vex-status.ts';
import { sqlClaimTitle, sqlStoredTitle } from './claim-columns.ts';
import { sqlExploitedSince } from './cves.ts';
import { newestJoinedAt } from './joined-names.ts';
import type { Resolution } from './schema.ts';
import { searchKey } from './search-terms.ts';
import { type Origin, type VexClaim, vexClaimOfAll } from './status.ts';

export interface LockedVulnerability {
  id: VulnerabilityId;
  repository_id: RepositoryId;
  packed_state: number;
  default_branch_state: number | null;
  resolution: Resolution | null;
  status_version: number;
  assignee_id: UserId | null;
  accepted_until: Date | null;
  decided_by: Origin | null;
  decision_overrides_policy: boolean;
  decision_covers_names: boolean;
  /** Time of a person's last decision. */
  decided_at: Date | null;
  /** Time when the newest of its other names was joined; null if it has no other name. */
  joined_at: Date | null;
  exploitable_at: Date | null;
  /** Time when the catalogue of known exploited vulnerabilities added the first of its CVEs. */
  kev_added_at: Date | null;
  introduced_at: Date;
  vulnerable_at: Date;
  title: string;
  rule: string | null;
  package: string | null;
  fix_version: string | null;
  cvss_score: number | null;
  primary_reference_id: ReferenceId;
  primary_location_id: LocationId;
}

/** Locks the rows until the transaction ends, in id order. */
export async function lockVulnerabilities(tx: Tx, ids: VulnerabilityId[]): Promise<LockedVulnerability[]> {
  return tx.query<LockedVulnerability>(
    `select v.id, v.repository_id, v.packed_state, v.default_branch_state, v.resolution, v.status_version, v.assignee_id, v.accepted_until,
            v.decided_by, v.decision_overrides_policy, v.decision_covers_names, v.decided_at, ${newestJoinedAt('v.id')} as joined_at, v.exploitable_at, ${sqlExploitedSince} as kev_added_at, v.introduced_at, v.vulnerable_at,
            v.title, v.rule, v.package, v.fix_version, v.cvss_score, v.primary_reference_id, v.primary_location_id
       from vulnerability v
      where v.tenant_id = $1 and v.id = any($2::uuid[]) order by v.id for update of v`,
    [tx.tenantId, ids],
  );
}

/** A vulnerability on a reference. It is stored if `known`; the fields `now_…` come from its current locations. */
export interface ReferenceLocation {
  vulnerability_id: VulnerabilityId;
  reference_id: ReferenceId;
  full_ref: string;
  is_default: boolean;
  tracked: boolean;
  active: boolean;
  known: boolean;
  packed_state: number;
  live: boolean;
  location_id: LocationId | null;
  first_seen_at: Date | null;
  fixed_at: Date | null;
  now_live: boolean;
  /** True if it is at no location, not even at a suppressed one. */
  now_fixed: boolean;
  now_location_id: LocationId;
  now_vulnerable_at: Date;
}

/** The vulnerabilities whose locations are read, and the references on which some of these have changed. */
interface LocationScope {
  vulnerabilities: Pick<LockedVulnerability, 'id' | 'repository_id' | 'primary_reference_id'>[];
  changedOn: readonly ReferenceId[];
}

/**
 * Lists the locations of these vulnerabilities on the references that may decide: the tracked ones, those where
 * locations have changed, and the one that the vulnerability shows. So the time does not grow with the number of pull
 * requests. The location shown is the first live one by path and line, else the one that was seen last.
 *
 * The lateral subqueries force a lookup per id. In a workspace that is newer than its statistics the planner expects
 * one or two rows, and would compare the whole table with each id.
 */
export async function listReferenceLocations(
  tx: Tx,
  { vulnerabilities, changedOn }: LocationScope,
): Promise<ReferenceLocation[]> {
  return tx.query<ReferenceLocation>(
    `select k.id as vulnerability_id, f.id as reference_id, f.full_ref, f.is_default, f.tracked, f.active,
            r.packed_state is not null as known, coalesce(r.packed_state, 0) as packed_state, coalesce(r.live, false) as live,
            r.location_id, r.first_seen_at, r.fixed_at,
            p.live as now_live, p.fixed_at is not null as now_fixed, p.id as now_location_id, p.vulnerable_at as now_vulnerable_at
       from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as k (id, repository_id, primary_reference_id)
       cross join lateral (
             select f.id from ${rowsByKey('reference f', 'k.repository_id', { column: 'repository_id', next: 'id', where: 'f.tracked' })}
             union select k.primary_reference_id
             union select unnest($5::uuid[])) c
       cross join lateral (
             select distinct on (l.reference_id) l.id, l.vulnerable_at, l.fixed_at, l.fixed_at is null and not l.suppressed as live
               from vulnerability_location l
              where l.tenant_id = $1 and l.vulnerability_id = k.id and l.reference_id >= c.id and l.reference_id <= c.id
              order by l.reference_id, (l.fixed_at is null and not l.suppressed) desc,
                       case when l.fixed_at is null then l.path end collate "C", case when l.fixed_at is null then l.line end,
                       l.vulnerable_at desc, l.id desc) p
       cross join lateral ${rowByKey('reference f', 'c.id')}
       left join lateral ${rowByKeys('vulnerability_reference r', { vulnerability_id: 'k.id', reference_id: 'c.id' })} on true`,
    [
      tx.tenantId,
      vulnerabilities.map(({ id }) => id),
      vulnerabilities.map((row) => row.repository_id),
      vulnerabilities.map((row) => row.primary_reference_id),
      changedOn,
    ],
  );
}

/**
 * Lists for each of these vulnerabilities the newest reference that is active, not tracked and has it, among those
 * where no location has changed.
 */
export async function listLiveElsewhere(
  tx: Tx,
  ids: VulnerabilityId[],
  changedOn: readonly ReferenceId[],
): Promise<ReferenceLocation[]> {
  if (ids.length === 0) return [];
  return tx.query<ReferenceLocation>(
    `select r.vulnerability_id, r.reference_id, f.full_ref, f.is_default, f.tracked, f.active, true as known,
            r.packed_state, r.live, r.location_id, r.first_seen_at, r.fixed_at,
            r.live as now_live, false as now_fixed, r.location_id as now_location_id, r.first_seen_at as now_vulnerable_at
       from unnest($2::uuid[]) as k (id)
       cross join lateral (
             select r.*
               from vulnerability_reference r
               cross join lateral ${rowByKey('reference f', 'r.reference_id', { where: 'f.active and not f.tracked' })}
              where r.tenant_id = $1 and r.vulnerability_id >= k.id and r.vulnerability_id <= k.id and r.live
                and r.reference_id <> all($3::uuid[])
              order by r.vulnerability_id desc, r.reference_id desc limit 1) r
       cross join lateral ${rowByKey('reference f', 'r.reference_id')}`,
    [tx.tenantId, ids, changedOn],
  );
}

/** A vulnerability whose traits or decision have changed. */
export interface ChangedState {
  id: VulnerabilityId;
  /** The packed states on references where it is live, and on those where it is not. */
  live_state: number;
  fixed_state: number;
}

interface MovedState {
  reference_id: ReferenceId;
  full_ref: string;
  from: number;
  to: number;
  count: number;
}

/** Sets the packed states on all references, and returns how many have moved from which state to which. */
export async function updateStates(tx: Tx, rows: ChangedState[]): Promise<MovedState[]> {
  if (rows.length === 0) return [];
  return tx.query<MovedState>(
    `with moved as (
       select r.vulnerability_id, r.reference_id, r.full_ref, r.packed_state as "from",
              case when r.live then s.live_state else s.fixed_state end as "to"
         from json_to_recordset($2) as s (id uuid, live_state smallint, fixed_state smallint)
        cross join lateral ${rowsByKey('vulnerability_reference r', 's.id', { column: 'vulnerability_id', next: 'reference_id' })}
        where r.packed_state <> case when r.live then s.live_state else s.fixed_state end),
     written as (
       update vulnerability_reference r set packed_state = m.to from moved m
        where r.tenant_id = $1 and r.vulnerability_id = m.vulnerability_id and r.reference_id = m.reference_id)
     select reference_id, full_ref, "from", "to", count(*)::int as count
       from moved group by reference_id, full_ref, "from", "to"`,
    [tx.tenantId, JSON.stringify(rows)],
  );
}

/**
 * Returns what the VEX documents that may decide say about these vulnerabilities in all versions that active references
 * have.
 */
export async function listVexClaims(tx: Tx, ids: VulnerabilityId[]): Promise<Map<string, VexClaim>> {
  const rows = await tx.query<{
    id: VulnerabilityId;
    version: string;
    status: VexStatus;
    reason: string | null;
    stated_at: Date;
    overrides_policy: boolean;
    received_at: Date;
    live_versions: string[] | null;
  }>(
    `select v.id, s.version, s.status, s.reason, s.stated_at, s.overrides_policy, s.received_at,
            (select array_agg(distinct coalesce(substring(a.purl from '@([^@]*)$'), ''))
               from vulnerability_location l
               cross join lateral ${rowByKey('reference f', 'l.reference_id', { where: 'f.active' })}
               left join artifact a on a.tenant_id = $1 and a.id = l.artifact_id
              where s.version <> '' and l.tenant_id = $1 and l.vulnerability_id = v.id and l.fixed_at is null) as live_versions
       from vulnerability v
       join vex_statement s on s.tenant_id = $1 and s.repository_id = v.repository_id and s.advisory = v.advisory
                           and s.package in (v.package, '') and s.may_decide
      where v.tenant_id = $1 and v.id = any($2::uuid[])`,
    [tx.tenantId, ids],
  );
  const claims = new Map<string, VexClaim>();
  for (const [id, statements] of Map.groupBy(rows, (row) => row.id)) {
    const said = statements.map((row) => ({
      version: row.version,
      status: row.status,
      reason: row.reason,
      statedAt: row.stated_at,
      overridesPolicy: row.overrides_policy,
      saidAt: row.received_at,
    }));
    // They are read only if a statement names a version. A statement without one is about all versions.
    const encoded = statements.find((row) => row.live_versions !== null)?.live_versions ?? [''];
    const live = encoded.map((version) => decodeURIComponent(version));
    const claim = vexClaimOfAll(
      live.map((version) => said.filter((row) => row.version === '' || row.version === version)),
    );
    if (claim !== null) claims.set(id, claim);
  }
  return claims;
}

/** Times are RFC 3339 text, because the rows are passed as JSON. */
export interface ReconciledVulnerability {
  id: VulnerabilityId;
  packed_state: number;
  default_branch_state: number | null;
  resolution: Resolution | null;
  status_version: number;
  assignee_id: UserId | null;
  accepted_until: string | null;
  decided_by: Origin | null;
  decision_overrides_policy: boolean;
  decision_covers_names: boolean;
  decided_at: string | null;
  exploitable_at: string | null;
  vulnerable_at: string;
  title: string;
  package: string | null;
  fix_version: string | null;
  cvss_score: number | null;
  primary_reference_id: ReferenceId;
  primary_location_id: LocationId;
}

/**
 * Keeps the titles of all claims on these vulnerabilities, which are about to get another title: those that had the
 * title of their vulnerability are stored, and those that have the new one are not.
 */
export async function keepClaimTitles(
  tx: Tx,
  retitled: Pick<ReconciledVulnerability, 'id' | 'title'>[],
): Promise<void> {
  if (retitled.length === 0) return;
  await tx.query(
    `update vulnerability_reporter w set title = ${sqlStoredTitle(sqlClaimTitle('w', 'v'), 's.title')}
       from unnest($2::uuid[], $3::text[]) as s (id, title)
       join vulnerability v on v.tenant_id = $1 and v.id = s.id
      where w.tenant_id = $1 and w.vulnerability_id = s.id and (w.title is null or w.title = s.title)`,
    [tx.tenantId, retitled.map((row) => row.id), retitled.map((row) => row.title)],
  );
}

export async function updateVulnerabilities(tx: Tx, rows: ReconciledVulnerability[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `update vulnerability v set packed_state = s.packed_state, default_branch_state = s.default_branch_state, resolution = s.resolution, status_version = s.status_version,
            assignee_id = s.assignee_id, accepted_until = s.accepted_until, decided_by = s.decided_by,
            decision_overrides_policy = s.decision_overrides_policy,
            decision_covers_names = s.decision_covers_names, decided_at = s.decided_at,
            exploitable_at = s.exploitable_at,
            vulnerable_at = s.vulnerable_at, title = s.title, search_key = s.search_key, fix_version = s.fix_version,
            cvss_score = s.cvss_score, primary_reference_id = s.primary_reference_id,
            primary_location_id = s.primary_location_id, updated_at = date_trunc('milliseconds', now())
       from ${rowsOf('vulnerability', '$2')} s
      where v.tenant_id = $1 and v.id = s.id`,
    [tx.tenantId, JSON.stringify(rows.map((row) => ({ ...row, search_key: searchKey(row) })))],
  );
}

/**
 * Marks these vulnerabilities as updated, because related data has changed and clients that read changes must see them.
 */
export async function markUpdated(tx: Tx, ids: VulnerabilityId[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    `update vulnerability set updated_at = date_trunc('milliseconds', now())
      where tenant_id = $1 and id = any($2::uuid[]) and updated_at < date_trunc('milliseconds', now())`,
    [tx.tenantId, ids],
  );
}

/** The location of a vulnerability that the list showed, and the one that it shows now. */
export interface MovedVulnerability {
  from: string;
  to: string;
}

/** The repositories with a CODEOWNERS file in which one of these has another path now. */
export async function listRepositoriesWithMoved(
  tx: Tx,
  moved: MovedVulnerability[],
): Promise<RepositoryId[]> {
  if (moved.length === 0) return [];
  const rows = await tx.query<{ id: RepositoryId }>(
    `select distinct c.repository_id as id from unnest($2::uuid[], $3::uuid[]) as k (from_id, to_id)
      cross join lateral ${rowByKey('vulnerability_location l', 'k.to_id')}
       left join lateral ${rowByKey('vulnerability_location f', 'k.from_id')} on true
       join code_owners c on c.tenant_id = $1 and c.repository_id = l.repository_id
      where f.path is distinct from l.path`,
    [tx.tenantId, moved.map(({ from }) => from), moved.map(({ to }) => to)],
  );
  return rows.map(({ id }) => id);
}

export interface ReconciledReference {
  vulnerability_id: VulnerabilityId;
  reference_id: ReferenceId;
  location_id: LocationId;
  packed_state: number;
  live: boolean;
  introduced_at: string;
  first_seen_at: string;
  fixed_at: string | null;
  full_ref: string;
}

export async function upsertVulnerabilityReferences(tx: Tx, rows: ReconciledReference[]): Promise<void> {
  const state = ['location_id', 'packed_state', 'live', 'fixed_at'];
  await insertRows(tx, 'vulnerability_reference', rows, {
    conflict: replacing(['vulnerability_id', 'reference_id'], state),
  });
}

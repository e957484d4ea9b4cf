/** SQL of settling: sets of vulnerabilities with all that their status depends on, read and written at once. */
import type { Tx } from '../../db/database.ts';
import { type Severity, severities } from './bucket.ts';
import type { ReporterWord } from './status.ts';
import { titleKey } from './title-words.ts';

export interface LockedVulnerability {
  id: string;
  repository_id: string;
  bucket: number;
  resolution: number | null;
  status_version: number;
  assignee_id: string | null;
  accepted_until: Date | null;
  exploitable_at: Date | null;
  introduced_at: Date;
  vulnerable_at: Date;
  title: string;
  fix_version: string | null;
  cvss_score: number | null;
  primary_reference_id: string;
  primary_location_id: string;
}

/** Locks the rows until the transaction ends, in id order. */
export async function lockVulnerabilities(
  tx: Tx,
  tenantId: string,
  ids: string[],
): Promise<LockedVulnerability[]> {
  return tx.query<LockedVulnerability>(
    `select id, repository_id, bucket, resolution, status_version, assignee_id, accepted_until, exploitable_at,
            introduced_at, vulnerable_at, title, fix_version, cvss_score, primary_reference_id, primary_location_id
       from vulnerability where tenant_id = $1 and id = any($2::uuid[]) order by id for update`,
    [tenantId, ids],
  );
}

/** A vulnerability on a reference: as it is stored (`known`), and as its places are now (`now_…`). */
export interface ReferencePlace {
  vulnerability_id: string;
  reference_id: string;
  full_ref: string;
  is_default: boolean;
  tracked: boolean;
  active: boolean;
  known: boolean;
  bucket: number;
  live: boolean;
  on_default: boolean;
  location_id: string | null;
  first_seen_at: Date | null;
  fixed_at: Date | null;
  now_live: boolean;
  now_location_id: string;
  now_vulnerable_at: Date;
}

/** Every reference on which one of these has, or had, a place. The place shown: live first, newest first. */
export async function listPlaces(tx: Tx, tenantId: string, ids: string[]): Promise<ReferencePlace[]> {
  return tx.query<ReferencePlace>(
    `select p.vulnerability_id, p.reference_id, f.full_ref, f.is_default, f.tracked, f.active,
            r.bucket is not null as known, coalesce(r.bucket, 0) as bucket, coalesce(r.live, false) as live,
            coalesce(r.on_default, false) as on_default, r.location_id, r.first_seen_at, r.fixed_at,
            p.live as now_live, p.id as now_location_id, p.vulnerable_at as now_vulnerable_at
       from (select distinct on (l.vulnerability_id, l.reference_id)
                    l.vulnerability_id, l.reference_id, l.id, l.vulnerable_at,
                    l.fixed_at is null and not l.suppressed as live
               from vulnerability_location l
              where l.tenant_id = $1 and l.vulnerability_id = any($2::uuid[])
              order by l.vulnerability_id, l.reference_id, (l.fixed_at is null and not l.suppressed) desc,
                       l.vulnerable_at desc, l.id desc) p
       join reference f on f.tenant_id = $1 and f.id = p.reference_id
       left join vulnerability_reference r
         on r.tenant_id = $1 and r.vulnerability_id = p.vulnerability_id and r.reference_id = p.reference_id`,
    [tenantId, ids],
  );
}

export interface LiveReporter extends ReporterWord {
  vulnerability_id: string;
}

export async function listLiveReporters(tx: Tx, tenantId: string, ids: string[]): Promise<LiveReporter[]> {
  const rows = await tx.query<{
    vulnerability_id: string;
    tool: string;
    severity: number;
    title: string;
    fixed_versions: string[];
    cvss_score: number | null;
    exploitable: boolean;
    verified: boolean;
    history: boolean;
  }>(
    `select vulnerability_id, tool, severity, title, fixed_versions, cvss_score, exploitable, verified, history
       from vulnerability_reporter where tenant_id = $1 and vulnerability_id = any($2::uuid[]) and live`,
    [tenantId, ids],
  );
  return rows.map((row) => ({
    vulnerability_id: row.vulnerability_id,
    tool: row.tool,
    severity: severities[row.severity] as Severity,
    title: row.title,
    fixedVersions: row.fixed_versions,
    cvssScore: row.cvss_score,
    exploitable: row.exploitable,
    verified: row.verified,
    history: row.history,
  }));
}

/** Times are RFC 3339 text: the rows travel as JSON. */
export interface SettledVulnerability {
  id: string;
  bucket: number;
  resolution: number | null;
  status_version: number;
  assignee_id: string | null;
  accepted_until: string | null;
  exploitable_at: string | null;
  vulnerable_at: string;
  title: string;
  fix_version: string | null;
  cvss_score: number | null;
  primary_reference_id: string;
  primary_location_id: string;
}

export async function updateVulnerabilities(
  tx: Tx,
  tenantId: string,
  rows: SettledVulnerability[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `update vulnerability v set bucket = s.bucket, resolution = s.resolution, status_version = s.status_version,
            assignee_id = s.assignee_id, accepted_until = s.accepted_until, exploitable_at = s.exploitable_at,
            vulnerable_at = s.vulnerable_at, title = s.title, title_key = s.title_key, fix_version = s.fix_version,
            cvss_score = s.cvss_score, primary_reference_id = s.primary_reference_id,
            primary_location_id = s.primary_location_id, updated_at = date_trunc('milliseconds', now())
       from json_to_recordset($2::json) as s (id uuid, bucket smallint, resolution smallint, status_version integer,
            assignee_id uuid, accepted_until timestamptz, exploitable_at timestamptz, vulnerable_at timestamptz,
            title text, title_key uuid, fix_version text, cvss_score real, primary_reference_id uuid,
            primary_location_id uuid)
      where v.tenant_id = $1 and v.id = s.id`,
    [tenantId, JSON.stringify(rows.map((row) => ({ ...row, title_key: titleKey(row.title) })))],
  );
}

export interface SettledReference {
  vulnerability_id: string;
  reference_id: string;
  repository_id: string;
  location_id: string;
  bucket: number;
  live: boolean;
  on_default: boolean;
  introduced_at: string;
  first_seen_at: string;
  fixed_at: string | null;
  full_ref: string;
}

export async function upsertVulnerabilityReferences(
  tx: Tx,
  tenantId: string,
  rows: SettledReference[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `insert into vulnerability_reference (tenant_id, vulnerability_id, reference_id, repository_id, location_id,
            bucket, live, on_default, introduced_at, first_seen_at, fixed_at, full_ref)
     select $1, s.vulnerability_id, s.reference_id, s.repository_id, s.location_id, s.bucket, s.live, s.on_default,
            s.introduced_at, s.first_seen_at, s.fixed_at, s.full_ref
       from json_to_recordset($2::json) as s (vulnerability_id uuid, reference_id uuid, repository_id uuid,
            location_id uuid, bucket smallint, live boolean, on_default boolean, introduced_at timestamptz,
            first_seen_at timestamptz, fixed_at timestamptz, full_ref text)
     on conflict (tenant_id, vulnerability_id, reference_id) do update set location_id = excluded.location_id,
       bucket = excluded.bucket, live = excluded.live, on_default = excluded.on_default,
       fixed_at = excluded.fixed_at`,
    [tenantId, JSON.stringify(rows)],
  );
}

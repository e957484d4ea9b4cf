/** SQL of writing findings: it passes sets as JSON, with one statement per table. */

import type { Tx } from '../../db/database.ts';
import { sqlHigherSeverity } from '../../domain/packed-state.ts';
import type { PreparedFinding } from '../prepare/prepared-report.ts';
import {
  artifactRows,
  type DetailInput,
  type NewVulnerability,
  type ObservationInput,
  type PlaceInput,
  type ReporterInput,
} from './written-rows.ts';

/** Returns artifact key → id. */
export async function upsertArtifacts(tx: Tx, findings: PreparedFinding[]): Promise<Map<string, string>> {
  const rows = artifactRows(findings);
  if (rows.length === 0) return new Map();
  const inserted = await tx.query<{ key: string; id: string }>(
    `insert into artifact (tenant_id, id, key, type, name, purl, digest)
     select $1, a.id, a.key, a.type, a.name, a.purl, a.digest
       from json_to_recordset($2::json) as a (id uuid, key uuid, type text, name text, purl text, digest text)
      order by a.key
     on conflict (tenant_id, key) do nothing returning key, id`,
    [tx.tenantId, JSON.stringify(rows)],
  );
  const ids = new Map(inserted.map((row) => [row.key, row.id]));
  if (ids.size === rows.length) return ids;
  const known = await tx.query<{ key: string; id: string }>(
    'select key, id from artifact where tenant_id = $1 and key = any($2::uuid[])',
    [tx.tenantId, rows.map((row) => row.key).filter((key) => !ids.has(key))],
  );
  for (const row of known) ids.set(row.key, row.id);
  return ids;
}

/** Inserts vulnerabilities with their first reference. */
export async function insertVulnerabilities(tx: Tx, rows: NewVulnerability[]): Promise<void> {
  if (rows.length === 0) return;
  const json = JSON.stringify(
    rows.map(({ reference, ...row }) => ({
      ...row,
      identity: `\\x${row.identity}`,
      ...reference,
      own: row.packed_state,
    })),
  );
  await tx.query(
    `insert into vulnerability (tenant_id, id, repository_id, identity, packed_state, cvss_score, introduced_at,
            vulnerable_at, exploitable_at, primary_reference_id, primary_location_id, search_key, created_at, updated_at,
            title, rule, advisory, package, fix_version)
     select $1, s.id, s."repositoryId", s.identity, s.own, s."cvssScore", s."introducedAt", s."vulnerableAt",
            s."exploitableAt", s."referenceId", s."locationId", s."searchKey", date_trunc('milliseconds', now()),
            date_trunc('milliseconds', now()), s.title, s.rule, s.advisory, s.package, s."fixVersion"
       from json_to_recordset($2::json) as s (id uuid, "repositoryId" uuid, identity bytea, own smallint,
            "cvssScore" real, "introducedAt" timestamptz, "vulnerableAt" timestamptz, "exploitableAt" timestamptz,
            "referenceId" uuid, "locationId" uuid, "searchKey" uuid, title text, rule text, advisory text,
            package text, "fixVersion" text)`,
    [tx.tenantId, json],
  );
  await tx.query(
    `insert into vulnerability_reference (tenant_id, vulnerability_id, reference_id, repository_id, location_id,
            packed_state, live, on_default, introduced_at, first_seen_at, fixed_at, full_ref)
     select $1, s.id, s."referenceId", s."repositoryId", s."locationId", s.packed_state, s.live, s."onDefault",
            s."introducedAt", s."firstSeenAt", s."fixedAt", s."fullRef"
       from json_to_recordset($2::json) as s (id uuid, "referenceId" uuid, "repositoryId" uuid, "locationId" uuid,
            packed_state smallint, live boolean, "onDefault" boolean, "introducedAt" timestamptz,
            "firstSeenAt" timestamptz, "fixedAt" timestamptz, "fullRef" text)`,
    [tx.tenantId, json],
  );
}

/** Texts of the newest report replace the old ones; identifiers and weaknesses add up. */
export async function upsertDetails(tx: Tx, rows: DetailInput[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `insert into vulnerability_detail as d (tenant_id, vulnerability_id, description, identifiers, cwes, links, cvss_vector)
     select $1, s.v, s.description, s.identifiers, s.cwes, s.links, s.vector
       from json_to_recordset($2::json) as s (v uuid, description text, identifiers text[], cwes text[],
            links text[], vector text)
     on conflict (tenant_id, vulnerability_id) do update set
       description = coalesce(excluded.description, d.description),
       identifiers = array(select distinct unnest(d.identifiers || excluded.identifiers) order by 1),
       cwes = array(select distinct unnest(d.cwes || excluded.cwes) order by 1),
       links = case when cardinality(excluded.links) > 0 then excluded.links else d.links end,
       cvss_vector = coalesce(excluded.cvss_vector, d.cvss_vector)`,
    [tx.tenantId, JSON.stringify(rows)],
  );
}

export async function upsertReporters(tx: Tx, rows: ReporterInput[]): Promise<void> {
  if (rows.length === 0) return;
  // A partial report lowers nothing: the higher claim of the two stays.
  const partial = rows.some((row) => row.partial);
  const higher = (column: string): string =>
    partial ? `greatest(w.${column}, excluded.${column})` : `excluded.${column}`;
  await tx.query(
    `insert into vulnerability_reporter as w (tenant_id, vulnerability_id, series_id, tool, live, severity, title,
            fixed_versions, cvss_score, exploitable, verified, history, suppressed, suppression_reason, suppressed_until,
            suppression_may_decide, suppression_overrides_policy, updated_at)
     select $1, s.v, s.series, s.tool, s.live, s.severity, s.title, s.fixed, s.cvss, s.exploitable, s.verified,
            s.history, s.suppressed, s.suppression_reason, s.suppressed_until, s.suppression_may_decide, s.suppression_overrides_policy, now()
       from json_to_recordset($2::json) as s (v uuid, series uuid, tool text, live boolean, severity text,
            title text, fixed text[], cvss real, exploitable boolean, verified boolean, history boolean, suppressed boolean,
            suppression_reason text, suppressed_until timestamptz, suppression_may_decide boolean,
            suppression_overrides_policy boolean)
     on conflict (tenant_id, vulnerability_id, series_id) do update set live = w.live or excluded.live,
       severity = ${partial ? sqlHigherSeverity('w.severity', 'excluded.severity') : 'excluded.severity'}, title = excluded.title, fixed_versions = excluded.fixed_versions,
       cvss_score = ${higher('cvss_score')}, exploitable = ${higher('exploitable')},
       verified = ${higher('verified')}, history = excluded.history, suppressed = excluded.suppressed,
       suppression_reason = excluded.suppression_reason, suppressed_until = excluded.suppressed_until,
       suppression_may_decide = excluded.suppression_may_decide, suppression_overrides_policy = excluded.suppression_overrides_policy,
       -- An unchanged suppression does not cover the names that were joined since it came.
       updated_at = case when w.live and w.suppressed and
                              (excluded.suppressed, excluded.suppression_may_decide, excluded.suppression_overrides_policy)
                              = (w.suppressed, w.suppression_may_decide, w.suppression_overrides_policy)
                         then w.updated_at else excluded.updated_at end
      where excluded.live`,
    [tx.tenantId, JSON.stringify(rows)],
  );
}

/** Returns the vulnerabilities whose suppression has changed. */
export async function updateSuppressions(
  tx: Tx,
  seriesId: string,
  mayDecide: boolean,
  overridesPolicy: boolean,
): Promise<string[]> {
  const rows = await tx.query<{ vulnerability_id: string }>(
    `update vulnerability_reporter set suppression_may_decide = $3, suppression_overrides_policy = $4, updated_at = now()
      where tenant_id = $1 and series_id = $2 and suppressed and live and (suppression_may_decide <> $3 or suppression_overrides_policy <> $4)
     returning vulnerability_id`,
    [tx.tenantId, seriesId, mayDecide, overridesPolicy],
  );
  return rows.map((row) => row.vulnerability_id);
}

const placeColumns = `(id uuid, repository uuid, v uuid, reference uuid, artifact uuid, location_key uuid, line integer,
  suppressed boolean, at timestamptz, fixed_at timestamptz, path text, rule uuid, file uuid, code uuid,
  fingerprint uuid, scheme text)`;

export async function insertLocations(tx: Tx, rows: PlaceInput[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `insert into vulnerability_location (tenant_id, id, repository_id, vulnerability_id, reference_id, artifact_id,
            location_key, line, suppressed, vulnerable_at, fixed_at, path, rule_key, file_key, code_key, fingerprint_key,
            fingerprint_scheme)
     select $1, s.id, s.repository, s.v, s.reference, s.artifact, s.location_key, s.line, s.suppressed, s.at, s.fixed_at,
            s.path, s.rule, s.file, s.code, s.fingerprint, s.scheme
       from json_to_recordset($2::json) as s ${placeColumns}`,
    [tx.tenantId, JSON.stringify(rows)],
  );
}

/** Updates locations that were seen again: their current position, and open again if they were closed. */
export async function updateLocations(tx: Tx, rows: PlaceInput[], at: Date): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `update vulnerability_location l set location_key = s.location_key, path = s.path, line = s.line, artifact_id = s.artifact,
            suppressed = s.suppressed, rule_key = s.rule, file_key = s.file, code_key = s.code,
            fingerprint_key = coalesce(s.fingerprint, l.fingerprint_key),
            fingerprint_scheme = coalesce(s.scheme, l.fingerprint_scheme),
            vulnerable_at = case when l.fixed_at is null then l.vulnerable_at else $3 end, fixed_at = null
       from json_to_recordset($2::json) as s ${placeColumns}
      where l.tenant_id = $1 and l.id = s.id`,
    [tx.tenantId, JSON.stringify(rows), at],
  );
}

export async function insertObservations(tx: Tx, rows: ObservationInput[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `insert into location_observation (tenant_id, location_id, vulnerability_id, series_id, key, digest, since_seq,
            until_seq, match_method, detached)
     select $1, s.l, s.v, s.series, s.key, s.digest, s.since, s.until, s.match_method, s.detached
       from json_to_recordset($2::json) as s (l uuid, v uuid, series uuid, key uuid, digest bigint, since integer,
            until integer, match_method text, detached boolean)`,
    [tx.tenantId, JSON.stringify(rows)],
  );
}

export async function updateObservationDigests(
  tx: Tx,
  seriesId: string,
  rows: { key: string; digest: string }[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `update location_observation g set digest = s.digest
       from json_to_recordset($3::json) as s (key uuid, digest bigint)
      where g.tenant_id = $1 and g.series_id = $2 and g.key = s.key and g.until_seq is null`,
    [tx.tenantId, seriesId, JSON.stringify(rows)],
  );
}

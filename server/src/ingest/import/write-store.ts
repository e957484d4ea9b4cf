/** SQL of writing findings: it passes sets as JSON, with one statement per table. */
import { insertRows, replacing, rowsOf } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import { sqlHigherSeverity } from '../../domain/packed-state.ts';
import type { PreparedFinding } from '../prepare/prepared-report.ts';
import {
  artifactRows,
  type DetailInput,
  type LocationInput,
  type NewVulnerability,
  type ObservationInput,
  type ReporterInput,
} from './written-rows.ts';

/** Returns artifact key → id. */
export async function upsertArtifacts(tx: Tx, findings: PreparedFinding[]): Promise<Map<string, string>> {
  const rows = artifactRows(findings);
  const inserted = await insertRows<{ key: string; id: string }>(tx, 'artifact', rows, {
    order: 's.key',
    conflict: '(tenant_id, key) do nothing',
    returning: 'key, id',
  });
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
export async function insertVulnerabilities(tx: Tx, created: NewVulnerability[]): Promise<void> {
  const now = `date_trunc('milliseconds', now())`;
  await Promise.all([
    insertRows(
      tx,
      'vulnerability',
      created.map(({ row }) => row),
      { common: { created_at: now, updated_at: now } },
    ),
    insertRows(
      tx,
      'vulnerability_reference',
      created.map(({ onReference }) => onReference),
    ),
  ]);
}

/** Texts of the newest report replace the old ones; identifiers and weaknesses add up. */
export async function upsertDetails(tx: Tx, rows: DetailInput[]): Promise<void> {
  await insertRows(tx, 'vulnerability_detail', rows, {
    conflict: `(tenant_id, vulnerability_id) do update set
       description = coalesce(excluded.description, t.description),
       identifiers = array(select distinct unnest(t.identifiers || excluded.identifiers) order by 1),
       cwes = array(select distinct unnest(t.cwes || excluded.cwes) order by 1),
       links = case when cardinality(excluded.links) > 0 then excluded.links else t.links end,
       cvss_vector = coalesce(excluded.cvss_vector, t.cvss_vector)`,
  });
}

// Each report replaces these columns of a vulnerability. A partial report does not lower the others.
const newest = ['title', 'fixed_versions', 'history'];
const suppression = [
  'suppressed',
  'suppression_reason',
  'suppressed_until',
  'suppression_may_decide',
  'suppression_overrides_policy',
];
const claims = ['cvss_score', 'exploitable', 'verified'];

export async function upsertReporters(tx: Tx, rows: ReporterInput[]): Promise<void> {
  // A partial report lowers nothing: the higher claim of the two stays.
  const partial = rows.some((row) => row.partial);
  const higher = (column: string): string =>
    partial ? `greatest(t.${column}, excluded.${column})` : `excluded.${column}`;
  const compared = ['suppressed', 'suppression_may_decide', 'suppression_overrides_policy'];
  const ofRow = (row: string): string => `(${compared.map((column) => `${row}.${column}`).join(', ')})`;
  const stored = rows.map(({ partial: _, ...row }) => row);
  await insertRows(tx, 'vulnerability_reporter', stored, {
    common: { updated_at: 'now()' },
    conflict: `${replacing(['vulnerability_id', 'series_id'], [...newest, ...suppression])},
       live = t.live or excluded.live,
       severity = ${partial ? sqlHigherSeverity('t.severity', 'excluded.severity') : 'excluded.severity'},
       ${claims.map((column) => `${column} = ${higher(column)}`).join(', ')},
       -- An unchanged suppression does not cover the names that were joined since it came.
       updated_at = case when t.live and t.suppressed and ${ofRow('excluded')} = ${ofRow('t')}
                         then t.updated_at else excluded.updated_at end
      where excluded.live`,
  });
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

export async function insertLocations(tx: Tx, rows: LocationInput[]): Promise<void> {
  const stored = rows.map(({ isNew: _, ...row }) => row);
  await insertRows(tx, 'vulnerability_location', stored);
}

/** Updates locations that were seen again: their current position, and open again if they were closed. */
export async function updateLocations(tx: Tx, rows: LocationInput[], at: Date): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `update vulnerability_location l set location_key = s.location_key, path = s.path, line = s.line, artifact_id = s.artifact_id,
            suppressed = s.suppressed, rule_key = s.rule_key, file_key = s.file_key, code_key = s.code_key,
            fingerprint_key = coalesce(s.fingerprint_key, l.fingerprint_key),
            fingerprint_scheme = coalesce(s.fingerprint_scheme, l.fingerprint_scheme),
            vulnerable_at = case when l.fixed_at is null then l.vulnerable_at else $3 end, fixed_at = null
       from ${rowsOf('vulnerability_location', '$2')} s
      where l.tenant_id = $1 and l.id = s.id`,
    [tx.tenantId, JSON.stringify(rows), at],
  );
}

export async function insertObservations(tx: Tx, rows: ObservationInput[]): Promise<void> {
  await insertRows(tx, 'location_observation', rows);
}

export async function updateObservationDigests(
  tx: Tx,
  seriesId: string,
  rows: { key: string; digest: string }[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `update location_observation g set digest = s.digest
       from ${rowsOf('location_observation', '$3')} s
      where g.tenant_id = $1 and g.series_id = $2 and g.key = s.key and g.until_seq is null`,
    [tx.tenantId, seriesId, JSON.stringify(rows)],
  );
}

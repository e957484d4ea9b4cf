/** SQL of an import around its streams: staging of keys, what is new, what is gone, what closes. */
import type { Tx } from '../../db/database.ts';
import { newId } from '../../domain/ids.ts';
import type { RunOutcome } from '../../parsers/report.ts';
import type { FindingReader } from '../prepare/packed-findings.ts';

/** For policies. */
export interface LookedAt {
  /** Numbers of the types of problems that the stream looks for, rising. */
  analysis_types: number[];
  /** The image that it has scanned last. */
  asset_id: string | null;
  asset_tag: string | null;
}

export interface StreamRow extends LookedAt {
  id: string;
  last_seq: number;
  last_scanned_at: Date | null;
  held_absence: string | null;
  inventory_digest: string | null;
}

export async function upsertStream(
  tx: Tx,
  tenantId: string,
  stream: { repositoryId: string; referenceId: string; tool: string; category: string; source: number },
): Promise<StreamRow> {
  const [row] = await tx.query<StreamRow>(
    `insert into stream as s (tenant_id, id, repository_id, reference_id, tool, category, source)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (tenant_id, reference_id, tool, category, source) do update set updated_at = now(), retired_at = null
     returning s.id, s.last_seq, s.last_scanned_at, s.held_absence, s.inventory_digest, s.analysis_types, s.asset_id,
               s.asset_tag`,
    [tenantId, newId(), stream.repositoryId, stream.referenceId, stream.tool, stream.category, stream.source],
  );
  if (!row) throw new Error('an upsert returned nothing');
  return row;
}

/**
 * `scannedAt` and `scanId` null: the report is late, and the newest one stays the newest. `succeededAt` null: the run
 * is late, or did not succeed. `held`: the digest of the absence that the guard holds now; `looked`: what the stream
 * looks at. Both stay as they were where they are not given.
 */
export async function updateStream(
  tx: Tx,
  tenantId: string,
  streamId: string,
  to: {
    seq: number;
    scannedAt: Date | null;
    scanId: string | null;
    succeededAt: Date | null;
    held?: string | null;
    looked?: LookedAt;
  },
): Promise<void> {
  const { held, looked } = to;
  await tx.query(
    `update stream set last_seq = $3, last_scanned_at = coalesce($4, last_scanned_at),
            last_scan_id = coalesce($5, last_scan_id), held_absence = case when $6 then $7::uuid else held_absence end,
            held_scan_id = case when not $6 then held_scan_id when $7::uuid is not null then $5::uuid end,
            analysis_types = coalesce($8::smallint[], analysis_types),
            asset_id = case when $8 is null then asset_id else $9::uuid end,
            asset_tag = case when $8 is null then asset_tag else $10 end,
            succeeded_at = coalesce($11, succeeded_at),
            updated_at = now()
      where tenant_id = $1 and id = $2`,
    [
      ...[tenantId, streamId, to.seq, to.scannedAt, to.scanId, held !== undefined, held ?? null],
      ...[
        looked?.analysis_types ?? null,
        looked?.asset_id ?? null,
        looked?.asset_tag ?? null,
        to.succeededAt,
      ],
    ],
  );
}

export async function insertScanStream(
  tx: Tx,
  tenantId: string,
  row: { scanId: string; streamId: string; seq: number; alone: boolean; late: boolean; outcome: RunOutcome },
): Promise<void> {
  await tx.query(
    `insert into scan_stream (tenant_id, scan_id, stream_id, seq, alone, late, outcome)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [tenantId, row.scanId, row.streamId, row.seq, row.alone, row.late, row.outcome],
  );
}

// An array of so many keys is a megabyte.
const keysAtOnce = 20_000;

/** Stages the keys of a run. */
export async function insertKeys(
  tx: Tx,
  tenantId: string,
  scanId: string,
  streamId: string,
  findings: FindingReader,
): Promise<void> {
  for (let start = 0; start < findings.length; start += keysAtOnce) {
    const { ordinals, keys, digests } = findings.keys(start, start + keysAtOnce);
    await tx.query(
      `insert into import_key (tenant_id, scan_id, ordinal, stream_id, key, digest)
       select $1, $2, k.ordinal, $3, k.key, k.digest
         from unnest($4::int[], $5::uuid[], $6::bigint[]) as k (ordinal, key, digest)`,
      [tenantId, scanId, streamId, ordinals, keys, digests],
    );
  }
}

export async function deleteKeys(tx: Tx, tenantId: string, scanId: string): Promise<void> {
  await tx.query('delete from import_key where tenant_id = $1 and scan_id = $2', [tenantId, scanId]);
}

export interface UnmatchedRow {
  ordinal: number;
  /** Null: the stream does not see this finding now. Else it sees it with another content. */
  location_id: string | null;
  vulnerability_id: string | null;
}

/** What the stream did not report just so the last time. */
export async function findUnmatched(
  tx: Tx,
  tenantId: string,
  scanId: string,
  streamId: string,
): Promise<UnmatchedRow[]> {
  return tx.query<UnmatchedRow>(
    `select k.ordinal, g.location_id, g.vulnerability_id
       from import_key k
       left join location_sighting g
         on g.tenant_id = $1 and g.stream_id = $3 and g.until_seq is null and g.key = k.key
      where k.tenant_id = $1 and k.scan_id = $2 and (g.location_id is null or g.digest <> k.digest)
      order by k.ordinal`,
    [tenantId, scanId, streamId],
  );
}

/** A place as a stream sees it now, or saw it until now. */
export interface SightingRow {
  location_id: string;
  vulnerability_id: string;
  key: string;
}

/** What the stream saw until now and does not see any more. */
export async function listAbsent(
  tx: Tx,
  tenantId: string,
  scanId: string,
  streamId: string,
): Promise<SightingRow[]> {
  return tx.query<SightingRow>(
    `select g.location_id, g.vulnerability_id, g.key
       from location_sighting g
      where g.tenant_id = $1 and g.stream_id = $3 and g.until_seq is null
        and not exists (select 1 from import_key k where k.tenant_id = $1 and k.scan_id = $2 and k.key = g.key)`,
    [tenantId, scanId, streamId],
  );
}

/** A partial or late report keeps what it saw as sightings of its own: of places that the stream sees now. */
export async function insertAloneSightings(
  tx: Tx,
  tenantId: string,
  scanId: string,
  streamId: string,
  seq: number,
): Promise<void> {
  await tx.query(
    `insert into location_sighting (tenant_id, location_id, vulnerability_id, stream_id, key, digest, since_seq,
                                    until_seq, rung, alone)
     select $1, g.location_id, g.vulnerability_id, $3, g.key, g.digest, $4, $4 + 1, g.rung, true
       from import_key k
       join location_sighting g on g.tenant_id = $1 and g.stream_id = $3 and g.until_seq is null and g.key = k.key
      where k.tenant_id = $1 and k.scan_id = $2`,
    [tenantId, scanId, streamId, seq],
  );
}

/** Vulnerabilities that the stream sees now. */
export async function countLive(tx: Tx, tenantId: string, streamId: string): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `select count(distinct vulnerability_id)::int as n from location_sighting
      where tenant_id = $1 and stream_id = $2 and until_seq is null`,
    [tenantId, streamId],
  );
  return row?.n ?? 0;
}

/** Vulnerabilities that a partial or late scan saw, by its own sightings. */
export async function countAlone(tx: Tx, tenantId: string, streamId: string, seq: number): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `select count(distinct vulnerability_id)::int as n from location_sighting
      where tenant_id = $1 and stream_id = $2 and until_seq = $3 + 1 and alone`,
    [tenantId, streamId, seq],
  );
  return row?.n ?? 0;
}

/** Of these vulnerabilities the keys under which the stream sees them now. */
export async function listOpenKeys(
  tx: Tx,
  tenantId: string,
  streamId: string,
  vulnerabilityIds: string[],
): Promise<{ vulnerability_id: string; key: string }[]> {
  return tx.query(
    `select vulnerability_id, key from location_sighting
      where tenant_id = $1 and stream_id = $2 and until_seq is null and vulnerability_id = any($3::uuid[])`,
    [tenantId, streamId, vulnerabilityIds],
  );
}

/** Of these places those that any stream sees now, but for the stream's own sightings of these keys. */
export async function findSeenLocations(
  tx: Tx,
  tenantId: string,
  locationIds: string[],
  streamId: string,
  exceptKeys: string[],
): Promise<{ location_id: string; mine: boolean }[]> {
  return tx.query(
    `select location_id, bool_or(stream_id = $3) as mine from location_sighting
      where tenant_id = $1 and location_id = any($2::uuid[]) and until_seq is null
        and not (stream_id = $3 and key = any($4::uuid[]))
      group by location_id`,
    [tenantId, locationIds, streamId, exceptKeys],
  );
}

/** The guard holds these: their end is somebody's to say. */
export async function holdSightings(
  tx: Tx,
  tenantId: string,
  streamId: string,
  keys: string[],
): Promise<void> {
  await tx.query(
    `update location_sighting set held = true
      where tenant_id = $1 and stream_id = $2 and key = any($3::uuid[]) and until_seq is null`,
    [tenantId, streamId, keys],
  );
}

export async function clearHeld(tx: Tx, tenantId: string, streamId: string): Promise<void> {
  await tx.query(
    'update location_sighting set held = false where tenant_id = $1 and stream_id = $2 and held',
    [tenantId, streamId],
  );
}

export async function endSightings(
  tx: Tx,
  tenantId: string,
  streamId: string,
  keys: string[],
  seq: number,
): Promise<void> {
  await tx.query(
    `update location_sighting set until_seq = $4, held = false
      where tenant_id = $1 and stream_id = $2 and key = any($3::uuid[]) and until_seq is null`,
    [tenantId, streamId, keys, seq],
  );
}

/** Closes these places. */
export async function closeLocations(
  tx: Tx,
  tenantId: string,
  locationIds: string[],
  at: Date,
): Promise<void> {
  await tx.query(
    `update vulnerability_location set fixed_at = $3
      where tenant_id = $1 and id = any($2::uuid[]) and fixed_at is null`,
    [tenantId, locationIds, at],
  );
}

/** The stream's word on these counts no longer: it sees them nowhere any more. */
export async function endReporters(
  tx: Tx,
  tenantId: string,
  streamId: string,
  vulnerabilityIds: string[],
): Promise<void> {
  await tx.query(
    `update vulnerability_reporter set live = false, updated_at = now()
      where tenant_id = $1 and stream_id = $2 and vulnerability_id = any($3::uuid[]) and live`,
    [tenantId, streamId, vulnerabilityIds],
  );
}

/** Of these vulnerabilities those that are live on the reference through other places than these. */
export async function findLiveElsewhere(
  tx: Tx,
  tenantId: string,
  referenceId: string,
  vulnerabilityIds: string[],
  exceptLocationIds: string[],
): Promise<string[]> {
  const rows = await tx.query<{ vulnerability_id: string }>(
    `select distinct vulnerability_id from vulnerability_location
      where tenant_id = $1 and reference_id = $2 and vulnerability_id = any($3::uuid[])
        and fixed_at is null and not suppressed and id <> all($4::uuid[])`,
    [tenantId, referenceId, vulnerabilityIds, exceptLocationIds],
  );
  return rows.map((row) => row.vulnerability_id);
}

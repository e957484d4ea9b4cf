/** SQL of the match of packages with advisories: what is due, what affects a version, and which references have it. */
import { hash } from 'node:crypto';
import { insertRows } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import type { DueCondition } from '../../db/due-tenants.ts';
import type {
  PackageId,
  PackageVersionId,
  ReferenceId,
  RepositoryId,
  ScanId,
  SeriesId,
} from '../../domain/ids.ts';

/** The tool of the series that the match feeds. No report may speak in its name. */
export const matchTool = 'merlon-osv';

/** Marks all packages of the workspace that advisories name now, or named before. */
export async function markAllPackages(tx: Tx, at: Date): Promise<void> {
  await tx.query(
    `insert into package_to_match (tenant_id, package_id, created_at)
     select p.tenant_id, p.id, $2 from package p
      where p.tenant_id = $1
        and (exists (select 1 from osv_package o where o.purl = p.purl)
             or exists (select 1 from package_version v
                          join package_advisory a on a.tenant_id = $1 and a.compared_id = v.id
                         where v.tenant_id = $1 and v.package_id = p.id)
             or exists (select 1 from package_version v
                          join distribution_package d on d.tenant_id = $1 and d.package_version_id = v.id
                         where v.tenant_id = $1 and v.package_id = p.id
                           and (exists (select 1 from osv_package o where o.purl = d.purl)
                                or exists (select 1 from package_advisory a
                                            where a.tenant_id = $1 and a.compared_id = d.id))))
     on conflict (tenant_id, package_id) do update set created_at = excluded.created_at`,
    [tx.tenantId, at],
  );
}

/** Marks all active references with packages. */
export async function markAllReferences(tx: Tx, at: Date): Promise<void> {
  await tx.query(
    `insert into reference_to_match (tenant_id, reference_id, repository_id, created_at)
     select f.tenant_id, f.id, f.repository_id, $2 from reference f
      where f.tenant_id = $1 and f.active
        and exists (select 1 from manifest_package m where m.tenant_id = $1 and m.reference_id = f.id)
     on conflict (tenant_id, reference_id) do update set created_at = excluded.created_at`,
    [tx.tenantId, at],
  );
}

/** Marks all references that have been matched. */
export async function markMatchedReferences(tx: Tx, at: Date): Promise<void> {
  await tx.query(
    `insert into reference_to_match (tenant_id, reference_id, repository_id, created_at)
     select s.tenant_id, s.reference_id, s.repository_id, $2 from scan_series s
      where s.tenant_id = $1 and s.tool = $3 and s.retired_at is null
     on conflict (tenant_id, reference_id) do update set created_at = excluded.created_at`,
    [tx.tenantId, at, matchTool],
  );
}

/** Marks the active references that have one of these versions. */
export async function markReferencesWith(tx: Tx, versions: ComparedVersion[], at: Date): Promise<void> {
  if (versions.length === 0) return;
  await tx.query(
    `insert into reference_to_match (tenant_id, reference_id, repository_id, created_at)
     select distinct m.tenant_id, m.reference_id, m.repository_id, $3::timestamptz
       from manifest_package m
       join reference f on f.tenant_id = $1 and f.id = m.reference_id and f.active
      where m.tenant_id = $1 and m.package_version_id = any($2::uuid[]) and ${comparedOf('m')} = any($4::uuid[])
      order by 2
     on conflict (tenant_id, reference_id) do update set created_at = excluded.created_at`,
    [tx.tenantId, versions.map((row) => row.package_version_id), at, versions.map(({ id }) => id)],
  );
}

/** SQL of what is compared for a row of manifest_package. */
const comparedOf = (row: string): string =>
  `coalesce(${row}.distribution_package_id, ${row}.package_version_id)`;

/** Takes packages that are due, oldest first, so that no other worker takes them. */
export async function takePackages(tx: Tx, limit: number): Promise<PackageId[]> {
  const rows = await tx.query<{ package_id: PackageId }>(
    `delete from package_to_match d
      using (select package_id from package_to_match where tenant_id = $1
              order by created_at, package_id limit $2 for update skip locked) t
      where d.tenant_id = $1 and d.package_id = t.package_id returning d.package_id`,
    [tx.tenantId, limit],
  );
  return rows.map((row) => row.package_id);
}

export interface ReferenceToMatch {
  reference_id: ReferenceId;
  repository_id: RepositoryId;
}

/** Lists references that are due after this one, in order of their ids. */
export async function listReferencesToMatch(
  tx: Tx,
  afterId: ReferenceId | null,
  limit: number,
): Promise<ReferenceToMatch[]> {
  return tx.query<ReferenceToMatch>(
    `select reference_id, repository_id from reference_to_match
      where tenant_id = $1 and ($2::uuid is null or reference_id > $2) order by reference_id limit $3`,
    [tx.tenantId, afterId, limit],
  );
}

/** Lists all active references with packages, after this one, in order of their ids. */
export async function listReferencesWithPackages(
  tx: Tx,
  afterId: ReferenceId | null,
  limit: number,
): Promise<ReferenceToMatch[]> {
  return tx.query<ReferenceToMatch>(
    `select f.id as reference_id, f.repository_id from reference f
      where f.tenant_id = $1 and f.active and ($2::uuid is null or f.id > $2)
        and exists (select 1 from manifest_package m where m.tenant_id = $1 and m.reference_id = f.id)
      order by f.id limit $3`,
    [tx.tenantId, afterId, limit],
  );
}

/** Removes the mark of the reference. Returns whether it had one. */
export async function takeReference(tx: Tx, referenceId: ReferenceId): Promise<boolean> {
  const rows = await tx.query(
    'delete from reference_to_match where tenant_id = $1 and reference_id = $2 returning 1',
    [tx.tenantId, referenceId],
  );
  return rows.length > 0;
}

/**
 * A version of a package that can be compared. Advisories of a distribution's release name the source package, so that
 * one is compared.
 */
export interface ComparedVersion {
  /** The id of the version, or of its distribution package. */
  id: string;
  package_version_id: PackageVersionId;
  version: string;
  purl: string;
}

/** SQL that lists what is compared for the versions v of a condition. */
function comparedWhere(condition: string): string {
  return `select v.id, v.id as package_version_id, v.version, p.purl
       from package_version v join package p on p.tenant_id = $1 and p.id = v.package_id
      where v.tenant_id = $1 and ${condition}
     union all
     select d.id, d.package_version_id, d.version, d.purl
       from package_version v join distribution_package d on d.tenant_id = $1 and d.package_version_id = v.id
      where v.tenant_id = $1 and ${condition}`;
}

export async function listVersionsOfPackages(tx: Tx, packageIds: PackageId[]): Promise<ComparedVersion[]> {
  return tx.query<ComparedVersion>(comparedWhere('v.package_id = any($2::uuid[])'), [
    tx.tenantId,
    packageIds,
  ]);
}

export async function listComparedVersions(
  tx: Tx,
  versionIds: PackageVersionId[],
): Promise<ComparedVersion[]> {
  return tx.query<ComparedVersion>(comparedWhere('v.id = any($2::uuid[])'), [tx.tenantId, versionIds]);
}

/** Lists the versions that the packages of the reference have. */
export async function listVersionsOfReference(tx: Tx, referenceId: ReferenceId): Promise<ComparedVersion[]> {
  return tx.query<ComparedVersion>(
    comparedWhere(`v.id in (select m.package_version_id from manifest_package m
                             where m.tenant_id = $1 and m.reference_id = $2)`),
    [tx.tenantId, referenceId],
  );
}

/** Lists what is compared, of these URLs and versions, that the workspace does not have yet. */
export async function listUnknownVersions(
  tx: Tx,
  listed: { purl: string; version: string }[],
): Promise<{ purl: string; version: string }[]> {
  return tx.query<{ purl: string; version: string }>(
    `select distinct l.purl, l.version from unnest($2::text[], $3::text[]) as l (purl, version)
      where exists (select 1 from osv_package o where o.purl = l.purl)
        and not exists (select 1 from package p join package_version v on v.tenant_id = $1 and v.package_id = p.id
                         where p.tenant_id = $1 and p.purl = l.purl collate "C" and v.version = l.version collate "C")
        and not exists (select 1 from distribution_package d
                         where d.tenant_id = $1 and d.purl = l.purl collate "C" and d.version = l.version collate "C")`,
    [tx.tenantId, listed.map(({ purl }) => purl), listed.map(({ version }) => version)],
  );
}

/** An advisory that affects a version, as it is stored. */
export interface StoredMatch {
  compared_id: string;
  advisory_id: string;
  /** Hex. */
  digest: string;
  fix_version: string | null;
}

export async function listStoredMatches(tx: Tx, comparedIds: string[]): Promise<StoredMatch[]> {
  return tx.query<StoredMatch>(
    `select compared_id, advisory_id, encode(digest, 'hex') as digest, fix_version from package_advisory
      where tenant_id = $1 and compared_id = any($2::uuid[])`,
    [tx.tenantId, comparedIds],
  );
}

export async function deleteMatches(tx: Tx, matches: StoredMatch[]): Promise<void> {
  if (matches.length === 0) return;
  await tx.query(
    `delete from package_advisory a using unnest($2::uuid[], $3::text[]) as d (compared_id, advisory_id)
      where a.tenant_id = $1 and a.compared_id = d.compared_id and a.advisory_id = d.advisory_id`,
    [tx.tenantId, matches.map((match) => match.compared_id), matches.map((match) => match.advisory_id)],
  );
}

export async function upsertMatches(tx: Tx, matches: StoredMatch[]): Promise<void> {
  await insertRows(
    tx,
    'package_advisory',
    matches.map(({ digest, ...match }) => ({ ...match, digest: `\\x${digest}` })),
    {
      order: 's.compared_id, s.advisory_id collate "C"',
      conflict: `(tenant_id, compared_id, advisory_id) do update
        set digest = excluded.digest, fix_version = excluded.fix_version`,
    },
  );
}

/** A package of a reference, in one of its manifests, that an advisory affects. */
export interface AffectedPackage {
  path: string;
  purl: string;
  version: string;
  advisory_id: string;
  fix_version: string | null;
}

/** Lists what is affected on the reference. */
export async function listAffectedPackages(tx: Tx, referenceId: ReferenceId): Promise<AffectedPackage[]> {
  return tx.query<AffectedPackage>(
    // Few packages are affected, and the planner has no statistics about what is compared. So they are found first.
    `with affected as materialized (
       select u.manifest_id, u.package_version_id, a.advisory_id, a.fix_version
         from manifest_package u
         join package_advisory a on a.tenant_id = $1 and a.compared_id = ${comparedOf('u')}
        where u.tenant_id = $1 and u.reference_id = $2)
     select distinct m.path, p.purl, v.version, a.advisory_id, a.fix_version
       from affected a
       join package_version v on v.tenant_id = $1 and v.id = a.package_version_id
       join package p on p.tenant_id = $1 and p.id = v.package_id
       join manifest m on m.tenant_id = $1 and m.id = a.manifest_id`,
    [tx.tenantId, referenceId],
  );
}

export interface MatchedReference {
  id: ReferenceId;
  repository_id: RepositoryId;
  full_ref: string;
  head_sha: string | null;
  is_default: boolean;
  tracked: boolean;
  active: boolean;
}

/** Locks the reference, so that the sweep cannot mark it as quiet before the match is written. */
export async function lockMatchedReference(
  tx: Tx,
  referenceId: ReferenceId,
): Promise<MatchedReference | undefined> {
  const [row] = await tx.query<MatchedReference>(
    `select id, repository_id, full_ref, head_sha, is_default, tracked, active from reference
      where tenant_id = $1 and id = $2 for no key update`,
    [tx.tenantId, referenceId],
  );
  return row;
}

/** The series of the match on the reference, unless it is retired. */
export async function findMatchSeries(
  tx: Tx,
  referenceId: ReferenceId,
): Promise<{ id: SeriesId; last_scanned_at: Date | null } | undefined> {
  const [row] = await tx.query<{ id: SeriesId; last_scanned_at: Date | null }>(
    `select id, last_scanned_at from scan_series
      where tenant_id = $1 and reference_id = $2 and tool = $3 and retired_at is null`,
    [tx.tenantId, referenceId, matchTool],
  );
  return row;
}

/**
 * False if the match of the reference holds the closure of a report, and the scan fed none of the series which that
 * report fed: it says nothing about the packages that the report did not list.
 */
export async function mayConfirmMatch(
  tx: Tx,
  { scanId, reference }: { scanId: ScanId; reference: { id: ReferenceId } },
): Promise<boolean> {
  const rows = await tx.query(
    `select from scan_series m
       join series_scan h on h.tenant_id = $1 and h.scan_id = m.held_scan_id and h.series_id <> m.id
       left join series_scan n on n.tenant_id = $1 and n.scan_id = $4 and n.series_id = h.series_id
      where m.tenant_id = $1 and m.reference_id = $2 and m.tool = $3
      having count(*) > 0 and count(n.series_id) = 0`,
    [tx.tenantId, reference.id, matchTool, scanId],
  );
  return rows.length === 0;
}

/** True in SQL if `hasMatchesDue`. */
export const matchDue: DueCondition = dueIn('asked_tenant');

/**
 * True if the workspace has something to match, and there are advisories or an admin has switched the matching off. In
 * an install without advisories, a workspace that was moved there keeps its marks and its vulnerabilities until some
 * are loaded.
 */
export async function hasMatchesDue(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ yes: boolean }>(`select ${dueIn('$1')} as yes`, [tx.tenantId]);
  return row?.yes ?? false;
}

function dueIn(tenantId: string): string {
  return `(exists (select 1 from package_to_match where tenant_id = ${tenantId})
        or exists (select 1 from reference_to_match where tenant_id = ${tenantId}))
       and (exists (select 1 from intel_feed where name = 'osv')
        or exists (select 1 from tenant where id = ${tenantId} and settings->>'advisory_matching' = 'off'))`;
}

// The digest of a report without content.
const noReport = `\\x${hash('sha256', '')}`;

/** Inserts a scan without a report. */
export async function insertMatchScan(
  tx: Tx,
  id: ScanId,
  reference: { id: ReferenceId; repository_id: RepositoryId; head_sha: string | null },
  now: Date,
): Promise<void> {
  await insertRows(tx, 'scan', [
    {
      id,
      repository_id: reference.repository_id,
      reference_id: reference.id,
      sha: reference.head_sha,
      requested_format: matchTool,
      format: matchTool,
      source: 'current',
      status: 'running',
      scanned_at: now,
      started_at: now,
      digest: noReport,
      content_digest: noReport,
      uploaded_by: null,
    },
  ]);
}

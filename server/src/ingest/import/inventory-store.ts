/** SQL of the inventory: manifests, packages with their versions and licenses, and which series lists them. */
import { insertRows, replacing, rowsOf, updateRow } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import { rowByKeys } from '../../db/planner-hints.ts';
import {
  type ManifestId,
  newId,
  type PackageId,
  type PackageVersionId,
  type ReferenceId,
  type RepositoryId,
  type ScanId,
  type SeriesId,
} from '../../domain/ids.ts';
import { packageTermsOf } from '../../inventory/packages/package-terms.ts';
import { maxLicenses } from '../../parsers/reading/licenses.ts';

/** Returns manifest key → id. */
export async function upsertManifests(
  tx: Tx,
  repositoryId: RepositoryId,
  manifests: { id: ManifestId; path: string; path_key: string; type: string; kind: string }[],
): Promise<Map<string, ManifestId>> {
  const rows = manifests.map((manifest) => ({ ...manifest, repository_id: repositoryId }));
  await insertRows(tx, 'manifest', rows, {
    order: 's.path_key',
    conflict: '(tenant_id, repository_id, path_key) do nothing',
  });
  const known = await tx.query<{ path_key: string; id: ManifestId }>(
    `select path_key, id from manifest where tenant_id = $1 and repository_id = $2 and path_key = any($3::uuid[])`,
    [tx.tenantId, repositoryId, manifests.map((manifest) => manifest.path_key)],
  );
  return new Map(known.map((row) => [row.path_key, row.id]));
}

/** Returns package URL → id. */
export async function upsertPackages(
  tx: Tx,
  rows: { id: string; purl: string; package_type: string; namespace: string | null; name: string }[],
): Promise<Map<string, PackageId>> {
  const created = await insertRows<{ id: string }>(tx, 'package', rows, {
    order: 's.purl collate "C"',
    conflict: '(tenant_id, purl) do nothing',
    returning: 'id',
  });
  const isNew = new Set(created.map((row) => row.id));
  await insertRows(
    tx,
    'package_term',
    rows.flatMap((row) =>
      isNew.has(row.id) ? packageTermsOf(row).map((term) => ({ term, package_id: row.id })) : [],
    ),
    { order: 's.term collate "C", s.package_id', conflict: 'do nothing' },
  );
  const known = await tx.query<{ purl: string; id: PackageId }>(
    'select purl, id from package where tenant_id = $1 and purl = any($2::text[])',
    [tx.tenantId, rows.map((row) => row.purl)],
  );
  return new Map(known.map((row) => [row.purl, row.id]));
}

// No report adds to so many licenses, because each report that names some of them compares all.
const hasRoom = (licenses: string): string => `cardinality(${licenses}) < ${maxLicenses}`;

// Arrays are compared value by value, so that hashing takes less time for more than these.
const fewLicenses = 10;

/**
 * Returns `package version` → the known version. `licenses` accumulates over all reports of the workspace; the first
 * ones stay beside it. `written` lists the versions that are new or have gained a license.
 */
export async function upsertPackageVersions(
  tx: Tx,
  rows: { id: string; package_id: PackageId; version: string; purl: string; licenses: string[] }[],
): Promise<{ known: Map<string, { id: string; first_licenses: string[] }>; written: PackageVersionId[] }> {
  const written = await insertRows<{ id: PackageVersionId }>(tx, 'package_version', rows, {
    order: 's.package_id, s.version collate "C"',
    conflict: `(tenant_id, package_id, version) do update
        set licenses = array(select distinct l from unnest(t.licenses || excluded.licenses) l order by l),
            first_licenses = coalesce(t.first_licenses, t.licenses)
      where ${hasRoom('t.licenses')}
        and case when cardinality(excluded.licenses) <= ${fewLicenses} then not t.licenses @> excluded.licenses
                 else exists (select unnest(excluded.licenses) except select unnest(t.licenses)) end`,
    returning: 'id',
  });
  const known = await tx.query<{
    package_id: PackageId;
    version: string;
    id: string;
    first_licenses: string[];
  }>(
    `select v.package_id, v.version, v.id, coalesce(v.first_licenses, v.licenses) as first_licenses
       from unnest($2::uuid[], $3::text[]) as k (package_id, version)
      cross join lateral ${rowByKeys('package_version v', { package_id: 'k.package_id', version: 'k.version' })}`,
    [tx.tenantId, rows.map((row) => row.package_id), rows.map((row) => row.version)],
  );
  return {
    known: new Map(known.map((row) => [`${row.package_id} ${row.version}`, row])),
    written: written.map((row) => row.id),
  };
}

/** Returns the versions that have a new one. */
export async function insertDistributionPackages(tx: Tx, rows: object[]): Promise<PackageVersionId[]> {
  const created = await insertRows<{ package_version_id: PackageVersionId }>(
    tx,
    'distribution_package',
    rows,
    {
      order: 's.package_version_id, s.id',
      conflict: '(tenant_id, package_version_id, id) do nothing',
      returning: 'package_version_id',
    },
  );
  return created.map((row) => row.package_version_id);
}

/** Writes the names of the licenses of these versions, and the packages that have them, by which lists find them. */
export async function writeLicenses(tx: Tx, versionIds: PackageVersionId[]): Promise<void> {
  if (versionIds.length === 0) return;
  const names = await tx.query<{ name: string }>(
    `select distinct l.name from package_version v cross join unnest(v.licenses) l (name)
      where v.tenant_id = $1 and v.id = any($2::uuid[])`,
    [tx.tenantId, versionIds],
  );
  await insertRows(
    tx,
    'license',
    names.map(({ name }) => ({ id: newId(), name })),
    { order: 's.name collate "C"', conflict: '(tenant_id, name) do nothing' },
  );
  await tx.query(
    `insert into package_license (tenant_id, license_id, package_name, package_id)
     select distinct v.tenant_id, c.id, g.package_name, g.id
       from package_version v cross join unnest(v.licenses) l (name)
       join license c on c.tenant_id = $1 and c.name = l.name collate "C"
       join package g on g.tenant_id = $1 and g.id = v.package_id
      where v.tenant_id = $1 and v.id = any($2::uuid[])
      order by 2, 3, 4
     on conflict do nothing`,
    [tx.tenantId, versionIds],
  );
}

/**
 * Lists the other repositories that have one of these versions, because the data of that version has changed for them
 * too.
 */
export async function listOthersWith(
  tx: Tx,
  repositoryId: RepositoryId,
  versionIds: PackageVersionId[],
): Promise<RepositoryId[]> {
  if (versionIds.length === 0) return [];
  const rows = await tx.query<{ id: RepositoryId }>(
    `select distinct m.repository_id as id from manifest_package m
      where m.tenant_id = $1 and m.package_version_id = any($3::uuid[]) and m.repository_id <> $2`,
    [tx.tenantId, repositoryId, versionIds],
  );
  return rows.map((row) => row.id);
}

export async function deleteManifestPackages(
  tx: Tx,
  referenceId: ReferenceId,
  seriesId: SeriesId,
): Promise<void> {
  await tx.query(
    'delete from manifest_package where tenant_id = $1 and reference_id = $2 and series_id = $3',
    [tx.tenantId, referenceId, seriesId],
  );
}

/**
 * Deletes the packages of a shared series that came first by files that have series of their own now, and list packages
 * there. Returns false if there are none.
 */
export async function deletePackagesOfFiles(
  tx: Tx,
  referenceId: ReferenceId,
  seriesId: SeriesId,
): Promise<boolean> {
  const [deleted] = await tx.query(
    `with deleted as (
       delete from manifest_package p using scan w, scan_series m, scan_series s
        where p.tenant_id = $1 and p.reference_id = $2 and p.series_id = $3 and w.tenant_id = $1 and w.id = p.since_scan_id
          and m.tenant_id = $1 and m.id = $3 and s.tenant_id = $1 and s.reference_id = $2 and s.tool = m.tool
          and s.category = m.category and s.source = m.source and s.file_name <> '' and s.file_name = w.file_name
          and s.retired_at is null and exists (select from manifest_package o
                where o.tenant_id = $1 and o.reference_id = $2 and o.series_id = s.id)
       returning 1)
     select from deleted limit 1`,
    [tx.tenantId, referenceId, seriesId],
  );
  return deleted !== undefined;
}

export async function insertManifestPackages(
  tx: Tx,
  at: { repository_id: RepositoryId; reference_id: ReferenceId; series_id: SeriesId; since_scan_id: ScanId },
  packages: {
    manifest_id: ManifestId;
    package_version_id: PackageVersionId;
    direct: boolean | null;
    licenses: string[] | null;
    distribution_package_id: string | null;
  }[],
  isAdding: boolean,
): Promise<void> {
  const rows = packages.map((listed) => ({ ...listed, ...at }));
  const key = ['reference_id', 'series_id', 'manifest_id', 'package_version_id'];
  if (!isAdding) {
    const conflict = replacing(key, ['direct', 'distribution_package_id', 'licenses']);
    await insertRows(tx, 'manifest_package', rows, { conflict });
    return;
  }
  // A report that only adds leaves what another one has said about a package of both, and joins the licenses.
  await insertRows(tx, 'manifest_package', rows, {
    conflict: `(tenant_id, ${key.join(', ')}) do update set direct = coalesce(t.direct, excluded.direct),
       distribution_package_id = coalesce(t.distribution_package_id, excluded.distribution_package_id)`,
  });
  await tx.query(
    `update manifest_package t
        set licenses = (select array_agg(distinct l.name order by l.name)
                          from unnest(coalesce(t.licenses, p.first_licenses) || coalesce(s.licenses, p.first_licenses)) as l (name))
       from ${rowsOf('manifest_package', '$4')} s
       join package_version p on p.tenant_id = $1 and p.id = s.package_version_id
      where t.tenant_id = $1 and t.reference_id = $2 and t.series_id = $3 and t.manifest_id = s.manifest_id
        and t.package_version_id = s.package_version_id and t.licenses is distinct from s.licenses
        and ${hasRoom('coalesce(t.licenses, p.first_licenses)')}`,
    [tx.tenantId, at.reference_id, at.series_id, JSON.stringify(rows)],
  );
}

export async function setInventoryDigest(tx: Tx, seriesId: SeriesId, digest: string | null): Promise<void> {
  await updateRow(tx, 'scan_series', seriesId, { inventory_digest: digest });
}

/**
 * The inventory says which packages a series shows in which manifests of a reference. A complete report replaces what
 * the series showed before; a partial one, one that only adds, and one whose closure is held join it. The same
 * inventory again writes nothing. A report without packages deletes none, but for those of files that have left the
 * series.
 */
import { createHash } from 'node:crypto';
import type { ChangeTx } from '../../db/database.ts';
import { batches } from '../../domain/batches.ts';
import { type ManifestId, newId, type PackageId, type PackageVersionId } from '../../domain/ids.ts';
import { markToMatch } from '../../inventory/repositories/references-to-match.ts';
import { joinLicenses } from '../../parsers/reading/licenses.ts';
import { newManifest } from '../../parsers/reading/packages.ts';
import { versionedPurl } from '../../parsers/reading/purl.ts';
import type { ReportInventoryPackage, ReportManifest } from '../../parsers/report.ts';
import { manifestKind } from '../../policies/definition/manifest-kind.ts';
import { keyOf } from '../prepare/identity.ts';
import type { PreparedRun } from '../prepare/prepared-report.ts';
import type { ImportContext } from './import-context.ts';
import {
  deleteManifestPackages,
  deletePackagesOfFiles,
  insertDistributionPackages,
  insertManifestPackages,
  listOthersWith,
  setInventoryDigest,
  upsertManifests,
  upsertPackages,
  upsertPackageVersions,
  writeLicenses,
} from './inventory-store.ts';
import type { SeriesRow } from './series-row-store.ts';

// A few thousand rows make a statement of a megabyte, which is large enough that the round trip does not matter.
const batchSize = 5_000;

/**
 * Returns the versions that are new, or have gained a license or a release of a distribution; null if nothing was
 * written. `isKept`: see `SeriesOfFile`.
 */
export async function writeInventory(
  tx: ChangeTx,
  context: ImportContext,
  series: SeriesRow,
  run: PreparedRun,
  { isAdding, isKept }: { isAdding: boolean; isKept: boolean },
): Promise<PackageVersionId[] | null> {
  const { repositoryId, reference, scanId } = context;
  const digest = run.manifests.length === 0 ? null : digestOf(run.manifests);
  // A scanner that lists packages today and none tomorrow was started with other options. The packages still exist,
  // unless they came by files that have series of their own now.
  if (digest === null) {
    if (isAdding || !isKept || !(await deletePackagesOfFiles(tx, reference.id, series.id))) return null;
    await setInventoryDigest(tx, series.id, null);
    await markToMatch(tx, [reference.id]);
    return [];
  }
  if (digest === series.inventory_digest) return null;
  const writtenVersions: PackageVersionId[] = [];
  const manifests = distinctManifests(run.manifests);
  const ids = await upsertManifests(
    tx,
    repositoryId,
    manifests.map(({ path, type }) => ({
      id: newId(),
      path,
      path_key: manifestKey(path, type),
      type,
      kind: manifestKind(path, type).manifest_type,
    })),
  );
  if (!isAdding) await deleteManifestPackages(tx, reference.id, series.id);
  for (const batch of batches([...rowsOf(manifests)], batchSize)) {
    const packages = await upsertPackages(tx, packagesOf(batch));
    const versions = versionsOf(batch, packages);
    const { known, written } = await upsertPackageVersions(tx, versions);
    const added = new Set(versions.map(({ id }) => id));
    // A license that a version gains counts on all references.
    if (written.some((id) => !added.has(id)))
      tx.changes.markTargetsChanged(repositoryId, ['package_version']);
    const knownOf = ({ purl, version }: ReportInventoryPackage) =>
      known.get(`${packages.get(purl)} ${version ?? ''}`);
    const versionOf = (listed: ReportInventoryPackage) => knownOf(listed)?.id as PackageVersionId;
    const released = await insertDistributionPackages(tx, distributionPackagesOf(batch, versionOf));
    for (const id of [...written, ...released]) writtenVersions.push(id);
    await writeLicenses(tx, written);
    tx.changes.markForLater(await listOthersWith(tx, repositoryId, written));
    await insertManifestPackages(
      tx,
      {
        repository_id: repositoryId,
        reference_id: reference.id,
        series_id: series.id,
        since_scan_id: scanId,
      },
      batch.map(({ manifest, listed }) => ({
        manifest_id: ids.get(manifestKey(manifest.path, manifest.type)) as ManifestId,
        package_version_id: versionOf(listed),
        direct: listed.direct,
        licenses: ifDifferent(sorted(listed.licenses), knownOf(listed)?.first_licenses),
        distribution_package_id: distributionKey(listed),
      })),
      isAdding,
    );
  }
  await setInventoryDigest(tx, series.id, isAdding ? null : digest);
  return writtenVersions;
}

function distributionKey({ purl, version, distribution }: ReportInventoryPackage): string | null {
  if (!distribution) return null;
  return keyOf('distribution-package', purl, version ?? '', distribution.purl, distribution.version);
}

/** The releases of distributions that the rows name, each once. */
function distributionPackagesOf(
  rows: Listed[],
  versionOf: (listed: ReportInventoryPackage) => PackageVersionId,
): object[] {
  const byKey = new Map<string, object>();
  for (const { listed } of rows) {
    const id = distributionKey(listed);
    if (id !== null) byKey.set(id, { package_version_id: versionOf(listed), id, ...listed.distribution });
  }
  return [...byKey.values()];
}

interface Listed {
  manifest: ReportManifest;
  listed: ReportInventoryPackage;
}

function* rowsOf(manifests: ReportManifest[]): Generator<Listed> {
  for (const manifest of manifests) for (const listed of manifest.packages) yield { manifest, listed };
}

/** Joins the manifests of one path and type, so that each version stands in one row of it. */
function distinctManifests(manifests: ReportManifest[]): ReportManifest[] {
  const byKey = Map.groupBy(manifests, ({ path, type }) => manifestKey(path, type));
  return [...byKey.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined || same.length === 1) return same;
    const packages = same.flatMap((manifest) => manifest.packages);
    return { ...newManifest(first.path, packages, first.type), path: first.path };
  });
}

function sorted(licenses: string[]): string[] {
  return [...new Set(licenses)].sort();
}

/** Null if they are the licenses with which the version was first written. Both lists are sorted. */
function ifDifferent(licenses: string[], first: string[] | undefined): string[] | null {
  return JSON.stringify(first) === JSON.stringify(licenses) ? null : licenses;
}

function manifestKey(path: string, type: string): string {
  return keyOf('manifest', type, path);
}

function packagesOf(rows: Listed[]) {
  const packages = new Map<
    string,
    { id: string; purl: string; package_type: string; namespace: string | null; name: string }
  >();
  for (const { listed } of rows) {
    if (packages.has(listed.purl)) continue;
    const [, type = 'generic', path = ''] = /^pkg:([^/]+)\/(.*)$/.exec(listed.purl) ?? [];
    const slash = path.lastIndexOf('/');
    packages.set(listed.purl, {
      id: newId(),
      purl: listed.purl,
      package_type: type,
      namespace: slash < 0 ? null : decoded(path.slice(0, slash)),
      name: decoded(path.slice(slash + 1)),
    });
  }
  return [...packages.values()];
}

function decoded(text: string): string {
  try {
    const plain = decodeURIComponent(text);
    // PostgreSQL does not accept zero bytes in text.
    return plain.includes('\0') ? text : plain;
  } catch {
    return text;
  }
}

function versionsOf(rows: Listed[], packages: Map<string, PackageId>) {
  const versions = new Map<
    string,
    { id: PackageVersionId; package_id: PackageId; version: string; purl: string; licenses: string[] }
  >();
  for (const { listed } of rows) {
    const id = packages.get(listed.purl) as PackageId;
    const version = listed.version ?? '';
    const key = `${id} ${version}`;
    const before = versions.get(key);
    if (before) before.licenses = joinLicenses(before.licenses, listed.licenses);
    else {
      versions.set(key, {
        id: newId(),
        package_id: id,
        version,
        purl: versionedPurl(listed.purl, listed.version),
        licenses: listed.licenses,
      });
    }
  }
  return [...versions.values()].map((version) => ({ ...version, licenses: sorted(version.licenses) }));
}

// The lines are sorted so that a shuffled SBOM has the same digest.
function digestOf(manifests: ReportManifest[]): string {
  const lines = [...rowsOf(manifests)].map(({ manifest, listed }) =>
    JSON.stringify([
      manifest.type,
      manifest.path,
      listed.purl,
      listed.version,
      [...listed.licenses].sort(),
      listed.direct,
      ...(!listed.distribution ? [] : [listed.distribution.purl, listed.distribution.version]),
    ]),
  );
  const hash = createHash('sha256');
  for (const line of lines.sort()) hash.update(line).update('\n');
  return keyOf('inventory', hash.digest('hex'));
}

/**
 * The inventory says which packages a series shows in which manifests of a reference. A complete report replaces what
 * the series showed before, and a partial one adds to it. The same inventory again writes nothing.
 */
import { createHash } from 'node:crypto';
import type { Tx } from '../../db/database.ts';
import { batches } from '../../domain/batches.ts';
import { newId } from '../../domain/ids.ts';
import type { ReportInventoryPackage, ReportManifest } from '../../parsers/report.ts';
import { manifestKind } from '../../policies/definition/manifest-kind.ts';
import { keyOf } from '../prepare/identity.ts';
import type { PreparedRun } from '../prepare/prepared-report.ts';
import type { ImportContext } from './import-context.ts';
import type { SeriesRow } from './import-store.ts';
import {
  deleteManifestPackages,
  insertManifestPackages,
  listOthersWith,
  setInventoryDigest,
  upsertManifests,
  upsertPackages,
  upsertPackageVersions,
} from './inventory-store.ts';

// A few thousand rows make the statement's JSON a megabyte, which is large enough that the round trip does not matter.
const batchSize = 5_000;

/** Returns whether anything was written. */
export async function writeInventory(
  tx: Tx,
  context: ImportContext,
  series: SeriesRow,
  run: PreparedRun,
  detached: boolean,
): Promise<boolean> {
  const { repositoryId, reference, scanId } = context;
  const digest = run.manifests.length === 0 ? null : digestOf(run.manifests);
  if (digest === series.inventory_digest) return false;
  // A scanner that lists packages today and none tomorrow was started with other options; that does not mean the
  // packages are gone.
  if (digest === null) return false;
  const manifests = await upsertManifests(
    tx,
    repositoryId,
    run.manifests.map(({ path, type }) => ({
      id: newId(),
      path,
      type,
      kind: manifestKind(path, type).manifest_type,
      key: manifestKey(path, type),
    })),
  );
  if (!detached) await deleteManifestPackages(tx, reference.id, series.id);
  for (const batch of batches([...rowsOf(run.manifests)], batchSize)) {
    const packages = await upsertPackages(tx, packagesOf(batch));
    const { ids: versions, written } = await upsertPackageVersions(tx, versionsOf(batch, packages));
    tx.changes.markForLater(await listOthersWith(tx, repositoryId, written));
    await insertManifestPackages(
      tx,
      { repositoryId, referenceId: reference.id, seriesId: series.id, scanId },
      batch.map(({ manifest, listed }) => ({
        manifest: manifests.get(manifestKey(manifest.path, manifest.type)) ?? '',
        version: versions.get(`${packages.get(listed.purl)} ${listed.version ?? ''}`) ?? '',
        direct: listed.direct,
      })),
    );
  }
  await setInventoryDigest(tx, series.id, detached ? null : digest);
  return true;
}

interface Listed {
  manifest: ReportManifest;
  listed: ReportInventoryPackage;
}

function* rowsOf(manifests: ReportManifest[]): Generator<Listed> {
  for (const manifest of manifests) for (const listed of manifest.packages) yield { manifest, listed };
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

function versionsOf(rows: Listed[], packages: Map<string, string>) {
  const versions = new Map<
    string,
    { id: string; package_id: string; version: string; purl: string; licenses: string[] }
  >();
  for (const { listed } of rows) {
    const id = packages.get(listed.purl) ?? '';
    const version = listed.version ?? '';
    const key = `${id} ${version}`;
    const before = versions.get(key);
    if (before) before.licenses = [...new Set([...before.licenses, ...listed.licenses])].sort();
    else {
      const purl = version === '' ? listed.purl : `${listed.purl}@${encodeURIComponent(version)}`;
      versions.set(key, {
        id: newId(),
        package_id: id,
        version,
        purl,
        licenses: [...listed.licenses].sort(),
      });
    }
  }
  return [...versions.values()];
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
    ]),
  );
  const hash = createHash('sha256');
  for (const line of lines.sort()) hash.update(line).update('\n');
  return keyOf('inventory', hash.digest('hex'));
}

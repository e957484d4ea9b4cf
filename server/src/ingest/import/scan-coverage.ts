/**
 * Scan coverage, for policies: the types of problems that a series looks for, and the image that it scanned last. Only
 * a complete report that is not late sets them.
 */
import type { Tx } from '../../db/database.ts';
import type { AssetId } from '../../domain/ids.ts';
import { types } from '../../domain/packed-state.ts';
import type { PreparedRun } from '../prepare/prepared-report.ts';
import { findImage, insertImage } from './image-store.ts';
import type { ScanCoverage } from './series-row-store.ts';

/** `before` is the coverage after the series' last report. Creates the image if it is new. */
export async function describeCoverage(
  tx: Tx,
  before: ScanCoverage,
  { analysisTypes, image, findings }: Pick<PreparedRun, 'analysisTypes' | 'image' | 'findings'>,
): Promise<ScanCoverage> {
  // A scanner of several types names a type only with its findings. A type that it named before was therefore looked
  // for and is fixed, and the import closes it in the same way.
  const covered = new Set([...before.analysis_types, ...analysisTypes]);
  // Grype's SARIF names the image with each finding, so a report without findings does not say that the image has
  // changed.
  const kept = findings.digests.length === 0 ? before : { asset_id: null, asset_tag: null };
  return {
    analysis_types: types.filter((type) => covered.has(type)),
    asset_id: image === null ? kept.asset_id : await getOrCreateImage(tx, image.name),
    asset_tag: image === null ? kept.asset_tag : image.tag,
  };
}

async function getOrCreateImage(tx: Tx, name: string): Promise<AssetId> {
  const found = (await findImage(tx, name)) ?? (await insertImage(tx, name));
  // Another import may have created it first; its row is visible by now.
  const id = found ?? (await findImage(tx, name));
  if (id === undefined) throw new Error('an image that is known has no row');
  return id;
}

/** Records a run in its series: the packages that it lists, what it has looked at, and that it is the newest. */
import type { ChangeTx } from '../../db/database.ts';
import type { PackageVersionId } from '../../domain/ids.ts';
import type { Held } from './closing.ts';
import type { ImportContext } from './import-context.ts';
import { writeInventory } from './inventory.ts';
import { countDetached, countLive } from './observation-store.ts';
import type { PlacedRun } from './place-run.ts';
import { markReplaced } from './replaced-series.ts';
import type { RunInSeries } from './runs-in-series.ts';
import { describeCoverage } from './scan-coverage.ts';
import { updateSeries } from './series-row-store.ts';

const inventoryTargets = ['package', 'package_version', 'manifest'] as const;

interface RecordedRun {
  /** Versions of packages that are new in the workspace, or have gained a license. */
  versionIds: PackageVersionId[];
  /** The packages of the run join those of the series, and do not replace them. */
  isAdding: boolean;
  /** The number of vulnerabilities that the series sees now; of a detached run, those that it shows. */
  seen: number;
  /** A warning for each series that this one replaces. */
  replaced: string[];
}

/** `isReadAgain` says that the same bytes must be read again when they come again. */
export async function recordRun(
  tx: ChangeTx,
  context: ImportContext,
  run: RunInSeries,
  { series, outcome, adding, isKept }: PlacedRun,
  held: Held | null,
  isReadAgain: boolean,
): Promise<RecordedRun> {
  const { late, detached, addsOnly, seq } = series;
  const { scanId, scannedAt } = context;
  // Packages that a held closure would take away stay like its vulnerabilities.
  const isAdding = detached || addsOnly || held !== null;
  const versionIds = late ? null : await writeInventory(tx, context, series, run, { isAdding, isKept });
  if (versionIds !== null) {
    tx.changes.markTargetsChangedOn(context.reference.id, context.repositoryId, inventoryTargets);
  }
  const coverage = detached ? undefined : await describeCoverage(tx, series, run);
  const isFirst = series.last_seq === 0 && !detached;
  const [seen, replaced] = await Promise.all([
    detached ? countDetached(tx, series.id, seq) : countLive(tx, series.id),
    isFirst ? markReplaced(tx, context, series, run.tool, series.left) : [],
    updateSeries(tx, series.id, {
      seq,
      scannedAt: late ? null : scannedAt,
      scanId: late ? null : scanId,
      succeededAt: late || outcome !== 'succeeded' || adding?.isFailed === true ? null : scannedAt,
      reader: isReadAgain ? null : context.reader,
      ...(detached || addsOnly ? {} : { held: held?.digest ?? null }),
      ...(coverage === undefined ? {} : { coverage }),
    }),
  ]);
  return { versionIds: versionIds ?? [], isAdding, seen, replaced };
}

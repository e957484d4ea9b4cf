/**
 * Imports what affects the packages of a reference, as a series of its own. It goes the way of a scanner's report, so
 * identity, policies, decisions and history work as for one. It runs in the transaction that holds the repository.
 */
import type { ChangeTx } from '../../db/database.ts';
import type { ImportCounts } from '../../domain/written-scan.ts';
import { findContents } from '../advisories/osv-store.ts';
import { importReport } from '../import/import.ts';
import type { ImportContext } from '../import/import-context.ts';
import { readOwnership } from '../import/ownership.ts';
import type { Progress } from '../import/progress.ts';
import { findMatchSeries, listAffectedPackages } from './match-store.ts';
import { matchedReport } from './matched-report.ts';

const silent: Progress = { step: () => {}, end: async () => {} };

/**
 * The scan is the one that has brought the packages, or one without a report. The match is complete whatever the report
 * was, and decides nothing.
 */
export async function matchReference(
  tx: ChangeTx,
  context: Pick<ImportContext, 'scanId' | 'repositoryId' | 'reference' | 'scannedAt' | 'mayConfirm'>,
): Promise<{ counts: ImportCounts; warnings: string[] }> {
  const affected = await listAffectedPackages(tx, context.reference.id);
  const contents = await findContents(tx, [...new Set(affected.map((row) => row.advisory_id))]);
  const series = await findMatchSeries(tx, context.reference.id);
  // A report may be dated before the last match and yet bring the newest packages.
  const scannedAt = latest(context.scannedAt, series?.last_scanned_at ?? null);
  const { counts, warnings } = await importReport(
    tx,
    {
      ...context,
      reader: null,
      scannedAt,
      partial: false,
      category: null,
      source: 'current',
      sha: null,
      fileName: null,
      force: false,
      mayDecide: false,
      overridesPolicy: false,
      ...(await readOwnership(tx, context.repositoryId)),
    },
    matchedReport(affected, contents),
    silent,
  );
  return { counts, warnings };
}

function latest(time: Date, other: Date | null): Date {
  return other !== null && other > time ? other : time;
}

/** Reports through the real pipeline: taken, encrypted, parsed in a thread, applied. */

import { importReports } from '../../src/commands/scan.ts';
import type { ReportInput } from '../../src/features/scans/intake.ts';
import type { ScanRow } from '../../src/features/scans/store.ts';
import type { TestDatabase } from './database.ts';

/** Gives the scan of each report, in order. */
export async function importAll(
  database: TestDatabase,
  slug: string,
  inputs: ReportInput[],
): Promise<ScanRow[]> {
  const { db, secret, appUrl, ownerUrl } = database;
  return importReports({ db, secret, appUrl, ownerUrl, close: async () => {} }, slug, inputs);
}

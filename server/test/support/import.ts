/** Reports through the real pipeline: taken, encrypted, parsed in a thread, applied. */

import { importReports, type ReportFile } from '../../src/commands/scan.ts';
import { loadConfig } from '../../src/config.ts';
import type { ScanRow } from '../../src/features/scans/store.ts';
import type { TestDatabase } from './database.ts';

/** As it is without any setting. */
export const testConfig = loadConfig({});

/** Gives the scan of each report, in order. */
export async function importAll(
  database: TestDatabase,
  slug: string,
  files: ReportFile[],
): Promise<ScanRow[]> {
  const { db, secret, appUrl, ownerUrl } = database;
  return importReports({ db, secret, appUrl, ownerUrl, close: async () => {} }, testConfig, slug, files);
}

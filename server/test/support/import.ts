/** Imports reports through the real pipeline: accepted, encrypted, parsed in a thread, written. */

import { loadConfig } from '../../src/config.ts';
import type { ImportCounts } from '../../src/domain/written-scan.ts';
import type { ScanDetailRow, ScanRow } from '../../src/ingest/scans/store.ts';
import { importFiles, type ReportFile } from '../../src/ingest/upload/import-files.ts';
import type { TestDatabase } from './database.ts';

/** The default configuration. */
export const testConfig = loadConfig({});

/** Returns the scan of each report, in order. */
export async function importAll(
  database: TestDatabase,
  slug: string,
  files: ReportFile[],
): Promise<ScanDetailRow[]> {
  const { db, secret, queue } = database;
  return importFiles(
    { db, secret, boss: await queue.open(), config: testConfig, log: console.error },
    slug,
    files,
  );
}

/** These counts of each scan, in this order. */
export function countsOf(scans: ScanRow[], ...keys: (keyof ImportCounts)[]) {
  return scans.map(({ counts }) => keys.map((key) => counts?.[key]));
}

/** Imports reports one after another into a repository of their own. */
import type { ScanDetailRow } from '../../src/ingest/scans/store.ts';
import type { TestDatabase } from './database.ts';
import { importAll } from './import.ts';
import { assertInvariants } from './invariants.ts';
import { reportInput } from './workspace.ts';

export type SentReport = Omit<NonNullable<Parameters<typeof reportInput>[1]>, 'repository' | 'report'> & {
  report: object | string;
};

let repositories = 0;

/**
 * Imports the reports into a new repository of the workspace `acme`, so many hours apart unless they say otherwise, and
 * checks the invariants. Returns the scan of each report, in order.
 */
export async function importInTurn(
  database: TestDatabase,
  hoursApart: number,
  reports: SentReport[],
): Promise<ScanDetailRow[]> {
  const repository = `acme/in-turn-${++repositories}`;
  const scans = await importAll(
    database,
    'acme',
    reports.map(({ report, ...options }, index) => {
      const scannedAt = new Date(Date.UTC(2026, 4, 1, index * hoursApart));
      return reportInput(report, { repository, scannedAt, ...options });
    }),
  );
  await assertInvariants(database.owner);
  return scans;
}

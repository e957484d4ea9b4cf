/** Imports reports from files for the operator, in their order, and processes each before the next. */
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { getWorkspace } from '../../access/workspaces/service.ts';
import type { Config } from '../../config.ts';
import { readClock } from '../../db/commit-watermark.ts';
import { type Database, importTx, installTx, tenantReadTx } from '../../db/database.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import type { TenantId } from '../../domain/ids.ts';
import { failOwnScan, ProcessingError, processRepository } from '../import/process-scan.ts';
import { findScanDetail, type ScanDetailRow } from '../scans/store.ts';
import { type AcceptedReport, acceptReport, type ReportInput } from './intake.ts';
import { receiveReport } from './receive-report.ts';

interface ImportDependencies {
  db: Database;
  secret: InstallSecret;
  boss: PgBoss;
}

/** A report file that can be opened any number of times. */
export interface ReportFile extends ReportInput {
  open(): Readable;
}

/**
 * Returns a report file with defaults for missing values: scanned now, complete, and sent by the operator, who may
 * decide.
 */
export function reportFile(
  given: Pick<ReportFile, 'repository' | 'reference' | 'open'> & Partial<ReportFile>,
): ReportFile {
  return {
    defaultBranch: null,
    sha: null,
    baseRef: null,
    baseSha: null,
    environment: null,
    scannedAt: null,
    category: null,
    format: 'auto',
    source: null,
    partial: false,
    dryRun: false,
    force: false,
    mayDecide: true,
    mayOverridePolicy: true,
    fileName: null,
    uploadedBy: null,
    ...given,
  };
}

// The wait is short compared with an import, and long compared with a query for one row.
const waitMs = 200;

/** Accepts the reports in their order and processes them. `log` gets the errors. Returns their scans. */
export async function importFiles(
  { db, secret, boss, config, log }: ImportDependencies & { config: Config; log: (message: string) => void },
  slug: string,
  files: ReportFile[],
): Promise<ScanDetailRow[]> {
  const tenant = await installTx(db, (tx) => getWorkspace(tx, slug));
  const scans: ScanDetailRow[] = [];
  for (const file of files) {
    const { scanId, repositoryId } = await takeFile({ db, secret, boss }, tenant.id, file);
    for (;;) {
      try {
        await processRepository({ db, secret, config }, tenant.id, repositoryId);
      } catch (error) {
        log(`${file.fileName}: ${(error as Error).stack}`);
        if (!(error instanceof ProcessingError)) throw error;
        // This command does not try its own report again: the scan fails, and the operator sees the reason. Another
        // scan that waited before it is tried again until it fails for good.
        if (error.scan.id === scanId) await failOwnScan(db, tenant.id, error.scan, config.keepReportsDays);
      }
      const scan = await tenantReadTx(db, tenant.id, (tx) => findScanDetail(tx, scanId));
      if (scan?.status !== 'queued' && scan?.status !== 'running') {
        if (scan) scans.push(scan);
        break;
      }
      // Another process holds a scan that comes first, or it pauses after a failed attempt.
      await sleep(waitMs);
    }
  }
  return scans;
}

export function takeFile(
  { db, secret, boss }: ImportDependencies,
  tenantId: TenantId,
  { open, ...input }: ReportFile,
): Promise<AcceptedReport> {
  return receiveReport({ db, secret }, tenantId, open(), null, (report) =>
    importTx(db, tenantId, async (tx) =>
      // The clocks of nodes differ, and the times of reports order them.
      acceptReport(tx, boss, report, input, await readClock(tx), null),
    ),
  );
}

/** Reports from files: taken in their order, and each one worked through before the next, by the operator. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { getWorkspace } from '../../access/workspaces/service.ts';
import type { Config } from '../../config.ts';
import { type Database, importTx, installTx, tenantReadTx } from '../../db/database.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import { newId } from '../../domain/ids.ts';
import { failScanOfOurs, ProcessingError, processRepository } from '../import/process-scan.ts';
import { findScan, type ScanRow } from '../scans/store.ts';
import { type ReportInput, type Taken, takeReport } from './intake.ts';
import { storeReport } from './waiting-report.ts';

interface Installation {
  db: Database;
  secret: InstallSecret;
  boss: PgBoss;
}

/** A report at hand, as often as it is asked for. */
export interface ReportFile extends ReportInput {
  open(): Readable;
}

/** A report of which nothing is told but what is given: scanned now, whole, by the operator, who may decide. */
export function reportFile(
  told: Pick<ReportFile, 'repository' | 'reference' | 'open'> & Partial<ReportFile>,
): ReportFile {
  return {
    defaultBranch: null,
    sha: null,
    baseRef: null,
    baseSha: null,
    environment: null,
    scannedAt: new Date(),
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
    ...told,
  };
}

// Short beside any import, long beside a look at one row.
const waitMs = 200;

/** Takes the reports in their order and works through them. `log` gets what failed. Gives their scans. */
export async function importFiles(
  { db, secret, boss, config, log }: Installation & { config: Config; log: (message: string) => void },
  slug: string,
  files: ReportFile[],
): Promise<ScanRow[]> {
  const tenant = await installTx(db, (tx) => getWorkspace(tx, slug));
  const scans: ScanRow[] = [];
  for (const file of files) {
    const { scanId, repositoryId } = await takeFile({ db, secret, boss }, tenant.id, file);
    for (let again = true; again; ) {
      try {
        ({ again } = await processRepository({ db, secret, config }, tenant.id, repositoryId));
      } catch (error) {
        log(`${file.fileName}: ${(error as Error).stack}`);
        if (!(error instanceof ProcessingError)) throw error;
        // Of ours there is no later attempt: it ends, and the reason is the operator's to see. Another that waited
        // before it is tried again until it ends itself.
        if (error.scanId !== scanId) continue;
        await failScanOfOurs(db, tenant.id, scanId, config.keepReportsDays);
        break;
      }
      // A server beside this command has it.
      if (again) await sleep(waitMs);
    }
    const scan = await tenantReadTx(db, tenant.id, (tx) => findScan(tx, tenant.id, scanId));
    if (scan) scans.push(scan);
  }
  return scans;
}

/** A file is always taken, for there is nobody who sends it twice by mistake: the digest is for uploads. */
export async function takeFile(
  { db, secret, boss }: Installation,
  tenantId: string,
  { open, ...input }: ReportFile,
): Promise<Taken> {
  const scanId = newId();
  const digest = createHash('sha256');
  const report = open();
  let bytes = 0;
  report.on('data', (chunk: Buffer) => {
    digest.update(chunk);
    bytes += chunk.length;
  });
  await storeReport(db, { tenantId, scanId }, report, secret.key('report-encryption'));
  const options = {
    scanId,
    digest: digest.digest(),
    bytes,
    maxWaitingBytes: null,
    idempotencyKey: null,
    recogniseSame: false,
    scannedAtGiven: true,
  };
  return importTx(db, tenantId, (tx) => takeReport(tx, boss, tenantId, input, options));
}

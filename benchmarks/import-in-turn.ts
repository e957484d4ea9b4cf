/**
 * `node benchmarks/import-in-turn.ts DATA_DIR REPOSITORY (WORKSPACE FILE REFERENCE)…`: imports reports in a separate
 * process, so that its memory can be measured alone. It imports each file into its workspace, one after another, and
 * prints the figures of the last import as JSON. The database must be running.
 */

import { createReadStream } from 'node:fs';
import { getWorkspace } from '../server/src/access/workspaces/service.ts';
import { installTx, tenantReadTx } from '../server/src/db/database.ts';
import { parseReference } from '../server/src/domain/reference-name.ts';
import { processRepository } from '../server/src/ingest/import/process-scan.ts';
import { prepareThread } from '../server/src/ingest/prepare/parser-thread.ts';
import { findScan } from '../server/src/ingest/scans/store.ts';
import { reportFile, takeFile } from '../server/src/ingest/upload/import-files.ts';
import { openQueue } from '../server/src/jobs/queue.ts';
import { openConfigured } from '../server/src/open.ts';
import { countStatements } from './count-statements.ts';
import { benchConfig } from './options.ts';

export interface ImportFigures {
  counts: Record<string, unknown>;
  /** The time to receive, compress, encrypt and store the report. */
  receiveMs: number;
  /** The time from taking the job to the commit: open, parse, match, write, reconcile. */
  processMs: number;
  /** The time of each step of the scan's progress. */
  stepMs: Record<string, number>;
  statements: number;
  /** The processor time of all threads of this process. */
  cpuMs: number;
}

prepareThread();
const [dataDir = '', repository = '', ...reports] = process.argv.slice(2);
const config = benchConfig(dataDir);
const open = await openConfigured(config);
const boss = await openQueue(open.db, { supervise: false });
let figures: ImportFigures | undefined;
for (let at = 0; at < reports.length; at += 3) {
  figures = await importInto(reports[at] ?? '', reports[at + 1] ?? '', reports[at + 2] ?? '');
}
process.stdout.write(`${JSON.stringify(figures)}\n`);
await boss.stop({ graceful: false });
await open.close();

async function importInto(slug: string, file: string, ref: string): Promise<ImportFigures> {
  const tenant = await installTx(open.db, (tx) => getWorkspace(tx, slug));
  const start = performance.now();
  const { scanId, repositoryId } = await takeFile(
    { ...open, boss },
    tenant.id,
    reportFile({
      repository: { fullName: repository },
      reference: parseReference(ref),
      force: true,
      open: () => createReadStream(file),
    }),
  );
  const received = performance.now();
  const statements = countStatements();
  const steps: { step: string; at: number }[] = [];
  await processRepository(
    {
      ...open,
      config,
      observeImport: () => ({
        step: (step) => steps.push({ step, at: performance.now() }),
        end: () => {},
      }),
    },
    tenant.id,
    repositoryId,
  );
  const processed = performance.now();
  const scan = await tenantReadTx(open.db, tenant.id, (tx) => findScan(tx, scanId));
  if (scan?.status !== 'completed')
    throw new Error(`the scan did not complete: ${JSON.stringify(scan?.error)}`);
  const stepMs: Record<string, number> = {};
  for (const [index, { step, at }] of steps.entries()) {
    const end = steps[index + 1]?.at ?? processed;
    stepMs[step] = Math.round((stepMs[step] ?? 0) + end - at);
  }
  return {
    counts: { ...scan.counts },
    receiveMs: Math.round(received - start),
    processMs: Math.round(processed - received),
    stepMs,
    statements: statements(),
    cpuMs: Math.round((process.cpuUsage().user + process.cpuUsage().system) / 1000),
  };
}

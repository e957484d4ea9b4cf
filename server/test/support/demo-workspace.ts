/** A workspace with the demo's reports: several repositories, tools, branches and weeks, and some decisions. */
import { inventory } from '../../../demo/src/company/company.ts';
import { type DemoScan, generateScans } from '../../../demo/src/generate.ts';
import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { tenantTx } from '../../src/db/database.ts';
import { parseReference } from '../../src/domain/reference-name.ts';
import { parseInventory } from '../../src/inventory/file/document.ts';
import type { TestDatabase } from './database.ts';
import { importAll } from './import.ts';
import { createTestWorkspace, reportInput, type TestWorkspace } from './workspace.ts';

export interface DemoWorkspace extends TestWorkspace {
  scans: DemoScan[];
}

/** Imports the reports that `chosen` selects. All of the eight weeks are some hundred. */
export async function createDemoWorkspace(
  database: TestDatabase,
  slug: string,
  chosen: (scan: DemoScan) => boolean,
): Promise<DemoWorkspace> {
  const workspace = await createTestWorkspace(database, slug);
  const { tenant } = workspace;
  await tenantTx(database.db, tenant.id, (tx) => applyInventory(tx, parseInventory(inventory)));
  const scans = generateScans({ now: new Date(), seed: 7 }).filter(chosen);
  await importAll(
    database,
    slug,
    scans.map((scan) => ({
      ...reportInput(scan.report, { repository: scan.repository }),
      reference: parseReference(scan.ref, scan.refType),
      sha: scan.sha,
      scannedAt: new Date(scan.scannedAt),
      fileName: scan.fileName,
    })),
  );
  return { ...workspace, scans };
}

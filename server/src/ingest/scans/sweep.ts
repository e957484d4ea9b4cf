/**
 * The sweep of scans does the work that the clock makes due: it deletes reports that expired or never became a scan,
 * and carries out pending merges of repositories.
 */

import { type Database, importTx, tenantReadTx, tenantTx } from '../../db/database.ts';
import type { DueCondition } from '../../db/due-tenants.ts';
import type { TenantId } from '../../domain/ids.ts';
import { dayMs } from '../../domain/time.ts';
import { tryLockRepository } from '../../inventory/repositories/lock.ts';
import { mergePending } from '../import/late-aliases.ts';
import { listPendingMerges } from '../import/pending-merge-store.ts';
import { deleteOldReports, oldReportsDue } from '../upload/waiting-report.ts';

// A day is longer than any upload takes, so an older report has lost its sender.
const abandonedMs = dayMs;
// One sweep merges this many repositories; the others are due again a minute later.
const maxRepositoriesAtOnce = 20;

/** True in SQL if `sweepScans` has work. */
export const scansDue = (keepReportsDays: number): DueCondition[] => [
  ...oldReportsDue(
    `asked_at - interval '${abandonedMs / 1000} seconds'`,
    `asked_at - interval '${keepReportsDays} days'`,
  ),
  'exists (select 1 from pending_merge where tenant_id = asked_tenant)',
];

/** Sweeps the workspace. A merge that fails is passed to `failed`, and the others continue. */
export async function sweepScans(
  db: Database,
  tenantId: TenantId,
  now: Date,
  keepReportsDays: number,
  failed: (error: unknown) => void,
): Promise<void> {
  await tenantTx(db, tenantId, (tx) =>
    deleteOldReports(tx, {
      abandonedBefore: new Date(now.getTime() - abandonedMs),
      keptUntil: new Date(now.getTime() - keepReportsDays * dayMs),
    }),
  );
  const waiting = await tenantReadTx(db, tenantId, (tx) => listPendingMerges(tx, maxRepositoriesAtOnce));
  for (const repositoryId of waiting) {
    await importTx(db, tenantId, async (tx) => {
      // A running import would keep all other workspaces waiting. The repository is due again a minute later.
      if (!(await tryLockRepository(tx, repositoryId))) return;
      const cause = { scanId: null, actorId: null, at: now };
      await mergePending(tx, repositoryId, cause);
      tx.changes.at = now;
    }).catch(failed);
  }
}

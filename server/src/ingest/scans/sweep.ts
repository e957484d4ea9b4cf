/**
 * What becomes due by the clock alone, of scans: reports that are kept no longer, or never became a scan; merges that
 * wait for a repository.
 */
import { type Database, importTx, tenantReadTx, tenantTx } from '../../db/database.ts';
import { lockRepository } from '../../inventory/repositories/lock.ts';
import { listPendingMerges, mergePending } from '../import/late-aliases.ts';
import { deleteOldReports } from '../upload/waiting-report.ts';

// Longer than any upload takes: what is older has lost its sender.
const abandonedMs = 24 * 3600 * 1000;
const dayMs = 24 * 3600 * 1000;
// What one sweep merges; the rest is due again a minute later.
const maxRepositoriesAtOnce = 20;

/** A repository whose merge fails is told to `failed`, and the others go on. */
export async function sweepScans(
  db: Database,
  tenantId: string,
  now: Date,
  keepReportsDays: number,
  failed: (error: unknown) => void,
): Promise<void> {
  await tenantTx(db, tenantId, (tx) =>
    deleteOldReports(tx, tenantId, {
      abandonedBefore: new Date(now.getTime() - abandonedMs),
      keptUntil: new Date(now.getTime() - keepReportsDays * dayMs),
    }),
  );
  const waiting = await tenantReadTx(db, tenantId, (tx) =>
    listPendingMerges(tx, tenantId, maxRepositoriesAtOnce),
  );
  for (const repositoryId of waiting) {
    await importTx(db, tenantId, async (tx) => {
      await lockRepository(tx, tenantId, repositoryId);
      const { changes } = tx;
      const cause = { scanId: null, actorId: null, at: now };
      await mergePending(tx, tenantId, repositoryId, cause, changes);
      changes.at = now;
    }).catch(failed);
  }
}

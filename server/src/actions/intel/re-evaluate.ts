/**
 * Updates a workspace after a change of the feeds: it reconciles the vulnerabilities under each CVE that was added to
 * the catalogue or removed, and writes the EPSS bands that have changed. Each transaction handles some thousand
 * vulnerabilities, so that no other transaction waits for long.
 */

import { readCommitWatermark } from '../../db/commit-watermark.ts';
import { type Database, importTx, tenantReadTx, tenantTx } from '../../db/database.ts';
import type { DueCondition } from '../../db/due-tenants.ts';
import { batches } from '../../domain/batches.ts';
import type { TenantId, VulnerabilityId } from '../../domain/ids.ts';
import { isolateFailures, rethrow } from '../../inventory/repositories/isolate-failures.ts';
import { lockRepository } from '../../inventory/repositories/lock.ts';
import { listOldBands, updateEpssBands } from '../../vulnerabilities/epss-band-store.ts';
import { reconcile } from '../../vulnerabilities/reconcile.ts';
import { reevaluateChangedMeanwhile } from './changed-cves.ts';
import {
  type ConcernedRow,
  finishChanges,
  listChanges,
  listConcerned,
  loadedScores,
  postponeChanges,
} from './store.ts';

const maxChangesAtOnce = 2_000;
const batchSize = 2_000;

export interface ReEvaluation {
  changes: number;
  vulnerabilities: number;
}

/** True in SQL if `reEvaluateIntel` has work, now or after running transactions have ended. */
export const intelDue: DueCondition = 'exists (select 1 from intel_change where tenant_id = asked_tenant)';

/** True if `reEvaluateIntel` has work. */
export async function hasIntelChanges(db: Database, tenantId: TenantId): Promise<boolean> {
  const changes = await tenantReadTx(db, tenantId, async (tx) => {
    const { committedBefore } = await readCommitWatermark(tx);
    return listChanges(tx, committedBefore, 1);
  });
  return changes.length > 0;
}

/**
 * Handles a bounded number of changes; `changes` is 0 if there are none. Each change is reconciled twice: at once, and
 * when all transactions have ended that can have read the feeds before it. Then it is deleted. An error in one
 * repository is passed to `failed`, which throws it if none is given; the other repositories continue, and the changes
 * stay.
 */
export async function reEvaluateIntel(
  db: Database,
  tenantId: TenantId,
  now: Date,
  failed: (error: unknown) => void = rethrow,
): Promise<ReEvaluation> {
  const changes = await tenantReadTx(db, tenantId, async (tx) => {
    const { committedBefore } = await readCommitWatermark(tx);
    return listChanges(tx, committedBefore, maxChangesAtOnce);
  });
  if (changes.length === 0) return { changes: 0, vulnerabilities: 0 };
  const cves = changes.map((change) => change.cve).filter((cve) => cve !== loadedScores);
  let vulnerabilities = cves.length < changes.length ? await writeBands(db, tenantId) : 0;
  const loaded = changes.find((change) => change.cve === loadedScores && !change.reconciled);
  if (loaded) await tenantTx(db, tenantId, (tx) => reevaluateChangedMeanwhile(tx, loaded.created_at));
  let hasFailed = false;
  for (let afterId: VulnerabilityId | null = null; cves.length > 0; ) {
    const after: VulnerabilityId | null = afterId;
    const rows: ConcernedRow[] = await importTx(db, tenantId, (tx) =>
      listConcerned(tx, cves, after, batchSize),
    );
    const reconcileRows = (some: ConcernedRow[]): Promise<void> =>
      importTx(db, tenantId, async (tx) => {
        const ids = some.map((row) => row.id);
        await reconcile(tx, { ids, cause: { scanId: null, actorId: null, at: now } });
        tx.changes.at = now;
      });
    await isolateFailures(rows, reconcileRows, (error) => {
      hasFailed = true;
      failed(error);
    });
    vulnerabilities += rows.length;
    afterId = rows.at(-1)?.id ?? null;
    if (rows.length < batchSize) break;
  }
  await tenantTx(db, tenantId, (tx) =>
    hasFailed ? postponeChanges(tx, changes) : finishChanges(tx, changes),
  );
  return { changes: changes.length, vulnerabilities };
}

/** Writes the bands that differ from the loaded scores. Returns how many they are. */
async function writeBands(db: Database, tenantId: TenantId): Promise<number> {
  const old = await importTx(db, tenantId, listOldBands);
  for (const [repositoryId, rows] of Map.groupBy(old, (row) => row.repository_id)) {
    for (const batch of batches(rows, batchSize)) {
      await importTx(db, tenantId, async (tx) => {
        await lockRepository(tx, repositoryId);
        await updateEpssBands(
          tx,
          batch.map((row) => row.id),
        );
      });
    }
  }
  return old.length;
}

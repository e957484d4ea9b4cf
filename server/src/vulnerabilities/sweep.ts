/**
 * The sweep does the work that the clock makes due: it ends acceptances, marks references as quiet, removes assignments
 * of people who have left, gives vulnerabilities their teams, and updates references to the names of tracked branches.
 * It changes only due rows.
 */

import { type Database, importTx, tenantReadTx } from '../db/database.ts';
import { batches } from '../domain/batches.ts';
import type { TenantId } from '../domain/ids.ts';
import { dayMs } from '../domain/time.ts';
import { isolateFailures, rethrow } from '../inventory/repositories/isolate-failures.ts';
import {
  clearTrackingChanged,
  listTrackingChanged,
  lockTrackingChanged,
} from '../inventory/repositories/tracked-branch-store.ts';
import type { Cause } from './events.ts';
import { sweepTeams } from './owning-teams.ts';
import { reconcile } from './reconcile.ts';
import { reconcileReference } from './reconcile-scope.ts';
import { deactivateQuiet, listEndedAcceptances, listQuiet } from './sweep-store.ts';
import { alignTracked } from './tracked-references.ts';
import { sweepAssignments } from './unassign.ts';

// One transaction reconciles this many. The others are due again a minute later.
const maxAtOnce = 10_000;
// One transaction changes this many references, or the references of this many repositories.
const atOnce = 20;
// A sweep changes this many, so that those of a few repositories that fail do not keep all others back.
const maxDue = 500;

export interface SweepResult {
  acceptancesEnded: number;
}

/**
 * Sweeps a workspace. A branch without a scan for `activeDays` becomes inactive. An error in one part of the work is
 * passed to `failed`, which throws it if none is given, and the other parts continue.
 */
export async function sweepTenant(
  db: Database,
  tenantId: TenantId,
  now: Date,
  activeDays: number,
  failed: (error: unknown) => void = rethrow,
): Promise<SweepResult> {
  const cause: Cause = { scanId: null, actorId: null, at: now };
  await sweepAssignments(db, tenantId).catch(failed);
  await sweepTeams(db, tenantId).catch(failed);
  await deactivateReferences(db, tenantId, cause, activeDays, failed).catch(failed);
  await alignTrackingChanged(db, tenantId, cause, failed).catch(failed);
  return { acceptancesEnded: await endAcceptances(db, tenantId, cause, failed) };
}

async function endAcceptances(
  db: Database,
  tenantId: TenantId,
  cause: Cause,
  failed: (error: unknown) => void,
): Promise<number> {
  const ended = await tenantReadTx(db, tenantId, (tx) => listEndedAcceptances(tx, cause.at, maxAtOnce));
  let count = 0;
  const endThese = async (rows: typeof ended): Promise<void> => {
    await importTx(db, tenantId, async (tx) => {
      await reconcile(tx, {
        ids: rows.map((row) => row.id),
        cause,
        // A person may have decided again between the read and the lock.
        change: (current) =>
          current.accepted_until !== null && current.accepted_until <= cause.at
            ? {
                decision: null,
                decidedBy: null,
                resolution: null,
                acceptedUntil: null,
                events: [{ kind: 'acceptance_ended' }],
              }
            : {},
      });
      tx.changes.at = cause.at;
    });
    count += rows.length;
  };
  await isolateFailures(ended, endThese, failed);
  return count;
}

async function alignTrackingChanged(
  db: Database,
  tenantId: TenantId,
  cause: Cause,
  failed: (error: unknown) => void,
): Promise<void> {
  const changed = await tenantReadTx(db, tenantId, (tx) => listTrackingChanged(tx, maxDue));
  const align = (rows: typeof changed): Promise<void> =>
    importTx(db, tenantId, async (tx) => {
      const among = rows.map((row) => row.repository_id);
      const repositoryIds = await lockTrackingChanged(tx, { among });
      if (repositoryIds.length === 0) return;
      await alignTracked(tx, repositoryIds, cause);
      await clearTrackingChanged(tx, repositoryIds);
      tx.changes.at = cause.at;
    });
  for (const rows of batches(changed, atOnce)) await isolateFailures(rows, align, failed);
}

async function deactivateReferences(
  db: Database,
  tenantId: TenantId,
  cause: Cause,
  activeDays: number,
  failed: (error: unknown) => void,
): Promise<void> {
  const before = new Date(cause.at.getTime() - activeDays * dayMs);
  const quiet = await tenantReadTx(db, tenantId, (tx) => listQuiet(tx, before, maxDue));
  const deactivate = (rows: typeof quiet): Promise<void> =>
    importTx(db, tenantId, async (tx) => {
      for (const { id, repository_id } of await deactivateQuiet(tx, before, rows)) {
        await reconcileReference(tx, id, cause);
        tx.changes.markTargetsChanged(repository_id);
      }
      tx.changes.at = cause.at;
    });
  for (const rows of batches(quiet, atOnce)) await isolateFailures(rows, deactivate, failed);
}

/**
 * Series as people see them: the tool that scans a reference, its age, and its held closure. An admin releases a held
 * closure, discards it, or retires a series that gets no more reports.
 */

import type { AuditAction } from '../../access/audit/actions.ts';
import { type Actor, recordAudit } from '../../access/audit/record.ts';
import type { ChangeTx, Tx } from '../../db/database.ts';
import { invalidTransition, orNotFound } from '../../domain/errors.ts';
import { formatId, formatIdOrNull, getId, parseId } from '../../domain/ids.ts';
import { type CheckStill, lockRepository } from '../../inventory/repositories/lock.ts';
import { markToMatch } from '../../inventory/repositories/references-to-match.ts';
import { reconcile } from '../../vulnerabilities/reconcile.ts';
import { markUpdated } from '../../vulnerabilities/reconcile-store.ts';
import { endUnseenClaims } from '../import/claims.ts';
import { closeObservations } from '../import/closing.ts';
import { clearHeld, setHeldClosure } from '../import/held-closure-store.ts';
import { deleteManifestPackages } from '../import/inventory-store.ts';
import { listOpenKeys, type ObservationRow } from '../import/observation-store.ts';
import { matchTool } from '../matching/match-store.ts';
import {
  findSeries,
  getHeldSeq,
  listObservations,
  type SeriesDetailRow,
  setRetired,
} from './series-store.ts';

export const heldActions = ['release', 'discard'] as const;
export type HeldAction = (typeof heldActions)[number];

export interface SeriesRetirement {
  /** The newest scan of the series that the caller has seen; null if it had none. */
  last_scan_id?: string | null | undefined;
  /** For the audit log. */
  reason?: string | undefined;
}

export interface HeldDecision {
  action: HeldAction;
  /** The scan whose closure the admin has reviewed. */
  scan_id: string;
  /** For the audit log. */
  reason?: string;
}

/**
 * Decides a held closure. A release closes the held observations. A discard leaves them open, until another complete
 * scan misses them. Returns the number of vulnerabilities that this fixes. Throws 404, and 409 if the series holds the
 * closure of another scan by now, or none that could be discarded.
 */
export async function decideHeld(
  tx: ChangeTx,
  series: string,
  { action, scan_id, reason }: HeldDecision,
  actor: Actor,
  checkStill?: CheckStill,
): Promise<{ fixed: number }> {
  const row = await lockSeries(tx, series, checkStill);
  if (row.held_scan_id === null) {
    // A repeated release changes nothing. A discard would say that the vulnerabilities stay open, but they may be fixed
    // by now.
    if (action === 'release') return { fixed: 0 };
    throw invalidTransition(
      `The series holds no closure any more: that of ${scan_id} was decided, or a later scan has confirmed or replaced it. Read the newest scan of the series.`,
    );
  }
  if (row.held_scan_id !== parseId('scan', scan_id)) {
    throw invalidTransition(
      `The series now holds the closure of ${formatId('scan', row.held_scan_id)}, and not that of ${scan_id}. Review it, and decide again.`,
    );
  }
  let fixed = 0;
  if (action === 'release') {
    const held = await listObservations(tx, row.id, { held: true });
    tx.changes.showsFixes = true;
    fixed = await close(tx, row, actor, held, await getHeldSeq(tx, row.id));
  } else await clearHeld(tx, row.id);
  await setHeldClosure(tx, row.id, null);
  await audit(tx, row, `series.${action}`, actor, { fixed, reason });
  return { fixed };
}

/**
 * Retires the series and closes the vulnerabilities that only this series saw. A later report of the series makes it
 * active again. `last_scan_id` is the newest scan of the series as the caller has seen it. Throws 404, and 409 if the
 * series has a newer scan by now.
 */
export async function retireSeries(
  tx: ChangeTx,
  series: string,
  actor: Actor,
  { reason, last_scan_id }: SeriesRetirement = {},
  checkStill?: CheckStill,
): Promise<{ fixed: number }> {
  const row = await lockSeries(tx, series, checkStill);
  const lastScanId = formatIdOrNull('scan', row.last_scan_id);
  if (last_scan_id !== undefined && last_scan_id !== lastScanId) {
    throw invalidTransition(
      `The newest scan of the series is ${lastScanId} by now, and not ${last_scan_id}. Look at it, and retire the series if it gets no more reports.`,
    );
  }
  const seen = await listObservations(tx, row.id, { held: false });
  // The newest scan of the series still saw these observations, so they end with the number of its next scan.
  await deleteManifestPackages(tx, row.reference_id, row.id);
  // The match closes vulnerabilities in packages that no other series lists.
  if (row.tool !== matchTool) await markToMatch(tx, [row.reference_id]);
  await setHeldClosure(tx, row.id, null);
  await setRetired(tx, row.id);
  const fixed = await close(tx, row, actor, seen, row.last_seq + 1);
  await audit(tx, row, 'series.retire', actor, { fixed, reason });
  return { fixed };
}

/** Returns the series by the id that the caller named. Throws 404. */
export async function getSeries(tx: Tx, text: string): Promise<SeriesDetailRow> {
  return orNotFound(await findSeries(tx, getId('series', text)));
}

// Takes the lock of the repository first, as imports do, and then reads the series again.
async function lockSeries(tx: Tx, text: string, checkStill?: CheckStill): Promise<SeriesDetailRow> {
  const found = await getSeries(tx, text);
  await lockRepository(tx, found.repository_id, checkStill);
  return getSeries(tx, text);
}

async function close(
  tx: ChangeTx,
  series: SeriesDetailRow,
  actor: Actor,
  missing: ObservationRow[],
  seq: number,
): Promise<number> {
  const at = new Date();
  const { changes } = tx;
  changes.at = at;
  changes.markTargetsChanged(series.repository_id);
  await closeObservations(tx, series.id, seq, at, missing);
  const ids = [...new Set(missing.map((row) => row.vulnerability_id))];
  const open = await listOpenKeys(tx, series.id, ids);
  await endUnseenClaims(tx, series.id, ids, open);
  const cause = { scanId: null, actorId: actor.actorId, at };
  const { closed } = await reconcile(tx, { ids, changedOn: [series.reference_id], cause });
  // Another series may still see some of them, so that only the tools that report them change.
  await markUpdated(tx, ids);
  return closed.filter((pair) => pair.referenceId === series.reference_id).length;
}

async function audit(
  tx: Tx,
  series: SeriesDetailRow,
  action: AuditAction,
  actor: Actor,
  data: Record<string, unknown>,
): Promise<void> {
  const about = {
    tool: series.tool,
    category: series.category,
    ...(series.file_name === null ? {} : { file_name: series.file_name }),
    repository: formatId('repository', series.repository_id),
  };
  await recordAudit(tx, actor, action, series.id, { ...about, ...data });
}

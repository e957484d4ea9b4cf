/**
 * Series as people see them: which tool looks at a reference, how long it has been silent, and what the mass closure
 * check holds. An admin releases a held closing, discards it, or retires a series that gets no reports any more.
 */

import type { AuditAction } from '../../access/audit/actions.ts';
import { type Actor, recordAudit } from '../../access/audit/record.ts';
import type { Tx } from '../../db/database.ts';
import { resourceNotFound } from '../../domain/errors.ts';
import { formatId, parseId } from '../../domain/ids.ts';
import { lockRepository } from '../../inventory/repositories/lock.ts';
import { reconcile } from '../../vulnerabilities/reconcile.ts';
import { closeObservations, endUnseenClaims } from '../import/closing.ts';
import { clearHeld, listOpenKeys, type ObservationRow } from '../import/import-store.ts';
import { deleteManifestPackages } from '../import/inventory-store.ts';
import {
  clearHolding,
  findSeries,
  getHeldSeq,
  listObservations,
  type SeriesDetailRow,
  setRetired,
} from './series-store.ts';

export const heldActions = ['release', 'discard'] as const;
export type HeldAction = (typeof heldActions)[number];

/**
 * Decides a held closing. A release closes what was held. A discard leaves it open, until another complete scan misses
 * it. Returns the number of vulnerabilities that this fixes; `reason` goes to the audit log. Throws 404.
 */
export async function decideHeld(
  tx: Tx,
  tenantId: string,
  series: string,
  action: HeldAction,
  actor: Actor,
  reason?: string,
): Promise<{ fixed: number }> {
  const row = await lockSeries(tx, tenantId, series);
  // Nothing is held, so a repeated request changes nothing.
  if (row.held_scan_id === null) return { fixed: 0 };
  let fixed = 0;
  if (action === 'release') {
    const held = await listObservations(tx, tenantId, row.id, { held: true });
    fixed = await close(tx, tenantId, row, actor, held, await getHeldSeq(tx, tenantId, row.id));
  } else await clearHeld(tx, tenantId, row.id);
  await clearHolding(tx, tenantId, row.id);
  await audit(tx, tenantId, row, `series.${action}`, actor, { fixed, reason });
  return { fixed };
}

/**
 * Retires the series and closes what only this series saw. A later report of the series makes it active again. Throws
 * 404.
 */
export async function retireSeries(
  tx: Tx,
  tenantId: string,
  series: string,
  actor: Actor,
  reason?: string,
): Promise<{ fixed: number }> {
  const row = await lockSeries(tx, tenantId, series);
  const seen = await listObservations(tx, tenantId, row.id, { held: false });
  // The newest scan of the series still saw these observations, so they end with the number of its next scan.
  await deleteManifestPackages(tx, tenantId, row.reference_id, row.id);
  await clearHolding(tx, tenantId, row.id);
  await setRetired(tx, tenantId, row.id);
  const fixed = await close(tx, tenantId, row, actor, seen, row.last_seq + 1);
  await audit(tx, tenantId, row, 'series.retire', actor, { fixed, reason });
  return { fixed };
}

/** Returns the series by the id that the caller named. Throws 404. */
export async function getSeries(tx: Tx, tenantId: string, text: string): Promise<SeriesDetailRow> {
  const id = parseId('series', text);
  const row = id && (await findSeries(tx, tenantId, id));
  if (!row) throw resourceNotFound();
  return row;
}

// Takes the lock of the repository first, as imports do, and then reads the series again.
async function lockSeries(tx: Tx, tenantId: string, text: string): Promise<SeriesDetailRow> {
  const found = await getSeries(tx, tenantId, text);
  await lockRepository(tx, tenantId, found.repository_id);
  return getSeries(tx, tenantId, text);
}

async function close(
  tx: Tx,
  tenantId: string,
  series: SeriesDetailRow,
  actor: Actor,
  gone: ObservationRow[],
  seq: number,
): Promise<number> {
  const at = new Date();
  const { changes } = tx;
  changes.at = at;
  changes.markTargetsChanged(series.repository_id);
  await closeObservations(tx, tenantId, series.id, seq, at, gone);
  const ids = [...new Set(gone.map((row) => row.vulnerability_id))];
  const open = await listOpenKeys(tx, tenantId, series.id, ids);
  await endUnseenClaims(tx, tenantId, series.id, ids, open);
  const cause = { scanId: null, actorId: actor.actorId, at };
  const { closed } = await reconcile(tx, tenantId, { ids, cause, changes });
  return closed.filter((pair) => pair.referenceId === series.reference_id).length;
}

async function audit(
  tx: Tx,
  tenantId: string,
  series: SeriesDetailRow,
  action: AuditAction,
  actor: Actor,
  data: Record<string, unknown>,
): Promise<void> {
  const about = {
    tool: series.tool,
    category: series.category,
    repository: formatId('repository', series.repository_id),
  };
  await recordAudit(tx, tenantId, [
    { ...actor, action, targetType: 'series', targetId: series.id, data: { ...about, ...data } },
  ]);
}

/**
 * Series as people see them: which tool looks at a reference, since when it has not, and what the guard holds. An
 * admin releases a held closing, discards it, or retires a series that nobody feeds any more.
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
 * Release: what the guard held is gone now. Discard: it stays, until another complete scan misses it. Gives the
 * number of vulnerabilities that are fixed by it. `reason` stands in the audit log. Throws 404.
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
  // Asking again for what is so changes nothing.
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

/** It closes what only this series saw; a later report of the series takes it up again. Throws 404. */
export async function retireSeries(
  tx: Tx,
  tenantId: string,
  series: string,
  actor: Actor,
  reason?: string,
): Promise<{ fixed: number }> {
  const row = await lockSeries(tx, tenantId, series);
  const seen = await listObservations(tx, tenantId, row.id, { held: false });
  // Its newest scan did see them: they end with the one that would be next.
  await deleteManifestPackages(tx, tenantId, row.reference_id, row.id);
  await clearHolding(tx, tenantId, row.id);
  await setRetired(tx, tenantId, row.id);
  const fixed = await close(tx, tenantId, row, actor, seen, row.last_seq + 1);
  await audit(tx, tenantId, row, 'series.retire', actor, { fixed, reason });
  return { fixed };
}

/** By the id that a caller wrote. Throws 404. */
export async function getSeries(tx: Tx, tenantId: string, text: string): Promise<SeriesDetailRow> {
  const id = parseId('series', text);
  const row = id && (await findSeries(tx, tenantId, id));
  if (!row) throw resourceNotFound();
  return row;
}

// The lock of its repository first, as imports take it; then the series as it is.
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

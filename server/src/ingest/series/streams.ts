/**
 * Streams as people see them: which tool looks at a reference, since when it has not, and what the guard holds. An
 * admin releases a held closing, discards it, or retires a stream that nobody feeds any more.
 */

import type { AuditAction } from '../../access/audit/actions.ts';
import { type Actor, recordAudit } from '../../access/audit/record.ts';
import type { Tx } from '../../db/database.ts';
import { resourceNotFound } from '../../domain/errors.ts';
import { formatId, parseId } from '../../domain/ids.ts';
import { lockRepository } from '../../inventory/repositories/lock.ts';
import { reconcile } from '../../vulnerabilities/reconcile.ts';
import { closeSightings, endUnseenClaims } from '../import/closing.ts';
import { clearHeld, listOpenKeys, type SightingRow } from '../import/import-store.ts';
import { deleteManifestPackages } from '../import/inventory-store.ts';
import {
  clearHolding,
  findStream,
  getHeldSeq,
  listSightings,
  type StreamDetailRow,
  setRetired,
} from './stream-store.ts';

export const heldActions = ['release', 'discard'] as const;
export type HeldAction = (typeof heldActions)[number];

/**
 * Release: what the guard held is gone now. Discard: it stays, until another complete scan misses it. Gives the
 * number of vulnerabilities that are fixed by it. `reason` stands in the audit log. Throws 404.
 */
export async function decideHeld(
  tx: Tx,
  tenantId: string,
  stream: string,
  action: HeldAction,
  actor: Actor,
  reason?: string,
): Promise<{ fixed: number }> {
  const row = await lockStream(tx, tenantId, stream);
  // Asking again for what is so changes nothing.
  if (row.held_scan_id === null) return { fixed: 0 };
  let fixed = 0;
  if (action === 'release') {
    const held = await listSightings(tx, tenantId, row.id, { held: true });
    fixed = await close(tx, tenantId, row, actor, held, await getHeldSeq(tx, tenantId, row.id));
  } else await clearHeld(tx, tenantId, row.id);
  await clearHolding(tx, tenantId, row.id);
  await audit(tx, tenantId, row, `stream.${action}`, actor, { fixed, reason });
  return { fixed };
}

/** It closes what only this stream saw; a later report of the stream takes it up again. Throws 404. */
export async function retireStream(
  tx: Tx,
  tenantId: string,
  stream: string,
  actor: Actor,
  reason?: string,
): Promise<{ fixed: number }> {
  const row = await lockStream(tx, tenantId, stream);
  const seen = await listSightings(tx, tenantId, row.id, { held: false });
  // Its newest scan did see them: they end with the one that would be next.
  await deleteManifestPackages(tx, tenantId, row.reference_id, row.id);
  await clearHolding(tx, tenantId, row.id);
  await setRetired(tx, tenantId, row.id);
  const fixed = await close(tx, tenantId, row, actor, seen, row.last_seq + 1);
  await audit(tx, tenantId, row, 'stream.retire', actor, { fixed, reason });
  return { fixed };
}

/** By the id that a caller wrote. Throws 404. */
export async function getStream(tx: Tx, tenantId: string, text: string): Promise<StreamDetailRow> {
  const id = parseId('stream', text);
  const row = id && (await findStream(tx, tenantId, id));
  if (!row) throw resourceNotFound();
  return row;
}

// The lock of its repository first, as imports take it; then the stream as it is.
async function lockStream(tx: Tx, tenantId: string, text: string): Promise<StreamDetailRow> {
  const found = await getStream(tx, tenantId, text);
  await lockRepository(tx, tenantId, found.repository_id);
  return getStream(tx, tenantId, text);
}

async function close(
  tx: Tx,
  tenantId: string,
  stream: StreamDetailRow,
  actor: Actor,
  gone: SightingRow[],
  seq: number,
): Promise<number> {
  const at = new Date();
  const { changes } = tx;
  changes.at = at;
  changes.markTargetsChanged(stream.repository_id);
  await closeSightings(tx, tenantId, stream.id, seq, at, gone);
  const ids = [...new Set(gone.map((row) => row.vulnerability_id))];
  const open = await listOpenKeys(tx, tenantId, stream.id, ids);
  await endUnseenClaims(tx, tenantId, stream.id, ids, open);
  const cause = { scanId: null, actorId: actor.actorId, at };
  const { closed } = await reconcile(tx, tenantId, { ids, cause, changes });
  return closed.filter((pair) => pair.referenceId === stream.reference_id).length;
}

async function audit(
  tx: Tx,
  tenantId: string,
  stream: StreamDetailRow,
  action: AuditAction,
  actor: Actor,
  data: Record<string, unknown>,
): Promise<void> {
  const about = {
    tool: stream.tool,
    category: stream.category,
    repository: formatId('repository', stream.repository_id),
  };
  await recordAudit(tx, tenantId, [
    { ...actor, action, targetType: 'stream', targetId: stream.id, data: { ...about, ...data } },
  ]);
}

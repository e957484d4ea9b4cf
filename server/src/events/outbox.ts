/**
 * The outbox holds the events of a workspace in one sequence without gaps. Its last number is a row that each writing
 * transaction locks until its commit, so the numbers are in the order of the commits: a reader that has seen a number
 * has seen all before it, and needs no watermark.
 *
 * Events are stored in batches, so that an import writes a row for a thousand of them.
 */
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { insertRows } from '../db/bulk.ts';
import type { ChangeTx, Tx } from '../db/database.ts';
import { newId } from '../domain/ids.ts';
import {
  type EventObjectId,
  maxEventsInBatch,
  type WorkspaceEvent,
  type WorkspaceEventType,
} from '../domain/workspace-event.ts';

/** An event as its batch stores it; the other fields are those of the batch. */
export type StoredEvent = [type: WorkspaceEventType, objectId: EventObjectId, data: Record<string, unknown>];

const compress = promisify(deflate);

/** Commit step: writes the noted events. It is the last one, because it makes others of the workspace wait. */
export async function writeNotedEvents(tx: ChangeTx): Promise<void> {
  await writeEvents(tx, tx.changes.takeEvents());
}

/**
 * Writes events before the commit. Only the acts on a personal key do so: they are recorded in several workspaces in
 * one transaction of the install, which has no change set and no commit steps.
 */
export async function writeEventsNow(tx: Tx, events: readonly WorkspaceEvent[]): Promise<void> {
  await writeEvents(tx, events);
}

/** Writes events in this order. */
async function writeEvents(tx: Tx, events: readonly WorkspaceEvent[]): Promise<void> {
  if (events.length === 0) return;
  const batches = batchesOf(events);
  // The work of the processor is done before the lock is taken.
  const contents = await Promise.all(batches.map(contentOf));
  const last = await takeNumbers(tx, events.length);
  let number = last - events.length;
  const rows = batches.map((batch, at) => {
    const [{ repositoryId, scanId, actorId, at: happenedAt }] = batch;
    const row = {
      first_number: number + 1,
      last_number: number + batch.length,
      id: `${newId().slice(0, -4)}0000`,
      types: [...new Set(batch.map(({ type }) => type))],
      repository_id: repositoryId,
      scan_id: scanId,
      actor_id: actorId,
      at: happenedAt,
      content: contents[at],
    };
    number += batch.length;
    return row;
  });
  await insertRows(tx, 'event_batch', rows, { common: { created_at: `date_trunc('milliseconds', now())` } });
}

type Batch = [WorkspaceEvent, ...WorkspaceEvent[]];

/** Events of one cause that follow each other. */
function batchesOf(events: readonly WorkspaceEvent[]): Batch[] {
  const batches: Batch[] = [];
  for (const event of events) {
    const batch = batches.at(-1);
    if (batch && batch.length < maxEventsInBatch && hasSameCause(batch[0], event)) batch.push(event);
    else batches.push([event]);
  }
  return batches;
}

function hasSameCause(a: WorkspaceEvent, b: WorkspaceEvent): boolean {
  return (
    a.repositoryId === b.repositoryId &&
    a.scanId === b.scanId &&
    a.actorId === b.actorId &&
    a.at.getTime() === b.at.getTime()
  );
}

async function contentOf(batch: Batch): Promise<Buffer> {
  const stored = batch.map(({ type, objectId, data }): StoredEvent => [type, objectId, data]);
  // The rows are alike, so the fastest level leaves a tenth of them.
  return compress(JSON.stringify(stored), { level: 1 });
}

/** Takes the next numbers of the sequence and returns the last of them. */
async function takeNumbers(tx: Tx, count: number): Promise<number> {
  const [row] = await tx.query<{ last_number: string }>(
    `insert into event_sequence as s (tenant_id, last_number) values ($1, $2)
     on conflict (tenant_id) do update set last_number = s.last_number + excluded.last_number
     returning last_number`,
    [tx.tenantId, count],
  );
  return Number(row?.last_number);
}

/**
 * Deletes the events that were recorded before `before`, and gives the number of the last of them; null if there are
 * none. Readers that have not read them find out by this number.
 */
export async function deleteEventsBefore(tx: Tx, before: Date): Promise<number | null> {
  const [row] = await tx.query<{ last: string | null }>(
    'select max(last_number) as last from event_batch where tenant_id = $1 and created_at < $2',
    [tx.tenantId, before],
  );
  const last = row?.last ?? null;
  if (last === null) return null;
  await tx.query('delete from event_batch where tenant_id = $1 and last_number <= $2', [tx.tenantId, last]);
  await tx.query(
    `update event_sequence set deleted_number = greatest(deleted_number, $2::bigint) where tenant_id = $1`,
    [tx.tenantId, last],
  );
  return Number(last);
}

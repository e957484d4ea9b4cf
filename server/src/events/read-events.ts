/** Reads the outbox of a workspace: batches after a number, and the events in them. */
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import type { Tx } from '../db/database.ts';
import type { EventId, RepositoryId, ScanId, UserId } from '../domain/ids.ts';
import {
  type EventObjectId,
  eventIdOf,
  maxEventsInBatch,
  type WorkspaceEventType,
} from '../domain/workspace-event.ts';
import type { StoredEvent } from './outbox.ts';

/** An event of the outbox. */
export interface OutboxEvent {
  number: number;
  id: EventId;
  type: WorkspaceEventType;
  objectId: EventObjectId;
  repositoryId: RepositoryId | null;
  scanId: ScanId | null;
  actorId: UserId | null;
  at: Date;
  recordedAt: Date;
  data: Record<string, unknown>;
}

interface BatchRow {
  first_number: string;
  last_number: string;
  id: string;
  types: WorkspaceEventType[];
  repository_id: RepositoryId | null;
  scan_id: ScanId | null;
  actor_id: UserId | null;
  at: Date;
  created_at: Date;
  content: Buffer;
}

const decompress = promisify(inflate);

/** The state of the outbox: the number of the newest event, and of the newest that was deleted for its age. */
export interface OutboxState {
  last: number;
  deleted: number;
}

export async function readOutboxState(tx: Tx): Promise<OutboxState> {
  const [row] = await tx.query<{ last_number: string; deleted_number: string }>(
    'select last_number, deleted_number from event_sequence where tenant_id = $1',
    [tx.tenantId],
  );
  return { last: Number(row?.last_number ?? 0), deleted: Number(row?.deleted_number ?? 0) };
}

/** The id of the event with this number; null if it is not kept. */
export async function findEventId(tx: Tx, number: number): Promise<EventId | null> {
  const [row] = await tx.query<{ id: string; first_number: string }>(
    `select id, first_number from event_batch
      where tenant_id = $1 and first_number > $2 - ${maxEventsInBatch} and first_number <= $2 and last_number >= $2`,
    [tx.tenantId, number],
  );
  return row ? eventIdOf(row.id, number - Number(row.first_number)) : null;
}

/**
 * The number before the first event that was recorded since this time; that of the newest event if there is none. A
 * transaction records all of its events at the time of its start.
 */
export async function findNumberBefore(tx: Tx, time: Date): Promise<number> {
  const [row] = await tx.query<{ first_number: string | null }>(
    'select min(first_number) as first_number from event_batch where tenant_id = $1 and created_at >= $2',
    [tx.tenantId, time],
  );
  const first = row?.first_number ?? null;
  return first === null ? (await readOutboxState(tx)).last : Number(first) - 1;
}

export interface EventsPage {
  events: OutboxEvent[];
  /** All events up to this number were read. */
  through: number;
}

/**
 * Returns `limit` events of these types at most, in order, after the number `after`. An outbox that has no more of them
 * is read to `last`.
 */
export async function readEvents(
  tx: Tx,
  after: number,
  last: number,
  { types, limit }: { types: readonly WorkspaceEventType[]; limit: number },
): Promise<EventsPage> {
  const wanted = new Set<string>(types);
  const events: OutboxEvent[] = [];
  for (let position = after; position < last; ) {
    const rows = await listBatches(tx, position, last, types);
    for (const row of rows) {
      const first = Number(row.first_number);
      for (const [index, [type, objectId, data]] of (await contentOf(row)).entries()) {
        const number = first + index;
        if (number <= position || !wanted.has(type)) continue;
        events.push({ ...ofBatch(row, index), number, type, objectId, data });
        if (events.length === limit) return { events, through: number };
      }
      position = Number(row.last_number);
    }
    if (rows.length < batchesAtOnce) break;
  }
  return { events, through: last };
}

/** These events by their numbers, in order; one that is not kept any more is missing. */
export async function listEventsByNumber(tx: Tx, numbers: readonly number[]): Promise<OutboxEvent[]> {
  if (numbers.length === 0) return [];
  const rows = await tx.query<BatchRow>(
    `select distinct on (b.first_number) ${columns} from unnest($2::bigint[]) as k (number)
      cross join lateral (select * from event_batch b
         where b.tenant_id = $1 and b.first_number <= k.number order by b.first_number desc limit 1) b
      where b.last_number >= k.number order by b.first_number`,
    [tx.tenantId, numbers],
  );
  const wanted = new Set(numbers);
  const events: OutboxEvent[] = [];
  for (const row of rows) {
    for (const [index, [type, objectId, data]] of (await contentOf(row)).entries()) {
      const number = Number(row.first_number) + index;
      if (wanted.has(number)) events.push({ ...ofBatch(row, index), number, type, objectId, data });
    }
  }
  return events;
}

function ofBatch(row: BatchRow, index: number): Omit<OutboxEvent, 'number' | 'type' | 'objectId' | 'data'> {
  return {
    id: eventIdOf(row.id, index),
    repositoryId: row.repository_id,
    scanId: row.scan_id,
    actorId: row.actor_id,
    at: row.at,
    recordedAt: row.created_at,
  };
}

async function contentOf(row: BatchRow): Promise<StoredEvent[]> {
  return JSON.parse((await decompress(row.content)).toString());
}

const columns =
  'b.first_number, b.last_number, b.id, b.types, b.repository_id, b.scan_id, b.actor_id, b.at, b.created_at, b.content';

// A batch takes some ten kilobytes.
const batchesAtOnce = 50;

async function listBatches(
  tx: Tx,
  after: number,
  last: number,
  types: readonly WorkspaceEventType[],
): Promise<BatchRow[]> {
  return tx.query<BatchRow>(
    `select ${columns} from event_batch b
      where b.tenant_id = $1 and b.first_number > $2 - ${maxEventsInBatch} and b.first_number <= $3 and b.last_number > $2
        and b.types && $4::text[]
      order by b.first_number limit ${batchesAtOnce}`,
    [tx.tenantId, after, last, types],
  );
}

/**
 * The walk through a workspace for an export: batch after batch, each read in a transaction of its own that is over
 * before the batch is written, so that a slow client holds nothing but its own connection. Never holds more than a
 * page of ids and a batch of rows.
 *
 * All of it goes by ids, which no change moves: every vulnerability that was there at the beginning comes once,
 * whatever is written meanwhile. What changed since a cursor goes by the time of the change; what changes again
 * behind the walk's end comes after the next cursor.
 */

import { readCommitWatermark } from '../../db/commit-watermark.ts';
import { type Database, tenantReadTx } from '../../db/database.ts';
import { type ExportItem, exportItem } from './item.ts';
import {
  findLastId,
  type Key,
  listExportRows,
  listKeysByChange,
  listKeysById,
  listMerged,
  listStatuses,
  listTools,
  type MergedRow,
  type StatusRow,
  type ToolRow,
} from './store.ts';

export interface Walk {
  db: Database;
  tenantId: string;
  /** Null: all of the workspace. */
  since: Date | null;
  /** What changes from here on is for the next walk. */
  until: Date;
  /**
   * Where the next walk begins: before the oldest transaction that ran when this one began. It may commit rows with
   * that time when this walk has long passed it; so some rows are shown again, and none is missed.
   */
  next: Date;
  lastId: string | null;
}

const keysAtOnce = 5_000;
const rowsAtOnce = 250;

export async function startWalk(db: Database, tenantId: string, since: Date | null): Promise<Walk> {
  return tenantReadTx(db, tenantId, async (tx) => {
    const { now, committedBefore } = await readCommitWatermark(tx);
    return {
      db,
      tenantId,
      since,
      until: now,
      // Never back behind what was asked for: time that was walked through is done with.
      next: since !== null && since > committedBefore ? since : committedBefore,
      lastId: await findLastId(tx, tenantId),
    };
  });
}

export async function* walkItems(walk: Walk): AsyncGenerator<ExportItem[]> {
  for await (const keys of walkKeys(walk, false)) {
    for (let start = 0; start < keys.length; start += rowsAtOnce) {
      const batch = keys.slice(start, start + rowsAtOnce);
      yield await readItems(
        walk,
        batch.map((key) => key.id),
      );
    }
  }
}

/** The ids alone, a page at a time; `withTool`: with the first tool of each. */
export function walkKeys(walk: Walk, withTool: boolean): AsyncGenerator<Key[]> {
  return pages((after: Key | null) => nextKeys(walk, after, withTool));
}

/** Page after page until one is not full; `next` gives what comes after the last row of the page before. */
async function* pages<Row>(next: (after: Row | null) => Promise<Row[]>): AsyncGenerator<Row[]> {
  let after: Row | null = null;
  for (;;) {
    const rows: Row[] = await next(after);
    if (rows.length > 0) yield rows;
    after = rows.at(-1) ?? null;
    if (rows.length < keysAtOnce) return;
  }
}

async function nextKeys(
  { db, tenantId, since, until, lastId }: Walk,
  after: Key | null,
  withTool: boolean,
): Promise<Key[]> {
  if (lastId === null) return [];
  return tenantReadTx(db, tenantId, (tx) =>
    since === null
      ? listKeysById(tx, tenantId, after?.id ?? null, lastId, keysAtOnce, withTool)
      : listKeysByChange(tx, tenantId, since, until, after, keysAtOnce, withTool),
  );
}

/** A batch, in the order of the ids; those that have been merged meanwhile are missing. */
export async function readItems({ db, tenantId }: Walk, ids: string[]): Promise<ExportItem[]> {
  const [rows, statuses, tools] = await tenantReadTx(db, tenantId, (tx) =>
    Promise.all([
      listExportRows(tx, tenantId, ids),
      listStatuses(tx, tenantId, ids),
      listTools(tx, tenantId, ids),
    ]),
  );
  const statusesOf = Map.groupBy(statuses, (row: StatusRow) => row.vulnerability_id);
  const toolsOf = Map.groupBy(tools, (row: ToolRow) => row.vulnerability_id);
  return rows.map((row) => exportItem(row, statusesOf.get(row.id) ?? [], toolsOf.get(row.id) ?? []));
}

/** Ids that were merged since; there are none to tell of to who reads all. */
export async function* walkMerged({ db, tenantId, since, until }: Walk): AsyncGenerator<MergedRow[]> {
  if (since === null) return;
  yield* pages((after: MergedRow | null) =>
    tenantReadTx(db, tenantId, (tx) => listMerged(tx, tenantId, since, until, after, keysAtOnce)),
  );
}

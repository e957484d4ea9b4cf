/**
 * The walk through a workspace for an export reads batch after batch. Each has its own transaction, which ends before
 * the batch is written, so that a slow client holds nothing but its own connection. The walk never holds more than a
 * page of ids and a batch of rows.
 *
 * A whole export goes by ids, which no change moves: every vulnerability of its beginning comes once, whatever is
 * written meanwhile. An export since a cursor goes by the time of the change; a row that changes after the end of the
 * walk comes with the next cursor.
 */

import { readCommitWatermark } from '../../db/commit-watermark.ts';
import { type Database, tenantReadTx } from '../../db/database.ts';
import type { TenantId } from '../../domain/ids.ts';
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
  tenantId: TenantId;
  /** Null means the whole workspace. */
  since: Date | null;
  /** Changes from this time on belong to the next walk. */
  until: Date;
  /**
   * The next walk begins before the oldest transaction that ran when this walk began. That transaction may commit rows
   * of its time later, so some rows are shown again, and none is missed.
   */
  next: Date;
  lastId: string | null;
}

const keysAtOnce = 5_000;
const rowsAtOnce = 250;

export async function startWalk(db: Database, tenantId: TenantId, since: Date | null): Promise<Walk> {
  return tenantReadTx(db, tenantId, async (tx) => {
    const { now, committedBefore } = await readCommitWatermark(tx);
    return {
      db,
      tenantId,
      since,
      until: now,
      // The next walk must not go back before `since`, because earlier changes are already exported.
      next: since !== null && since > committedBefore ? since : committedBefore,
      lastId: await findLastId(tx),
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

/** Pages of ids; with `withTool` each has the first tool of its vulnerability. */
export function walkKeys(walk: Walk, withTool: boolean): AsyncGenerator<Key[]> {
  return pages((after: Key | null) => nextKeys(walk, after, withTool));
}

/** Reads page after page until one is not full; `next` reads the page after a row. */
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
      ? listKeysById(tx, after?.id ?? null, lastId, keysAtOnce, withTool)
      : listKeysByChange(tx, since, until, after, keysAtOnce, withTool),
  );
}

/** Reads a batch in the order of the ids; vulnerabilities that were merged meanwhile are missing. */
export async function readItems({ db, tenantId }: Walk, ids: string[]): Promise<ExportItem[]> {
  const [rows, statuses, tools] = await tenantReadTx(db, tenantId, (tx) =>
    Promise.all([listExportRows(tx, ids), listStatuses(tx, ids), listTools(tx, ids)]),
  );
  const statusesOf = Map.groupBy(statuses, (row: StatusRow) => row.vulnerability_id);
  const toolsOf = Map.groupBy(tools, (row: ToolRow) => row.vulnerability_id);
  return rows.map((row) => exportItem(row, statusesOf.get(row.id) ?? [], toolsOf.get(row.id) ?? []));
}

/** Pages of ids that were merged since the cursor; an export of the whole workspace has none. */
export async function* walkMerged({ db, tenantId, since, until }: Walk): AsyncGenerator<MergedRow[]> {
  if (since === null) return;
  yield* pages((after: MergedRow | null) =>
    tenantReadTx(db, tenantId, (tx) => listMerged(tx, since, until, after, keysAtOnce)),
  );
}

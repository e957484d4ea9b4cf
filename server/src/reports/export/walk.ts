/**
 * The walk through a workspace for an export reads batch after batch. Each batch has its own transaction, which ends
 * before the batch is written, so that a slow client holds nothing but its own connection. The walk never holds more
 * than a page of ids and a batch of rows.
 *
 * An export with filters follows the keys of the list (`list-walk.ts`). A complete export follows ids, which no change
 * moves: every vulnerability that exists at its beginning comes once, whatever is written meanwhile. An export since a
 * cursor follows the time of the change; a row that changes after the end of the walk comes with the next cursor.
 */

import { readCommitWatermark } from '../../db/commit-watermark.ts';
import { type Database, type ReadTx, tenantReadTx } from '../../db/database.ts';
import type { TenantId, VulnerabilityId } from '../../domain/ids.ts';
import { type ExportItem, exportItem, type ItemWithoutReferences, itemWithoutReferences } from './item.ts';
import {
  countIdentifiers,
  countStatuses,
  type ExportKey,
  findLastId,
  type Key,
  listExportRows,
  listKeysByChange,
  listKeysById,
  listMerged,
  listStatuses,
  listTools,
  type MergedRow,
  maxReferences,
} from './store.ts';

export interface ExportWalk {
  db: Database;
  tenantId: TenantId;
  /** Pages of keys. */
  keys: (withTool: boolean) => AsyncGenerator<ExportKey[]>;
}

/** A walk through a whole workspace, or through its changes. */
export interface WorkspaceWalk extends ExportWalk {
  /** Null means the whole workspace. */
  since: Date | null;
  /** Changes from this time on belong to the next walk. */
  until: Date;
  /**
   * The next walk begins before the oldest transaction that ran when this walk began. That transaction may commit rows
   * of its time later, so some rows are shown again, and none is missed.
   */
  next: Date;
}

const keysAtOnce = 5_000;
const rowsAtOnce = 250;
// Each of the vulnerabilities may have a thousand statuses and a thousand ids. This many take about ten megabytes.
const countedAtOnce = 10 * maxReferences;

export async function startWalk(
  db: Database,
  tenantId: TenantId,
  since: Date | null,
): Promise<WorkspaceWalk> {
  return tenantReadTx(db, tenantId, async (tx) => {
    const { now, committedBefore } = await readCommitWatermark(tx);
    const lastId = await findLastId(tx);
    const next = async (after: Key | null, withTool: boolean): Promise<Key[]> => {
      if (lastId === null) return [];
      return tenantReadTx(db, tenantId, (tx) =>
        since === null
          ? listKeysById(tx, after?.id ?? null, lastId, keysAtOnce, withTool)
          : listKeysByChange(tx, since, now, after, keysAtOnce, withTool),
      );
    };
    return {
      db,
      tenantId,
      keys: (withTool) => pages(keysAtOnce, (after: Key | null) => next(after, withTool)),
      since,
      until: now,
      // The next walk must not go back before `since`, because earlier changes are already exported.
      next: since !== null && since > committedBefore ? since : committedBefore,
    };
  });
}

export async function* walkItems(walk: ExportWalk): AsyncGenerator<ExportItem[]> {
  for await (const keys of walk.keys(false)) {
    for (let start = 0; start < keys.length; start += rowsAtOnce) {
      const batch = keys.slice(start, start + rowsAtOnce);
      yield* readSlices(
        walk,
        batch.map((key) => key.id),
        (tx, ids) => Promise.all([countStatuses(tx, ids), countIdentifiers(tx, ids)]),
        readItems,
      );
    }
  }
}

type Counts = Map<VulnerabilityId, number>;

/**
 * Reads vulnerabilities in slices, each in its own transaction. `count` is what a vulnerability has of references and
 * ids.
 */
async function* readSlices<Item>(
  { db, tenantId }: ExportWalk,
  ids: VulnerabilityId[],
  count: (tx: ReadTx, ids: VulnerabilityId[]) => Promise<Counts[]>,
  read: (tx: ReadTx, slice: VulnerabilityId[]) => Promise<Item[]>,
): AsyncGenerator<Item[]> {
  let slices: VulnerabilityId[][] | undefined;
  do {
    yield await tenantReadTx(db, tenantId, async (tx) => {
      slices ??= sliced(ids, await count(tx, ids));
      return read(tx, slices.shift() ?? []);
    });
  } while (slices !== undefined && slices.length > 0);
}

function sliced(ids: VulnerabilityId[], counts: Counts[]): VulnerabilityId[][] {
  const slices: VulnerabilityId[][] = [];
  let room = 0;
  for (const id of ids) {
    const count = counts.reduce((sum, each) => sum + (each.get(id) ?? 0), 0);
    if (slices.length === 0 || count > room) {
      slices.push([]);
      room = countedAtOnce;
    }
    slices.at(-1)?.push(id);
    room -= count;
  }
  return slices;
}

/** Reads page after page until one is not full; `next` reads the page after a row. */
export async function* pages<Row>(
  size: number,
  next: (after: Row | null) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let after: Row | null = null;
  for (;;) {
    const rows: Row[] = await next(after);
    if (rows.length > 0) yield rows;
    after = rows.at(-1) ?? null;
    if (rows.length < size) return;
  }
}

async function readItems(tx: ReadTx, ids: VulnerabilityId[]): Promise<ExportItem[]> {
  const [{ rows, toolsOf }, statuses] = await Promise.all([readRows(tx, ids), listStatuses(tx, ids)]);
  const statusesOf = Map.groupBy(statuses, (row) => row.vulnerability_id);
  return rows.map((row) => exportItem(row, statusesOf.get(row.id) ?? [], toolsOf.get(row.id) ?? []));
}

/** Reads a batch in the order of the ids; vulnerabilities that were merged meanwhile are missing. */
export function readItemsWithoutReferences(
  walk: ExportWalk,
  batch: VulnerabilityId[],
): AsyncGenerator<ItemWithoutReferences[]> {
  return readSlices(
    walk,
    batch,
    async (tx, ids) => [await countIdentifiers(tx, ids)],
    async (tx, ids) => {
      const { rows, toolsOf } = await readRows(tx, ids);
      return rows.map((row) => itemWithoutReferences(row, toolsOf.get(row.id) ?? []));
    },
  );
}

async function readRows(tx: ReadTx, ids: VulnerabilityId[]) {
  const [rows, tools] = await Promise.all([listExportRows(tx, ids), listTools(tx, ids)]);
  return { rows, toolsOf: Map.groupBy(tools, (row) => row.vulnerability_id) };
}

/** Pages of ids that were merged since the cursor; an export of the whole workspace has none. */
export async function* walkMerged({
  db,
  tenantId,
  since,
  until,
}: WorkspaceWalk): AsyncGenerator<MergedRow[]> {
  if (since === null) return;
  yield* pages(keysAtOnce, (after: MergedRow | null) =>
    tenantReadTx(db, tenantId, (tx) => listMerged(tx, since, until, after, keysAtOnce)),
  );
}

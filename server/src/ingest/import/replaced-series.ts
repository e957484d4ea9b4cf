/**
 * A series whose category has changed gets no more scans, and nothing closes its findings. If a new series sees most of
 * the same findings, the old one is marked as replaced, until it has a scan again. A person then retires it.
 */
import type { Tx } from '../../db/database.ts';
import { formatId, type SeriesId } from '../../domain/ids.ts';
import type { ImportContext } from './import-context.ts';
import { type SeriesRow, updateReplaced } from './series-row-store.ts';

/**
 * Marks the series that the new one replaces, but for `left`, to which other files come. Returns a warning for each.
 */
export async function markReplaced(
  tx: Tx,
  { reference, sha }: ImportContext,
  series: SeriesRow,
  tool: string,
  left: SeriesId | null,
): Promise<string[]> {
  const rows = await updateReplaced(tx, reference.id, series.id, tool, { sha, left });
  return rows.map(
    ({ id, category, file_name }) =>
      `This report begins a new series of ${tool}, which sees most of what the series ${JSON.stringify(file_name === '' ? category : file_name)} sees. What only that one saw stays open. If it gets no more reports, retire it: merlon series retire ${formatId('series', id)}`,
  );
}

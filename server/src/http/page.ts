/**
 * The way of every list: open the page that is asked for, read one row more than it has, and answer. The row more says
 * whether there is another page.
 */
import { type Cursors, type CursorValue, cursorScope } from './cursor.ts';
import { defaultPerPage } from './query-parameters.ts';

export interface OpenPage {
  /** The sort key of the last row of the page before; null for the first page. */
  after: CursorValue[] | null;
  /** The same for a list in the order of its ids. */
  afterId: string | null;
  /** How many rows to read. */
  take: number;
  /** Cuts the row more. If there was one, the cursor holds the sort key of the last row shown. */
  answer<Row, Item>(
    rows: Row[],
    show: (row: Row) => Item,
    keyOf: (last: Row) => CursorValue[],
  ): { items: Item[]; next_cursor: string | null };
}

/** Opens a page of the list of this workspace, or caller, with these filters. Throws 422 for the cursor of another. */
export function openPage(
  cursors: Cursors,
  [owner, operation, filters]: [owner: string, operation: string, filters?: unknown],
  { cursor, per_page: size = defaultPerPage }: { cursor?: string | undefined; per_page?: number | undefined },
): OpenPage {
  const scope = cursorScope(owner, operation, filters ?? null);
  const after = cursor === undefined ? null : cursors.decode(scope, cursor);
  return {
    after,
    afterId: after && String(after[0]),
    take: size + 1,
    answer: (rows, show, keyOf) => {
      const shown = rows.slice(0, size);
      const last = shown.at(-1);
      return {
        items: shown.map(show),
        next_cursor: rows.length > size && last !== undefined ? cursors.encode(scope, keyOf(last)) : null,
      };
    },
  };
}

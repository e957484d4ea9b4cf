/** Pages: one row more than a page is read, and says whether there is another. */

/** Cuts the extra row; `cursor` is asked for the last row shown when there is more. */
export function pageOf<Row, Item>(
  rows: Row[],
  limit: number,
  show: (row: Row) => Item,
  cursor: (last: Row) => string,
): { items: Item[]; next_cursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(show),
    next_cursor: rows.length > limit && last !== undefined ? cursor(last) : null,
  };
}

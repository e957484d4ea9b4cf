/** A list reads one row more than a page has, to know whether there is another page. */

/** Cuts the extra row. If there was one, `cursor` is called with the last row shown. */
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

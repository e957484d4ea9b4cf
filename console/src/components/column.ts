/** A column of a table: its heading and the content of its cells. */
import type { ReactNode } from 'react';

export interface Column<Row> {
  id: string;
  /** The heading, which is also the name in the menu of columns. */
  label: string;
  cell: (row: Row) => ReactNode;
  align?: 'right';
  width?: number | string;
  /** Long text wraps onto the next line. */
  wrap?: boolean;
  /** The cell is the row's header. Without any, the first column is. */
  isRowHeader?: boolean;
  /** The orders of the list by this column. A click on the heading selects the next one. */
  orders?: readonly { value: string; direction: 'ascending' | 'descending' }[];
  /** The column is not shown until the person chooses it. */
  hidden?: boolean;
}

/** Returns the position of the column whose cells are the headers of the rows. */
export function headerAt<Row>(columns: Column<Row>[]): number {
  return Math.max(
    columns.findIndex(({ isRowHeader }) => isRowHeader),
    0,
  );
}

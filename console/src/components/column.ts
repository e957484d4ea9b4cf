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
  /** The column is not shown until the person chooses it. */
  hidden?: boolean;
}

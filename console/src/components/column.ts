/** A column of a table: its heading and what stands in its cells. */
import type { ReactNode } from 'react';

export interface Column<Row> {
  id: string;
  /** Its heading, and its name in the menu of columns. */
  label: string;
  cell: (row: Row) => ReactNode;
  align?: 'right';
  width?: number | string;
  /** Long text, which goes on in the next line. */
  wrap?: boolean;
  /** Not shown until somebody chooses it. */
  hidden?: boolean;
}

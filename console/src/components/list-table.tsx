/** A list of the server as a table, page by page if it has several. A list without rows has a text in its place. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CursorPager } from './cursor-pager.tsx';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { LoadedList } from './loaded.tsx';

interface ListTableProps<Row> extends Omit<DataTableProps<Row>, 'rows' | 'stale'> {
  query: UseQueryResult<{ items: Row[]; next_cursor?: string | null }>;
  /** Names the rows for screen readers while they load: `the teams`. */
  noun: string;
  /** The number of lines while it loads. */
  lines?: number;
  /** Shown in place of a table without rows. */
  none: ReactNode;
}

export function ListTable<Row>({ query, noun, lines = 6, none, ...table }: ListTableProps<Row>) {
  return (
    <LoadedList query={query} noun={noun} lines={lines} none={none}>
      {({ items, next_cursor: nextCursor }) => (
        <>
          <DataTable {...table} rows={items} stale={query.isPlaceholderData} />
          {nextCursor !== undefined && <CursorPager nextCursor={nextCursor} count={items.length} />}
        </>
      )}
    </LoadedList>
  );
}

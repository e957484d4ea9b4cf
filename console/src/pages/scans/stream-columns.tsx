/** Columns that lists of streams share. */
import type { Stream } from '../../api/streams.ts';
import type { Column } from '../../components/column.ts';
import { TimeText } from '../../components/time-text.tsx';

/** The tool, and what tells its runs apart. */
export function streamName({ tool, category }: Pick<Stream, 'tool' | 'category'>): string {
  return category === '' ? tool : `${tool}: ${category}`;
}

export const repositoryColumn: Column<Stream> = {
  id: 'repository',
  label: 'Repository',
  cell: (row) => <span className="scan-name">{row.repository.full_name}</span>,
};

export const referenceColumn: Column<Stream> = {
  id: 'reference',
  label: 'Reference',
  cell: (row) => <span className="scan-name">{row.reference.ref}</span>,
};

export const lastScannedColumn: Column<Stream> = {
  id: 'scanned',
  label: 'Last scan',
  cell: (row) => <TimeText value={row.last_scanned_at} />,
};

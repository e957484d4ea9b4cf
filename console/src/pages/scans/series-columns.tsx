/** Columns that lists of series share. */
import { partsOfSeries, type Series } from '../../api/series.ts';
import type { Column } from '../../components/column.ts';
import { visibleText } from '../../components/report-text.tsx';
import { TimeText } from '../../components/time-text.tsx';

/** Returns the tool, with the category and the file that tell its runs apart. */
export function seriesName({ tool, ...series }: Pick<Series, 'tool' | 'category' | 'file_name'>): string {
  const apart = partsOfSeries(series);
  return visibleText(apart.length === 0 ? tool : `${tool}: ${apart.join(', ')}`);
}

export const repositoryColumn: Column<Series> = {
  id: 'repository',
  label: 'Repository',
  cell: (row) => <span className="scan-name">{row.repository.full_name}</span>,
};

export const referenceColumn: Column<Series> = {
  id: 'reference',
  label: 'Reference',
  cell: (row) => <span className="scan-name">{row.reference.ref}</span>,
};

export const lastScannedColumn: Column<Series> = {
  id: 'scanned',
  label: 'Last scan',
  cell: (row) => <TimeText value={row.last_scanned_at} />,
};

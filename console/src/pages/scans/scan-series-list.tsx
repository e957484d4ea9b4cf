/** The series of a scan. A series closes only vulnerabilities that no other series sees. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isFinal, type ScanDetail } from '../../api/scans.ts';
import { type Series, seriesQuery } from '../../api/series.ts';
import { StatusBadge, ToneBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/section.tsx';
import { lastScannedColumn, seriesName } from './series-columns.tsx';

interface ScanSeriesListProps {
  slug: string;
  scan: ScanDetail;
}

export function ScanSeriesList({ slug, scan }: ScanSeriesListProps) {
  const isShown = isFinal(scan) && scan.error === null && !scan.dry_run;
  const query = useQuery({ ...seriesQuery(slug, { scan: scan.id }), enabled: isShown });
  if (!isShown || query.data?.items.length === 0) return null;
  return (
    <Section
      title="Series"
      description="A tool, and a category of its runs, on one reference. A complete scan closes vulnerabilities that only its series saw and no longer shows."
    >
      <Loaded query={query} noun="the series" lines={2}>
        {({ items }) => (
          <DataTable
            label="Series"
            fixedColumns
            columns={columnsOf(slug, scan)}
            rows={items}
            keyOf={(row) => row.id}
            nameOf={seriesName}
          />
        )}
      </Loaded>
    </Section>
  );
}

function columnsOf(slug: string, scan: ScanDetail): Column<Series>[] {
  return [
    { id: 'series', label: 'Series', cell: (row) => <span className="scan-name">{seriesName(row)}</span> },
    {
      id: 'newest',
      label: 'Newest scan',
      cell: (row) =>
        row.last_scan_id === null || row.last_scan_id === scan.id ? (
          'This one'
        ) : (
          <Link to="/w/$slug/scans/$scan" params={{ slug, scan: row.last_scan_id }}>
            A later one
          </Link>
        ),
    },
    lastScannedColumn,
    {
      id: 'state',
      label: 'State',
      cell: (row) => (
        <span className="scan-status">
          <StatusBadge status={row.retired_at !== null ? 'retired' : row.stale ? 'stale' : 'active'} />
          {row.held && (
            <Link to="/w/$slug/scans/held" params={{ slug }} search={{ series: row.id }}>
              <ToneBadge tone="warn">{row.held.vulnerabilities.toLocaleString()} held</ToneBadge>
            </Link>
          )}
        </span>
      ),
    },
  ];
}

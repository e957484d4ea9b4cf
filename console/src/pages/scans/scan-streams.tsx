/** The streams that a scan fed: each closes only what it alone saw. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isFinal, type ScanDetail } from '../../api/scans.ts';
import { type Stream, streamsQuery } from '../../api/streams.ts';
import { StatusBadge, ToneBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/section.tsx';
import { lastScannedColumn, streamName } from './stream-columns.tsx';

interface ScanStreamsProps {
  slug: string;
  scan: ScanDetail;
}

export function ScanStreams({ slug, scan }: ScanStreamsProps) {
  const isShown = isFinal(scan) && scan.error === null && !scan.dry_run;
  const query = useQuery({ ...streamsQuery(slug, { scan: scan.id }), enabled: isShown });
  if (!isShown || query.data?.items.length === 0) return null;
  return (
    <Section
      title="Streams"
      description="A tool, and a category of its runs, on one reference. A complete scan closes what only its stream saw and no longer sees."
    >
      <Loaded query={query} what="the streams" lines={2}>
        {({ items }) => (
          <DataTable
            label="Streams"
            fixedColumns
            columns={columnsOf(slug, scan)}
            rows={items}
            keyOf={(row) => row.id}
            nameOf={streamName}
          />
        )}
      </Loaded>
    </Section>
  );
}

function columnsOf(slug: string, scan: ScanDetail): Column<Stream>[] {
  return [
    { id: 'stream', label: 'Stream', cell: (row) => <span className="scan-name">{streamName(row)}</span> },
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
            <Link to="/w/$slug/scans/held" params={{ slug }} search={{ stream: row.id }}>
              <ToneBadge tone="warn">{row.held.vulnerabilities.toLocaleString()} held</ToneBadge>
            </Link>
          )}
        </span>
      ),
    },
  ];
}

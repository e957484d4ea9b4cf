/** The columns of the list of scans. */
import { Link } from '@tanstack/react-router';
import { type CountName, hasVerdict, type Scan } from '../../api/scans.ts';
import { VerdictBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { CommitLink } from '../../components/forge-link.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { Attention } from './attention.tsx';
import { titleOf } from './labels.ts';
import { ScanStatus } from './scan-status.tsx';

export function columnsOf(slug: string): Column<Scan>[] {
  return [
    { id: 'scan', label: 'Scan', cell: (row) => <Subject slug={slug} scan={row} /> },
    { id: 'status', label: 'Status', cell: (row) => <ScanStatus scan={row} /> },
    count('new', 'New'),
    count('fixed', 'Fixed'),
    count('reopened', 'Reopened'),
    {
      id: 'verdict',
      label: 'Verdict',
      cell: (row) => hasVerdict(row) && <VerdictBadge verdict={row.verdict} />,
    },
    { id: 'attention', label: 'Attention', cell: (row) => <Attention scan={row} /> },
    { id: 'uploaded', label: 'Uploaded', cell: (row) => <TimeText value={row.created_at} /> },
    count('unchanged', 'Unchanged', true),
    count('suppressed', 'Suppressed', true),
    count('read', 'Read', true),
    {
      id: 'file',
      label: 'File',
      hidden: true,
      cell: (row) => <span className="scan-name">{row.file_name ?? '–'}</span>,
    },
    {
      id: 'category',
      label: 'Category',
      hidden: true,
      cell: (row) => <span className="scan-name">{row.category ?? '–'}</span>,
    },
    { id: 'format', label: 'Format', hidden: true, cell: (row) => row.format },
    { id: 'scanned', label: 'Scanned', hidden: true, cell: (row) => <TimeText value={row.scanned_at} /> },
  ];
}

function count(name: CountName, label: string, hidden = false): Column<Scan> {
  return {
    id: name,
    label,
    align: 'right',
    hidden,
    cell: ({ counts }) => (counts === null ? '' : <CountText value={counts[name]} />),
  };
}

// A zero is not interesting, so it is pale.
function CountText({ value }: { value: number }) {
  return <span className={value === 0 ? 'scan-zero' : ''}>{value.toLocaleString()}</span>;
}

function Subject({ slug, scan }: { slug: string; scan: Scan }) {
  const { repository, reference, sha } = scan;
  return (
    <>
      <Link to="/w/$slug/scans/$scan" params={{ slug, scan: scan.id }} className="scan-title">
        {titleOf(scan)}
      </Link>
      <span className="scan-target" title={`${repository.full_name}, ${reference.ref}`}>
        {repository.full_name}, {reference.ref}
        {sha && (
          <span className="scan-sha">
            <CommitLink repository={repository} sha={sha} length={7} />
          </span>
        )}
      </span>
    </>
  );
}

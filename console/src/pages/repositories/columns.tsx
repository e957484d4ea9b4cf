/** The columns of the list of repositories. */
import { Link } from '@tanstack/react-router';
import type { Repository, RepositoryCounts, RepositoryScans } from '../../api/inventory.ts';
import { StatusBadge, ToneBadge, VerdictBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { severityColumn } from '../../components/group-columns.tsx';
import { sources } from '../../components/source-labels.ts';
import { TimeText } from '../../components/time-text.tsx';

/** `counts` and `scans` load after the rows. */
export function repositoryColumns(
  slug: string,
  counts: Map<string, RepositoryCounts> | undefined,
  scans: Map<string, RepositoryScans> | undefined,
): Column<Repository>[] {
  return [
    {
      id: 'name',
      label: 'Repository',
      cell: (row) => (
        <Link to="/w/$slug/repositories/$repo" params={{ slug, repo: row.id }} className="break">
          {row.full_name}
        </Link>
      ),
    },
    {
      id: 'open',
      label: 'Open',
      align: 'right',
      cell: (row) => {
        const count = counts?.get(row.id);
        if (!count) return <span className="dimmed">…</span>;
        return (
          <Link
            to="/w/$slug/vulnerabilities"
            params={{ slug }}
            search={{ state: 'open', repo: row.full_name }}
            aria-label={`${count.open.toLocaleString()} open in ${row.full_name}`}
          >
            {count.open.toLocaleString()}
          </Link>
        );
      },
    },
    severityColumn(counts),
    {
      id: 'verdict',
      label: 'Verdict',
      cell: (row) => {
        const scan = scans?.get(row.id);
        return scan ? <VerdictBadge verdict={scan.verdict} /> : <span className="dimmed">…</span>;
      },
    },
    {
      id: 'scanned',
      label: 'Last scan',
      cell: (row) => {
        const scan = scans?.get(row.id);
        return scan ? <TimeText value={scan.last_scanned_at} /> : <span className="dimmed">…</span>;
      },
    },
    { id: 'scans', label: 'Scans', cell: (row) => <StatusBadge status={row.scan_state} /> },
    { id: 'source', label: 'Source', cell: (row) => sources[row.source] ?? row.source },
    {
      id: 'traits',
      label: 'Traits',
      cell: (row) => (
        <>
          {!row.is_private && <ToneBadge tone="warn">Public</ToneBadge>}
          {!row.is_private && row.is_archived && ' '}
          {row.is_archived && <ToneBadge tone="plain">Archived</ToneBadge>}
        </>
      ),
    },
    { id: 'external', label: 'External id', hidden: true, cell: (row) => <code>{row.external_id}</code> },
    { id: 'created', label: 'Added', hidden: true, cell: (row) => <TimeText value={row.created_at} /> },
    { id: 'updated', label: 'Changed', hidden: true, cell: (row) => <TimeText value={row.updated_at} /> },
  ];
}

/** The columns of open vulnerabilities for a row of repositories, applications or organizations. */
import type { GroupCounts } from '../api/group-counts.ts';
import { VerdictBadge } from './badges.tsx';
import type { Column } from './column.ts';
import { SeverityBar } from './severity-bar.tsx';
import { SeverityCounts } from './severity-counts.tsx';
import { TimeText } from './time-text.tsx';

type OpenCounts = Pick<GroupCounts, 'open' | 'by_severity'>;

/** The bars of a page have one scale, so that they compare. `counts` load after the rows. */
export function severityColumn<Row extends { id: string }>(
  counts: Map<string, OpenCounts> | undefined,
): Column<Row> {
  const most = Math.max(0, ...[...(counts?.values() ?? [])].map(({ open }) => open));
  return {
    id: 'severity',
    label: 'By severity',
    width: 190,
    cell: (row) => {
      const count = counts?.get(row.id);
      if (!count || count.open === 0) return null;
      return (
        <>
          <SeverityBar counts={count.by_severity} of={most} />
          <SeverityCounts counts={count.by_severity} />
        </>
      );
    },
  };
}

/** `counts` load after the rows. */
export function groupColumns<Row extends { id: string }>(
  counts: Map<string, GroupCounts> | undefined,
  { isVerdictHidden = false } = {},
): Column<Row>[] {
  return [
    {
      id: 'open',
      label: 'Open',
      align: 'right',
      cell: (row) => counts?.get(row.id)?.open.toLocaleString() ?? '…',
    },
    severityColumn(counts),
    {
      id: 'verdict',
      label: 'Verdict',
      hidden: isVerdictHidden,
      cell: (row) => {
        const count = counts?.get(row.id);
        return count ? <VerdictBadge verdict={count.verdict} /> : <span className="dimmed">…</span>;
      },
    },
    {
      id: 'scanned',
      label: 'Last scan',
      cell: (row) => <TimeText value={counts?.get(row.id)?.last_scanned_at} />,
    },
  ];
}

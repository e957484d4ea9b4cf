/** Exceptions as a table, newest first. */
import { IconShieldX } from '@tabler/icons-react';
import type { Exception } from '../../api/exceptions.ts';
import { StatusBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { CursorPager } from '../../components/cursor-pager.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ExceptionActions } from '../../components/exception-actions.tsx';
import { ExceptionLabel } from '../../components/exception-labels.tsx';
import { SmallNote } from '../../components/note.tsx';
import { ReportText, visibleText } from '../../components/report-text.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { ExceptionAbout } from './exception-about.tsx';
import type { ExceptionSearch } from './search.ts';

const columns: Column<Exception>[] = [
  {
    id: 'about',
    label: 'Subject',
    cell: (row) => (
      <>
        <span className="break">
          <ExceptionAbout exception={row} />
        </span>
        {row.violation_id !== null && (
          <SmallNote isBreakable>{visibleText(row.repository.full_name)}</SmallNote>
        )}
      </>
    ),
  },
  { id: 'status', label: 'Status', cell: (row) => <StatusBadge status={row.status} /> },
  { id: 'effect', label: 'Effect', wrap: true, cell: (row) => <ExceptionLabel exception={row} /> },
  { id: 'actions', label: 'Actions', cell: (row) => <ExceptionActions exception={row} /> },
  {
    id: 'reason',
    label: 'Reason',
    wrap: true,
    cell: (row) => <span className="exception-reason break">{visibleText(row.reason)}</span>,
  },
  {
    id: 'policy',
    label: 'Policy',
    wrap: true,
    cell: (row) => <span className="exception-policy break">{visibleText(row.policy.name)}</span>,
  },
  {
    id: 'requested',
    label: 'Requested',
    hidden: true,
    cell: (row) => (
      <>
        <ReportText>{row.requested_by?.display_name ?? '–'}</ReportText>,{' '}
        <TimeText value={row.requested_at} />
      </>
    ),
  },
  {
    id: 'reviewed',
    label: 'Decided',
    wrap: true,
    cell: (row) =>
      row.reviewed_at === null ? (
        '–'
      ) : (
        <span className="exception-reason break">
          <ReportText>{row.reviewed_by?.display_name ?? '–'}</ReportText>,{' '}
          <TimeText value={row.reviewed_at} />
          {row.review_reason && <>: {visibleText(row.review_reason)}</>}
        </span>
      ),
  },
];

interface ExceptionTableProps {
  page: { items: Exception[]; next_cursor: string | null };
  isStale: boolean;
}

export function ExceptionTable({ page, isStale }: ExceptionTableProps) {
  return (
    <>
      <DataTable
        label="Exceptions"
        columns={columns}
        rows={page.items}
        keyOf={({ id }) => id}
        nameOf={({ reason }) => visibleText(reason)}
        stale={isStale}
      />
      <CursorPager nextCursor={page.next_cursor} count={page.items.length} />
    </>
  );
}

export function NoExceptions({ search }: { search: ExceptionSearch }) {
  const icon = <IconShieldX size={28} stroke={1.5} aria-hidden="true" />;
  return Object.keys(search).length > 0 ? (
    <EmptyState title="No exception matches" icon={icon}>
      Remove a filter to see more.
    </EmptyState>
  ) : (
    <EmptyState title="No exception has been reviewed yet" icon={icon}>
      Request one on a violation, or here for all violations of a policy in a repository.
    </EmptyState>
  );
}

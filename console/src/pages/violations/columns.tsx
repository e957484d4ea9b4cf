/** The columns of the list of violations. */
import { Stack } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Violation } from '../../api/violations.ts';
import { SeverityBadge, StatusBadge, ToneBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { DueText } from '../../components/due-text.tsx';
import { ReportText, visibleText } from '../../components/report-text.tsx';
import { targetTitle, targetTypeName, targetTypeOf } from '../../components/target-labels.ts';
import { TimeText } from '../../components/time-text.tsx';
import { modeLabel } from './use-facets.ts';

/** Returns the title of the target. */
export function titleOf(violation: Pick<Violation, 'target' | 'scope'>): string {
  return targetTitle(violation.target, violation.scope.name);
}

/** True if the violation is active, so that somebody must act. */
export function isUnresolved({ status }: { status: string }): boolean {
  return status === 'open' || status === 'pending_review';
}

export const columns: Column<Violation>[] = [
  {
    id: 'target',
    label: 'Violation',
    cell: (row) => (
      <>
        <Link
          from="/w/$slug/violations"
          to="."
          search={(before) => ({ ...before, v: row.id })}
          state
          className="violation-title two-lines"
        >
          <ReportText>{titleOf(row)}</ReportText>
        </Link>
        <span className="violation-location" title={visibleText(referenceTextOf(row))}>
          <ReportText>{referenceTextOf(row)}</ReportText>
        </span>
      </>
    ),
  },
  {
    id: 'due',
    label: 'Due',
    cell: (row) =>
      row.status === 'resolved' ? (
        <>
          Resolved <TimeText value={row.resolved_at} />
        </>
      ) : (
        <DueText dueAt={row.due_at} isResolved={!isUnresolved(row)} />
      ),
  },
  {
    id: 'state',
    label: 'Status',
    cell: (row) => (
      <Stack gap={4} align="flex-start">
        <StatusBadge status={row.status} />
        <StateBadges violation={row} />
      </Stack>
    ),
  },
  {
    id: 'severity',
    label: 'Severity',
    cell: (row) => (row.metadata.severity ? <SeverityBadge severity={row.metadata.severity} /> : '–'),
  },
  {
    id: 'policy',
    label: 'Policy',
    wrap: true,
    cell: (row) => <span className="violation-policy two-lines">{row.policy.name}</span>,
  },
  { id: 'mode', label: 'Mode', cell: (row) => modeLabel(row.enforcement_mode) },
  {
    id: 'repository',
    label: 'Repository',
    hidden: true,
    cell: (row) => <span className="violation-name">{row.repository.full_name}</span>,
  },
  {
    id: 'reference',
    label: 'Reference',
    hidden: true,
    cell: (row) => row.metadata.reference_ref ?? '–',
  },
  { id: 'type', label: 'Target', hidden: true, cell: (row) => targetTypeName(targetTypeOf(row.target)) },
  {
    id: 'environment',
    label: 'Environment',
    hidden: true,
    cell: (row) => row.metadata.environment_key ?? '–',
  },
  {
    id: 'first-seen',
    label: 'First seen',
    hidden: true,
    cell: (row) => <TimeText value={row.first_seen_at} />,
  },
  {
    id: 'last-seen',
    label: 'Last seen',
    hidden: true,
    cell: (row) => <TimeText value={row.last_seen_at} />,
  },
];

function referenceTextOf({ repository, metadata }: Violation): string {
  return [repository.full_name, metadata.reference_ref].filter(Boolean).join(', ');
}

/** Shows facts that the status does not show: that the violation blocks, or the end of its snooze. */
export function StateBadges({
  violation,
}: {
  violation: Pick<Violation, 'blocking' | 'snoozed' | 'snoozed_until'>;
}) {
  return (
    <>
      {violation.blocking && <ToneBadge tone="bad">Blocks</ToneBadge>}
      {violation.snoozed && (
        <ToneBadge tone="plain" icon={IconClock}>
          <span className="violation-snoozed">
            Snoozed until <TimeText value={violation.snoozed_until} as="end" />
          </span>
        </ToneBadge>
      )}
    </>
  );
}

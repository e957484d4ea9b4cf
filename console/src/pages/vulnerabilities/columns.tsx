/** The columns of the list. */
import { Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ListedVulnerability, Signal } from '../../api/vulnerabilities.ts';
import { SeverityBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { ReportText } from '../../components/report-text.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { VulnerabilityStatus } from '../../components/vulnerability-status.tsx';
import { locationLabel, sourceLabel, typeLabel } from './labels.ts';
import { PersonName } from './person-name.tsx';
import { RowTitle } from './row-title.tsx';
import type { Row } from './rows.ts';
import { DueCell, SignalBadges } from './signal-badges.tsx';

/** `open` must stay the same function, so that unchanged rows are not drawn again. */
export function useColumns(slug: string, open: (id: string) => void, hasManyStates: boolean): Column<Row>[] {
  const router = useRouter();
  // The links lead to the same list. The panel is left out, so that the rows are not drawn again when it opens.
  const list = useSearch({
    from: '/w/$slug/vulnerabilities',
    select: ({ v: _panel, tab: _tab, ...rest }) => rest,
    structuralSharing: true,
  });
  const isWide = useMediaQuery('(min-width: 90em)', false, { getInitialValueInEffect: false });
  return useMemo(
    () => [
      {
        id: 'severity',
        label: 'Severity',
        width: 92,
        orders: [{ value: 'severity', direction: 'descending' }],
        cell: ({ item }) => <SeverityBadge severity={item.severity} />,
      },
      {
        id: 'title',
        label: 'Vulnerability',
        isRowHeader: true,
        cell: ({ item }) => (
          <RowTitle
            item={item}
            branch={hasManyStates || item.open_on?.is_default !== false ? null : item.open_on.ref}
            href={
              router.buildLocation({
                to: '/w/$slug/vulnerabilities',
                params: { slug },
                search: { ...list, v: item.id },
              }).href
            }
            onOpen={() => open(item.id)}
          />
        ),
      },
      {
        id: 'status',
        label: 'Status',
        hidden: !hasManyStates,
        cell: ({ item }) => <VulnerabilityStatus status={item.status} liveOn={liveOnOf(item)} />,
      },
      { id: 'signals', label: 'Signals', cell: ({ signal }) => <SignalBadges signal={signal} /> },
      { id: 'due', label: 'Due', cell: ({ signal }) => <DueCell signal={signal} /> },
      {
        id: 'assignee',
        label: 'Assignee',
        hidden: hasManyStates && !isWide,
        cell: ({ item }) => <AssigneeCell person={item.assignee} />,
      },
      {
        id: 'introduced',
        label: 'First seen',
        hidden: !isWide,
        orders: [
          { value: 'newest', direction: 'descending' },
          { value: 'oldest', direction: 'ascending' },
        ],
        cell: ({ item }) => <TimeText value={item.introduced_at} />,
      },
      {
        id: 'repository',
        label: 'Repository',
        hidden: true,
        cell: ({ item }) => (
          <ReportText className="vuln-cut" title={item.repository.full_name}>
            {item.repository.full_name}
          </ReportText>
        ),
      },
      {
        id: 'location',
        label: 'Location',
        hidden: true,
        cell: ({ item }) => <ReportText className="mono">{locationLabel(item.location)}</ReportText>,
      },
      { id: 'type', label: 'Type', hidden: true, cell: ({ item }) => typeLabel(item.type) },
      { id: 'source', label: 'Source', hidden: true, cell: ({ item }) => sourceLabel(item.source) },
      {
        id: 'confirmed',
        label: 'Confirmed',
        hidden: true,
        cell: ({ item }) => (item.confirmed ? 'Yes' : 'No'),
      },
      { id: 'triaged', label: 'Triaged', hidden: true, cell: ({ item }) => (item.triaged ? 'Yes' : 'No') },
      {
        id: 'reference',
        label: 'Reference',
        hidden: true,
        cell: ({ item }) => (
          <ReportText className="mono vuln-cut" title={item.location.reference.ref}>
            {item.location.reference.ref}
          </ReportText>
        ),
      },
      {
        id: 'references',
        label: 'On references',
        hidden: true,
        align: 'right',
        cell: later(({ references }) => references.toLocaleString()),
      },
      {
        id: 'advisory',
        label: 'Advisory',
        hidden: true,
        cell: ({ item }) => (item.advisory ? <ReportText className="mono">{item.advisory}</ReportText> : '—'),
      },
      { id: 'cvss', label: 'CVSS', hidden: true, align: 'right', cell: later(({ cvss }) => cvss ?? '—') },
      { id: 'tools', label: 'Tools', hidden: true, cell: later(({ tools }) => tools.join(', ')) },
    ],
    [router, slug, list, open, hasManyStates, isWide],
  );
}

function later(show: (signal: Signal) => React.ReactNode) {
  return ({ signal }: Row) =>
    signal ? show(signal) : signal === null ? 'Unknown' : <Skeleton height={16} width={32} />;
}

/** Returns the reference on which it is open, or null if it is fixed on all of them. */
function liveOnOf({ status, open_on: on }: ListedVulnerability) {
  return on && (status !== 'fixed' || on.reach === 'elsewhere') ? on : null;
}

function AssigneeCell({ person }: { person: ListedVulnerability['assignee'] }) {
  return person ? (
    <PersonName className="vuln-assignee" name={person.name} />
  ) : (
    <span className="vuln-none">Nobody</span>
  );
}

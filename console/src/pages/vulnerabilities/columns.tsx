/** The columns of the list. */
import { Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type MouseEvent, useMemo } from 'react';
import type { Signal } from '../../api/vulnerabilities.ts';
import { SeverityBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { ReportText } from '../../components/report-text.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { VulnerabilityStatus } from '../../components/vulnerability-status.tsx';
import { locationLabel, packageLabel, repositoryLabel, sourceLabel, typeLabel } from './labels.ts';
import { PersonName } from './person-name.tsx';
import type { Row } from './rows.ts';
import { DueCell, FixCell, SignalBadges } from './signal-badges.tsx';

/** `open` must stay the same function, so that unchanged rows are not drawn again. */
export function useColumns(slug: string, open: (id: string) => void, hasManyStates: boolean): Column<Row>[] {
  const isWide = useMediaQuery('(min-width: 90em)', false, { getInitialValueInEffect: false });
  return useMemo(
    () => [
      {
        id: 'title',
        label: 'Vulnerability',
        cell: ({ item, signal }) => (
          <div className="vuln-header">
            <SeverityBadge severity={item.severity} />
            <div className="vuln-header-text">
              <a
                className="two-lines"
                href={`/w/${slug}/vulnerabilities?v=${item.id}`}
                onClick={(event) => openHere(event, () => open(item.id))}
              >
                <ReportText>{item.title}</ReportText>
              </a>
              <span className="vuln-location">
                <ReportText title={item.repository.full_name}>
                  {repositoryLabel(item.repository.full_name)}
                </ReportText>{' '}
                · <ReportText className="mono">{locationLabel(item.location)}</ReportText>
                {!hasManyStates && signal?.live_on?.is_default === false && (
                  <>
                    {' '}
                    on <ReportText className="mono">{signal.live_on.ref}</ReportText>
                  </>
                )}
                {signal?.package && (
                  <>
                    {' · '}
                    <ReportText>{packageLabel(signal.package)}</ReportText>
                  </>
                )}
              </span>
            </div>
          </div>
        ),
      },
      {
        id: 'status',
        label: 'Status',
        hidden: !hasManyStates,
        cell: ({ item, signal }) => <VulnerabilityStatus status={item.status} liveOn={signal?.live_on} />,
      },
      { id: 'signals', label: 'Signals', wrap: true, cell: ({ signal }) => <SignalBadges signal={signal} /> },
      { id: 'fix', label: 'Fixed in', cell: ({ signal }) => <FixCell signal={signal} /> },
      { id: 'due', label: 'Due', wrap: true, cell: ({ signal }) => <DueCell signal={signal} /> },
      {
        id: 'assignee',
        label: 'Assignee',
        cell: ({ signal }) => <AssigneeCell signal={signal} />,
      },
      {
        id: 'repository',
        label: 'Repository',
        hidden: !isWide,
        cell: ({ item }) => (
          <ReportText className="vuln-cut" title={item.repository.full_name}>
            {item.repository.full_name}
          </ReportText>
        ),
      },
      {
        id: 'introduced',
        label: 'First seen',
        hidden: !isWide,
        width: 104,
        cell: ({ item }) => <TimeText value={item.introduced_at} />,
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
        cell: later(({ advisory }) =>
          advisory === null ? '—' : <ReportText className="mono">{advisory}</ReportText>,
        ),
      },
      { id: 'cvss', label: 'CVSS', hidden: true, align: 'right', cell: later(({ cvss }) => cvss ?? '—') },
      { id: 'tools', label: 'Tools', hidden: true, cell: later(({ tools }) => tools.join(', ')) },
    ],
    [slug, open, hasManyStates, isWide],
  );
}

function later(show: (signal: Signal) => React.ReactNode) {
  return ({ signal }: Row) => (signal ? show(signal) : <Skeleton height={16} width={32} />);
}

// With a modifier key that opens a link elsewhere, the click stays a normal link.
function openHere(event: MouseEvent, open: () => void): void {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  open();
}

function AssigneeCell({ signal }: { signal: Signal | undefined }) {
  return (
    <div className="vuln-assignee">
      {signal === undefined ? (
        <Skeleton height={16} width={72} />
      ) : signal.assignee === null ? (
        <span className="vuln-none">Nobody</span>
      ) : (
        <PersonName person={signal.assignee} />
      )}
    </div>
  );
}

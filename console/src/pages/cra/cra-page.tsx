/** The actively exploited vulnerabilities of products, with the clocks of the Cyber Resilience Act. */
import { Alert, Button } from '@mantine/core';
import { queryValues } from '@merlon/client';
import { IconAlarm } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { applicationQuery } from '../../api/applications.ts';
import { type CraNotification, type CraNotificationPage, craQuery } from '../../api/cra.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { enumLabel } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { CursorPager } from '../../components/cursor-pager.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DueText } from '../../components/due-text.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { type Facet, FilterBar } from '../../components/filter-bar.tsx';
import { LoadedList } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ReportText } from '../../components/report-text.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { CraDocuments } from './cra-documents.tsx';
import { RecordSteps } from './record-steps.tsx';
import type { CraSearch } from './search.ts';
import './cra.css';

const route = getRouteApi('/w/$slug/cra');

const stateFacet: Facet = {
  parameter: 'state',
  label: 'State',
  options: queryValues.listCraNotifications.state.map((state) => ({ value: state, label: enumLabel(state) })),
};

export function CraPage() {
  const search = route.useSearch();
  const { slug, may } = useWorkspace();
  const query = useQuery(craQuery(slug, search));
  const applicationFacet = useApplicationFacet(slug, search.application);
  const [recorded, setRecorded] = useState<CraNotification | null>(null);
  return (
    <>
      <PageHeader
        title="CRA notifications"
        description="Actively exploited vulnerabilities of products, and when Article 14 of the Cyber Resilience Act wants each report."
      />
      <FilterBar facets={[stateFacet, applicationFacet]} />
      {query.data?.kev_loaded === false && <KevNotLoaded />}
      <LoadedList
        query={query}
        noun="the notifications"
        none={query.data && <Nothing slug={slug} search={search} page={query.data} />}
      >
        {(page) => (
          <>
            <DataTable
              label="CRA notifications"
              columns={columnsOf(slug, may('admin') ? setRecorded : null)}
              rows={page.items}
              keyOf={keyOf}
              nameOf={({ application, cve }) => `${cve} in ${application.name}`}
              stale={query.isPlaceholderData}
            />
            <CursorPager nextCursor={page.next_cursor} count={page.items.length} />
          </>
        )}
      </LoadedList>
      {recorded && (
        <RecordSteps key={keyOf(recorded)} notification={recorded} onClose={() => setRecorded(null)} />
      )}
    </>
  );
}

function useApplicationFacet(slug: string, chosen: string | undefined): Facet {
  const { data } = useQuery({ ...applicationQuery(slug, chosen ?? ''), enabled: chosen !== undefined });
  return {
    parameter: 'application',
    label: 'Application',
    placeholder: 'app_…',
    isMore: true,
    nameOf: () => data?.name,
  };
}

const keyOf = ({ application, cve }: CraNotification): string => `${application.id} ${cve}`;

function columnsOf(
  slug: string,
  onRecord: ((row: CraNotification) => void) | null,
): Column<CraNotification>[] {
  return [
    {
      id: 'vulnerability',
      label: 'Vulnerability',
      cell: (row) => (
        <span className="cra-subject break">
          <Link
            to="/w/$slug/vulnerabilities"
            params={{ slug }}
            search={{ q: row.cve, application: row.application.name }}
          >
            {row.cve}
          </Link>{' '}
          in <ReportText>{row.application.name}</ReportText>
        </span>
      ),
    },
    { id: 'aware', label: 'Aware since', cell: (row) => <TimeText value={row.aware_at} as="datetime" /> },
    { id: 'early', label: 'Early warning', cell: (row) => <Step row={row} step={row.early_warning} /> },
    { id: 'notification', label: 'Notification', cell: (row) => <Step row={row} step={row.notification} /> },
    { id: 'final', label: 'Final report', cell: (row) => <Step row={row} step={row.final_report} /> },
    {
      id: 'actions',
      label: 'Actions',
      cell: (row) => (
        <>
          {onRecord && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Record steps for ${row.cve} in ${row.application.name}`}
              onClick={() => onRecord(row)}
            >
              Record
            </Button>
          )}{' '}
          <CraDocuments slug={slug} notification={row} />
        </>
      ),
    },
    {
      id: 'present',
      label: 'Present in',
      cell: (row) =>
        row.repositories === 0 ? 'Not found by a scan' : `${row.present_repositories} of ${row.repositories}`,
    },
  ];
}

function Step({ row, step }: { row: CraNotification; step: CraNotification['early_warning'] }) {
  if (step.sent_at !== null) {
    const isLate = step.due_at !== null && step.sent_at > step.due_at;
    return (
      <>
        {isLate ? 'Sent late, ' : 'Sent '}
        <TimeText value={step.sent_at} />
      </>
    );
  }
  if (row.state === 'not_reportable') return 'Not to be reported';
  return step.due_at === null ? 'After a measure' : <DueText dueAt={step.due_at} />;
}

/** Without the catalogue the page would look as if nothing were exploited. */
function KevNotLoaded() {
  const { slug, may } = useWorkspace();
  return (
    <Alert
      color="yellow"
      role="note"
      mb="md"
      title="The catalogue of exploited vulnerabilities (CISA KEV) is not loaded"
    >
      Without it, only vulnerabilities are listed whose steps an admin has recorded. The operator of the
      server loads it.
      {may('admin') && (
        <>
          {' '}
          <Link to="/w/$slug/settings" params={{ slug }}>
            How to load it
          </Link>
        </>
      )}
    </Alert>
  );
}

function Nothing({ slug, search, page }: { slug: string; search: CraSearch; page: CraNotificationPage }) {
  const icon = <IconAlarm size={28} stroke={1.5} aria-hidden="true" />;
  if (Object.keys(search).length > 0) {
    return (
      <EmptyState title="No notification matches" icon={icon}>
        Remove a filter to see more.
      </EmptyState>
    );
  }
  const { has_products: hasProducts, kev_loaded: isKevLoaded } = page;
  if (hasProducts) {
    return isKevLoaded ? (
      <EmptyState title="No product has a vulnerability that CISA lists as exploited" icon={icon} />
    ) : (
      <EmptyState title="Not known: the catalogue of exploited vulnerabilities is not loaded" icon={icon} />
    );
  }
  return (
    <EmptyState title="No application is marked as a product" icon={icon}>
      Mark an{' '}
      <Link to="/w/$slug/applications" params={{ slug }}>
        application
      </Link>{' '}
      as a product that your company makes available in the European Union. Its vulnerabilities that CISA
      lists as exploited are shown here.
    </EmptyState>
  );
}

/**
 * The audit log: who did what to what, and when. The address filters it, it is shown page by page, and a CSV file has
 * all of it.
 */
import { Button } from '@mantine/core';
import { queryValues } from '@merlon/client';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type AuditFilter, auditExportUrl, auditQuery } from '../../api/audit.ts';
import { membersQuery } from '../../api/members.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { CursorPager } from '../../components/cursor-pager.tsx';
import { dateTime } from '../../components/date-time.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Forbidden } from '../../components/error-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { LoadedList } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { endOf, isDay, startOf } from '../../days.ts';
import { actionText } from './audit-labels.ts';
import { AuditTable } from './audit-table.tsx';

const route = getRouteApi('/w/$slug/audit');

export function AuditPage() {
  const { may } = useWorkspace();
  return (
    <>
      {may('admin') ? (
        <AuditLog />
      ) : (
        <>
          <PageHeader title="Audit log" />
          <Forbidden>Only administrators of the workspace can see the audit log.</Forbidden>
        </>
      )}
    </>
  );
}

function AuditLog() {
  const { slug } = useWorkspace();
  const { cursor, since, until, ...rest } = route.useSearch();
  const filter: AuditFilter = { ...rest, since: startOf(since), until: endOf(until) };
  const query = useQuery(auditQuery(slug, filter, cursor));
  const members = useQuery(membersQuery(slug)).data?.items ?? [];
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  // The name of a person who has left comes from their events.
  const nameOf = (id: string) =>
    members.find((member) => member.id === id)?.name ??
    query.data?.items.find(({ actor }) => actor?.id === id)?.actor?.name;
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Who did what, and when. Nobody can change an entry. The operator may limit how long entries are kept."
        actions={
          <Button
            component="a"
            href={auditExportUrl(slug, filter)}
            download
            variant="default"
            leftSection={<IconDownload size={16} />}
          >
            Export as CSV
          </Button>
        }
      />
      <FilterBar
        facets={[
          {
            parameter: 'actor',
            label: 'Actor',
            options: [
              ...members.map(({ id, name }) => ({ value: id, label: name })),
              { value: 'operator', label: 'The operator, or the clock' },
            ],
            nameOf,
          },
          {
            parameter: 'action',
            label: 'Action',
            options: queryValues.listAudit.action
              .map((action) => ({ value: action, label: actionText(action) }))
              .toSorted((a, b) => a.label.localeCompare(b.label)),
            nameOf: actionText,
          },
          {
            parameter: 'target',
            label: 'Object',
            placeholder: 'vc_…, usr_…, key_…',
            nameOf: (id) =>
              query.data?.items.find(({ target }) => target.id === id)?.target.name ?? undefined,
          },
          { parameter: 'since', label: 'From', inputType: 'date', nameOf: dayName },
          { parameter: 'until', label: 'To', inputType: 'date', nameOf: dayName },
        ]}
      />
      <LoadedList
        query={query}
        noun="the audit log"
        lines={12}
        none={
          <EmptyState title={isFiltered ? 'No entry matches' : 'There is no entry yet'}>
            {isFiltered
              ? 'Clear a filter to see more.'
              : 'Changes by people and keys in this workspace are listed here.'}
          </EmptyState>
        }
      >
        {({ items, next_cursor: nextCursor }) => (
          <>
            <AuditTable events={items} nameOf={nameOf} stale={query.isPlaceholderData} />
            <CursorPager nextCursor={nextCursor} count={items.length} />
          </>
        )}
      </LoadedList>
    </>
  );
}

function dayName(text: string): string {
  return isDay(text) ? dateTime(new Date(`${text}T00:00:00`), 'date') : text;
}

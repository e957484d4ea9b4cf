/**
 * The policy violations of the workspace, the soonest due first. Only active ones are shown unless other filters are
 * set.
 */
import { Button, Group, Text } from '@mantine/core';
import { IconAlertOctagon } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import {
  type Decision,
  maxAtOnce,
  type Violation,
  type ViolationPage,
  violationsQuery,
} from '../../api/violations.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { CursorPager } from '../../components/cursor-pager.tsx';
import { DataTable, focusTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { LoadedList } from '../../components/loaded.tsx';
import { SmallNote } from '../../components/note.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RequestException } from '../../components/request-exception.tsx';
import { useSelection } from '../../components/selection.ts';
import { usePanel } from '../../components/side-panel.tsx';
import { countOf } from '../../components/target-labels.ts';
import { minTermLength } from '../../search-terms.ts';
import { columns, titleOf } from './columns.tsx';
import { requestOf, showsAllActive, type ViolationSearch } from './search.ts';
import { SnoozeDialog } from './snooze-dialog.tsx';
import { useFacets } from './use-facets.ts';
import { ViolationPanel } from './violation-panel.tsx';
import '../../components/section.css';
import './violations.css';

const route = getRouteApi('/w/$slug/violations');

export function ViolationsPage() {
  const search = route.useSearch();
  const { slug } = useWorkspace();
  const request = requestOf(search);
  const query = useQuery(violationsQuery(slug, request));
  const facets = useFacets(slug, search, query.data?.summary);
  const panel = usePanel('v');
  return (
    <>
      <PageHeader
        title="Policy violations"
        description="Findings that violate a policy, the soonest due first. Blocking violations stop a merge."
      />
      <FilterBar facets={facets} searchField={{ label: 'Title, package or CVE', minLength: minTermLength }} />
      <LoadedList query={query} noun="the violations" lines={12} none={<NoViolations search={search} />}>
        {(page) => (
          <ViolationList
            page={page}
            filters={JSON.stringify({ ...request, cursor: undefined })}
            isStale={query.isPlaceholderData}
            openId={panel.shown}
          />
        )}
      </LoadedList>
      <ViolationPanel id={panel.shown} onClose={panel.close} />
    </>
  );
}

interface ViolationListProps {
  page: ViolationPage;
  filters: string;
  isStale: boolean;
  openId: string | undefined;
}

function ViolationList({ page, filters, isStale, openId }: ViolationListProps) {
  const { may } = useWorkspace();
  const selection = useSelection(filters);
  // A selected violation may be on another page, and the decision depends on its facts.
  const seen = useRef(new Map<string, Violation>());
  for (const item of page.items) seen.current.set(item.id, item);
  const selected = [...selection.selected].flatMap((id) => seen.current.get(id) ?? []);
  const [deciding, setDeciding] = useState<Decision['action'] | null>(null);
  const [isRequesting, setIsRequesting] = useState(false);
  // Other filters empty the selection, also while a dialog about it is open.
  const [subjects, setSubjects] = useState<Violation[]>([]);
  const clear = () => {
    selection.clear();
    focusTable();
  };
  const { total } = page.summary;
  return (
    <>
      <DataTable
        label="Violations"
        columns={columns}
        rows={page.items}
        keyOf={({ id }) => id}
        nameOf={(row) => `${titleOf(row)} in ${row.repository.full_name}`}
        {...(may('member') ? { selection } : {})}
        openKey={openId}
        stale={isStale}
        toolbar={
          selected.length > 0 ? (
            <SelectionBar
              selected={selected}
              onDecide={(action) => {
                setSubjects(action === 'wake' ? selected.filter(({ snoozed }) => snoozed) : selected);
                setDeciding(action);
              }}
              onRequest={() => {
                setSubjects(selected);
                setIsRequesting(true);
              }}
              onClear={clear}
            />
          ) : (
            <Text size="sm">{countOf(total, 'violation')}</Text>
          )
        }
      />
      <CursorPager nextCursor={page.next_cursor} count={page.items.length} total={total} />
      <SnoozeDialog action={deciding} subjects={subjects} onClose={() => setDeciding(null)} onDone={clear} />
      <RequestException
        opened={isRequesting}
        onClose={() => setIsRequesting(false)}
        onDone={clear}
        choices={[{ label: 'Each selected violation', about: { violations: subjects.map(({ id }) => id) } }]}
      />
    </>
  );
}

interface SelectionBarProps {
  selected: Violation[];
  onDecide: (action: Decision['action']) => void;
  onRequest: () => void;
  onClear: () => void;
}

function SelectionBar({ selected, onDecide, onRequest, onClear }: SelectionBarProps) {
  const isTooMany = selected.length > maxAtOnce;
  return (
    <Group gap={8} role="group" aria-label="Selected violations">
      <Text size="sm" fw={600}>
        {selected.length.toLocaleString()} selected
      </Text>
      <Button size="compact-sm" disabled={isTooMany} onClick={() => onDecide('snooze')}>
        Snooze
      </Button>
      {selected.some(({ snoozed }) => snoozed) && (
        <Button size="compact-sm" variant="default" disabled={isTooMany} onClick={() => onDecide('wake')}>
          Wake
        </Button>
      )}
      <Button size="compact-sm" variant="default" disabled={isTooMany} onClick={onRequest}>
        Request an exception
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        Clear the selection
      </Button>
      {isTooMany && <SmallNote>At most {maxAtOnce} at once</SmallNote>}
    </Group>
  );
}

function NoViolations({ search }: { search: ViolationSearch }) {
  const { slug } = useWorkspace();
  const icon = <IconAlertOctagon size={28} stroke={1.5} aria-hidden="true" />;
  if (!showsAllActive(search)) {
    return (
      <EmptyState title="No violation matches" icon={icon}>
        Remove a filter to see more.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Nothing violates a policy"
      icon={icon}
      action={
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/w/$slug/policies" params={{ slug }} {...props} />}
        >
          Show the policies
        </Button>
      }
    >
      Only active policies find something. Switch one on, or write one of your own; what it finds is shown
      here.
    </EmptyState>
  );
}

/** The references with the status on each, and all locations, live or past. Locations can be split off. */
import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowsSplit } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type LocationScope,
  locationsQuery,
  type VulnerabilityDetail,
} from '../../../api/vulnerabilities.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { ErrorState } from '../../../components/error-state.tsx';
import { LoadingState } from '../../../components/loading-state.tsx';
import { Note, SmallNote } from '../../../components/note.tsx';
import { useSelection } from '../../../components/selection.ts';
import { ShowMore } from '../../../components/show-more.tsx';
import { LocationList } from './location-list.tsx';
import { PanelSection } from './panel-section.tsx';
import { ReferenceTable } from './reference-table.tsx';
import { ScopeSwitch } from './scope-switch.tsx';
import { SplitDialog } from './split-dialog.tsx';

interface LocationsTabProps {
  detail: VulnerabilityDetail;
  onShow: (id: string) => void;
}

export function LocationsTab({ detail, onShow }: LocationsTabProps) {
  const workspace = useWorkspace();
  const [scope, setScope] = useState<LocationScope>('live');
  const query = useInfiniteQuery(locationsQuery(workspace.slug, detail.id, scope));
  const { selected, change, clear } = useSelection();
  const [isSplitting, splitting] = useDisclosure(false);
  const summary = query.data?.pages[0]?.summary;
  const locations = query.data?.pages.flatMap((page) => page.items) ?? [];
  const maySplit = workspace.may('admin');
  return (
    <>
      <PanelSection title="Status on each reference">
        <ReferenceTable references={detail.references} />
        {detail.references.length < detail.references_total && (
          <Note>
            {`${detail.references_total.toLocaleString()} references in all. These are the default branch, tracked ones, active ones, and the newest of the others.`}
          </Note>
        )}
      </PanelSection>
      <PanelSection
        title="Locations"
        actions={
          <ScopeSwitch
            scope={scope}
            onChange={(to) => {
              setScope(to);
              clear();
            }}
            live={summary?.active}
            all={summary?.total}
          />
        }
      >
        {query.isPending && <LoadingState label="Loading the locations" lines={3} />}
        {query.isError && !query.data && <ErrorState error={query.error} onRetry={() => query.refetch()} />}
        {query.data && locations.length === 0 && (
          <Note>It is no longer found anywhere. “All” shows where it was.</Note>
        )}
        <LocationList
          detail={detail}
          locations={locations}
          {...(maySplit ? { selection: { selected, change } } : {})}
        />
        <Group gap="xs" mt="xs">
          <ShowMore query={query} noun="locations" />
          {maySplit && locations.length > 0 && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconArrowsSplit size={15} />}
              disabled={selected.size === 0}
              onClick={splitting.open}
            >
              {selected.size === 0 ? 'Split off' : `Split off ${selected.size.toLocaleString()}`}
            </Button>
          )}
          {maySplit && locations.length > 0 && selected.size === 0 && (
            <SmallNote>Select the locations that are another vulnerability.</SmallNote>
          )}
        </Group>
      </PanelSection>
      <SplitDialog
        opened={isSplitting}
        onClose={splitting.close}
        id={detail.id}
        locations={[...selected]}
        onShow={onShow}
      />
    </>
  );
}

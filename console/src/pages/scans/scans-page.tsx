/** The scans of the workspace, the newest first, with live progress. */

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useScanEvents } from '../../api/scan-events.ts';
import { scansQuery } from '../../api/scans.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { uploadCommand } from '../../components/upload-command.ts';
import { columnsOf } from './columns.tsx';
import { titleOf } from './labels.ts';
import { ScansFrame } from './scans-frame.tsx';
import { useFacets } from './use-facets.ts';

export function ScansPage() {
  const { slug } = useWorkspace();
  const search = useSearch({ from: '/w/$slug/scans' });
  const { repo, ref, sha, status, tool, cursor } = search;
  const filters = { repo, ref: repo === undefined ? undefined : ref, sha, status, tool, cursor };
  const query = useQuery(scansQuery(slug, filters));
  const isHeard = useScanEvents(slug);
  const facets = useFacets(slug, repo);
  const columns = useMemo(() => columnsOf(slug), [slug]);
  const isFiltered = Object.keys(search).length > 0;
  return (
    <ScansFrame title="Scans" description="Uploaded reports, with their changes and their errors.">
      {(isFiltered || query.data?.items.length !== 0) && <FilterBar facets={facets} />}
      <ListTable
        query={query}
        noun="the scans"
        none={isFiltered ? <NoneMatches slug={slug} /> : <FirstScan slug={slug} />}
        label="Scans"
        columns={columns}
        keyOf={(row) => row.id}
        nameOf={titleOf}
        toolbar={
          <span className="scan-live" role="status">
            {isHeard ? 'Changes are shown live.' : 'No live changes: the list loads again every ten seconds.'}
          </span>
        }
      />
    </ScansFrame>
  );
}

function NoneMatches({ slug }: { slug: string }) {
  return (
    <EmptyState
      title="No scan matches these filters"
      action={
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/w/$slug/scans" params={{ slug }} search={{}} {...props} />}
        >
          Show all scans
        </Button>
      }
    >
      A repository, reference or tool that was never scanned has none.
    </EmptyState>
  );
}

function FirstScan({ slug }: { slug: string }) {
  const { may } = useWorkspace();
  return (
    <EmptyState title="Nothing has been scanned yet" command={uploadCommand(slug)}>
      {may('member') ? 'Upload a report of any scanner here, or send' : 'Send'} one from CI with an{' '}
      <Link to="/w/$slug/keys" params={{ slug }}>
        API key
      </Link>{' '}
      of the preset CI.
    </EmptyState>
  );
}

/** Closings that the guard holds: of which streams, what the difference is, and what an administrator makes of it. */
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type Stream, streamsQuery } from '../../api/streams.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import type { Column } from '../../components/column.ts';
import { CursorPager } from '../../components/cursor-pager.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { usePanel } from '../../components/side-panel.tsx';
import { useRepositoryFacet } from '../../components/use-repository-facet.ts';
import { DecideStream, type StreamDecision } from './decide-stream.tsx';
import { HeldPanel } from './held-panel.tsx';
import { ScansFrame } from './scans-frame.tsx';
import { lastScannedColumn, referenceColumn, repositoryColumn, streamName } from './stream-columns.tsx';

const columns: Column<Stream>[] = [
  {
    id: 'stream',
    label: 'Stream',
    cell: (row) => (
      <Link
        from="/w/$slug/scans/held"
        to="."
        search={({ more: _, ...before }) => ({ ...before, stream: row.id })}
        className="scan-name"
      >
        {streamName(row)}
      </Link>
    ),
  },
  repositoryColumn,
  referenceColumn,
  {
    id: 'held',
    label: 'Would be fixed',
    align: 'right',
    cell: (row) => row.held?.vulnerabilities.toLocaleString() ?? '',
  },
  lastScannedColumn,
];

export function HeldPage() {
  const { slug } = useWorkspace();
  const { repo, cursor, stream } = useSearch({ from: '/w/$slug/scans/held' });
  const query = useQuery(streamsQuery(slug, { state: 'held', repo, cursor }));
  const facets = [useRepositoryFacet(slug, repo)];
  const panel = usePanel('stream');
  const [decision, setDecision] = useState<StreamDecision | null>(null);
  return (
    <ScansFrame
      title="Held closings"
      description="Where one scan would fix more than half of what a tool sees on a default branch, and at least 20, the closing waits: a broken scanner looks the same. The next complete scan that shows the same releases it by itself."
    >
      {(repo !== undefined || (query.data?.items.length ?? 0) > 0) && <FilterBar facets={facets} />}
      <Loaded query={query} what="the held closings">
        {({ items, next_cursor }) =>
          items.length === 0 ? (
            <EmptyState title="No closing is held">
              {repo === undefined
                ? 'Every scan has closed what it no longer showed.'
                : 'Not of this repository.'}
            </EmptyState>
          ) : (
            <>
              <DataTable
                label="Held closings"
                fixedColumns
                columns={columns}
                rows={items}
                keyOf={(row) => row.id}
                nameOf={streamName}
                openKey={stream}
                stale={query.isPlaceholderData}
              />
              <CursorPager nextCursor={next_cursor} count={items.length} />
            </>
          )
        }
      </Loaded>
      <HeldPanel streams={query.data?.items} onDecide={setDecision} />
      <DecideStream decision={decision} onClose={() => setDecision(null)} onDone={panel.close} />
    </ScansFrame>
  );
}

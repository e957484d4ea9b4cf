/** The held closures: their series, the difference, and the administrator's decision. */
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type Series, seriesQuery } from '../../api/series.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import type { Column } from '../../components/column.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { usePanel } from '../../components/side-panel.tsx';
import { useRepositoryFacet } from '../../components/use-repository-facet.ts';
import { DecideSeries, type SeriesDecision } from './decide-series.tsx';
import { HeldPanel } from './held-panel.tsx';
import { ScansFrame } from './scans-frame.tsx';
import { lastScannedColumn, referenceColumn, repositoryColumn, seriesName } from './series-columns.tsx';

const columns: Column<Series>[] = [
  {
    id: 'series',
    label: 'Series',
    cell: (row) => (
      <Link
        from="/w/$slug/scans/held"
        to="."
        search={({ more: _, ...before }) => ({ ...before, series: row.id })}
        state
        className="scan-name"
      >
        {seriesName(row)}
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
  const { repo, cursor, series } = useSearch({ from: '/w/$slug/scans/held' });
  const query = useQuery(seriesQuery(slug, { state: 'held', repo, cursor }));
  const facets = [useRepositoryFacet(slug, repo)];
  const panel = usePanel('series');
  const [decision, setDecision] = useState<SeriesDecision | null>(null);
  return (
    <ScansFrame
      title="Closures to review"
      description="If one scan would fix more than half of a tool’s findings on a default branch, and at least 20, the closure waits, because a broken scanner looks the same. The next complete scan with the same result releases it. Open a row to see what would be fixed, and to release or discard it."
    >
      {(repo !== undefined || (query.data?.items.length ?? 0) > 0) && <FilterBar facets={facets} />}
      <ListTable
        query={query}
        noun="the closures to review"
        none={
          <EmptyState title="No closure waits for a review">
            {repo === undefined
              ? 'Every scan has closed the vulnerabilities that it no longer showed.'
              : 'None in this repository.'}
          </EmptyState>
        }
        label="Closures to review"
        fixedColumns
        columns={columns}
        keyOf={(row) => row.id}
        nameOf={seriesName}
        openKey={series}
      />
      <HeldPanel items={query.data?.items} onDecide={setDecision} />
      <DecideSeries decision={decision} onClose={() => setDecision(null)} onDone={panel.close} />
    </ScansFrame>
  );
}

/**
 * Series without a scan for a long time. Vulnerabilities that only they saw stay open until a person retires the
 * series.
 */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type Series, seriesQuery } from '../../api/series.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import type { Column } from '../../components/column.ts';
import { CursorPager } from '../../components/cursor-pager.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { useRepositoryFacet } from '../../components/use-repository-facet.ts';
import { DecideSeries, type SeriesDecision } from './decide-series.tsx';
import { ScansFrame } from './scans-frame.tsx';
import { lastScannedColumn, referenceColumn, repositoryColumn, seriesName } from './series-columns.tsx';

export function StalePage() {
  const { slug, may } = useWorkspace();
  const { repo, cursor } = useSearch({ from: '/w/$slug/scans/stale' });
  const query = useQuery(seriesQuery(slug, { state: 'stale', repo, cursor }));
  const facets = [useRepositoryFacet(slug, repo)];
  const [decision, setDecision] = useState<SeriesDecision | null>(null);
  const mayRetire = may('admin');
  const columns = useMemo(() => columnsOf(slug, mayRetire, setDecision), [slug, mayRetire]);
  return (
    <ScansFrame
      title="Stale series"
      description="A tool that has not scanned a reference for long. What only it saw stays open: scan again, or retire the series if the tool is no longer used there."
    >
      {(repo !== undefined || (query.data?.items.length ?? 0) > 0) && <FilterBar facets={facets} />}
      <Loaded query={query} what="the stale series">
        {({ items, next_cursor }) =>
          items.length === 0 ? (
            <EmptyState title="No series is stale">
              {repo === undefined
                ? 'Every tool has scanned its references lately.'
                : 'Not of this repository.'}
            </EmptyState>
          ) : (
            <>
              <DataTable
                label="Stale series"
                fixedColumns
                columns={columns}
                rows={items}
                keyOf={(row) => row.id}
                nameOf={seriesName}
                stale={query.isPlaceholderData}
              />
              <CursorPager nextCursor={next_cursor} count={items.length} />
            </>
          )
        }
      </Loaded>
      <DecideSeries decision={decision} onClose={() => setDecision(null)} />
    </ScansFrame>
  );
}

function columnsOf(
  slug: string,
  mayRetire: boolean,
  decide: (decision: SeriesDecision) => void,
): Column<Series>[] {
  return [
    {
      id: 'series',
      label: 'Series',
      cell: (row) => <SeriesLink slug={slug} series={row} />,
    },
    repositoryColumn,
    referenceColumn,
    lastScannedColumn,
    ...(mayRetire
      ? [
          {
            id: 'retire',
            label: 'Decision',
            cell: (row: Series) => (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Retire ${seriesName(row)} on ${row.repository.full_name}, ${row.reference.ref}`}
                onClick={() => decide({ action: 'retire', series: row })}
              >
                Retire
              </Button>
            ),
          },
        ]
      : []),
  ];
}

// The link opens the last scan of the series.
function SeriesLink({ slug, series }: { slug: string; series: Series }) {
  const name = seriesName(series);
  if (series.last_scan_id === null) return <span className="scan-name">{name}</span>;
  return (
    <Link to="/w/$slug/scans/$scan" params={{ slug, scan: series.last_scan_id }} className="scan-name">
      {name}
    </Link>
  );
}

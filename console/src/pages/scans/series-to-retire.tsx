/**
 * Series without a scan for a long time, and series that newer ones have replaced. Vulnerabilities that only they saw
 * stay open until a person retires the series.
 */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type Series, seriesQuery } from '../../api/series.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import type { Column } from '../../components/column.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { useRepositoryFacet } from '../../components/use-repository-facet.ts';
import { DecideSeries, type SeriesDecision } from './decide-series.tsx';
import { ScansFrame } from './scans-frame.tsx';
import { lastScannedColumn, referenceColumn, repositoryColumn, seriesName } from './series-columns.tsx';

type State = 'stale' | 'replaced';

const texts: Record<State, { title: string; description: string; none: string; noneHint: string }> = {
  stale: {
    title: 'Stale series',
    description:
      'Tools that have not scanned a reference for a long time. Vulnerabilities that only such a tool saw stay open. Scan again, or retire the series if the tool is no longer used there.',
    none: 'No series is stale',
    noneHint: 'Every tool has scanned its references recently.',
  },
  replaced: {
    title: 'Replaced series',
    description:
      'A newer series of the same tool shows most of the same findings, and these series have had no scan since. This happens when the category of uploads changes. Vulnerabilities that only these series saw stay open until you retire them.',
    none: 'No series was replaced',
    noneHint: 'No newer series shows most of the findings of an older one.',
  },
};

export function StalePage() {
  return <SeriesToRetire state="stale" search={useSearch({ from: '/w/$slug/scans/stale' })} />;
}

export function ReplacedPage() {
  return <SeriesToRetire state="replaced" search={useSearch({ from: '/w/$slug/scans/replaced' })} />;
}

interface SeriesToRetireProps {
  state: State;
  search: { repo?: string | undefined; cursor?: string | undefined };
}

function SeriesToRetire({ state, search: { repo, cursor } }: SeriesToRetireProps) {
  const { slug, may } = useWorkspace();
  const query = useQuery(seriesQuery(slug, { state, repo, cursor }));
  const { title, description, none, noneHint } = texts[state];
  const facets = [useRepositoryFacet(slug, repo)];
  const [decision, setDecision] = useState<SeriesDecision | null>(null);
  const mayRetire = may('admin');
  const columns = useMemo(() => columnsOf(slug, mayRetire, setDecision), [slug, mayRetire]);
  return (
    <ScansFrame title={title} description={description}>
      {(repo !== undefined || (query.data?.items.length ?? 0) > 0) && <FilterBar facets={facets} />}
      <ListTable
        query={query}
        noun="the series"
        none={
          <EmptyState title={none}>{repo === undefined ? noneHint : 'None in this repository.'}</EmptyState>
        }
        label={title}
        fixedColumns
        columns={columns}
        keyOf={(row) => row.id}
        nameOf={seriesName}
      />
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

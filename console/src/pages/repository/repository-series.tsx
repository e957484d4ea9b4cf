/** The tools that scan the repository, and the age of their last scans. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type RepositoryDetail, repositorySeriesQuery } from '../../api/inventory.ts';
import { partsOfSeries, type Series } from '../../api/series.ts';
import { enumLabel, StatusBadge, ToneBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { visibleText } from '../../components/report-text.tsx';
import { Section } from '../../components/section.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import { TimeText } from '../../components/time-text.tsx';

interface RepositorySeriesProps {
  slug: string;
  repository: RepositoryDetail;
}

export function RepositorySeries({ slug, repository }: RepositorySeriesProps) {
  const query = useInfiniteQuery(repositorySeriesQuery(slug, repository.id));
  return (
    <Section
      title="Tools"
      description="Each tool, category and reference is a series of scans, and so is each of several files that come together. It
        closes vulnerabilities that it no longer shows."
      actions={
        <Link to="/w/$slug/scans" params={{ slug }} search={{ repo: repository.full_name }}>
          All scans here
        </Link>
      }
    >
      <Loaded query={query} noun="the series" lines={4}>
        {({ pages }) => {
          const seriesList = pages.flatMap(({ items }) => items);
          if (seriesList.length === 0) return <EmptyState title="No tool has scanned it yet" />;
          return (
            <>
              <DataTable
                label="Tools"
                columns={columnsOf(slug)}
                rows={seriesList}
                keyOf={(row) => row.id}
                nameOf={nameOf}
                fixedColumns
              />
              <ShowMore query={query} noun="series" mt="sm" />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

const nameOf = (row: Series): string => visibleText(`${row.tool} on ${row.reference.ref}`);

const sourceLabels: Record<string, string> = {
  current: 'Current tree',
  git_history: 'Git history',
};

function columnsOf(slug: string): Column<Series>[] {
  return [
    {
      id: 'tool',
      label: 'Tool',
      cell: (row) => (
        <>
          {row.last_scan_id === null ? (
            visibleText(row.tool)
          ) : (
            <Link
              to="/w/$slug/scans/$scan"
              params={{ slug, scan: row.last_scan_id }}
              className="break"
              aria-label={`${nameOf(row)}: its last scan`}
            >
              {visibleText(row.tool)}
            </Link>
          )}
          {partsOfSeries(row).map((part) => (
            <div key={part} className="repository-note break">
              {visibleText(part)}
            </div>
          ))}
        </>
      ),
    },
    { id: 'reference', label: 'Reference', cell: (row) => row.reference.ref },
    { id: 'source', label: 'Scans', cell: (row) => sourceLabels[row.source] ?? enumLabel(row.source) },
    { id: 'scanned', label: 'Last scan', cell: (row) => <TimeText value={row.last_scanned_at} /> },
    { id: 'state', label: 'State', cell: (row) => <SeriesState slug={slug} series={row} /> },
  ];
}

function SeriesState({ slug, series }: { slug: string; series: Series }) {
  if (series.retired_at !== null) return <StatusBadge status="retired" />;
  if (series.held !== null) {
    return (
      <Link to="/w/$slug/scans/held" params={{ slug }} search={{ series: series.id }}>
        <ToneBadge tone="warn">{`${series.held.vulnerabilities.toLocaleString()} closures held`}</ToneBadge>
      </Link>
    );
  }
  if (series.replaced_by !== null) {
    return (
      <Link to="/w/$slug/scans/replaced" params={{ slug }} search={{ repo: series.repository.full_name }}>
        <ToneBadge tone="warn">Replaced</ToneBadge>
      </Link>
    );
  }
  return <StatusBadge status={series.stale ? 'stale' : 'active'} label={series.stale ? 'Stale' : 'Fresh'} />;
}

/** One held closure: the difference between what the series saw before and what its last scan showed. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { heldClosureQuery, type Series } from '../../api/series.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Note } from '../../components/note.tsx';
import { SidePanel, usePanel } from '../../components/side-panel.tsx';
import { countOf } from '../../components/target-labels.ts';
import { useAnySearch } from '../../use-any-search.ts';
import type { SeriesDecision } from './decide-series.tsx';
import { seriesName } from './series-columns.tsx';
import { SeverityCounts, VulnerabilityRows } from './vulnerability-rows.tsx';

interface HeldPanelProps {
  items: Series[] | undefined;
  onDecide: (decision: SeriesDecision) => void;
}

export function HeldPanel({ items, onDecide }: HeldPanelProps) {
  const { may } = useWorkspace();
  const { shown, close } = usePanel('series');
  const series = items?.find(({ id }) => id === shown);
  return (
    <SidePanel
      opened={series !== undefined}
      onClose={close}
      title={series ? `${seriesName(series)} on ${series.repository.full_name}` : ''}
      toolbar={
        series &&
        (may('admin') ? (
          <>
            <Button size="xs" color="red" onClick={() => onDecide({ action: 'release', series })}>
              Release
            </Button>
            <Button size="xs" variant="default" onClick={() => onDecide({ action: 'discard', series })}>
              Discard
            </Button>
          </>
        ) : (
          <Note>An administrator of the workspace releases or discards it.</Note>
        ))
      }
    >
      {series && <Difference series={series} />}
    </SidePanel>
  );
}

function Difference({ series }: { series: Series }) {
  const { slug } = useWorkspace();
  const { more } = useSearch({ from: '/w/$slug/scans/held' });
  const { set } = useAnySearch();
  const { search } = useAnySearch();
  const query = useQuery(heldClosureQuery(slug, series, more));
  const turn = (cursor: string | undefined) => set({ cursor: search.cursor, more: cursor });
  return (
    <Loaded query={query} noun="the difference">
      {({ seen, summary, items, next_cursor }) => (
        <Stack gap="md">
          <Text size="sm" className="break">
            Of {countOf(seen, 'vulnerability', 'vulnerabilities')} that {series.tool} sees on{' '}
            {series.reference.ref}, its <LastScan slug={slug} series={series} /> would fix{' '}
            {summary.total.toLocaleString()}. They are still open and count for the verdict.
          </Text>
          <SeverityCounts summary={summary} />
          <VulnerabilityRows
            slug={slug}
            label="Would be fixed"
            rows={items}
            stale={query.isPlaceholderData}
          />
          {(more !== undefined || next_cursor !== null) && (
            <Group gap="xs" justify="flex-end">
              {more !== undefined && (
                <Button size="xs" variant="default" onClick={() => turn(undefined)}>
                  First page
                </Button>
              )}
              <Button
                size="xs"
                variant="default"
                disabled={next_cursor === null}
                onClick={() => turn(next_cursor ?? undefined)}
              >
                Next
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

function LastScan({ slug, series }: { slug: string; series: Series }) {
  const { held } = series;
  if (held === null) return 'last scan';
  return (
    <Link to="/w/$slug/scans/$scan" params={{ slug, scan: held.scan_id }}>
      last complete scan
    </Link>
  );
}

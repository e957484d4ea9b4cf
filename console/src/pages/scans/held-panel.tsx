/** One held closing: the difference between what the stream saw and what its last scan showed. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { heldClosingQuery, type Stream } from '../../api/streams.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { Loaded } from '../../components/loaded.tsx';
import { SidePanel, usePanel } from '../../components/side-panel.tsx';
import { countOf } from '../../components/target-labels.ts';
import { useAnySearch } from '../../search.ts';
import type { StreamDecision } from './decide-stream.tsx';
import { streamName } from './stream-columns.tsx';
import { SeverityCounts, VulnerabilityRows } from './vulnerability-rows.tsx';

interface HeldPanelProps {
  streams: Stream[] | undefined;
  onDecide: (decision: StreamDecision) => void;
}

export function HeldPanel({ streams, onDecide }: HeldPanelProps) {
  const { may } = useWorkspace();
  const { shown, close } = usePanel('stream');
  const stream = streams?.find(({ id }) => id === shown);
  return (
    <SidePanel
      opened={stream !== undefined}
      onClose={close}
      title={stream ? `${streamName(stream)} on ${stream.repository.full_name}` : ''}
      toolbar={
        stream &&
        (may('admin') ? (
          <>
            <Button size="xs" color="red" onClick={() => onDecide({ action: 'release', stream })}>
              Release
            </Button>
            <Button size="xs" variant="default" onClick={() => onDecide({ action: 'discard', stream })}>
              Discard
            </Button>
          </>
        ) : (
          <Text size="sm" c="dimmed">
            An administrator of the workspace releases or discards it.
          </Text>
        ))
      }
    >
      {stream && <Difference stream={stream} />}
    </SidePanel>
  );
}

function Difference({ stream }: { stream: Stream }) {
  const { slug } = useWorkspace();
  const { more } = useSearch({ from: '/w/$slug/scans/held' });
  const { set } = useAnySearch();
  const { search } = useAnySearch();
  const query = useQuery(heldClosingQuery(slug, stream.id, more));
  const turn = (cursor: string | undefined) => set({ cursor: search.cursor, more: cursor });
  return (
    <Loaded query={query} what="the difference">
      {({ seen, summary, items, next_cursor }) => (
        <Stack gap="md">
          <Text size="sm" className="break">
            Of {countOf(seen, 'vulnerability', 'vulnerabilities')} that {stream.tool} sees on{' '}
            {stream.reference.ref}, its <LastScan slug={slug} stream={stream} /> no longer showed{' '}
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

function LastScan({ slug, stream }: { slug: string; stream: Stream }) {
  const { held } = stream;
  if (held === null) return 'last scan';
  return (
    <Link to="/w/$slug/scans/$scan" params={{ slug, scan: held.scan_id }}>
      last complete scan
    </Link>
  );
}

/**
 * Moves forward and back through a list that the server pages by cursors. The address holds the cursor. The browser's
 * history holds the way back, since a cursor only leads forward, so a link that keeps the cursor passes `state` on.
 */
import { Button, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAnySearch } from '../use-any-search.ts';

interface CursorPagerProps {
  /** The cursor that the shown page ends with. */
  nextCursor: string | null | undefined;
  /** `count` is the number of shown rows, and `total` the number of all rows if it is known. */
  count: number;
  total?: number;
  /** Shown before the buttons: the number of rows on a page. */
  children?: ReactNode;
}

interface HistoryState {
  /** The cursors of the previous pages. The first page's cursor is empty. */
  pages?: string[];
}

export function CursorPager({ nextCursor, count, total, children }: CursorPagerProps) {
  const { search } = useAnySearch();
  const navigate = useNavigate();
  const state = useLocation({ select: (location) => location.state }) as HistoryState;
  const cursor = typeof search.cursor === 'string' ? search.cursor : '';
  const before = state.pages ?? [];
  const previous = before.at(-1);
  // A person who opened a link can only go back to the first page.
  const hasNoWayBack = previous === undefined && cursor !== '';
  const go = (to: string, pages: string[]) =>
    navigate({
      to: '.',
      search: (now: Record<string, unknown>) => ({ ...now, cursor: to === '' ? undefined : to }),
      state: { pages } as object,
    } as Parameters<typeof navigate>[0]);
  if (!nextCursor && cursor === '' && total === undefined) return null;
  return (
    <Group component="nav" aria-label="Pages" justify="space-between" mt="sm">
      <Text size="sm" c="dimmed" className="tabular">
        {total === undefined ? '' : `${count.toLocaleString()} of ${total.toLocaleString()}`}
      </Text>
      <Group gap="xs">
        {children}
        {hasNoWayBack ? (
          <Button size="xs" variant="default" onClick={() => go('', [])}>
            First page
          </Button>
        ) : (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconChevronLeft size={15} />}
            disabled={previous === undefined}
            onClick={() => go(previous ?? '', before.slice(0, -1))}
          >
            Previous
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          rightSection={<IconChevronRight size={15} />}
          disabled={!nextCursor}
          onClick={() => go(nextCursor ?? '', [...before, cursor])}
        >
          Next
        </Button>
      </Group>
    </Group>
  );
}

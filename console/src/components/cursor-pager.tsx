/**
 * Moves forward and back through a list that the server pages by cursors. The address holds the cursor. The browser's
 * history holds the way back, since a cursor only leads forward, so a link that keeps the cursor passes `state` on.
 */
import { Button, type ButtonProps, Group, Text } from '@mantine/core';
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

interface Page {
  /** Empty for the first page. */
  cursor: string;
  /** The number of its rows. */
  count: number;
}

interface HistoryState {
  /** The previous pages, the first one first. */
  before?: Page[];
}

export function CursorPager({ nextCursor, count, total, children }: CursorPagerProps) {
  const { search } = useAnySearch();
  const navigate = useNavigate();
  const state = useLocation({ select: (location) => location.state }) as HistoryState;
  const cursor = typeof search.cursor === 'string' ? search.cursor : '';
  const before = state.before ?? [];
  const previous = before.at(-1);
  const first = 1 + before.reduce((sum, page) => sum + page.count, 0);
  // A person who opened a link can only go back to the first page.
  const hasNoWayBack = previous === undefined && cursor !== '';
  const go = (to: string, pages: Page[]) =>
    navigate({
      to: '.',
      search: (now: Record<string, unknown>) => ({ ...now, cursor: to === '' ? undefined : to }),
      state: { before: pages } as object,
    } as Parameters<typeof navigate>[0]);
  if (!nextCursor && cursor === '' && total === undefined) return null;
  return (
    <Group component="nav" aria-label="Pages" justify="space-between" mt="sm">
      <Text size="sm" c="dimmed" className="tabular" role="status">
        {hasNoWayBack
          ? count.toLocaleString()
          : `${first.toLocaleString()}–${(first + count - 1).toLocaleString()}`}
        {total === undefined ? '' : ` of ${total.toLocaleString()}`}
      </Text>
      <Group gap="xs">
        {children}
        {hasNoWayBack ? (
          <PageButton name="First page" isUsable onClick={() => go('', [])} />
        ) : (
          <PageButton
            name="Previous"
            icon={{ leftSection: <IconChevronLeft size={15} /> }}
            isUsable={previous !== undefined}
            onClick={() => go(previous?.cursor ?? '', before.slice(0, -1))}
          />
        )}
        <PageButton
          name="Next"
          icon={{ rightSection: <IconChevronRight size={15} /> }}
          isUsable={Boolean(nextCursor)}
          onClick={() => go(nextCursor ?? '', [...before, { cursor, count }])}
        />
      </Group>
    </Group>
  );
}

interface PageButtonProps {
  name: string;
  icon?: Pick<ButtonProps, 'leftSection' | 'rightSection'>;
  isUsable: boolean;
  onClick: () => void;
}

/** A button that leads nowhere keeps the focus, because the last page would otherwise take it from the keyboard. */
function PageButton({ name, icon, isUsable, onClick }: PageButtonProps) {
  return (
    <Button
      size="xs"
      variant="default"
      {...icon}
      data-disabled={!isUsable}
      aria-disabled={!isUsable}
      onClick={() => isUsable && onClick()}
    >
      {name}
    </Button>
  );
}

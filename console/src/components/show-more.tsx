/** The button below a list that is read page by page. It is shown while there is another page. */
import { Button, type ButtonProps } from '@mantine/core';

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

export function ShowMore({ query, noun, ...props }: { query: Pages; noun: string } & ButtonProps) {
  if (!query.hasNextPage) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      {...props}
      loading={query.isFetchingNextPage}
      onClick={() => query.fetchNextPage()}
    >
      Show more {noun}
    </Button>
  );
}

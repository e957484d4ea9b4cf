/** One line above data that could not be read again, or in place of a part of a page that could not be read. */
import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorText } from '../api/errors.ts';
import { TimeText } from './time-text.tsx';
import './state.css';

interface ReadFailureProps {
  query: Pick<UseQueryResult, 'error' | 'dataUpdatedAt' | 'isFetching' | 'refetch'>;
  /** Says what is missing or old. */
  children: ReactNode;
}

export function ReadFailure({ query, children }: ReadFailureProps) {
  return (
    <div className="read-failure" role="status">
      <IconAlertTriangle size={18} stroke={1.7} aria-hidden="true" />
      <span>
        {children} {errorText(query.error)}
      </span>
      <Button
        size="compact-sm"
        variant="default"
        loading={query.isFetching}
        onClick={() => void query.refetch()}
      >
        Try again
      </Button>
    </div>
  );
}

/** Says that the shown data is old. */
export function OldData({ query, noun = 'it' }: { query: ReadFailureProps['query']; noun?: string }) {
  return (
    <ReadFailure query={query}>
      Not up to date, because {noun} could not be read again. Shown as of{' '}
      <TimeText value={new Date(query.dataUpdatedAt).toISOString()} as="datetime" />.
    </ReadFailure>
  );
}

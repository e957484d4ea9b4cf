/**
 * Replaces content that failed to load: the problem, the next step, and the request id for the operator of the server.
 */
import { Button, Group } from '@mantine/core';
import { IconAlertTriangle, IconLock } from '@tabler/icons-react';
import { errorText, isApiError } from '../api/errors.ts';
import { CopyButton } from './copy-button.tsx';
import { SmallNote } from './note.tsx';
import './state.css';

interface ErrorStateProps {
  error: unknown;
  onRetry?: () => void;
  onFirstPage?: (() => void) | undefined;
}

export function ErrorState({ error, onRetry, onFirstPage }: ErrorStateProps) {
  if (isApiError(error) && error.status === 403) return <Forbidden>{errorText(error)}</Forbidden>;
  const requestId = isApiError(error) ? error.requestId : null;
  return (
    <div className="state" role="alert">
      <IconAlertTriangle className="state-icon state-icon-bad" size={28} stroke={1.5} aria-hidden="true" />
      <p className="state-title">{titleOf(error)}</p>
      <p className="state-text">{errorText(error)}</p>
      {onRetry && (
        <Group justify="center" mt="md">
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
          {onFirstPage && (
            <Button variant="default" onClick={onFirstPage}>
              First page
            </Button>
          )}
        </Group>
      )}
      {requestId && (
        <Group gap={4} justify="center" mt="sm">
          <SmallNote>
            Request <span className="mono">{requestId}</span>
          </SmallNote>
          <CopyButton value={requestId} label="Copy the request id" size="xs" />
        </Group>
      )}
    </div>
  );
}

/** Shown if the person's role is too low. */
export function Forbidden({ children }: { children?: React.ReactNode }) {
  return (
    <div className="state" role="alert">
      <IconLock className="state-icon" size={28} stroke={1.5} aria-hidden="true" />
      <p className="state-title">You have no access</p>
      <p className="state-text">
        {children ??
          'Your role in this workspace does not allow it. An administrator of the workspace can change your role.'}
      </p>
    </div>
  );
}

function titleOf(error: unknown): string {
  if (!isApiError(error)) return 'Loading failed';
  if (error.status === 404) return 'Not found';
  if (error.status === 429) return 'Too many requests';
  return error.status >= 500 ? 'The server could not answer' : 'The server refused the request';
}

/** Replaces a page that failed. */
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { isApiError } from '../api/errors.ts';
import { isAwayError, useServerAway, whenServerAnswers } from '../api/server-away.ts';
import { ErrorState } from '../components/error-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { PageNotFound } from './page-not-found.tsx';
import { ServerAwayPage } from './server-away.tsx';

export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const away = useServerAway();
  const retry = () => {
    reset();
    router.invalidate();
  };
  const onReturn = useEffectEvent(retry);
  const isAway = isAwayError(error);
  // A page that fails again has another error, and waits again.
  useEffect(() => {
    if (!isAwayError(error)) return;
    return whenServerAnswers(onReturn);
  }, [error]);
  if (isAway && away !== null) return <ServerAwayPage />;
  if (isApiError(error) && error.status === 404) return <PageNotFound />;
  return (
    <>
      <PageHeader
        title={isApiError(error) && error.status === 403 ? 'Not allowed' : 'This page could not be loaded'}
      />
      <ErrorState error={error} onRetry={retry} />
    </>
  );
}

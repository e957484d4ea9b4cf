/** Replaces a page that failed. */
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { isApiError } from '../api/errors.ts';
import { ErrorState } from '../components/error-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { PageNotFound } from './page-not-found.tsx';

export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  if (isApiError(error) && error.status === 404) return <PageNotFound />;
  return (
    <>
      <PageHeader
        title={isApiError(error) && error.status === 403 ? 'Not allowed' : 'This page did not load'}
      />
      <ErrorState
        error={error}
        onRetry={() => {
          reset();
          router.invalidate();
        }}
      />
    </>
  );
}

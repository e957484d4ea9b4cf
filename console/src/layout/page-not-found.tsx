/** Shown for addresses without a page, and for workspaces and objects that this person cannot see. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';

export function PageNotFound() {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState
        title="There is nothing at this address"
        action={
          <Button renderRoot={(props) => <Link to="/" {...props} />} variant="default">
            Go to your workspaces
          </Button>
        }
      >
        It may have been removed, or it belongs to a workspace that you are not a member of. The person who
        sent you the link can tell an administrator of the workspace to invite you.
      </EmptyState>
    </>
  );
}

/** Says that a decision became requests for exceptions, and links to them. */
import { Alert } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../../../api/workspaces.ts';

export function RequestedAlert({ count }: { count: number }) {
  const { slug } = useWorkspace();
  return (
    <Alert color="yellow" role="status" mb="md" title="Requested an exception instead">
      A policy blocks here, so your decision needs an approval.{' '}
      {count === 1 ? 'A request for an exception waits' : `${count} requests for exceptions wait`} for
      somebody else’s approval; until then nothing has changed.{' '}
      <Link to="/w/$slug/exceptions" params={{ slug }}>
        Show the exceptions
      </Link>
    </Alert>
  );
}

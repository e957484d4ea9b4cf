/**
 * Warns that a pass means nothing while no policy is active. Shows nothing if a policy is active or if that is unknown.
 */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { policiesQuery } from '../api/policies.ts';
import { useWorkspace } from '../api/workspaces.ts';
import { Note } from './note.tsx';

export function NothingChecked() {
  const { slug } = useWorkspace();
  const { data } = useQuery(policiesQuery(slug));
  if (!data || data.items.some(({ status }) => status === 'active')) return null;
  return (
    <Note>
      No policy is active, so nothing is checked.{' '}
      <Link to="/w/$slug/policies" params={{ slug }}>
        Show the policies
      </Link>
    </Note>
  );
}

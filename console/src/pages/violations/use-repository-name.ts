/** Gives the full name of a violation's repository, since the violation has only the short one. */
import { useQuery } from '@tanstack/react-query';
import { repositoryQuery } from '../../api/inventory.ts';
import { useWorkspace } from '../../api/workspaces.ts';

export function useRepositoryName({ id, name }: { id: string; name: string }): string {
  const { slug } = useWorkspace();
  const { data } = useQuery(repositoryQuery(slug, id));
  return data?.full_name ?? name;
}

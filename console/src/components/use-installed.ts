/** The packages in which a vulnerability is live, as package URLs. Only the first hundred locations are read. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { locationsQuery } from '../api/vulnerabilities.ts';
import { useWorkspace } from '../api/workspaces.ts';

/** Returns each package once, and nothing until they are loaded. */
export function useInstalled(id: string): string[] {
  const { slug } = useWorkspace();
  const { data } = useInfiniteQuery(locationsQuery(slug, id, 'live'));
  const locations = data?.pages.flatMap(({ items }) => items) ?? [];
  return [...new Set(locations.flatMap(({ artifact }) => artifact?.purl ?? []))];
}

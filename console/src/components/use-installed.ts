/** The packages in which a vulnerability is live, as package URLs, as far as its first hundred places tell. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { locationsQuery } from '../api/vulnerabilities.ts';
import { useWorkspace } from '../api/workspaces.ts';

/** Each once; none as long as they are not here. */
export function useInstalled(id: string): string[] {
  const { slug } = useWorkspace();
  const { data } = useInfiniteQuery(locationsQuery(slug, id, 'live'));
  const places = data?.pages.flatMap(({ items }) => items) ?? [];
  return [...new Set(places.flatMap(({ artifact }) => artifact?.purl ?? []))];
}

/** The groups of the command palette for the typed text: pages, actions, and objects of the workspace. */
import {
  IconApps,
  IconBug,
  IconBuildingCommunity,
  IconGitBranch,
  IconPackage,
  IconSearch,
} from '@tabler/icons-react';
import { isAdvisoryName, useFound } from '../api/find.ts';
import { enumLabel } from '../components/badges.tsx';
import { countOf } from '../components/target-labels.ts';
import { termsOf } from '../search-terms.ts';
import { matching, type PaletteGroup, useGoTo, usePaletteCommands } from './palette-commands.ts';

/** `searched` is the text for the server, which follows `typed` after a pause. */
export function usePaletteResults(slug: string | undefined, typed: string, searched: string) {
  const goTo = useGoTo();
  const commands = matching(usePaletteCommands(slug), typed);
  const found = useFound(slug, searched);
  const isCurrent = typed === searched && !found.isLooking;
  const groups: PaletteGroup[] = [];
  if (slug !== undefined && isCurrent && typed !== '') {
    groups.push(
      {
        label: 'Repositories',
        entries: found.repositories.map(({ id, full_name: name }) => ({
          id,
          label: name,
          icon: IconGitBranch,
          run: () => goTo({ to: '/w/$slug/repositories/$repo', params: { slug, repo: id } }),
        })),
      },
      {
        label: 'Organizations',
        entries: found.organizations.map(({ id, full_path: path, repositories_count: count }) => ({
          id,
          label: path,
          note: countOf(count, 'repository', 'repositories'),
          icon: IconBuildingCommunity,
          run: () => goTo({ to: '/w/$slug/repositories', params: { slug }, search: { org: path } }),
        })),
      },
      {
        label: 'Applications',
        entries: found.applications.map(({ id, name }) => ({
          id,
          label: name,
          icon: IconApps,
          run: () => goTo({ to: '/w/$slug/applications', params: { slug }, search: { app: id } }),
        })),
      },
      {
        label: 'Packages',
        entries: found.packages.map(({ id, name, namespace, ecosystem, open }) => ({
          id,
          label: namespace === null ? name : `${namespace}/${name}`,
          note: open > 0 ? `${ecosystem}, ${open.toLocaleString()} open` : ecosystem,
          icon: IconPackage,
          run: () => goTo({ to: '/w/$slug/packages/$package', params: { slug, package: id } }),
        })),
      },
      {
        label: 'Vulnerabilities',
        entries: found.vulnerabilities.map(({ id, title, severity, repository }) => ({
          id,
          label: title,
          note: `${enumLabel(severity)}, ${repository.full_name}`,
          icon: IconBug,
          run: () => goTo({ to: '/w/$slug/vulnerabilities', params: { slug }, search: { q: typed, v: id } }),
        })),
      },
    );
  }
  const searchAll: PaletteGroup[] =
    slug === undefined || typed === ''
      ? []
      : [
          {
            label: 'Search',
            entries: [
              {
                id: 'search',
                label: `Search vulnerabilities for “${typed}”`,
                icon: IconSearch,
                run: () => goTo({ to: '/w/$slug/vulnerabilities', params: { slug }, search: { q: typed } }),
              },
            ],
          },
        ];
  // The name of an advisory can be searched without an answer of the server.
  const isNamed = isAdvisoryName(typed);
  const ordered = isNamed
    ? [...searchAll, ...groups]
    : [...commands, ...groups, ...(isCurrent && termsOf(typed).length > 0 ? searchAll : [])];
  return {
    groups: ordered.filter(({ entries }) => entries.length > 0),
    isLooking: slug !== undefined && typed !== '' && !isCurrent,
    hasFailed: isCurrent && found.hasFailed,
  };
}

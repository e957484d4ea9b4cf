/** The commands that the palette offers without a request: the pages of the workspace, and the actions of a person. */
import { useMantineColorScheme } from '@mantine/core';
import {
  IconAppWindow,
  IconArrowsExchange,
  IconDeviceDesktop,
  IconKey,
  IconLicense,
  IconLogout,
  IconMoon,
  IconShieldPlus,
  IconSun,
  IconUpload,
  IconUserCircle,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type LinkProps, useNavigate } from '@tanstack/react-router';
import { type Role, roleAtLeast, workspacesQuery } from '../api/workspaces.ts';
import { apiDocs, type NavigationEntry, navigation } from './navigation.ts';
import { useSignOut } from './use-sign-out.ts';
import { useSamePage } from './workspace-switcher.tsx';

export interface PaletteEntry {
  id: string;
  label: string;
  icon: NavigationEntry['icon'];
  /** Shown after the label, dimmed. */
  note?: string | undefined;
  /** Other words by which the entry is found. */
  words?: string;
  run: () => void;
}

export interface PaletteGroup {
  label: string;
  entries: PaletteEntry[];
}

/** Opens a page by its link. */
export function useGoTo(): (link: LinkProps) => void {
  const navigate = useNavigate();
  return (link) => navigate(link as Parameters<typeof navigate>[0]);
}

/** `slug` names the workspace of the page, if there is one that the person may open. */
export function usePaletteCommands(slug: string | undefined): PaletteGroup[] {
  const goTo = useGoTo();
  const { data } = useQuery(workspacesQuery);
  const { setColorScheme } = useMantineColorScheme();
  const { leave } = useSignOut();
  const samePage = useSamePage();
  const role = data?.items.find((item) => item.slug === slug)?.role;
  const may = (needed: Role = 'viewer') => role !== undefined && roleAtLeast(role, needed);
  const inWorkspace = (to: string, search?: Record<string, string>) => () =>
    goTo({ to, params: { slug }, search } as LinkProps);
  const pages: PaletteEntry[] = navigation
    .flatMap(({ entries }) => entries)
    .filter((entry) => may(entry.role))
    .map(({ label, to, icon }) => ({ id: to, label, icon, run: inWorkspace(to) }));
  const actions: (PaletteEntry & { role?: Role })[] = [
    {
      id: 'new-key',
      label: 'New API key',
      icon: IconKey,
      words: 'create token',
      run: inWorkspace('/w/$slug/keys', { new: 'yes' }),
    },
    {
      id: 'upload',
      label: 'Upload a report',
      icon: IconUpload,
      words: 'scan import sarif sbom',
      role: 'member',
      run: inWorkspace('/w/$slug/scans/upload'),
    },
    {
      id: 'new-policy',
      label: 'New policy',
      icon: IconShieldPlus,
      words: 'create rule',
      role: 'admin',
      run: () => goTo({ to: '/w/$slug/policies/$policy', params: { slug, policy: 'new' } } as LinkProps),
    },
  ];
  const everywhere: PaletteEntry[] = [
    ...(data?.items ?? [])
      .filter((item) => item.slug !== slug)
      .map((item) => ({
        id: `workspace ${item.slug}`,
        label: `Switch to ${item.workspace}`,
        icon: IconArrowsExchange,
        words: `workspace ${item.slug}`,
        run: () => goTo({ to: samePage, params: { slug: item.slug } } as LinkProps),
      })),
    ...(['light', 'dark', 'auto'] as const).map((scheme) => ({
      id: `colours ${scheme}`,
      label: schemeLabels[scheme],
      icon: schemeIcons[scheme],
      words: 'theme colors mode',
      run: () => setColorScheme(scheme),
    })),
    { id: 'sign-out', label: 'Sign out', icon: IconLogout, words: 'log out leave', run: leave },
  ];
  return [
    {
      label: 'Pages',
      entries: [
        ...pages,
        ...(role === undefined
          ? []
          : [
              {
                id: 'licenses',
                label: 'Licenses',
                icon: IconLicense,
                run: inWorkspace('/w/$slug/packages/licenses'),
              },
            ]),
        {
          id: 'account',
          label: 'Account',
          icon: IconUserCircle,
          words: 'password profile',
          run: () => goTo({ to: '/account' }),
        },
        { id: 'workspaces', label: 'All workspaces', icon: IconAppWindow, run: () => goTo({ to: '/' }) },
        {
          id: 'api-docs',
          label: apiDocs.label,
          icon: apiDocs.icon,
          note: 'opens in a new tab',
          run: () => void window.open(apiDocs.href, '_blank', 'noopener'),
        },
      ],
    },
    {
      label: 'Actions',
      entries: [...actions.filter(({ role: needed }) => may(needed)), ...everywhere],
    },
  ];
}

const schemeLabels = {
  light: 'Light colours',
  dark: 'Dark colours',
  auto: 'Colours of the system',
};
const schemeIcons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop };

/** The entries of each group that have all typed words, those first whose label begins with the text. */
export function matching(groups: PaletteGroup[], typed: string): PaletteGroup[] {
  const text = typed.toLowerCase();
  const words = text.split(/\s+/);
  const startsWithText = ({ label }: PaletteEntry) => Number(label.toLowerCase().startsWith(text));
  return groups.map(({ label, entries }) => ({
    label,
    entries: entries
      .filter((entry) => {
        const said = ` ${entry.label} ${entry.words ?? ''}`.toLowerCase();
        return words.every((word) => said.includes(` ${word}`));
      })
      .sort((a, b) => startsWithText(b) - startsWithText(a)),
  }));
}

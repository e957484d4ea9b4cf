/**
 * The pages in the navigation of a workspace. Only pages that `routes.tsx` has and that the role may open are shown.
 */
import {
  IconAdjustments,
  IconAlarm,
  IconAlertOctagon,
  IconApi,
  IconApps,
  IconBell,
  IconBug,
  IconBuildingCommunity,
  IconFileSearch,
  IconGitBranch,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconPackages,
  type IconProps,
  IconShieldCheck,
  IconShieldX,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Waiting } from '../api/waiting.ts';
import type { Role } from '../api/workspaces.ts';

export interface NavigationEntry {
  label: string;
  /** The path of the route. */
  to: string;
  icon: ComponentType<IconProps>;
  /** The second key of its shortcut, after `g`. */
  key: string;
  /** The role that the page needs, if it is higher than viewer. */
  role?: Role;
  /** The kind of waiting tasks. Their number is shown beside the link. */
  waiting?: Waiting;
}

export interface NavigationGroup {
  label: string;
  entries: NavigationEntry[];
}

export const navigation: NavigationGroup[] = [
  {
    label: 'Findings',
    entries: [
      { label: 'Overview', to: '/w/$slug', icon: IconLayoutDashboard, key: 'o' },
      {
        label: 'Vulnerabilities',
        to: '/w/$slug/vulnerabilities',
        icon: IconBug,
        key: 'v',
        waiting: 'overdue',
      },
      { label: 'Violations', to: '/w/$slug/violations', icon: IconAlertOctagon, key: 'i' },
      { label: 'Exceptions', to: '/w/$slug/exceptions', icon: IconShieldX, key: 'e', waiting: 'exceptions' },
      { label: 'CRA notifications', to: '/w/$slug/cra', icon: IconAlarm, key: 'u' },
    ],
  },
  {
    label: 'Inventory',
    entries: [
      { label: 'Repositories', to: '/w/$slug/repositories', icon: IconGitBranch, key: 'r' },
      { label: 'Organizations', to: '/w/$slug/organizations', icon: IconBuildingCommunity, key: 'n' },
      { label: 'Applications', to: '/w/$slug/applications', icon: IconApps, key: 'a' },
      { label: 'Packages', to: '/w/$slug/packages', icon: IconPackages, key: 'c' },
      { label: 'Scans', to: '/w/$slug/scans', icon: IconFileSearch, key: 's' },
    ],
  },
  {
    label: 'Rules',
    entries: [{ label: 'Policies', to: '/w/$slug/policies', icon: IconShieldCheck, key: 'p' }],
  },
  {
    label: 'Workspace',
    entries: [
      { label: 'API keys', to: '/w/$slug/keys', icon: IconKey, key: 'k' },
      { label: 'Members', to: '/w/$slug/members', icon: IconUsers, key: 'm', role: 'member' },
      { label: 'Notifications', to: '/w/$slug/notifications', icon: IconBell, key: 'b' },
      { label: 'Audit log', to: '/w/$slug/audit', icon: IconHistory, key: 'l', role: 'admin' },
      { label: 'Settings', to: '/w/$slug/settings', icon: IconAdjustments, key: 't', role: 'admin' },
    ],
  },
];

export const apiDocs = { label: 'API docs', href: '/docs', icon: IconApi };

/** The navigation of a workspace, in the side bar and in the phone's drawer. */
import { IconExternalLink } from '@tabler/icons-react';
import { Link, type LinkProps, useRouter } from '@tanstack/react-router';
import { useWorkspace } from '../api/workspaces.ts';
import { apiDocs, type NavigationEntry, navigation } from './navigation.ts';
import { WaitingBadge } from './waiting-badge.tsx';

/** True if the page of an entry exists and the person may open it. */
export function useNavigationEntries(): (entry: NavigationEntry) => boolean {
  const router = useRouter();
  const { may } = useWorkspace();
  return (entry) => entry.to in router.routesByPath && (entry.role === undefined || may(entry.role));
}

export function NavigationLinks({ slug }: { slug: string }) {
  const isShown = useNavigationEntries();
  const groups = navigation
    .map((group) => ({ ...group, entries: group.entries.filter(isShown) }))
    .filter((group) => group.entries.length > 0);
  return (
    <nav className="app-nav" aria-label="Workspace">
      {groups.map((group) => (
        <div key={group.label} className="app-nav-group">
          <p className="app-nav-label" id={`nav-${group.label}`}>
            {group.label}
          </p>
          <ul aria-labelledby={`nav-${group.label}`}>
            {group.entries.map(({ label, to, icon: Icon, waiting }) => (
              <li key={to} className="app-nav-entry">
                <Link
                  {...linkTo(to, slug)}
                  className="app-nav-link"
                  activeOptions={{ exact: to === '/w/$slug', includeSearch: false }}
                >
                  <Icon size={17} stroke={1.7} aria-hidden="true" />
                  {label}
                </Link>
                {waiting && <WaitingBadge slug={slug} waiting={waiting} />}
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div className="app-nav-group">
        <a className="app-nav-link" href={apiDocs.href} target="_blank" rel="noreferrer">
          <apiDocs.icon size={17} stroke={1.7} aria-hidden="true" />
          {apiDocs.label}
          <IconExternalLink size={13} stroke={1.7} aria-label="opens in a new tab" />
        </a>
      </div>
    </nav>
  );
}

/** The entries name routes as plain text, because the list also holds pages that do not exist. */
export function linkTo(to: string, slug: string): LinkProps {
  return { to, params: { slug } } as LinkProps;
}

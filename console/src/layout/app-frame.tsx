/**
 * The frame of every page behind the sign-in: header, navigation, and the region that the page fills. On a phone the
 * navigation becomes a drawer behind a burger button.
 */
import { AppShell, Burger, Drawer, ScrollArea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { SignedIn } from '../api/session.ts';
import { workspacesQuery } from '../api/workspaces.ts';
import { CommandPalette } from './command-palette.tsx';
import { MerlonMark } from './merlon-mark.tsx';
import { NavigationLinks } from './navigation-links.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { UserMenu } from './user-menu.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';
import './app-frame.css';

const pageId = 'page';

export function AppFrame({ session, children }: { session: SignedIn; children: ReactNode }) {
  const { slug } = useParams({ strict: false });
  const [isOpen, drawer] = useDisclosure(false);
  const path = useLocation({ select: (location) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the page has changed
  useEffect(drawer.close, [path]);
  const { data } = useQuery(workspacesQuery);
  const hasNavigation = slug !== undefined && data?.items.some((item) => item.slug === slug);
  return (
    <>
      <a className="skip-link" href={`#${pageId}`} onClick={focusPage}>
        Skip to content
      </a>
      <AppShell
        header={{ height: 52 }}
        navbar={{ width: 224, breakpoint: 'md', collapsed: { desktop: !hasNavigation, mobile: true } }}
        padding={0}
        // Without an animation the page has its new layout at once when the window gets narrow.
        transitionDuration={0}
        withBorder={false}
      >
        <AppShell.Header className="app-header">
          {hasNavigation && (
            <Burger
              opened={isOpen}
              onClick={drawer.toggle}
              hiddenFrom="md"
              size="sm"
              aria-label="Navigation"
              aria-expanded={isOpen}
            />
          )}
          <Link to="/" className="app-name" aria-label="Merlon: all workspaces">
            <MerlonMark />
            <span className="app-name-word">Merlon</span>
          </Link>
          <WorkspaceSwitcher />
          <div className="app-header-end">
            <CommandPalette slug={hasNavigation ? slug : undefined} />
            <Shortcuts slug={hasNavigation ? slug : undefined} />
            <UserMenu session={session} />
          </div>
        </AppShell.Header>
        {hasNavigation && (
          <AppShell.Navbar className="app-navbar">
            <ScrollArea className="app-navbar-scroll" type="auto" scrollbarSize={6}>
              <NavigationLinks slug={slug} />
            </ScrollArea>
          </AppShell.Navbar>
        )}
        <AppShell.Main id={pageId} tabIndex={-1} className="app-main">
          <div className={hasNavigation ? 'app-page' : 'app-page app-page-alone'}>{children}</div>
        </AppShell.Main>
      </AppShell>
      {hasNavigation && (
        <Drawer opened={isOpen} onClose={drawer.close} size={280} title="Navigation" hiddenFrom="md">
          <NavigationLinks slug={slug} />
        </Drawer>
      )}
    </>
  );
}

// Following the link would put its name into the address, where some pages keep other data.
function focusPage(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById(pageId)?.focus();
}

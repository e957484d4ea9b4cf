/**
 * All pages of the console. A page's folder has its component, which loads when the page is first opened, and
 * `search.ts` with the parameters of its address. The navigation shows only pages of this list.
 */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { whenServerAnswers } from './api/server-away.ts';
import { Frame } from './layout/frame.tsx';
import { PageError } from './layout/page-error.tsx';
import { PageNotFound } from './layout/page-not-found.tsx';
import { PagePending } from './layout/page-pending.tsx';
import { applicationsSearch } from './pages/applications/search.ts';
import { auditSearch } from './pages/audit/search.ts';
import { craSearch } from './pages/cra/search.ts';
import { exceptionSearch } from './pages/exceptions/search.ts';
import { keysSearch } from './pages/keys/search.ts';
import { membersSearch } from './pages/members/search.ts';
import { organizationsSearch } from './pages/organizations/search.ts';
import { overviewSearch } from './pages/overview/search.ts';
import { licensesSearch, packageSearch, packagesSearch } from './pages/packages/search.ts';
import { policiesSearch } from './pages/policies/search.ts';
import { reportSearch } from './pages/report/search.ts';
import { repositoriesSearch } from './pages/repositories/search.ts';
import { repositorySearch } from './pages/repository/search.ts';
import { scanSearch, scansSearch, seriesSearch, uploadSearch } from './pages/scans/search.ts';
import { signInSearch } from './pages/sign-in/search.ts';
import { violationSearch } from './pages/violations/search.ts';
import { loadVulnerabilities } from './pages/vulnerabilities/load.ts';
import { vulnerabilitySearch } from './pages/vulnerabilities/search.ts';
import { arriveAnew, needSession, needWorkspace, needWorkspaces } from './route-guards.ts';
import { parseSearch, stringifySearch } from './search.ts';

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
  interface StaticDataRouteOption {
    /** The page is shown without the frame, to people who have not signed in. */
    outside?: boolean;
  }
}

/**
 * The code of a page that the server cannot send is requested again once the server is back. The router's own function
 * reloads the console at the first failure, and the browser's error page would replace it. After an upgrade of the
 * server the code has another address, and that reload finds it.
 */
const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => load().catch(() => untilServerAnswers().then(load)), name);

function untilServerAnswers(): Promise<void> {
  return new Promise((resolve) => {
    const end = whenServerAnswers(() => {
      end();
      resolve();
    });
  });
}

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Frame });

const outside = { getParentRoute: () => root, staticData: { outside: true } };

const signIn = createRoute({
  ...outside,
  path: '/sign-in',
  validateSearch: signInSearch,
  beforeLoad: arriveAnew,
  component: lazyPage(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const setup = createRoute({
  ...outside,
  path: '/setup',
  component: lazyPage(() => import('./pages/setup/setup-page.tsx'), 'SetupPage'),
});

const invite = createRoute({
  ...outside,
  path: '/invite',
  component: lazyPage(() => import('./pages/invite/invite-page.tsx'), 'InvitePage'),
});

const workspaces = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: needWorkspaces,
  component: lazyPage(() => import('./pages/workspaces/workspaces-page.tsx'), 'WorkspacesPage'),
});

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  beforeLoad: needSession,
  component: lazyPage(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
});

const workspace = createRoute({
  getParentRoute: () => root,
  path: '/w/$slug',
  beforeLoad: needWorkspace,
});

const inWorkspace = { getParentRoute: () => workspace };

const pagesOfWorkspace = [
  createRoute({
    ...inWorkspace,
    path: '/',
    validateSearch: overviewSearch,
    component: lazyPage(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'report',
    validateSearch: reportSearch,
    component: lazyPage(() => import('./pages/report/report-page.tsx'), 'ReportPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'vulnerabilities',
    validateSearch: vulnerabilitySearch,
    // The list loads together with the page's code. The panel loads its own data.
    loaderDeps: ({ search: { v: _panel, tab: _tab, ...list } }) => list,
    loader: ({ context, params, location }) =>
      loadVulnerabilities({ context, params, search: vulnerabilitySearch(location.search) }),
    staleTime: Number.POSITIVE_INFINITY,
    component: lazyPage(
      () => import('./pages/vulnerabilities/vulnerabilities-page.tsx'),
      'VulnerabilitiesPage',
    ),
  }),
  createRoute({
    ...inWorkspace,
    path: 'repositories',
    validateSearch: repositoriesSearch,
    component: lazyPage(() => import('./pages/repositories/repositories-page.tsx'), 'RepositoriesPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'repositories/$repo',
    validateSearch: repositorySearch,
    component: lazyPage(() => import('./pages/repository/repository-page.tsx'), 'RepositoryPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'organizations',
    validateSearch: organizationsSearch,
    component: lazyPage(() => import('./pages/organizations/organizations-page.tsx'), 'OrganizationsPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'applications',
    validateSearch: applicationsSearch,
    component: lazyPage(() => import('./pages/applications/applications-page.tsx'), 'ApplicationsPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'packages',
    validateSearch: packagesSearch,
    component: lazyPage(() => import('./pages/packages/packages-page.tsx'), 'PackagesPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'packages/licenses',
    validateSearch: licensesSearch,
    component: lazyPage(() => import('./pages/packages/licenses-page.tsx'), 'LicensesPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'packages/$package',
    validateSearch: packageSearch,
    component: lazyPage(() => import('./pages/packages/package-page.tsx'), 'PackagePage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'scans',
    validateSearch: scansSearch,
    component: lazyPage(() => import('./pages/scans/scans-page.tsx'), 'ScansPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'scans/upload',
    validateSearch: uploadSearch,
    component: lazyPage(() => import('./pages/scans/upload-page.tsx'), 'UploadPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'scans/held',
    validateSearch: seriesSearch,
    component: lazyPage(() => import('./pages/scans/held-page.tsx'), 'HeldPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'scans/stale',
    validateSearch: seriesSearch,
    component: lazyPage(() => import('./pages/scans/series-to-retire.tsx'), 'StalePage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'scans/replaced',
    validateSearch: seriesSearch,
    component: lazyPage(() => import('./pages/scans/series-to-retire.tsx'), 'ReplacedPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'scans/$scan',
    validateSearch: scanSearch,
    component: lazyPage(() => import('./pages/scans/scan-page.tsx'), 'ScanPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'keys',
    validateSearch: keysSearch,
    component: lazyPage(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'members',
    validateSearch: membersSearch,
    component: lazyPage(() => import('./pages/members/members-page.tsx'), 'MembersPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'notifications',
    component: lazyPage(() => import('./pages/notifications/notifications-page.tsx'), 'NotificationsPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'audit',
    validateSearch: auditSearch,
    component: lazyPage(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'settings',
    component: lazyPage(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'violations',
    validateSearch: violationSearch,
    component: lazyPage(() => import('./pages/violations/violations-page.tsx'), 'ViolationsPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'violations/$violation',
    component: lazyPage(() => import('./pages/violations/violation-page.tsx'), 'ViolationPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'exceptions',
    validateSearch: exceptionSearch,
    component: lazyPage(() => import('./pages/exceptions/exceptions-page.tsx'), 'ExceptionsPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'cra',
    validateSearch: craSearch,
    component: lazyPage(() => import('./pages/cra/cra-page.tsx'), 'CraPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'policies',
    validateSearch: policiesSearch,
    component: lazyPage(() => import('./pages/policies/policies-page.tsx'), 'PoliciesPage'),
  }),
  createRoute({
    ...inWorkspace,
    path: 'policies/$policy',
    component: lazyPage(() => import('./pages/policies/policy-page.tsx'), 'PolicyPage'),
  }),
] as const;

const routeTree = root.addChildren([
  signIn,
  setup,
  invite,
  workspaces,
  account,
  workspace.addChildren(pagesOfWorkspace),
]);

export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // Each query has its own staleTime.
    defaultPreloadStaleTime: 0,
    // A page about another object starts with fresh state.
    defaultRemountDeps: ({ params }) => params,
    scrollRestoration: true,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: PageNotFound,
    defaultPendingComponent: PagePending,
  });
}

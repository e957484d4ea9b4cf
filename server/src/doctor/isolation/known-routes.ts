/**
 * States how each route of the server is called and which callers may call it. This is the promise of the API and is
 * not derived from the code. A route that is in no list here fails the gate, so every route has its refusals tested.
 */

import { sharedSha } from './canary-reports.ts';
import { knownManagementRoutes } from './known-management-routes.ts';
import { knownPolicyRoutes } from './known-policy-routes.ts';
import {
  inConsole,
  inPath,
  inQuery,
  type KnownRoute,
  notFound,
  type Request,
  read,
  refusedOn,
} from './known-route.ts';
import { knownWorkRoutes } from './known-work-routes.ts';

const assignment = (slug: string, vulnerability: string, body: object): Request => ({
  method: 'PATCH',
  path: `/api/v1/${slug}/vulnerabilities/${vulnerability}/assignment`,
  body,
});

const decision = (slug: string, vulnerabilities: object[]): Request => ({
  method: 'POST',
  path: `/manage/v1/${slug}/vulnerabilities/decisions`,
  body: { action: 'confirm', vulnerabilities },
});

const merge = (slug: string, into: string, other: string): Request => ({
  method: 'POST',
  path: `/manage/v1/${slug}/vulnerabilities/${into}/merge`,
  body: { others: [other], reason: 'the same' },
});

const split = (slug: string, vulnerability: string, location: string): Request => ({
  method: 'POST',
  path: `/manage/v1/${slug}/vulnerabilities/${vulnerability}/split`,
  body: { locations: [location], reason: 'another' },
});

const onSeries = (slug: string, series: string, action: 'retire' | 'held-closing'): Request => ({
  method: 'POST',
  path: `/manage/v1/${slug}/scan-series/${series}/${action}`,
  body: action === 'retire' ? {} : { action: 'release' },
});

function seriesRoute(action: 'retire' | 'held-closing'): KnownRoute {
  return {
    route: `POST /manage/v1/:tenant_slug/scan-series/:series/${action}`,
    access: { scopes: ['scans:write'], role: 'admin' },
    call: (slug, side) => onSeries(slug, side.series, action),
    names: [
      {
        what: 'a series in the path',
        call: (home, side) => onSeries(home.slug, side.series, action),
        refusal: notFound,
      },
    ],
    paged: false,
    showsNothing: true,
  };
}

// Each request splits off another location.
let splits = 0;

/** A route below a repository that shows nothing of it by itself. */
function belowRepository(
  path: string,
  {
    method,
    body,
    access,
    success,
  }: { method?: 'PUT' | 'DELETE'; body?: object } & Pick<KnownRoute, 'access' | 'success'>,
): KnownRoute {
  const request = (slug: string, repository: string): Request => ({
    ...(method === undefined ? {} : { method }),
    ...(body === undefined ? {} : { body }),
    path: `/manage/v1/${slug}/repositories/${repository}/${path}`,
  });
  return {
    route: `${method ?? 'GET'} /manage/v1/:tenant_slug/repositories/:repository/${path}`,
    access,
    call: (slug, side) => request(slug, side.repository),
    names: [
      {
        what: 'a repository in the path',
        call: (home, side) => request(home.slug, side.repository),
        refusal: notFound,
      },
    ],
    paged: false,
    showsNothing: true,
    ...(success === undefined ? {} : { success }),
  };
}

const setsRepository = { scopes: ['workspace:admin'], role: 'admin' } satisfies KnownRoute['access'];
const file = { path: '.github/CODEOWNERS', content: '* @acme/web' };

const uploadedCodeOwners = (slug: string, repository: string): Request => ({
  method: 'PUT',
  path: `/ingest/v1/${slug}/code-owners?repo=${repository}&ref=main`,
  body: file,
});

const managedRepository = (slug: string, repository: string): Request => ({
  path: `/manage/v1/${slug}/repositories/${repository}`,
});

const accessToCounted = {
  scopes: ['repositories:read', 'vulnerabilities:read'],
} satisfies KnownRoute['access'];

export const knownRoutes: KnownRoute[] = [
  belowRepository('tracked-branches', { access: { scopes: ['repositories:read'] } }),
  belowRepository('tracked-branches', { method: 'PUT', body: { own: null }, access: setsRepository }),
  belowRepository('code-owners', {
    access: { scopes: ['repositories:read', 'vulnerabilities:write'], role: 'member' },
  }),
  belowRepository('code-owners', { method: 'PUT', body: file, access: setsRepository }),
  belowRepository('code-owners', { method: 'DELETE', access: setsRepository, success: 204 }),
  {
    route: 'PUT /ingest/v1/:tenant_slug/code-owners',
    access: { scopes: ['scans:write'], role: 'member' },
    call: (slug, side) => uploadedCodeOwners(slug, side.repository),
    names: [
      {
        what: 'a repository in the query',
        call: (home, side) => uploadedCodeOwners(home.slug, side.repository),
        refusal: notFound,
      },
    ],
    paged: false,
    showsNothing: true,
  },
  {
    route: 'GET /manage/v1/:tenant_slug/repositories/:repository',
    access: { scopes: ['repositories:read'] },
    call: (slug, side) => managedRepository(slug, side.repository),
    names: [
      {
        what: 'a repository in the path',
        call: (home, side) => managedRepository(home.slug, side.repository),
        refusal: notFound,
      },
    ],
    paged: false,
  },
  {
    route: 'GET /api/v1/tenants',
    access: { scopes: ['tenants:read'] },
    call: () => ({ path: '/api/v1/tenants' }),
    names: [],
    paged: false,
  },
  read('/whoami', null),
  read('/organizations', 'organizations:read', { paged: true }),
  read('/organization-parents', 'organizations:read', {
    at: (side) => `/organization-parents?ids=${side.organization}`,
  }),
  read('/organizations/*', 'organizations:read', {
    at: (side) => `/organizations/${side.organization}`,
    names: [
      inPath('an organization', (side) => `/organizations/${side.organization}`),
      inPath('an organization by its path', (side) => `/organizations/${side.mark}-0`),
    ],
  }),
  read('/repositories', 'repositories:read', {
    paged: true,
    names: [
      inQuery('/repositories', 'an organization', (side) => `org=${side.organization}`),
      inQuery('/repositories', 'an organization by its path', (side) => `org=${side.mark}-0`),
    ],
  }),
  read('/repositories/*', 'repositories:read', {
    at: (side) => `/repositories/${side.repository}`,
    names: [
      inPath('a repository', (side) => `/repositories/${side.repository}`),
      inPath('a repository by its name', (side) => `/repositories/${side.mark}-0/only`),
    ],
  }),
  read('/repository-scans', 'repositories:read', {
    at: (side) => `/repository-scans?ids=${side.repository}`,
  }),
  {
    ...read('/references', null, {
      at: () => '/references?repo=acme%2Fshop',
      paged: true,
      names: [
        inQuery('/references', 'a repository', (side) => `repo=${side.repository}`),
        inQuery('/references', 'a repository by its name', (side) => `repo=${side.mark}-0%2Fonly`),
      ],
    }),
    access: accessToCounted,
  },
  read('/applications', 'applications:read', { paged: true }),
  read('/application-counts', 'applications:read', {
    at: (side) => `/application-counts?ids=${side.application}`,
  }),
  {
    ...read('/packages', null, {
      paged: true,
      names: [
        inQuery('/packages', 'a repository', (side) => `repo=${side.repository}`),
        inQuery('/packages', 'a repository by its name', (side) => `repo=${side.mark}-0%2Fonly`),
      ],
    }),
    access: accessToCounted,
  },
  {
    ...read('/packages/:package', null, {
      at: (side) => `/packages/${side.package}`,
      names: [inPath('a package', (side) => `/packages/${side.package}`)],
    }),
    access: accessToCounted,
  },
  {
    ...read('/packages/:package/usages', null, {
      at: (side) => `/packages/${side.package}/usages`,
      names: [
        inPath('a package', (side) => `/packages/${side.package}/usages`),
        {
          what: 'a version in the query',
          call: (home, side) => ({
            path: `/api/v1/${home.slug}/packages/${home.package}/usages?version=${side.packageVersion}`,
          }),
          refusal: notFound,
        },
      ],
    }),
    access: accessToCounted,
  },
  read('/licenses', 'repositories:read', { paged: true }),
  read('/ecosystems', 'repositories:read'),
  {
    ...read('/overview', null),
    access: { scopes: ['vulnerabilities:read', 'policy-violations:read', 'scans:read'] },
  },
  read('/team-open', 'vulnerabilities:read'),
  {
    ...read('/application-open', null, { at: (side) => `/application-open?ids=${side.application}` }),
    access: { scopes: ['applications:read', 'repositories:read', 'vulnerabilities:read'] },
  },
  {
    ...read('/organization-open', null, { at: (side) => `/organization-open?ids=${side.organization}` }),
    access: { scopes: ['organizations:read', 'repositories:read', 'vulnerabilities:read'] },
  },
  {
    ...read('/status-report', null, {
      names: [
        inQuery('/status-report', 'an organization', (side) => `organization=${side.organization}`),
        inQuery('/status-report', 'an organization by its path', (side) => `organization=${side.mark}-0`),
        inQuery('/status-report', 'an application', (side) => `application=${side.application}`),
      ],
    }),
    access: {
      scopes: ['vulnerabilities:read', 'policy-violations:read', 'organizations:read', 'applications:read'],
    },
  },
  read('/repository-counts', 'vulnerabilities:read', {
    at: (side) => `/repository-counts?ids=${side.repository}`,
  }),
  {
    ...read('/trend', 'vulnerabilities:read', {
      names: [
        inQuery('/trend', 'a repository', (side) => `repo=${side.repository}`),
        inQuery('/trend', 'a repository by its name', (side) => `repo=${side.mark}-0%2Fonly`),
      ],
    }),
    showsNothing: true,
  },
  read('/vulnerabilities', 'vulnerabilities:read', {
    paged: true,
    names: [
      inQuery('/vulnerabilities', 'a repository', (side) => `repo=${side.repository}`),
      inQuery('/vulnerabilities', 'a repository by its name', (side) => `repo=${side.mark}-0%2Fonly`),
      inQuery('/vulnerabilities', 'an application', (side) => `application=${side.application}`),
      inQuery('/vulnerabilities', 'a member', (side) => `assignee=${side.member}`, 'assignee'),
      inQuery('/vulnerabilities', 'an e-mail', (side) => `assignee=${side.memberEmail}`, 'assignee'),
    ],
  }),
  {
    ...read('/vulnerabilities/facets', 'vulnerabilities:read', {
      names: [
        inQuery('/vulnerabilities/facets', 'a repository', (side) => `repo=${side.repository}`),
        inQuery('/vulnerabilities/facets', 'an application', (side) => `application=${side.application}`),
        inQuery('/vulnerabilities/facets', 'a member', (side) => `assignee=${side.member}`, 'assignee'),
      ],
    }),
    showsNothing: true,
  },
  read('/vulnerabilities/groups', 'vulnerabilities:read', {
    at: () => '/vulnerabilities/groups?by=package',
    names: [
      inQuery('/vulnerabilities/groups', 'a repository', (side) => `by=rule&repo=${side.repository}`),
      inQuery(
        '/vulnerabilities/groups',
        'an application',
        (side) => `by=rule&application=${side.application}`,
      ),
      inQuery('/vulnerabilities/groups', 'a member', (side) => `by=rule&assignee=${side.member}`, 'assignee'),
    ],
  }),
  {
    ...read('/vulnerabilities/signals', null, {
      at: (side) => `/vulnerabilities/signals?ids=${side.vulnerability}`,
    }),
    access: { scopes: ['vulnerabilities:read', 'policy-violations:read'] },
  },
  read('/vulnerabilities/:vulnerability', 'vulnerabilities:read', {
    at: (side) => `/vulnerabilities/${side.vulnerability}`,
    names: [inPath('a vulnerability', (side) => `/vulnerabilities/${side.vulnerability}`)],
  }),
  read('/vulnerabilities/:vulnerability/locations', 'vulnerabilities:read', {
    at: (side) => `/vulnerabilities/${side.vulnerability}/locations`,
    names: [
      inPath('a vulnerability', (side) => `/vulnerabilities/${side.vulnerability}/locations?scope=all`),
    ],
  }),
  {
    route: 'PATCH /api/v1/:tenant_slug/vulnerabilities/:vulnerability/assignment',
    access: { scopes: ['vulnerabilities:read', 'vulnerabilities:write'], role: 'member' },
    call: (slug, side) => assignment(slug, side.vulnerability, { assignee: null }),
    names: [
      {
        what: 'a vulnerability in the path',
        call: (home, side) => assignment(home.slug, side.vulnerability, { assignee: null }),
        refusal: notFound,
      },
      {
        what: 'a member in the body',
        call: (home, side) => assignment(home.slug, home.vulnerability, { assignee: side.member }),
        refusal: refusedOn('assignee'),
      },
      {
        what: 'an e-mail in the body',
        call: (home, side) => assignment(home.slug, home.vulnerability, { assignee: side.memberEmail }),
        refusal: refusedOn('assignee'),
      },
    ],
    paged: false,
    conflict: (slug, side) => assignment(slug, side.vulnerability, { assignee: null, status_version: '0' }),
  },
  {
    route: 'POST /manage/v1/:tenant_slug/vulnerabilities/decisions',
    access: { scopes: ['vulnerabilities:write'], role: 'member' },
    call: (slug, side) => decision(slug, [{ id: side.vulnerability }]),
    names: [
      {
        what: 'a vulnerability in the body',
        call: (home, side) => decision(home.slug, [{ id: side.vulnerability }]),
        refusal: notFound,
      },
      {
        what: 'a vulnerability in the body beside one of its own',
        call: (home, side) => decision(home.slug, [{ id: home.vulnerability }, { id: side.vulnerability }]),
        refusal: notFound,
      },
    ],
    paged: false,
    conflict: (slug, side) => decision(slug, [{ id: side.vulnerability, status_version: '0' }]),
  },
  {
    route: 'POST /manage/v1/:tenant_slug/vulnerabilities/:vulnerability/merge',
    access: { scopes: ['vulnerabilities:write'], role: 'admin' },
    call: (slug, side) => merge(slug, side.vulnerability, side.vulnerability),
    names: [
      {
        what: 'a vulnerability in the path',
        call: (home, side) => merge(home.slug, side.vulnerability, home.vulnerability),
        refusal: notFound,
      },
      {
        what: 'a vulnerability in the body',
        call: (home, side) => merge(home.slug, home.vulnerability, side.vulnerability),
        refusal: notFound,
      },
    ],
    paged: false,
  },
  {
    route: 'POST /manage/v1/:tenant_slug/vulnerabilities/:vulnerability/split',
    access: { scopes: ['vulnerabilities:write'], role: 'admin' },
    call: (slug, { splittable }) => {
      const { vulnerability, locations } = splittable;
      return split(slug, vulnerability, locations[splits++ % locations.length] ?? '');
    },
    names: [
      {
        what: 'a vulnerability in the path',
        call: (home, side) => split(home.slug, side.vulnerability, home.splittable.locations.at(-1) ?? ''),
        refusal: notFound,
      },
      {
        what: 'a place in the body',
        call: (home, side) =>
          split(home.slug, home.splittable.vulnerability, side.splittable.locations.at(-1) ?? ''),
        refusal: notFound,
      },
    ],
    paged: false,
    showsNothing: true,
  },
  {
    route: 'GET /manage/v1/:tenant_slug/scan-series',
    access: { scopes: ['scans:read'] },
    call: (slug) => ({ path: `/manage/v1/${slug}/scan-series?repo=acme%2Fshop` }),
    names: [
      {
        what: 'a repository in the query',
        call: (home, side) => ({ path: `/manage/v1/${home.slug}/scan-series?repo=${side.repository}` }),
        refusal: notFound,
      },
      {
        what: 'a scan in the query',
        call: (home, side) => ({ path: `/manage/v1/${home.slug}/scan-series?scan=${side.scan}` }),
        refusal: notFound,
      },
    ],
    paged: true,
  },
  {
    route: 'GET /manage/v1/:tenant_slug/scan-series/:series/held-closing',
    access: { scopes: ['scans:read', 'vulnerabilities:read'] },
    call: (slug, side) => ({ path: `/manage/v1/${slug}/scan-series/${side.series}/held-closing` }),
    names: [
      {
        what: 'a series in the path',
        call: (home, side) => ({ path: `/manage/v1/${home.slug}/scan-series/${side.series}/held-closing` }),
        refusal: notFound,
      },
    ],
    // No series there holds a closing.
    paged: false,
    showsNothing: true,
  },
  seriesRoute('held-closing'),
  seriesRoute('retire'),
  {
    route: 'POST /ingest/v1/:tenant_slug/scans',
    access: { scopes: ['scans:write'], role: 'member' },
    call: (slug) => ({
      method: 'POST',
      path: `/ingest/v1/${slug}/scans?repo=acme%2Fuploads&ref=main`,
      body: { SchemaVersion: 2, ArtifactName: '.', Results: [] },
    }),
    names: [],
    paged: false,
    showsNothing: true,
    success: 202,
    takesReport: true,
  },
  { ...read('/intel', null), showsNothing: true },
  {
    route: 'GET /export/v1/:tenant_slug/vulnerabilities',
    access: { scopes: ['vulnerabilities:read'] },
    call: (slug) => ({ path: `/export/v1/${slug}/vulnerabilities` }),
    names: [],
    paged: false,
  },
  {
    route: 'GET /export/v1/:tenant_slug/events',
    access: 'key',
    call: (slug) => ({ path: `/export/v1/${slug}/events` }),
    names: [],
    paged: false,
  },
  {
    route: 'GET /export/v1/:tenant_slug/vex',
    access: { scopes: ['vulnerabilities:read'] },
    call: (slug, side) => ({ path: `/export/v1/${slug}/vex?format=openvex&repo=${side.repository}` }),
    names: [
      {
        what: 'a repository in the query',
        call: (home, side) => ({
          path: `/export/v1/${home.slug}/vex?format=openvex&repo=${side.repository}`,
        }),
        refusal: notFound,
      },
      {
        what: 'an application in the query',
        call: (home, side) => ({
          path: `/export/v1/${home.slug}/vex?format=csaf&application=${side.application}`,
        }),
        refusal: notFound,
      },
    ],
    paged: false,
  },
  read('/scans', 'scans:read', {
    paged: true,
    names: [
      inQuery('/scans', 'a repository', (side) => `repo=${side.repository}`),
      inQuery('/scans', 'a repository by its name', (side) => `repo=${side.mark}-0%2Fonly`),
    ],
  }),
  read('/scans/:scan', 'scans:read', {
    at: (side) => `/scans/${side.scan}`,
    names: [inPath('a scan', (side) => `/scans/${side.scan}`)],
  }),
  {
    ...read('/scans/:scan/vulnerabilities', null, {
      at: (side) => `/scans/${side.scan}/vulnerabilities?change=new`,
      paged: true,
      names: [inPath('a scan', (side) => `/scans/${side.scan}/vulnerabilities?change=new`)],
    }),
    access: { scopes: ['scans:read', 'vulnerabilities:read'] },
  },
  read('/scans/status', 'scans:read', {
    at: () => '/scans/status?repo=acme%2Fshop&ref=main',
    names: [
      inQuery('/scans/status', 'a repository', (side) => `repo=${side.repository}&sha=${sharedSha}`),
      inQuery('/scans/status', 'a repository by its name', (side) => `repo=${side.mark}-0%2Fonly`),
    ],
  }),
  ...knownPolicyRoutes,
  ...knownWorkRoutes,
  ...knownManagementRoutes,
];

/** All routes of the walk and of the refusals. Console sessions call the handlers of the API too. */
export const walkedRoutes: KnownRoute[] = [
  ...knownRoutes,
  ...knownRoutes.filter(({ route }) => / \/(api|export)\/v1\//.test(route)).map(inConsole),
];

/** A successful request to one of these routes would end the session. Each names the test that has its refusals. */
export const routesThatEndSessions: Record<string, string> = {
  'DELETE /console/session': 'test/api/sign-in.test.ts',
  'DELETE /console/sessions': 'test/api/sign-in.test.ts',
  'PUT /console/password': 'test/api/sign-in.test.ts',
};

/** These routes need no key, each for the given reason. This list may only shrink. */
export const publicRoutes: Record<string, string> = {
  '/healthz': 'says that the process runs, to whatever restarts it',
  '/readyz': 'says whether requests can be answered, to a load balancer',
  '/openapi.json': 'the contract, the same for everybody',
  '/docs': 'shows the contract',
  '/docs/': 'shows the contract',
  '/docs/js/scalar.js': 'the script of the page that shows the contract',
  '/': 'the page of the console, the same for everybody',
  '/sign-in': 'the page of the console',
  '/setup': 'the page of the console',
  '/invite': 'the page of the console',
  '/account': 'the page of the console',
  '/w/*': 'the page of the console',
  '/assets/:name': 'scripts and styles of the console',
  '/favicon.svg': 'its picture',
  '/ingest/v1/:tenant_slug/key': 'exchanges the token of a run of CI, which is its credential, for a key',
  '/console/session': 'says who is signed in, and signs in',
  '/console/session/oidc': 'begins to sign in at a provider',
  '/console/oidc/callback/sso': 'where the provider sends people back to',
  '/console/setup': 'makes the first person, by a secret',
  '/console/invitations/preview': 'shows what an invitation opens, by its secret',
  '/console/invitations/accept': 'accepts an invitation, by its secret',
};

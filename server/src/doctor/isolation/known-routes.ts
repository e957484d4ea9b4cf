/**
 * States how each route of the server is called and which callers may call it. This is the promise of the API and is
 * not derived from the code. A route that is in no list here fails the gate, so every route has its refusals tested.
 */

import type { Side } from './canaries.ts';
import { sharedSha } from './canary-reports.ts';
import { knownManagementRoutes } from './known-management-routes.ts';
import { knownPolicyRoutes } from './known-policy-routes.ts';
import {
  byName,
  inConsole,
  inQuery,
  type KnownRoute,
  known,
  refusedOn,
  repositoryInQuery,
} from './known-route.ts';
import { knownWorkRoutes } from './known-work-routes.ts';

const maySet = { scopes: ['workspace:admin'], role: 'admin' } satisfies KnownRoute['access'];
const mayWrite = { scopes: ['vulnerabilities:write'], role: 'admin' } satisfies KnownRoute['access'];
const maySetSeries = { scopes: ['scans:write'], role: 'admin' } satisfies KnownRoute['access'];
const accessToCounted = {
  scopes: ['repositories:read', 'vulnerabilities:read'],
} satisfies KnownRoute['access'];

const file = { path: '.github/CODEOWNERS', content: '* @acme/web' };
const aRepository = { object: 'a repository', path: (side: Side) => side.repository };
const belowRepository = { ...aRepository, showsNothing: true } as const;
const aVulnerability = { object: 'a vulnerability', path: (side: Side) => side.vulnerability };
const aPackage = { object: 'a package', path: (side: Side) => side.package };
const aScan = { object: 'a scan', path: (side: Side) => side.scan };
const aSeries = { object: 'a series', path: (side: Side) => side.series, showsNothing: true } as const;

const anApplicationInQuery = inQuery('an application', (side) => `application=${side.application}`);
const aMemberInQuery = inQuery('a member', (side) => `assignee=${side.member}`, refusedOn('assignee'));

const decision = (...vulnerabilities: object[]): object => ({ action: 'confirm', vulnerabilities });

const repositoryRoutes: KnownRoute[] = [
  known(
    'GET /manage/v1/:tenant_slug/repositories/:repository/tracked-branches',
    'repositories:read',
    belowRepository,
  ),
  known('PUT /manage/v1/:tenant_slug/repositories/:repository/tracked-branches', maySet, {
    ...belowRepository,
    body: () => ({ own: null }),
  }),
  known(
    'GET /manage/v1/:tenant_slug/repositories/:repository/code-owners',
    { scopes: ['repositories:read', 'vulnerabilities:write'], role: 'member' },
    belowRepository,
  ),
  known('PUT /manage/v1/:tenant_slug/repositories/:repository/code-owners', maySet, {
    ...belowRepository,
    body: () => file,
  }),
  known('DELETE /manage/v1/:tenant_slug/repositories/:repository/code-owners', maySet, belowRepository),
  known(
    'PUT /ingest/v1/:tenant_slug/code-owners',
    { scopes: ['scans:write'], role: 'member' },
    {
      query: (side) => `repo=${side.repository}&ref=main`,
      body: () => file,
      names: [inQuery('a repository', (side) => `repo=${side.repository}&ref=main`)],
      showsNothing: true,
    },
  ),
  known('GET /manage/v1/:tenant_slug/repositories/:repository', 'repositories:read', aRepository),
  known('GET /api/v1/:tenant_slug/organizations', 'organizations:read', { paged: true }),
  known('GET /api/v1/:tenant_slug/organization-parents', 'organizations:read', {
    query: (side) => `ids=${side.organization}`,
  }),
  known('GET /api/v1/:tenant_slug/organizations/*', 'organizations:read', {
    object: 'an organization',
    path: (side) => side.organization,
    names: [['an organization by its path in the path', (side) => ({ path: `${side.mark}-0` })]],
  }),
  known('GET /api/v1/:tenant_slug/repositories', 'repositories:read', {
    paged: true,
    names: [
      inQuery('an organization', (side) => `org=${side.organization}`),
      inQuery('an organization by its path', (side) => `org=${side.mark}-0`),
    ],
  }),
  known('GET /api/v1/:tenant_slug/repositories/*', 'repositories:read', {
    ...aRepository,
    names: [['a repository by its name in the path', (side) => ({ path: byName(side) })]],
  }),
  known('GET /api/v1/:tenant_slug/repository-scans', 'repositories:read', {
    query: (side) => `ids=${side.repository}`,
  }),
  known('GET /api/v1/:tenant_slug/references', accessToCounted, {
    query: () => 'repo=acme%2Fshop',
    paged: true,
    names: repositoryInQuery,
  }),
  known('GET /api/v1/:tenant_slug/applications', 'applications:read', { paged: true }),
  known('GET /api/v1/:tenant_slug/application-counts', 'applications:read', {
    query: (side) => `ids=${side.application}`,
  }),
  known('GET /api/v1/:tenant_slug/packages', accessToCounted, { paged: true, names: repositoryInQuery }),
  known('GET /api/v1/:tenant_slug/packages/:package', accessToCounted, aPackage),
  known('GET /api/v1/:tenant_slug/packages/:package/usages', accessToCounted, {
    ...aPackage,
    names: [inQuery('a version', (side) => `version=${side.packageVersion}`)],
  }),
  known('GET /api/v1/:tenant_slug/licenses', 'repositories:read', { paged: true }),
  known('GET /api/v1/:tenant_slug/ecosystems', 'repositories:read'),
];

const overviewRoutes: KnownRoute[] = [
  known('GET /api/v1/:tenant_slug/overview', {
    scopes: ['vulnerabilities:read', 'policy-violations:read', 'scans:read'],
  }),
  known('GET /api/v1/:tenant_slug/team-open', 'vulnerabilities:read'),
  known(
    'GET /api/v1/:tenant_slug/application-open',
    { scopes: ['applications:read', 'repositories:read', 'vulnerabilities:read'] },
    { query: (side) => `ids=${side.application}` },
  ),
  known(
    'GET /api/v1/:tenant_slug/organization-open',
    { scopes: ['organizations:read', 'repositories:read', 'vulnerabilities:read'] },
    { query: (side) => `ids=${side.organization}` },
  ),
  known(
    'GET /api/v1/:tenant_slug/status-report',
    { scopes: ['vulnerabilities:read', 'policy-violations:read', 'organizations:read', 'applications:read'] },
    {
      names: [
        inQuery('an organization', (side) => `organization=${side.organization}`),
        inQuery('an organization by its path', (side) => `organization=${side.mark}-0`),
        anApplicationInQuery,
      ],
    },
  ),
  known('GET /api/v1/:tenant_slug/repository-counts', 'vulnerabilities:read', {
    query: (side) => `ids=${side.repository}`,
  }),
  known('GET /api/v1/:tenant_slug/trend', 'vulnerabilities:read', {
    names: repositoryInQuery,
    showsNothing: true,
  }),
];

const vulnerabilityRoutes: KnownRoute[] = [
  known('GET /api/v1/:tenant_slug/vulnerabilities', 'vulnerabilities:read', {
    paged: true,
    names: [
      ...repositoryInQuery,
      anApplicationInQuery,
      aMemberInQuery,
      inQuery('an e-mail', (side) => `assignee=${side.memberEmail}`, refusedOn('assignee')),
    ],
  }),
  known('GET /api/v1/:tenant_slug/vulnerabilities/facets', 'vulnerabilities:read', {
    names: [
      inQuery('a repository', (side) => `repo=${side.repository}`),
      anApplicationInQuery,
      aMemberInQuery,
    ],
    showsNothing: true,
  }),
  known('GET /api/v1/:tenant_slug/vulnerabilities/groups', 'vulnerabilities:read', {
    query: () => 'by=package',
    names: [
      inQuery('a repository', (side) => `by=rule&repo=${side.repository}`),
      inQuery('an application', (side) => `by=rule&application=${side.application}`),
      inQuery('a member', (side) => `by=rule&assignee=${side.member}`, refusedOn('assignee')),
    ],
  }),
  known(
    'GET /api/v1/:tenant_slug/vulnerabilities/signals',
    { scopes: ['vulnerabilities:read', 'policy-violations:read'] },
    { query: (side) => `ids=${side.vulnerability}` },
  ),
  known('GET /api/v1/:tenant_slug/vulnerabilities/:vulnerability', 'vulnerabilities:read', aVulnerability),
  known('GET /api/v1/:tenant_slug/vulnerabilities/:vulnerability/locations', 'vulnerabilities:read', {
    path: (side) => side.vulnerability,
    names: [['a vulnerability in the path', (side) => ({ path: side.vulnerability, query: 'scope=all' })]],
  }),
  known(
    'PATCH /api/v1/:tenant_slug/vulnerabilities/:vulnerability/assignment',
    { scopes: ['vulnerabilities:read', 'vulnerabilities:write'], role: 'member' },
    {
      ...aVulnerability,
      body: () => ({ assignee: null }),
      names: [
        ['a member in the body', (side) => ({ body: { assignee: side.member } }), refusedOn('assignee')],
        [
          'an e-mail in the body',
          (side) => ({ body: { assignee: side.memberEmail } }),
          refusedOn('assignee'),
        ],
      ],
      conflict: () => ({ assignee: null, status_version: '0' }),
    },
  ),
  known(
    'POST /manage/v1/:tenant_slug/vulnerabilities/decisions',
    { scopes: ['vulnerabilities:write'], role: 'member' },
    {
      body: (side) => decision({ id: side.vulnerability }),
      names: [
        ['a vulnerability in the body', (side) => ({ body: decision({ id: side.vulnerability }) })],
        [
          'a vulnerability in the body beside one of its own',
          (side, home) => ({ body: decision({ id: home.vulnerability }, { id: side.vulnerability }) }),
        ],
      ],
      conflict: (side) => decision({ id: side.vulnerability, status_version: '0' }),
    },
  ),
  known('POST /manage/v1/:tenant_slug/vulnerabilities/:vulnerability/merge', mayWrite, {
    ...aVulnerability,
    body: (side) => ({ others: [side.vulnerability], reason: 'the same' }),
    names: [
      [
        'a vulnerability in the body',
        (side) => ({ body: { others: [side.vulnerability], reason: 'the same' } }),
      ],
    ],
  }),
  known('POST /manage/v1/:tenant_slug/vulnerabilities/:vulnerability/split', mayWrite, {
    path: (side) => side.splittable.vulnerability,
    // Each request splits off another location.
    body: (side, pick) => ({ locations: [pick(side.splittable.locations)], reason: 'another' }),
    names: [
      ['a vulnerability in the path', (side) => ({ path: side.vulnerability })],
      [
        'a place in the body',
        (side) => ({ body: { locations: side.splittable.locations.slice(-1), reason: 'another' } }),
      ],
    ],
    showsNothing: true,
  }),
];

const scanRoutes: KnownRoute[] = [
  known('GET /manage/v1/:tenant_slug/scan-series', 'scans:read', {
    query: () => 'repo=acme%2Fshop',
    names: [
      inQuery('a repository', (side) => `repo=${side.repository}`),
      inQuery('a scan', (side) => `scan=${side.scan}`),
    ],
    paged: true,
  }),
  // No series there has a held closure.
  known(
    'GET /manage/v1/:tenant_slug/scan-series/:series/held-closure',
    { scopes: ['scans:read', 'vulnerabilities:read'] },
    aSeries,
  ),
  known('POST /manage/v1/:tenant_slug/scan-series/:series/held-closure', maySetSeries, {
    ...aSeries,
    body: (side) => ({ action: 'release', scan_id: side.scan }),
  }),
  known('POST /manage/v1/:tenant_slug/scan-series/:series/retire', maySetSeries, {
    ...aSeries,
    body: () => ({}),
  }),
  known('GET /api/v1/:tenant_slug/scans', 'scans:read', { paged: true, names: repositoryInQuery }),
  known('GET /api/v1/:tenant_slug/scans/:scan', 'scans:read', aScan),
  known(
    'GET /api/v1/:tenant_slug/scans/:scan/vulnerabilities',
    { scopes: ['scans:read', 'vulnerabilities:read'] },
    { ...aScan, query: () => 'change=new', paged: true },
  ),
  known('GET /api/v1/:tenant_slug/scans/status', 'scans:read', {
    query: () => 'repo=acme%2Fshop&ref=main',
    names: [
      inQuery('a repository', (side) => `repo=${side.repository}&sha=${sharedSha}`),
      inQuery('a repository by its name', (side) => `repo=${encodeURIComponent(byName(side))}`),
    ],
  }),
];

export const knownRoutes: KnownRoute[] = [
  known('GET /api/v1/tenants', 'tenants:read'),
  known('GET /api/v1/:tenant_slug/whoami', 'key'),
  known('GET /api/v1/:tenant_slug/intel', 'key', { showsNothing: true }),
  known('GET /export/v1/:tenant_slug/vulnerabilities', 'vulnerabilities:read'),
  known('GET /export/v1/:tenant_slug/events', 'key'),
  known('GET /export/v1/:tenant_slug/vex', 'vulnerabilities:read', {
    query: (side) => `format=openvex&repo=${side.repository}`,
    names: [
      inQuery('a repository', (side) => `format=openvex&repo=${side.repository}`),
      inQuery('an application', (side) => `format=csaf&application=${side.application}`),
    ],
  }),
  ...repositoryRoutes,
  ...overviewRoutes,
  ...vulnerabilityRoutes,
  ...scanRoutes,
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

/** The routes by which people manage keys, members, settings and applications, for `known-routes.ts`. */

import { githubIssuer } from '../../domain/ci-providers.ts';
import type { Side } from './canaries.ts';
import {
  inPath,
  inQuery,
  type KnownRoute,
  type NamedObject,
  notFound,
  type Request,
  read,
  refusedOn,
} from './known-route.ts';

const mayManage = { scopes: ['workspace:admin'], role: 'admin' } satisfies KnownRoute['access'];
const craAccess = { scopes: ['vulnerabilities:read', 'applications:read'] } satisfies KnownRoute['access'];
const craDocument = (slug: string, side: Side): string =>
  `/export/v1/${slug}/cra-document?application=${side.application}&cve=CVE-2030-1001&step=notification`;
const mayManageNow = { ...mayManage, recent: true } satisfies KnownRoute['access'];

const at = (slug: string, path: string, rest: Omit<Request, 'path'> = {}): Request => ({
  path: `/manage/v1/${slug}${path}`,
  ...rest,
});

// Each successful request uses up one object of a pool, or makes an object with a new name.
let turns = 0;
const next = (ids: string[]): string => ids[turns++ % ids.length] ?? '';
const newName = (prefix: string): string => `${prefix}-${++turns}`;

function named(what: string, call: (slug: string, side: Side) => Request): NamedObject {
  return { what: `${what} in the path`, call: (home, side) => call(home.slug, side), refusal: notFound };
}

/**
 * A route that acts on one object. A successful request takes the next one of the pool; a refused one names the
 * first.
 */
function onOne(
  route: KnownRoute['route'],
  access: KnownRoute['access'],
  what: string,
  call: (slug: string, id: string) => Request,
  id: (side: Side) => string | string[],
): KnownRoute {
  const first = (side: Side): string => [id(side)].flat()[0] ?? '';
  return {
    route,
    access,
    call: (slug, side) => call(slug, next([id(side)].flat())),
    names: [named(what, (slug, side) => call(slug, first(side)))],
    paged: false,
    ...(route.startsWith('DELETE') ? { success: 204, showsNothing: true } : {}),
  };
}

const newWebhook = (slug: string, more: object): Request =>
  at(slug, '/webhooks', {
    method: 'POST',
    // A disabled receiver whose host does not exist.
    body: { name: newName('webhook'), url: `https://${slug}.invalid/`, enabled: false, ...more },
  });
const makesWebhooks = { session: 'recent', role: 'admin' } satisfies KnownRoute['access'];

const webhookRoutes: KnownRoute[] = [
  {
    route: 'GET /manage/v1/:tenant_slug/webhooks',
    access: mayManage,
    call: (slug) => at(slug, '/webhooks'),
    names: [],
    paged: false,
  },
  {
    route: 'POST /manage/v1/:tenant_slug/webhooks',
    access: makesWebhooks,
    call: (slug, side) =>
      newWebhook(slug, { repositories: [side.repository], applications: [side.application] }),
    names: [
      {
        what: 'a repository in the body',
        call: (home, side) => newWebhook(home.slug, { repositories: [side.repository] }),
        refusal: refusedOn('repositories'),
        echo: (side) => side.repository,
      },
      {
        what: 'an application in the body',
        call: (home, side) => newWebhook(home.slug, { applications: [side.application] }),
        refusal: refusedOn('applications'),
        echo: (side) => side.application,
      },
    ],
    paged: false,
    success: 201,
  },
  onOne(
    'PATCH /manage/v1/:tenant_slug/webhooks/:webhook',
    makesWebhooks,
    'a webhook',
    (slug, webhook) =>
      at(slug, `/webhooks/${webhook}`, { method: 'PATCH', body: { name: newName('webhook') } }),
    (side) => side.webhooks.slice(0, 1),
  ),
  {
    ...onOne(
      'POST /manage/v1/:tenant_slug/webhooks/:webhook/secret',
      makesWebhooks,
      'a webhook',
      (slug, webhook) => at(slug, `/webhooks/${webhook}/secret`, { method: 'POST', body: {} }),
      (side) => side.webhooks.slice(0, 1),
    ),
    success: 201,
  },
  onOne(
    'DELETE /manage/v1/:tenant_slug/webhooks/:webhook',
    mayManage,
    'a webhook',
    (slug, webhook) => at(slug, `/webhooks/${webhook}`, { method: 'DELETE' }),
    (side) => side.webhooks.slice(1),
  ),
  {
    ...onOne(
      'GET /manage/v1/:tenant_slug/webhooks/:webhook/deliveries',
      mayManage,
      'a webhook',
      (slug, webhook) => at(slug, `/webhooks/${webhook}/deliveries`),
      (side) => side.webhooks.slice(0, 1),
    ),
    showsNothing: true,
  },
  {
    ...onOne(
      'POST /manage/v1/:tenant_slug/webhooks/:webhook/replay',
      mayManage,
      'a webhook',
      (slug, webhook) => at(slug, `/webhooks/${webhook}/replay`, { method: 'POST', body: { failed: true } }),
      (side) => side.webhooks.slice(0, 1),
    ),
    showsNothing: true,
  },
];

const newTeam = (slug: string, members: string[]): Request =>
  at(slug, '/teams', { method: 'POST', body: { name: newName('team'), members } });
const changedTeam = (slug: string, team: string, members: string[]): Request =>
  at(slug, `/teams/${team}`, { method: 'PATCH', body: { members } });

const teamRoutes: KnownRoute[] = [
  {
    route: 'GET /manage/v1/:tenant_slug/teams',
    access: { scopes: ['vulnerabilities:read'] },
    call: (slug) => at(slug, '/teams'),
    names: [],
    paged: false,
  },
  onOne(
    'GET /manage/v1/:tenant_slug/teams/:team',
    { scopes: ['vulnerabilities:write'], role: 'member' },
    'a team',
    (slug, team) => at(slug, `/teams/${team}`),
    (side) => side.teams.slice(0, 1),
  ),
  {
    route: 'POST /manage/v1/:tenant_slug/teams',
    access: mayManage,
    call: (slug, side) => newTeam(slug, [side.member]),
    names: [
      {
        what: 'a member of the team in the body',
        call: (home, side) => newTeam(home.slug, [side.member]),
        refusal: refusedOn('members'),
      },
    ],
    paged: false,
    success: 201,
  },
  {
    route: 'PATCH /manage/v1/:tenant_slug/teams/:team',
    access: mayManage,
    call: (slug, side) => changedTeam(slug, side.teams[0] ?? '', [side.member]),
    names: [
      named('a team', (slug, side) => changedTeam(slug, side.teams[0] ?? '', [])),
      {
        what: 'a member of the team in the body',
        call: (home, side) => changedTeam(home.slug, home.teams[0] ?? '', [side.memberEmail]),
        refusal: refusedOn('members'),
      },
    ],
    paged: false,
  },
  onOne(
    'DELETE /manage/v1/:tenant_slug/teams/:team',
    mayManage,
    'a team',
    (slug, team) => at(slug, `/teams/${team}`, { method: 'DELETE' }),
    (side) => side.teams.slice(1),
  ),
];

const newTracker = (slug: string, rule: object): Request =>
  at(slug, '/issue-trackers', {
    method: 'POST',
    // A disabled tracker whose host does not exist.
    body: {
      kind: 'gitlab',
      name: newName('tracker'),
      url: `https://${slug}.invalid`,
      project: 'acme/shop',
      token: 'none',
      enabled: false,
      rule,
    },
  });

const trackerRoutes: KnownRoute[] = [
  {
    route: 'GET /manage/v1/:tenant_slug/issue-trackers',
    access: mayManage,
    call: (slug) => at(slug, '/issue-trackers'),
    names: [],
    paged: false,
  },
  {
    route: 'POST /manage/v1/:tenant_slug/issue-trackers',
    access: makesWebhooks,
    call: (slug, side) =>
      newTracker(slug, { repositories: [side.repository], applications: [side.application] }),
    names: [
      {
        what: 'a repository in the body',
        call: (home, side) => newTracker(home.slug, { repositories: [side.repository] }),
        refusal: refusedOn('repositories'),
        echo: (side) => side.repository,
      },
      {
        what: 'an application in the body',
        call: (home, side) => newTracker(home.slug, { applications: [side.application] }),
        refusal: refusedOn('applications'),
        echo: (side) => side.application,
      },
    ],
    paged: false,
    success: 201,
  },
  onOne(
    'PATCH /manage/v1/:tenant_slug/issue-trackers/:tracker',
    makesWebhooks,
    'an issue tracker',
    (slug, tracker) =>
      at(slug, `/issue-trackers/${tracker}`, { method: 'PATCH', body: { name: newName('tracker') } }),
    (side) => side.issueTrackers.slice(0, 1),
  ),
  onOne(
    'DELETE /manage/v1/:tenant_slug/issue-trackers/:tracker',
    mayManage,
    'an issue tracker',
    (slug, tracker) => at(slug, `/issue-trackers/${tracker}`, { method: 'DELETE' }),
    (side) => side.issueTrackers.slice(side.issueTrackers.length / 2),
  ),
];

const newKey = { name: 'gate', scopes: ['scans:read'] };

export const knownManagementRoutes: KnownRoute[] = [
  {
    route: 'GET /console/key-scopes',
    access: { session: 'any' },
    call: () => ({ path: '/console/key-scopes' }),
    names: [],
    paged: false,
    showsNothing: true,
  },
  {
    route: 'GET /console/keys',
    access: { session: 'any' },
    call: () => ({ path: '/console/keys' }),
    names: [],
    paged: false,
    // Personal keys belong to no workspace.
    showsNothing: true,
  },
  {
    route: 'POST /console/keys',
    access: { session: 'recent' },
    call: (slug) => ({ method: 'POST', path: '/console/keys', body: { ...newKey, workspaces: [slug] } }),
    names: [
      {
        what: 'a workspace in the body',
        call: (_home, side) => ({
          method: 'POST',
          path: '/console/keys',
          body: { ...newKey, workspaces: [side.slug] },
        }),
        refusal: refusedOn('workspaces'),
        echo: (side) => side.slug,
      },
    ],
    paged: false,
    success: 201,
    showsNothing: true,
  },
  {
    ...onOne(
      'DELETE /console/keys/:key',
      { session: 'any' },
      'a personal key',
      (_slug, key) => ({ method: 'DELETE', path: `/console/keys/${key}` }),
      (side) => side.ownKey,
    ),
  },
  {
    route: 'GET /manage/v1/:tenant_slug/keys',
    access: { session: 'any', role: 'admin' },
    call: (slug) => at(slug, '/keys'),
    names: [],
    paged: false,
  },
  {
    route: 'POST /manage/v1/:tenant_slug/keys',
    access: { session: 'recent', role: 'admin' },
    call: (slug) => at(slug, '/keys', { method: 'POST', body: newKey }),
    names: [],
    paged: false,
    success: 201,
  },
  onOne(
    'DELETE /manage/v1/:tenant_slug/keys/:key',
    { session: 'any', role: 'admin' },
    'a key of the workspace',
    (slug, key) => at(slug, `/keys/${key}`, { method: 'DELETE' }),
    (side) => side.workspaceKey,
  ),
  {
    route: 'GET /manage/v1/:tenant_slug/trust-rules',
    access: { session: 'any', role: 'admin' },
    call: (slug) => at(slug, '/trust-rules'),
    names: [],
    paged: false,
  },
  {
    route: 'POST /manage/v1/:tenant_slug/trust-rules',
    access: { session: 'recent', role: 'admin' },
    call: (slug) =>
      at(slug, '/trust-rules', {
        method: 'POST',
        body: {
          name: newName('rule'),
          provider: 'github',
          issuer: githubIssuer,
          audience: 'https://merlon.example',
          claims: { repository_owner_id: '0' },
        },
      }),
    names: [],
    paged: false,
    success: 201,
    showsNothing: true,
  },
  onOne(
    'DELETE /manage/v1/:tenant_slug/trust-rules/:rule',
    { session: 'any', role: 'admin' },
    'a trust rule',
    (slug, rule) => at(slug, `/trust-rules/${rule}`, { method: 'DELETE' }),
    (side) => side.trustRules,
  ),
  ...webhookRoutes,
  ...trackerRoutes,
  ...teamRoutes,
  {
    route: 'GET /console/workspaces',
    access: { session: 'any' },
    call: () => ({ path: '/console/workspaces' }),
    names: [],
    paged: false,
  },
  {
    route: 'POST /console/workspaces',
    access: { session: 'any' },
    call: () => ({
      method: 'POST',
      path: '/console/workspaces',
      body: { slug: newName('made'), name: 'Made' },
    }),
    names: [],
    paged: false,
    success: 201,
    showsNothing: true,
    makesWorkspace: true,
  },
  {
    route: 'GET /manage/v1/:tenant_slug/waiting',
    access: { session: 'any' },
    call: (slug) => at(slug, '/waiting'),
    names: [],
    paged: false,
    showsNothing: true,
  },
  {
    route: 'GET /manage/v1/:tenant_slug/saved-views',
    access: { session: 'any' },
    call: (slug) => at(slug, '/saved-views'),
    names: [],
    paged: false,
  },
  {
    route: 'POST /manage/v1/:tenant_slug/saved-views',
    access: { session: 'any' },
    call: (slug) =>
      at(slug, '/saved-views', {
        method: 'POST',
        body: { name: newName('view'), page: 'vulnerabilities', query: 'state=open', shared: true },
      }),
    names: [],
    paged: false,
    success: 201,
  },
  onOne(
    'PATCH /manage/v1/:tenant_slug/saved-views/:view',
    { session: 'any' },
    'a saved view',
    (slug, view) => at(slug, `/saved-views/${view}`, { method: 'PATCH', body: { query: 'state=fixed' } }),
    (side) => side.savedViews.slice(0, 1),
  ),
  onOne(
    'DELETE /manage/v1/:tenant_slug/saved-views/:view',
    { session: 'any' },
    'a saved view',
    (slug, view) => at(slug, `/saved-views/${view}`, { method: 'DELETE' }),
    (side) => side.savedViews.slice(1),
  ),
  {
    route: 'GET /manage/v1/:tenant_slug/notifications',
    access: { session: 'any' },
    call: (slug) => at(slug, '/notifications'),
    names: [],
    paged: false,
    showsNothing: true,
  },
  {
    route: 'PATCH /manage/v1/:tenant_slug/notifications',
    access: { session: 'any' },
    call: (slug) => at(slug, '/notifications', { method: 'PATCH', body: { digest: 'weekly' } }),
    names: [],
    paged: false,
    showsNothing: true,
  },
  {
    route: 'GET /manage/v1/:tenant_slug/members',
    access: { scopes: ['vulnerabilities:write'], role: 'member' },
    call: (slug) => at(slug, '/members'),
    names: [],
    paged: false,
  },
  onOne(
    'PATCH /manage/v1/:tenant_slug/members/:user',
    mayManageNow,
    'a member',
    (slug, user) => at(slug, `/members/${user}`, { method: 'PATCH', body: { role: 'member' } }),
    (side) => side.member,
  ),
  onOne(
    'DELETE /manage/v1/:tenant_slug/members/:user',
    mayManageNow,
    'a member',
    (slug, user) => at(slug, `/members/${user}`, { method: 'DELETE' }),
    (side) => side.leavers,
  ),
  {
    route: 'GET /manage/v1/:tenant_slug/invitations',
    access: mayManage,
    call: (slug) => at(slug, '/invitations'),
    names: [],
    paged: false,
  },
  {
    route: 'POST /manage/v1/:tenant_slug/invitations',
    access: mayManageNow,
    call: (slug) =>
      at(slug, '/invitations', {
        method: 'POST',
        body: { email: `${newName('guest')}@${slug}.example`, role: 'viewer' },
      }),
    names: [],
    paged: false,
    success: 201,
  },
  onOne(
    'DELETE /manage/v1/:tenant_slug/invitations/:invitation',
    mayManage,
    'an invitation',
    (slug, invitation) => at(slug, `/invitations/${invitation}`, { method: 'DELETE' }),
    (side) => side.invitations,
  ),
  {
    route: 'GET /manage/v1/:tenant_slug/audit',
    access: mayManage,
    call: (slug) => at(slug, '/audit'),
    names: [],
    paged: true,
  },
  {
    route: 'GET /manage/v1/:tenant_slug/audit/actions',
    access: mayManage,
    call: (slug) => at(slug, '/audit/actions'),
    names: [],
    paged: false,
    showsNothing: true,
  },
  {
    route: 'GET /manage/v1/:tenant_slug/audit/export',
    access: mayManage,
    call: (slug) => at(slug, '/audit/export'),
    names: [],
    paged: false,
  },
  {
    route: 'GET /manage/v1/:tenant_slug/settings',
    access: mayManage,
    call: (slug) => at(slug, '/settings'),
    names: [],
    paged: false,
  },
  {
    route: 'GET /manage/v1/:tenant_slug/forges',
    access: { scopes: ['repositories:read'] },
    call: (slug) => at(slug, '/forges'),
    names: [],
    paged: false,
    showsNothing: true,
  },
  {
    route: 'PATCH /manage/v1/:tenant_slug/settings',
    access: mayManage,
    // The body repeats the present name, so that nothing changes.
    call: (slug) => at(slug, '/settings', { method: 'PATCH', body: { name: `Workspace ${slug}` } }),
    names: [],
    paged: false,
  },
  read('/applications/:application', 'applications:read', {
    at: (side) => `/applications/${side.application}`,
    names: [inPath('an application', (side) => `/applications/${side.application}`)],
  }),
  {
    ...read('/cra-notifications', null, {
      paged: true,
      names: [inQuery('/cra-notifications', 'an application', (side) => `application=${side.application}`)],
    }),
    access: craAccess,
  },
  {
    route: 'GET /export/v1/:tenant_slug/cra-document',
    access: craAccess,
    call: (slug, side) => ({ path: craDocument(slug, side) }),
    names: [
      {
        what: 'an application in the query',
        call: (home, side) => ({ path: craDocument(home.slug, side) }),
        refusal: notFound,
      },
    ],
    paged: false,
  },
  {
    route: 'GET /manage/v1/:tenant_slug/advisory-names',
    access: { scopes: ['vulnerabilities:read'] },
    call: (slug) => at(slug, '/advisory-names'),
    names: [],
    paged: true,
  },
  onOne(
    'PATCH /manage/v1/:tenant_slug/advisory-names/:name',
    { scopes: ['vulnerabilities:write'], role: 'admin' },
    'a name of an advisory',
    (slug, name) => at(slug, `/advisory-names/${name}`, { method: 'PATCH', body: { forgotten: false } }),
    (side) => side.advisoryName,
  ),
  onOne(
    'PATCH /manage/v1/:tenant_slug/repositories/:repository',
    mayManage,
    'a repository',
    (slug, repository) =>
      at(slug, `/repositories/${repository}`, { method: 'PATCH', body: { default_branch: 'main' } }),
    (side) => side.repository,
  ),
  onOne(
    'PATCH /manage/v1/:tenant_slug/references/:reference',
    mayManage,
    'a reference',
    (slug, reference) =>
      at(slug, `/references/${reference}`, { method: 'PATCH', body: { environment: null } }),
    (side) => side.reference,
  ),
  {
    route: 'POST /manage/v1/:tenant_slug/applications',
    access: mayManage,
    call: (slug) => at(slug, '/applications', { method: 'POST', body: { name: newName('made') } }),
    names: [
      {
        what: 'a member as the owner in the body',
        call: (home, side) =>
          at(home.slug, '/applications', {
            method: 'POST',
            body: { name: newName('made'), owner: side.member },
          }),
        refusal: refusedOn('owner'),
      },
    ],
    paged: false,
    success: 201,
    showsNothing: true,
  },
  onOne(
    'PATCH /manage/v1/:tenant_slug/applications/:application',
    mayManage,
    'an application',
    (slug, application) =>
      at(slug, `/applications/${application}`, { method: 'PATCH', body: { description: 'Said.' } }),
    (side) => side.application,
  ),
  onOne(
    'DELETE /manage/v1/:tenant_slug/applications/:application',
    mayManage,
    'an application',
    (slug, application) => at(slug, `/applications/${application}`, { method: 'DELETE' }),
    (side) => side.spareApplications,
  ),
  onOne(
    'PATCH /manage/v1/:tenant_slug/applications/:application/cra-notifications/:cve',
    mayManage,
    'an application',
    (slug, application) =>
      at(slug, `/applications/${application}/cra-notifications/CVE-2031-${10_000 + ++turns}`, {
        method: 'PATCH',
        body: { version: 0, aware_at: '2025-01-01T00:00:00Z' },
      }),
    (side) => side.application,
  ),
  {
    route: 'PUT /manage/v1/:tenant_slug/applications/:application/repositories',
    access: mayManage,
    call: (slug, side) => group(slug, side.application, [side.repository]),
    names: [
      named('an application', (slug, side) => group(slug, side.application, [])),
      {
        what: 'a repository in the body beside one of its own',
        call: (home, side) => group(home.slug, home.application, [home.repository, side.repository]),
        refusal: refusedOn('repositories'),
        echo: (side) => side.repository,
      },
    ],
    paged: false,
  },
];

function group(slug: string, application: string, repositories: string[]): Request {
  return at(slug, `/applications/${application}/repositories`, { method: 'PUT', body: { repositories } });
}

/** The routes by which people manage keys, members, settings and applications, for `known-routes.ts`. */

import { githubIssuer } from '../../domain/ci-providers.ts';
import type { Side } from './canaries.ts';
import {
  inQuery,
  type KnownRoute,
  known,
  type NamedPart,
  newName,
  newNumber,
  refusedOn,
} from './known-route.ts';

const mayManage = { scopes: ['workspace:admin'], role: 'admin' } satisfies KnownRoute['access'];
const mayManageNow = { ...mayManage, recent: true } satisfies KnownRoute['access'];
const anyPerson = { session: 'any' } satisfies KnownRoute['access'];
const adminInPerson = { session: 'any', role: 'admin' } satisfies KnownRoute['access'];
const adminInPersonNow = { session: 'recent', role: 'admin' } satisfies KnownRoute['access'];

/** The repositories and applications to which a webhook or a tracker is limited, in the body. */
function scopeInBody(body: (scope: object) => object): NamedPart[] {
  return [
    [
      'a repository in the body',
      (side) => ({ body: body({ repositories: [side.repository] }) }),
      refusedOn('repositories'),
      (side) => side.repository,
    ],
    [
      'an application in the body',
      (side) => ({ body: body({ applications: [side.application] }) }),
      refusedOn('applications'),
      (side) => side.application,
    ],
  ];
}

const scopeOf = ({ repository, application }: Side): object => ({
  repositories: [repository],
  applications: [application],
});

// A disabled receiver whose host does not exist.
const newWebhook = (scope: object): object => ({
  name: newName('webhook'),
  url: 'https://receiver.invalid/',
  enabled: false,
  ...scope,
});
const aWebhook = { object: 'a webhook', path: (side: Side) => side.webhooks[0] ?? '' };

const webhookRoutes: KnownRoute[] = [
  known('GET /manage/v1/:tenant_slug/webhooks', mayManage),
  known('POST /manage/v1/:tenant_slug/webhooks', adminInPersonNow, {
    body: (side) => newWebhook(scopeOf(side)),
    names: scopeInBody(newWebhook),
    success: 201,
  }),
  known('PATCH /manage/v1/:tenant_slug/webhooks/:webhook', adminInPersonNow, {
    ...aWebhook,
    body: () => ({ name: newName('webhook') }),
  }),
  known('POST /manage/v1/:tenant_slug/webhooks/:webhook/secret', adminInPersonNow, {
    ...aWebhook,
    body: () => ({}),
    success: 201,
  }),
  known('DELETE /manage/v1/:tenant_slug/webhooks/:webhook', mayManage, {
    object: 'a webhook',
    path: (side, pick) => pick(side.webhooks.slice(1)),
  }),
  known('GET /manage/v1/:tenant_slug/webhooks/:webhook/deliveries', mayManage, {
    ...aWebhook,
    showsNothing: true,
  }),
  known('POST /manage/v1/:tenant_slug/webhooks/:webhook/replay', mayManage, {
    ...aWebhook,
    body: () => ({ failed: true }),
    showsNothing: true,
  }),
];

// A disabled tracker whose host does not exist.
const newTracker = (rule: object): object => ({
  kind: 'gitlab',
  name: newName('tracker'),
  url: 'https://tracker.invalid',
  project: 'acme/shop',
  token: 'none',
  enabled: false,
  rule,
});

const trackerRoutes: KnownRoute[] = [
  known('GET /manage/v1/:tenant_slug/issue-trackers', mayManage),
  known('POST /manage/v1/:tenant_slug/issue-trackers', adminInPersonNow, {
    body: (side) => newTracker(scopeOf(side)),
    names: scopeInBody(newTracker),
    success: 201,
  }),
  known('PATCH /manage/v1/:tenant_slug/issue-trackers/:tracker', adminInPersonNow, {
    object: 'an issue tracker',
    path: (side) => side.issueTrackers[0] ?? '',
    body: () => ({ name: newName('tracker') }),
  }),
  known('DELETE /manage/v1/:tenant_slug/issue-trackers/:tracker', mayManage, {
    object: 'an issue tracker',
    path: (side, pick) => pick(side.issueTrackers.slice(side.issueTrackers.length / 2)),
  }),
];

const newTeam = (...members: string[]): object => ({ name: newName('team'), members });
const aTeam = { object: 'a team', path: (side: Side) => side.teams[0] ?? '' };
const memberOfTeam = 'a member of the team in the body';

const teamRoutes: KnownRoute[] = [
  known('GET /manage/v1/:tenant_slug/teams', 'vulnerabilities:read'),
  known(
    'GET /manage/v1/:tenant_slug/teams/:team',
    { scopes: ['vulnerabilities:write'], role: 'member' },
    aTeam,
  ),
  known('POST /manage/v1/:tenant_slug/teams', mayManage, {
    body: (side) => newTeam(side.member),
    names: [[memberOfTeam, (side) => ({ body: newTeam(side.member) }), refusedOn('members')]],
    success: 201,
  }),
  known('PATCH /manage/v1/:tenant_slug/teams/:team', mayManage, {
    ...aTeam,
    body: (side) => ({ members: [side.member] }),
    names: [[memberOfTeam, (side) => ({ body: { members: [side.memberEmail] } }), refusedOn('members')]],
  }),
  known('DELETE /manage/v1/:tenant_slug/teams/:team', mayManage, {
    object: 'a team',
    path: (side, pick) => pick(side.teams.slice(1)),
  }),
];

const newKey = { name: 'gate', scopes: ['scans:read'] };

const keyRoutes: KnownRoute[] = [
  known('GET /console/key-scopes', anyPerson, { showsNothing: true }),
  // Personal keys belong to no workspace.
  known('GET /console/keys', anyPerson, { showsNothing: true }),
  known(
    'POST /console/keys',
    { session: 'recent' },
    {
      body: (side) => ({ ...newKey, workspaces: [side.slug] }),
      names: [
        [
          'a workspace in the body',
          (side) => ({ body: { ...newKey, workspaces: [side.slug] } }),
          refusedOn('workspaces'),
          (side) => side.slug,
        ],
      ],
      success: 201,
      showsNothing: true,
    },
  ),
  known('DELETE /console/keys/:key', anyPerson, { object: 'a personal key', path: (side) => side.ownKey }),
  known('GET /manage/v1/:tenant_slug/keys', adminInPerson),
  known('POST /manage/v1/:tenant_slug/keys', adminInPersonNow, { body: () => newKey, success: 201 }),
  known('DELETE /manage/v1/:tenant_slug/keys/:key', adminInPerson, {
    object: 'a key of the workspace',
    path: (side) => side.workspaceKey,
  }),
  known('GET /manage/v1/:tenant_slug/trust-rules', adminInPerson),
  known('POST /manage/v1/:tenant_slug/trust-rules', adminInPersonNow, {
    body: () => ({
      name: newName('rule'),
      provider: 'github',
      issuer: githubIssuer,
      audience: 'https://merlon.example',
      claims: { repository_owner_id: '0' },
    }),
    success: 201,
    showsNothing: true,
  }),
  known('DELETE /manage/v1/:tenant_slug/trust-rules/:rule', adminInPerson, {
    object: 'a trust rule',
    path: (side, pick) => pick(side.trustRules),
  }),
];

/** Workspaces, saved views, notifications and members: the routes of people, not of scripts. */
const peopleRoutes: KnownRoute[] = [
  known('GET /console/workspaces', anyPerson),
  known('POST /console/workspaces', anyPerson, {
    body: () => ({ slug: newName('made'), name: 'Made' }),
    success: 201,
    showsNothing: true,
    makesWorkspace: true,
  }),
  known('GET /manage/v1/:tenant_slug/waiting', anyPerson, { showsNothing: true }),
  known('GET /manage/v1/:tenant_slug/saved-views', anyPerson),
  known('POST /manage/v1/:tenant_slug/saved-views', anyPerson, {
    body: () => ({ name: newName('view'), page: 'vulnerabilities', query: 'state=open', shared: true }),
    success: 201,
  }),
  known('PATCH /manage/v1/:tenant_slug/saved-views/:view', anyPerson, {
    object: 'a saved view',
    path: (side) => side.savedViews[0] ?? '',
    body: () => ({ query: 'state=fixed' }),
  }),
  known('DELETE /manage/v1/:tenant_slug/saved-views/:view', anyPerson, {
    object: 'a saved view',
    path: (side, pick) => pick(side.savedViews.slice(1)),
  }),
  known('GET /manage/v1/:tenant_slug/notifications', anyPerson, { showsNothing: true }),
  known('PATCH /manage/v1/:tenant_slug/notifications', anyPerson, {
    body: () => ({ digest: 'weekly' }),
    showsNothing: true,
  }),
  known('GET /manage/v1/:tenant_slug/members', { scopes: ['vulnerabilities:write'], role: 'member' }),
  known('PATCH /manage/v1/:tenant_slug/members/:user', mayManageNow, {
    object: 'a member',
    path: (side) => side.member,
    body: () => ({ role: 'member' }),
  }),
  known('DELETE /manage/v1/:tenant_slug/members/:user', mayManageNow, {
    object: 'a member',
    path: (side, pick) => pick(side.leavers),
  }),
  known('GET /manage/v1/:tenant_slug/invitations', mayManage),
  known('POST /manage/v1/:tenant_slug/invitations', mayManageNow, {
    body: (side) => ({ email: `${newName('guest')}@${side.slug}.example`, role: 'viewer' }),
    success: 201,
  }),
  known('DELETE /manage/v1/:tenant_slug/invitations/:invitation', mayManage, {
    object: 'an invitation',
    path: (side, pick) => pick(side.invitations),
  }),
];

const settingsRoutes: KnownRoute[] = [
  known('GET /manage/v1/:tenant_slug/audit', mayManage, { paged: true }),
  known('GET /manage/v1/:tenant_slug/audit/export', mayManage),
  known('GET /manage/v1/:tenant_slug/settings', mayManage),
  known('GET /manage/v1/:tenant_slug/forges', 'repositories:read', { showsNothing: true }),
  known('PATCH /manage/v1/:tenant_slug/settings', mayManage, {
    // The body repeats the present name, so that nothing changes.
    body: (side) => ({ name: `Workspace ${side.slug}` }),
  }),
  known('GET /manage/v1/:tenant_slug/advisory-names', 'vulnerabilities:read', { paged: true }),
  known(
    'PATCH /manage/v1/:tenant_slug/advisory-names/:name',
    { scopes: ['vulnerabilities:write'], role: 'admin' },
    {
      object: 'a name of an advisory',
      path: (side) => side.advisoryName,
      body: () => ({ forgotten: false }),
    },
  ),
  known('PATCH /manage/v1/:tenant_slug/repositories/:repository', mayManage, {
    object: 'a repository',
    path: (side) => side.repository,
    body: () => ({ default_branch: 'main' }),
  }),
  known('PATCH /manage/v1/:tenant_slug/references/:reference', mayManage, {
    object: 'a reference',
    path: (side) => side.reference,
    body: () => ({ environment: null }),
  }),
];

const anApplication = { object: 'an application', path: (side: Side) => side.application };
const craAccess = { scopes: ['vulnerabilities:read', 'applications:read'] } satisfies KnownRoute['access'];
const craDocument = (side: Side): string =>
  `application=${side.application}&cve=CVE-2030-1001&step=notification`;

const applicationRoutes: KnownRoute[] = [
  known('GET /api/v1/:tenant_slug/applications/:application', 'applications:read', anApplication),
  known('GET /api/v1/:tenant_slug/cra-notifications', craAccess, {
    paged: true,
    names: [inQuery('an application', (side) => `application=${side.application}`)],
  }),
  known('GET /export/v1/:tenant_slug/cra-document', craAccess, {
    query: craDocument,
    names: [inQuery('an application', craDocument)],
  }),
  known('POST /manage/v1/:tenant_slug/applications', mayManage, {
    body: () => ({ name: newName('made') }),
    names: [
      [
        'a member as the owner in the body',
        (side) => ({ body: { name: newName('made'), owner: side.member } }),
        refusedOn('owner'),
      ],
    ],
    success: 201,
    showsNothing: true,
  }),
  known('PATCH /manage/v1/:tenant_slug/applications/:application', mayManage, {
    ...anApplication,
    body: () => ({ description: 'Said.' }),
  }),
  known('DELETE /manage/v1/:tenant_slug/applications/:application', mayManage, {
    object: 'an application',
    path: (side, pick) => pick(side.spareApplications),
  }),
  known('PATCH /manage/v1/:tenant_slug/applications/:application/cra-notifications/:cve', mayManage, {
    object: 'an application',
    path: (side) => [side.application, `CVE-2031-${10_000 + newNumber()}`],
    body: () => ({ version: 0, aware_at: '2025-01-01T00:00:00Z' }),
  }),
  known('PUT /manage/v1/:tenant_slug/applications/:application/repositories', mayManage, {
    ...anApplication,
    body: (side) => ({ repositories: [side.repository] }),
    names: [
      [
        'a repository in the body beside one of its own',
        (side, home) => ({ body: { repositories: [home.repository, side.repository] } }),
        refusedOn('repositories'),
        (side) => side.repository,
      ],
    ],
  }),
];

export const knownManagementRoutes: KnownRoute[] = [
  ...keyRoutes,
  ...webhookRoutes,
  ...trackerRoutes,
  ...teamRoutes,
  ...peopleRoutes,
  ...settingsRoutes,
  ...applicationRoutes,
];

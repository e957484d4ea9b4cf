/** The routes of daily work, for `known-routes.ts`: violations of all repositories, comments, bulk actions, undo. */

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

const mayWrite = { scopes: ['vulnerabilities:write'], role: 'member' } satisfies KnownRoute['access'];
const all = '/policy-violations/all';
const byName = (side: Side): string => `${side.mark}-0/only`;

function namedPolicy(what: string, name: (side: Side) => string): NamedObject {
  return {
    ...inQuery(all, what, (side) => `policy=${name(side)}`),
    refusal: { status: 422, code: 'INVALID_FILTER_VALUE' },
    echo: name,
  };
}

const post = (slug: string, path: string, body: object): Request => ({
  method: 'POST',
  path: `/manage/v1/${slug}/vulnerabilities${path}`,
  body,
});

const assign = (slug: string, vulnerabilities: object[], assignee: string | null = null): Request =>
  post(slug, '/assignments', { assignee, vulnerabilities });

const undo = (slug: string, ids: string[], status_version = '1'): Request =>
  post(slug, '/undo', { vulnerabilities: ids.map((id) => ({ id, status_version })) });

const comment = (slug: string, vulnerability: string): Request =>
  post(slug, `/${vulnerability}/comments`, { body: 'Looked at.' });

const uncomment = (slug: string, vulnerability: string, id: string): Request => ({
  method: 'DELETE',
  path: `/manage/v1/${slug}/vulnerabilities/${vulnerability}/comments/${id}`,
});

const makeIssue = (slug: string, vulnerability: string, tracker: string): Request =>
  post(slug, `/${vulnerability}/issues`, { tracker });

const unlinkIssue = (slug: string, vulnerability: string, id: string): Request => ({
  method: 'DELETE',
  path: `/manage/v1/${slug}/vulnerabilities/${vulnerability}/issues/${id}`,
});

// Each successful request unlinks another issue.
let unlinked = 0;

// Each successful request deletes another comment.
let deleted = 0;

export const knownWorkRoutes: KnownRoute[] = [
  read(all, 'policy-violations:read', {
    paged: true,
    names: [
      inQuery(all, 'a repository', (side) => `repo=${side.repository}`),
      inQuery(all, 'a repository by its name', (side) => `repo=${encodeURIComponent(byName(side))}`),
      namedPolicy('a policy', (side) => side.policy),
      namedPolicy('a policy by its key', (side) => `${side.mark}-only`),
    ],
  }),
  {
    ...read('/vulnerabilities/:vulnerability/violations', null, {
      at: (side) => `/vulnerabilities/${side.vulnerability}/violations`,
      names: [inPath('a vulnerability', (side) => `/vulnerabilities/${side.vulnerability}/violations`)],
    }),
    access: { scopes: ['vulnerabilities:read', 'policy-violations:read'] },
  },
  read('/vulnerabilities/:vulnerability/comments', 'vulnerabilities:read', {
    at: (side) => `/vulnerabilities/${side.vulnerability}/comments`,
    paged: true,
    names: [inPath('a vulnerability', (side) => `/vulnerabilities/${side.vulnerability}/comments`)],
  }),
  {
    route: 'POST /manage/v1/:tenant_slug/vulnerabilities/:vulnerability/comments',
    access: mayWrite,
    call: (slug, side) => comment(slug, side.vulnerability),
    names: [
      {
        what: 'a vulnerability in the path',
        call: (home, side) => comment(home.slug, side.vulnerability),
        refusal: notFound,
      },
    ],
    paged: false,
    success: 201,
    // The answer shows the caller, who is no member of home, and the new object.
    showsNothing: true,
  },
  {
    route: 'DELETE /manage/v1/:tenant_slug/vulnerabilities/:vulnerability/comments/:comment',
    access: mayWrite,
    call: (slug, side) =>
      uncomment(slug, side.vulnerability, side.deletable[deleted++ % side.deletable.length] ?? ''),
    names: [
      {
        what: 'a vulnerability in the path',
        call: (home, side) => uncomment(home.slug, side.vulnerability, side.comment),
        refusal: notFound,
      },
      {
        what: 'a comment in the path',
        call: (home, side) => uncomment(home.slug, home.vulnerability, side.comment),
        refusal: notFound,
      },
    ],
    paged: false,
    success: 204,
    showsNothing: true,
  },
  read('/vulnerabilities/:vulnerability/issues', 'vulnerabilities:read', {
    at: (side) => `/vulnerabilities/${side.vulnerability}/issues`,
    names: [inPath('a vulnerability', (side) => `/vulnerabilities/${side.vulnerability}/issues`)],
  }),
  {
    route: 'POST /manage/v1/:tenant_slug/vulnerabilities/:vulnerability/issues',
    access: mayWrite,
    call: (slug, side) => makeIssue(slug, side.vulnerability, side.issueTrackers[0] ?? ''),
    names: [
      {
        what: 'a vulnerability in the path',
        call: (home, side) => makeIssue(home.slug, side.vulnerability, home.issueTrackers[0] ?? ''),
        refusal: notFound,
      },
      {
        what: 'an issue tracker in the body',
        call: (home, side) => makeIssue(home.slug, home.vulnerability, side.issueTrackers[0] ?? ''),
        refusal: refusedOn('tracker'),
      },
    ],
    paged: false,
    // The vulnerability has an issue in the tracker, so the request ends with that refusal.
    success: 409,
    showsNothing: true,
  },
  {
    route: 'DELETE /manage/v1/:tenant_slug/vulnerabilities/:vulnerability/issues/:issue',
    access: mayWrite,
    call: (slug, side) =>
      unlinkIssue(
        slug,
        side.vulnerability,
        side.linkedIssues[1 + (unlinked++ % (side.linkedIssues.length - 1))] ?? '',
      ),
    names: [
      {
        what: 'a vulnerability in the path',
        call: (home, side) => unlinkIssue(home.slug, side.vulnerability, side.linkedIssues[0] ?? ''),
        refusal: notFound,
      },
      {
        what: 'an issue in the path',
        call: (home, side) => unlinkIssue(home.slug, home.vulnerability, side.linkedIssues[0] ?? ''),
        refusal: notFound,
      },
    ],
    paged: false,
    success: 204,
    showsNothing: true,
  },
  {
    route: 'POST /manage/v1/:tenant_slug/vulnerabilities/assignments',
    access: mayWrite,
    call: (slug, side) => assign(slug, [{ id: side.vulnerability }]),
    names: [
      {
        what: 'a vulnerability in the body',
        call: (home, side) => assign(home.slug, [{ id: side.vulnerability }]),
        refusal: notFound,
      },
      {
        what: 'a vulnerability in the body beside one of its own',
        call: (home, side) => assign(home.slug, [{ id: home.vulnerability }, { id: side.vulnerability }]),
        refusal: notFound,
      },
      ...[(side: Side) => side.member, (side: Side) => side.memberEmail].map(
        (who): NamedObject => ({
          what: 'a member in the body',
          call: (home, side) => assign(home.slug, [{ id: home.vulnerability }], who(side)),
          refusal: refusedOn('assignee'),
        }),
      ),
    ],
    paged: false,
    conflict: (slug, side) => assign(slug, [{ id: side.vulnerability, status_version: '0' }]),
  },
  {
    route: 'POST /manage/v1/:tenant_slug/vulnerabilities/undo',
    access: mayWrite,
    call: (slug, side) => undo(slug, [side.vulnerability]),
    names: [
      {
        what: 'a vulnerability in the body',
        call: (home, side) => undo(home.slug, [side.vulnerability]),
        refusal: notFound,
      },
      {
        what: 'a vulnerability in the body beside one of its own',
        call: (home, side) => undo(home.slug, [home.vulnerability, side.vulnerability]),
        refusal: notFound,
      },
    ],
    paged: false,
    // The caller has no action to undo, so the request ends with that refusal.
    success: 409,
    showsNothing: true,
    conflict: (slug, side) => undo(slug, [side.vulnerability], '0'),
  },
  {
    route: 'POST /manage/v1/:tenant_slug/scans',
    access: { scopes: ['scans:write'], role: 'member' },
    call: (slug) => ({
      method: 'POST',
      path: `/manage/v1/${slug}/scans?repo=acme%2Fuploads&ref=main`,
      body: { SchemaVersion: 2, ArtifactName: '.', Results: [] },
    }),
    names: [],
    paged: false,
    showsNothing: true,
    success: 202,
    takesReport: true,
  },
];

/**
 * The answers of these routes do not end, so these tests would wait forever. Each names the test that has its
 * refusals.
 */
export const lastingRoutes: Record<string, string> = {
  'GET /console/api/v1/:tenant_slug/scans/events': 'test/api/scan-events.test.ts',
};

/** The routes of daily work, for `known-routes.ts`: violations of all repositories, comments, bulk actions, undo. */

import type { Side } from './canaries.ts';
import { type KnownRoute, known, policyInQuery, refusedOn, repositoryInQuery } from './known-route.ts';

const mayWrite = { scopes: ['vulnerabilities:write'], role: 'member' } satisfies KnownRoute['access'];
const aVulnerability = { object: 'a vulnerability', path: (side: Side) => side.vulnerability };

const assign = (ids: string[], assignee: string | null = null): object => ({
  assignee,
  vulnerabilities: ids.map((id) => ({ id })),
});
const undo = (ids: string[], status_version = '1'): object => ({
  vulnerabilities: ids.map((id) => ({ id, status_version })),
});

export const knownWorkRoutes: KnownRoute[] = [
  known('GET /api/v1/:tenant_slug/policy-violations/all', 'policy-violations:read', {
    paged: true,
    names: [...repositoryInQuery, ...policyInQuery()],
  }),
  known(
    'GET /api/v1/:tenant_slug/vulnerabilities/:vulnerability/violations',
    { scopes: ['vulnerabilities:read', 'policy-violations:read'] },
    aVulnerability,
  ),
  known('GET /api/v1/:tenant_slug/vulnerabilities/:vulnerability/comments', 'vulnerabilities:read', {
    ...aVulnerability,
    paged: true,
  }),
  known('POST /manage/v1/:tenant_slug/vulnerabilities/:vulnerability/comments', mayWrite, {
    ...aVulnerability,
    body: () => ({ body: 'Looked at.' }),
    success: 201,
    // The answer shows the caller, who is no member of home, and the new object.
    showsNothing: true,
  }),
  known('DELETE /manage/v1/:tenant_slug/vulnerabilities/:vulnerability/comments/:comment', mayWrite, {
    path: (side, pick) => [side.vulnerability, pick(side.deletable)],
    names: [
      ['a vulnerability in the path', (side) => ({ path: [side.vulnerability, side.comment] })],
      ['a comment in the path', (side, home) => ({ path: [home.vulnerability, side.comment] })],
    ],
  }),
  known(
    'GET /api/v1/:tenant_slug/vulnerabilities/:vulnerability/issues',
    'vulnerabilities:read',
    aVulnerability,
  ),
  known('POST /manage/v1/:tenant_slug/vulnerabilities/:vulnerability/issues', mayWrite, {
    ...aVulnerability,
    body: (side) => ({ tracker: side.issueTrackers[0] ?? '' }),
    names: [
      [
        'an issue tracker in the body',
        (side) => ({ body: { tracker: side.issueTrackers[0] ?? '' } }),
        refusedOn('tracker'),
      ],
    ],
    // The vulnerability has an issue in the tracker, so the request ends with that refusal.
    success: 409,
    showsNothing: true,
  }),
  known('DELETE /manage/v1/:tenant_slug/vulnerabilities/:vulnerability/issues/:issue', mayWrite, {
    path: (side, pick) => [side.vulnerability, pick(side.linkedIssues.slice(1))],
    names: [
      ['a vulnerability in the path', (side) => ({ path: [side.vulnerability, side.linkedIssues[0] ?? ''] })],
      ['an issue in the path', (side, home) => ({ path: [home.vulnerability, side.linkedIssues[0] ?? ''] })],
    ],
  }),
  known('POST /manage/v1/:tenant_slug/vulnerabilities/assignments', mayWrite, {
    body: (side) => assign([side.vulnerability]),
    names: [
      ['a vulnerability in the body', (side) => ({ body: assign([side.vulnerability]) })],
      [
        'a vulnerability in the body beside one of its own',
        (side, home) => ({ body: assign([home.vulnerability, side.vulnerability]) }),
      ],
      [
        'a member in the body',
        (side, home) => ({ body: assign([home.vulnerability], side.member) }),
        refusedOn('assignee'),
      ],
      [
        'an e-mail in the body',
        (side, home) => ({ body: assign([home.vulnerability], side.memberEmail) }),
        refusedOn('assignee'),
      ],
    ],
    conflict: (side) => ({
      assignee: null,
      vulnerabilities: [{ id: side.vulnerability, status_version: '0' }],
    }),
  }),
  known('POST /manage/v1/:tenant_slug/vulnerabilities/undo', mayWrite, {
    body: (side) => undo([side.vulnerability]),
    names: [
      ['a vulnerability in the body', (side) => ({ body: undo([side.vulnerability]) })],
      [
        'a vulnerability in the body beside one of its own',
        (side, home) => ({ body: undo([home.vulnerability, side.vulnerability]) }),
      ],
    ],
    // The caller has no action to undo, so the request ends with that refusal.
    success: 409,
    showsNothing: true,
    conflict: (side) => undo([side.vulnerability], '0'),
  }),
  ...(['manage', 'ingest'] as const).map((surface) =>
    known(
      `POST /${surface}/v1/:tenant_slug/scans`,
      { scopes: ['scans:write'], role: 'member' },
      {
        query: () => 'repo=acme%2Fuploads&ref=main',
        body: () => ({ SchemaVersion: 2, ArtifactName: '.', Results: [] }),
        showsNothing: true,
        success: 202,
        takesReport: true,
      },
    ),
  ),
];

/**
 * The answers of these routes do not end, so these tests would wait forever. Each names the test that has its
 * refusals.
 */
export const lastingRoutes: Record<string, string> = {
  'GET /console/api/v1/:tenant_slug/scans/events': 'test/api/scan-events.test.ts',
};

/** The routes of policies, violations, exceptions and the gate, for `known-routes.ts`. */

import type { Side } from './canaries.ts';
import {
  byKey,
  byName,
  inQuery,
  type KnownRoute,
  known,
  type NamedPart,
  policyInQuery,
  repositoryInQuery,
} from './known-route.ts';

const ofShop = 'repo=acme%2Fshop';

const snooze = (ids: string[]): object => ({
  action: 'wake',
  reason: 'Looked at.',
  violations: ids.map((id) => ({ id })),
});

const except = (subject: object): object => ({ ...subject, reason: 'Known.' });

const policyOf = (rules: object[]): object => ({
  target_type: 'vulnerability',
  enforcement_mode: 'block',
  condition: { all: [{ fact: 'severity', operator: '>=', value: 'high' }] },
  rules,
});

/** Writes of a policy with a rule that names an object of that workspace. `at` is the policy's place in the body. */
function scopesOf(request: (rules: object[]) => { path?: string; body: object }, at = ''): NamedPart[] {
  const scopes: [object: string, type: string, place: (side: Side) => string][] = [
    ['a repository', 'repo', (side) => side.repository],
    ['a repository by its name', 'repo', byName],
    ['an organization', 'org', (side) => side.organization],
    ['an organization by its path', 'org', (side) => `${side.mark}-0`],
    ['an application', 'application', (side) => side.application],
    ['an application by its name', 'application', (side) => `${side.mark} 0`],
  ];
  return scopes.map(([object, type, place]) => [
    `${object} in a rule`,
    (side) => request([{ type: 'workspace' }, { type, id: place(side) }]),
    { status: 422, code: 'VALIDATION_FAILED', field: `${at}rules[1].id` },
    place,
  ]);
}

/** A body with these rules repeats the stored policy, so that nothing changes. */
const storedRules = (side: Side): object[] => [
  { type: 'org', id: 'acme' },
  { type: 'repo', id: byName(side), enforcement_mode: 'warn' },
];

const many = (key: string, rules: object[]): object => ({ policies: [{ key, ...policyOf(rules) }] });
const tried = (rules: object[]): object => ({ key: 'tried', ...policyOf(rules) });

const exceptionInPath: NamedPart = ['an exception in the path', (side) => ({ path: side.exception })];

const mayRead = 'policy-violations:read';
const mayDecide = { scopes: ['policy-violations:write'], role: 'member' } satisfies KnownRoute['access'];
const mayWrite = { scopes: ['policies:write'], role: 'admin' } satisfies KnownRoute['access'];

export const knownPolicyRoutes: KnownRoute[] = [
  known('GET /api/v1/:tenant_slug/policy-violations', mayRead, {
    query: () => ofShop,
    paged: true,
    names: [...repositoryInQuery, ...policyInQuery(`${ofShop}&`)],
  }),
  known('GET /api/v1/:tenant_slug/policy-violations/:violation', mayRead, {
    object: 'a violation',
    path: (side) => side.violation,
    names: [inQuery('a repository', (side) => `repo=${side.repository}`)],
  }),
  known('POST /manage/v1/:tenant_slug/policy-violations/decisions', mayDecide, {
    body: (side) => snooze([side.violation]),
    names: [
      ['a violation in the body', (side) => ({ body: snooze([side.violation]) })],
      [
        'a violation beside one of its own in the body',
        (side, home) => ({ body: snooze([home.violation, side.violation]) }),
      ],
    ],
  }),
  known('GET /manage/v1/:tenant_slug/exceptions', mayRead, {
    paged: true,
    names: [
      ...repositoryInQuery,
      inQuery('a violation', (side) => `violation=${side.violation}`),
      ...policyInQuery(),
    ],
  }),
  known('POST /manage/v1/:tenant_slug/exceptions', mayDecide, {
    body: (side) => except({ violations: [side.violation] }),
    names: [
      ['a violation in the body', (side) => ({ body: except({ violations: [side.violation] }) })],
      [
        'a violation beside one of its own in the body',
        (side, home) => ({ body: except({ violations: [home.violation, side.violation] }) }),
      ],
      ['a policy in the body', (side) => ({ body: except({ policy: side.policy, repo: 'acme/shop' }) })],
      [
        'a policy by its key in the body',
        (side) => ({ body: except({ policy: byKey(side), repo: 'acme/shop' }) }),
      ],
      ['a repository in the body', (side) => ({ body: except({ policy: 'severe', repo: side.repository }) })],
      [
        'a repository by its name in the body',
        (side) => ({ body: except({ policy: 'severe', repo: byName(side) }) }),
      ],
    ],
  }),
  known(
    'POST /manage/v1/:tenant_slug/exceptions/:exception/review',
    { scopes: ['policy-violations:write'], role: 'admin' },
    {
      path: (side, pick) => pick(side.reviewable),
      body: () => ({ decision: 'refuse' }),
      names: [exceptionInPath],
    },
  ),
  known('POST /manage/v1/:tenant_slug/exceptions/:exception/withdraw', mayDecide, {
    path: (side, pick) => pick(side.withdrawable),
    body: () => ({}),
    names: [exceptionInPath],
  }),
  known('GET /manage/v1/:tenant_slug/policies', mayRead),
  known('GET /manage/v1/:tenant_slug/policy-counts', mayRead),
  known('GET /manage/v1/:tenant_slug/repository-policies', mayRead, {
    query: () => ofShop,
    names: repositoryInQuery,
  }),
  known('GET /manage/v1/:tenant_slug/policy-facts', mayRead, { showsNothing: true }),
  known('GET /manage/v1/:tenant_slug/policies/:policy', mayRead, {
    object: 'a policy',
    path: (side) => side.policy,
    names: [['a policy by its key in the path', (side) => ({ path: byKey(side) })]],
  }),
  known('PUT /manage/v1/:tenant_slug/policies/:policy', mayWrite, {
    path: (side) => side.policy,
    body: (side) => policyOf(storedRules(side)),
    names: [
      ['a policy in the path', (side) => ({ path: side.policy, body: policyOf([]) })],
      ...scopesOf((rules) => ({ path: 'put', body: policyOf(rules) })),
    ],
  }),
  known('POST /manage/v1/:tenant_slug/policies/plan', mayWrite, {
    // The plan shows the stored rules, because its body removes them.
    body: () => many('severe', []),
    names: scopesOf((rules) => ({ body: many('put', rules) }), 'policies[0].'),
  }),
  known('POST /manage/v1/:tenant_slug/policies/apply', mayWrite, {
    body: (side) => many('severe', storedRules(side)),
    names: scopesOf((rules) => ({ body: many('put', rules) }), 'policies[0].'),
    showsNothing: true,
  }),
  known('POST /manage/v1/:tenant_slug/policies/dry-run', mayWrite, {
    body: () => tried([]),
    names: scopesOf((rules) => ({ body: tried(rules) })),
    showsNothing: true,
  }),
  known('GET /api/v1/:tenant_slug/gate', 'scans:read', {
    query: () => `${ofShop}&ref=main`,
    names: repositoryInQuery,
  }),
];

/** The routes of policies, violations, exceptions and the gate, for `known-routes.ts`. */

import type { Side } from './canaries.ts';
import {
  inPath,
  inQuery,
  type KnownRoute,
  type NamedObject,
  notFound,
  type Request,
  read,
} from './known-route.ts';

const violations = '/policy-violations';
const ofShop = 'repo=acme%2Fshop';

const invalidValue = { status: 422, code: 'INVALID_FILTER_VALUE' } as const;

function namedPolicy(what: string, name: (side: Side) => string): NamedObject {
  return {
    ...inQuery(violations, what, (side) => `${ofShop}&policy=${name(side)}`),
    refusal: invalidValue,
    echo: name,
  };
}

const byKey = (side: Side): string => `${side.mark}-only`;
const byName = (side: Side): string => `${side.mark}-0/only`;

const manage = (slug: string, path: string, body?: object, method: 'POST' | 'PUT' = 'POST'): Request => ({
  path: `/manage/v1/${slug}${path}`,
  ...(body ? { method, body } : {}),
});

function managed(what: string, path: (side: Side) => string): NamedObject {
  return { what, call: (home, side) => manage(home.slug, path(side)), refusal: notFound };
}

function inBody(what: string, call: (home: Side, side: Side) => Request): NamedObject {
  return { what: `${what} in the body`, call, refusal: notFound };
}

const snooze = (slug: string, ids: string[]): Request =>
  manage(slug, `${violations}/decisions`, {
    action: 'wake',
    reason: 'Looked at.',
    violations: ids.map((id) => ({ id })),
  });

const requestException = (slug: string, subject: object): Request =>
  manage(slug, '/exceptions', { ...subject, reason: 'Known.' });

// Each successful request uses up one exception.
let turns = 0;
const next = (ids: string[]): string => ids[turns++ % ids.length] ?? '';

const review = (slug: string, exception: string): Request =>
  manage(slug, `/exceptions/${exception}/review`, { decision: 'refuse' });
const withdraw = (slug: string, exception: string): Request =>
  manage(slug, `/exceptions/${exception}/withdraw`, {});

const policyOf = (rules: object[]): object => ({
  target_type: 'vulnerability',
  enforcement_mode: 'block',
  condition: { all: [{ fact: 'severity', operator: '>=', value: 'high' }] },
  rules,
});

/** Writes of a policy with a rule that names an object of that workspace. `path` is the policy's in the body. */
function scopesOf(call: (slug: string, rules: object[]) => Request, path = ''): NamedObject[] {
  const scopes: [what: string, type: string, place: (side: Side) => string][] = [
    ['a repository', 'repo', (side) => side.repository],
    ['a repository by its name', 'repo', byName],
    ['an organization', 'org', (side) => side.organization],
    ['an organization by its path', 'org', (side) => `${side.mark}-0`],
    ['an application', 'application', (side) => side.application],
    ['an application by its name', 'application', (side) => `${side.mark} 0`],
  ];
  return scopes.map(([what, type, place]) => ({
    what: `${what} in a rule`,
    call: (home, side) => call(home.slug, [{ type: 'workspace' }, { type, id: place(side) }]),
    refusal: { status: 422, code: 'VALIDATION_FAILED', field: `${path}rules[1].id` },
    echo: place,
  }));
}

/** A body with these rules repeats the stored policy, so that nothing changes. */
const storedRules = (side: Side): object[] => [
  { type: 'org', id: 'acme' },
  { type: 'repo', id: byName(side), enforcement_mode: 'warn' },
];

const put = (slug: string, key: string, rules: object[]): Request =>
  manage(slug, `/policies/${key}`, policyOf(rules), 'PUT');
const many = (slug: string, act: 'plan' | 'apply', key: string, rules: object[]): Request =>
  manage(slug, `/policies/${act}`, { policies: [{ key, ...policyOf(rules) }] });
const dryRun = (slug: string, rules: object[]): Request =>
  manage(slug, '/policies/dry-run', { key: 'tried', ...policyOf(rules) });

const mayRead = { scopes: ['policy-violations:read'] } satisfies KnownRoute['access'];
const mayDecide = { scopes: ['policy-violations:write'], role: 'member' } satisfies KnownRoute['access'];
const mayWrite = { scopes: ['policies:write'], role: 'admin' } satisfies KnownRoute['access'];

export const knownPolicyRoutes: KnownRoute[] = [
  read(violations, 'policy-violations:read', {
    at: () => `${violations}?${ofShop}`,
    paged: true,
    names: [
      inQuery(violations, 'a repository', (side) => `repo=${side.repository}`),
      inQuery(violations, 'a repository by its name', (side) => `repo=${encodeURIComponent(byName(side))}`),
      namedPolicy('a policy', (side) => side.policy),
      namedPolicy('a policy by its key', byKey),
    ],
  }),
  read(`${violations}/:violation`, 'policy-violations:read', {
    at: (side) => `${violations}/${side.violation}`,
    names: [
      inPath('a violation', (side) => `${violations}/${side.violation}`),
      {
        what: 'a repository in the query',
        call: (home, side) => ({
          path: `/api/v1/${home.slug}${violations}/${home.violation}?repo=${side.repository}`,
        }),
        refusal: notFound,
      },
    ],
  }),
  {
    route: 'POST /manage/v1/:tenant_slug/policy-violations/decisions',
    access: mayDecide,
    call: (slug, side) => snooze(slug, [side.violation]),
    names: [
      inBody('a violation', (home, side) => snooze(home.slug, [side.violation])),
      inBody('a violation beside one of its own', (home, side) =>
        snooze(home.slug, [home.violation, side.violation]),
      ),
    ],
    paged: false,
  },
  {
    route: 'GET /manage/v1/:tenant_slug/exceptions',
    access: mayRead,
    call: (slug) => manage(slug, '/exceptions'),
    names: [
      managed('a repository in the query', (side) => `/exceptions?repo=${side.repository}`),
      managed('a repository by its name in the query', (side) => `/exceptions?repo=${byName(side)}`),
      managed('a violation in the query', (side) => `/exceptions?violation=${side.violation}`),
      ...[(side: Side) => side.policy, byKey].map((name) => ({
        what: 'a policy in the query',
        call: (home: Side, side: Side) => manage(home.slug, `/exceptions?policy=${name(side)}`),
        refusal: invalidValue,
        echo: name,
      })),
    ],
    paged: true,
  },
  {
    route: 'POST /manage/v1/:tenant_slug/exceptions',
    access: mayDecide,
    call: (slug, side) => requestException(slug, { violations: [side.violation] }),
    names: [
      inBody('a violation', (home, side) => requestException(home.slug, { violations: [side.violation] })),
      inBody('a violation beside one of its own', (home, side) =>
        requestException(home.slug, { violations: [home.violation, side.violation] }),
      ),
      inBody('a policy', (home, side) =>
        requestException(home.slug, { policy: side.policy, repo: 'acme/shop' }),
      ),
      inBody('a policy by its key', (home, side) =>
        requestException(home.slug, { policy: byKey(side), repo: 'acme/shop' }),
      ),
      inBody('a repository', (home, side) =>
        requestException(home.slug, { policy: 'severe', repo: side.repository }),
      ),
      inBody('a repository by its name', (home, side) =>
        requestException(home.slug, { policy: 'severe', repo: byName(side) }),
      ),
    ],
    paged: false,
  },
  {
    route: 'POST /manage/v1/:tenant_slug/exceptions/:exception/review',
    access: { scopes: ['policy-violations:write'], role: 'admin' },
    call: (slug, side) => review(slug, next(side.reviewable)),
    names: [
      {
        what: 'an exception in the path',
        call: (home, side) => review(home.slug, side.exception),
        refusal: notFound,
      },
    ],
    paged: false,
  },
  {
    route: 'POST /manage/v1/:tenant_slug/exceptions/:exception/withdraw',
    access: mayDecide,
    call: (slug, side) => withdraw(slug, next(side.withdrawable)),
    names: [
      {
        what: 'an exception in the path',
        call: (home, side) => withdraw(home.slug, side.exception),
        refusal: notFound,
      },
    ],
    paged: false,
  },
  {
    route: 'GET /manage/v1/:tenant_slug/policies',
    access: mayRead,
    call: (slug) => manage(slug, '/policies'),
    names: [],
    paged: false,
  },
  {
    route: 'GET /manage/v1/:tenant_slug/policy-counts',
    access: mayRead,
    call: (slug) => manage(slug, '/policy-counts'),
    names: [],
    paged: false,
  },
  {
    route: 'GET /manage/v1/:tenant_slug/repository-policies',
    access: mayRead,
    call: (slug) => manage(slug, `/repository-policies?${ofShop}`),
    names: [
      managed('a repository in the query', (side) => `/repository-policies?repo=${side.repository}`),
      managed('a repository by its name in the query', (side) => `/repository-policies?repo=${byName(side)}`),
    ],
    paged: false,
  },
  {
    route: 'GET /manage/v1/:tenant_slug/policy-facts',
    access: mayRead,
    call: (slug) => manage(slug, '/policy-facts'),
    names: [],
    paged: false,
    showsNothing: true,
  },
  {
    route: 'GET /manage/v1/:tenant_slug/policies/:policy',
    access: mayRead,
    call: (slug, side) => manage(slug, `/policies/${side.policy}`),
    names: [
      managed('a policy in the path', (side) => `/policies/${side.policy}`),
      managed('a policy by its key in the path', (side) => `/policies/${byKey(side)}`),
    ],
    paged: false,
  },
  {
    route: 'PUT /manage/v1/:tenant_slug/policies/:policy',
    access: mayWrite,
    call: (slug, side) => put(slug, side.policy, storedRules(side)),
    names: [
      {
        what: 'a policy in the path',
        call: (home, side) => put(home.slug, side.policy, []),
        refusal: notFound,
      },
      ...scopesOf((slug, rules) => put(slug, 'put', rules)),
    ],
    paged: false,
  },
  ...(['plan', 'apply'] as const).map(
    (act): KnownRoute => ({
      route: `POST /manage/v1/:tenant_slug/policies/${act}`,
      access: mayWrite,
      // The plan shows the stored rules, because its body removes them. Applying writes the stored ones again.
      call: (slug, side) => many(slug, act, 'severe', act === 'plan' ? [] : storedRules(side)),
      names: scopesOf((slug, rules) => many(slug, act, 'put', rules), 'policies[0].'),
      paged: false,
      ...(act === 'apply' ? { showsNothing: true } : {}),
    }),
  ),
  {
    route: 'POST /manage/v1/:tenant_slug/policies/dry-run',
    access: mayWrite,
    call: (slug) => dryRun(slug, []),
    names: scopesOf(dryRun),
    paged: false,
    showsNothing: true,
  },
  read('/gate', 'scans:read', {
    at: () => `/gate?${ofShop}&ref=main`,
    names: [
      inQuery('/gate', 'a repository', (side) => `repo=${side.repository}`),
      inQuery('/gate', 'a repository by its name', (side) => `repo=${encodeURIComponent(byName(side))}`),
    ],
  }),
];

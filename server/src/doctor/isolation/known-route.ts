/** The entry of a route in the list of known routes, and the usual forms of an entry. */
import type { Role, Scope } from '../../http/principal.ts';
import type { Side } from './canaries.ts';
import type { RequestOptions } from './send.ts';

export type Request = Omit<RequestOptions, 'authorization'>;

export interface NamedObject {
  /** The kind of object that is named, and its place in the request. */
  what: string;
  /** A request to `home` that names an object of `side`; succeeds where that is home itself. */
  call: (home: Side, side: Side) => Request;
  /** The refusal where the object belongs to another workspace. */
  refusal: { status: 404 | 422; code: string; field?: string };
  /** The part of the request that the refusal repeats. */
  echo?: (side: Side) => string;
}

export interface KnownRoute {
  /** The path as it is registered. */
  route: `${'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'} /${string}`;
  access:
    | 'key'
    | { scopes: Scope[]; role?: Role; recent?: true }
    | { session: 'any' | 'recent'; role?: Role };
  call: (slug: string, side: Side) => Request;
  /** Everything of a workspace that a request can name. */
  names: NamedObject[];
  /** A list: its cursors are tried across workspaces. */
  paged: boolean;
  /** Status of a request that succeeds; by default 200. */
  success?: number;
  /** The answer holds numbers, or ids of what it has made, and nothing that was there before. */
  showsNothing?: true;
  /** A request that succeeds makes a workspace of its own, which the self-test on a live install must not leave. */
  makesWorkspace?: true;
  /** The body is a report, as it is, and no JSON of the API. */
  takesReport?: boolean;
  /** A request that another one has overtaken. */
  conflict?: (slug: string, side: Side) => Request;
}

export const notFound = { status: 404, code: 'RESOURCE_NOT_FOUND' } as const;
export const refusedOn = (field: string) => ({ status: 422, code: 'VALIDATION_FAILED', field }) as const;

/** Takes no key, only a person at the console. */
export function isForSessions({ route, access }: KnownRoute): boolean {
  return route.includes(' /console/') || (access !== 'key' && 'session' in access);
}

/** Takes either: what people do at the console scripts may do by key. */
export function takesBoth(known: KnownRoute): boolean {
  return known.route.includes(' /manage/') && !isForSessions(known);
}

/** The same handler of the API, as the console asks it. */
export function inConsole(known: KnownRoute): KnownRoute {
  const prefixed = (request: Request): Request => ({ ...request, path: `/console${request.path}` });
  const { conflict } = known;
  return {
    ...known,
    route: known.route.replace(' /', ' /console/') as KnownRoute['route'],
    call: (slug, side) => prefixed(known.call(slug, side)),
    names: known.names.map((named) => ({
      ...named,
      call: (home: Side, side: Side) => prefixed(named.call(home, side)),
    })),
    ...(conflict ? { conflict: (slug: string, side: Side) => prefixed(conflict(slug, side)) } : {}),
  };
}

export function read(
  path: string,
  scope: Scope | null,
  rest: Partial<Pick<KnownRoute, 'names' | 'paged'>> & { at?: (side: Side) => string } = {},
): KnownRoute {
  const { at, names = [], paged = false } = rest;
  return {
    route: `GET /api/v1/:tenant_slug${path}`,
    access: scope === null ? 'key' : { scopes: [scope] },
    call: (slug, side) => ({ path: `/api/v1/${slug}${at ? at(side) : path}` }),
    names,
    paged,
  };
}

export function inQuery(
  path: string,
  what: string,
  query: (side: Side) => string,
  field?: string,
): NamedObject {
  return {
    what: `${what} in the query`,
    call: (home, side) => ({ path: `/api/v1/${home.slug}${path}?${query(side)}` }),
    refusal: field === undefined ? notFound : refusedOn(field),
  };
}

export function inPath(what: string, path: (side: Side) => string): NamedObject {
  return {
    what: `${what} in the path`,
    call: (home, side) => ({ path: `/api/v1/${home.slug}${path(side)}` }),
    refusal: notFound,
  };
}

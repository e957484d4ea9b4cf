/** The entry of a route in the list of known routes, and the usual forms of an entry. */
import type { Role, Scope } from '../../http/principal.ts';
import type { Side } from './canaries.ts';
import type { RequestOptions } from './send.ts';

export type Request = Omit<RequestOptions, 'authorization'>;

export interface NamedObject {
  /** The kind of object that the request names, and where it is in the request. */
  what: string;
  /** Makes a request to `home` that names an object of `side`. It succeeds if `side` is home. */
  call: (home: Side, side: Side) => Request;
  /** The refusal if the object belongs to another workspace. */
  refusal: { status: 404 | 422; code: string; field?: string };
  /** The part of the request that the refusal repeats. */
  echo?: (side: Side) => string;
}

export interface KnownRoute {
  /** The path as it was registered. */
  route: `${'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'} /${string}`;
  access:
    | 'key'
    | { scopes: Scope[]; role?: Role; recent?: true }
    | { session: 'any' | 'recent'; role?: Role };
  call: (slug: string, side: Side) => Request;
  /** All objects of a workspace that a request to this route can name. */
  names: NamedObject[];
  /** The route is a list, and its cursors are tried across workspaces. */
  paged: boolean;
  /** The status of a successful request; by default 200. */
  success?: number;
  /** The answer holds only numbers or ids of new objects, and nothing that existed before. */
  showsNothing?: true;
  /** A successful request makes a workspace, which the self-test on a live install must not leave behind. */
  makesWorkspace?: true;
  /** The body is a report and not JSON of the API. */
  takesReport?: boolean;
  /** A request that is refused because another one came first. */
  conflict?: (slug: string, side: Side) => Request;
}

export const notFound = { status: 404, code: 'RESOURCE_NOT_FOUND' } as const;
export const refusedOn = (field: string) => ({ status: 422, code: 'VALIDATION_FAILED', field }) as const;

/** The route accepts no key, only a console session. */
export function isForSessions({ route, access }: KnownRoute): boolean {
  return route.includes(' /console/') || (access !== 'key' && 'session' in access);
}

/** The route accepts a session or a key, so that scripts can do by key what people do at the console. */
export function takesBoth(known: KnownRoute): boolean {
  return known.route.includes(' /manage/') && !isForSessions(known);
}

/** The same handler of the API, called by a console session. */
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

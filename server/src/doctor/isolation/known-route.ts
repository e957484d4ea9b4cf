/** The entry of a route in the list of known routes, and the usual forms of an entry. */
import type { KeyScope, Role } from '../../http/principal.ts';
import type { Side } from './canaries.ts';
import type { RequestOptions } from './send.ts';

export type Request = Omit<RequestOptions, 'authorization'>;

export interface NamedObject {
  /** The kind of object that the request names, and where it is in the request. */
  description: string;
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
    | { scopes: KeyScope[]; role?: Role; recent?: true }
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

const notFound = { status: 404, code: 'RESOURCE_NOT_FOUND' } as const;
const invalidValue = { status: 422, code: 'INVALID_FILTER_VALUE' } as const;
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

/** The parts of a request that differ between the workspaces. */
interface Parts {
  /** The values of the parameters of the path after the workspace, in their order. */
  path?: string | string[];
  query?: string;
  body?: object;
}

/** A request that names an object of `side`. The parts that it leaves out are those of home. */
export type NamedPart = [
  description: string,
  parts: (side: Side, home: Side) => Parts,
  refusal?: NamedObject['refusal'],
  echo?: NamedObject['echo'],
];

/**
 * Chooses an object of a pool. A successful request uses up an object, so the turns of all routes go around the pools.
 */
type Picker = (pool: string[]) => string;

interface Details extends Omit<Partial<KnownRoute>, 'route' | 'access' | 'call' | 'names' | 'conflict'> {
  /** The object in the path, such as `a team`, if one of another workspace is not found. */
  object?: string;
  path?: (side: Side, pick: Picker) => string | string[];
  query?: (side: Side) => string;
  body?: (side: Side, pick: Picker) => object;
  names?: NamedPart[];
  /** The body of a request that is refused because another one came first. */
  conflict?: (side: Side) => object;
}

let turns = 0;
const next: Picker = (pool) => pool[turns++ % pool.length] ?? '';
const first: Picker = ([object = '']) => object;

/** A number, and a name for a new object, that no other request has. */
export const newNumber = (): number => ++turns;
export const newName = (prefix: string): string => `${prefix}-${newNumber()}`;

/** A route, its method and path filled with the parts of a request. A scope stands for itself alone, for any role. */
export function known(
  route: KnownRoute['route'],
  access: KnownRoute['access'] | KeyScope,
  { object, path, query, body, names = [], conflict, ...rest }: Details = {},
): KnownRoute {
  const partsOf = (side: Side, pick: Picker): Parts => ({
    ...(path ? { path: path(side, pick) } : {}),
    ...(query ? { query: query(side) } : {}),
    ...(body ? { body: body(side, pick) } : {}),
  });
  const inPath: NamedPart[] =
    object === undefined || !path ? [] : [[`${object} in the path`, (side) => ({ path: path(side, first) })]];
  return {
    route,
    access: typeof access === 'string' && access !== 'key' ? { scopes: [access] } : access,
    call: (slug, side) => requestTo(route, slug, partsOf(side, next)),
    names: [...inPath, ...names].map(([description, parts, refusal = notFound, echo]) => ({
      description,
      call: (home, side) => requestTo(route, home.slug, { ...partsOf(home, first), ...parts(side, home) }),
      refusal,
      ...(echo ? { echo } : {}),
    })),
    paged: false,
    ...(route.startsWith('DELETE') ? { success: 204, showsNothing: true } : {}),
    ...rest,
    ...(conflict
      ? {
          conflict: (slug, side) => requestTo(route, slug, { ...partsOf(side, first), body: conflict(side) }),
        }
      : {}),
  };
}

function requestTo(route: KnownRoute['route'], slug: string, { path = [], query, body }: Parts): Request {
  const [method, template = ''] = route.split(' ') as [NonNullable<Request['method']>, string];
  const values = [path].flat();
  const filled = template.replace(':tenant_slug', slug).replaceAll(/:\w+|\*/g, () => values.shift() ?? '');
  return {
    method,
    path: query === undefined ? filled : `${filled}?${query}`,
    ...(body === undefined ? {} : { body }),
  };
}

export function inQuery(
  object: string,
  query: (side: Side) => string,
  ...refusal: [NamedObject['refusal']?, NamedObject['echo']?]
): NamedPart {
  return [`${object} in the query`, (side) => ({ query: query(side) }), ...refusal];
}

/** The full name of the repository that only this workspace has. */
export const byName = (side: Side): string => `${side.mark}-0/only`;

export const repositoryInQuery = [
  inQuery('a repository', (side) => `repo=${side.repository}`),
  inQuery('a repository by its name', (side) => `repo=${encodeURIComponent(byName(side))}`),
];

export const byKey = (side: Side): string => `${side.mark}-only`;

export const policyInQuery = (before = ''): NamedPart[] =>
  [({ policy }: Side) => policy, byKey].map((name) =>
    inQuery('a policy', (side) => `${before}policy=${name(side)}`, invalidValue, name),
  );

/** What is written in the form of a new key, and what of it the server would refuse. */
import {
  createOwnKey,
  createWorkspaceKey,
  type KeyChoices,
  type KeyKind,
  type MadeKey,
} from '../../api/keys.ts';
import { type Role, roleAtLeast, roles, type Workspace } from '../../api/workspaces.ts';

/** Among `expiries`: the date of the other field. */
export const onDate = 'date';

export interface Draft {
  kind: KeyKind;
  name: string;
  scopes: string[];
  /** `90d`, `never`, or `onDate`. */
  expires: string;
  date: string;
  /** Of a personal key: only in the chosen workspaces. */
  restricted: boolean;
  /** Slugs. */
  chosen: string[];
  /** Of a workspace key. */
  role: Role;
}

export function emptyDraft(kind: KeyKind, slug: string, choices: KeyChoices): Draft {
  return {
    kind,
    name: '',
    scopes: [],
    expires: choices.default_expiry,
    date: '',
    restricted: false,
    chosen: [slug],
    role: 'viewer',
  };
}

/** The role up to which scopes may be given: a personal key's is the highest that its user has where it is valid. */
export function reachOf(draft: Draft, workspaces: Workspace[]): Role {
  if (draft.kind === 'workspace') return draft.role;
  const opened = workspaces.filter(({ slug }) => !draft.restricted || draft.chosen.includes(slug));
  return roles.findLast((role) => opened.some((workspace) => workspace.role === role)) ?? 'viewer';
}

export type ScopeChoice = KeyChoices['scopes'][number];
type ScopeName = ScopeChoice['name'];

export function isGiven(scope: ScopeChoice, reach: Role): boolean {
  return roleAtLeast(reach, scope.role);
}

/** Those that are ticked and may be given. */
export function givenScopes(draft: Draft, choices: KeyChoices, reach: Role): ScopeName[] {
  return choices.scopes
    .filter((scope) => isGiven(scope, reach) && draft.scopes.includes(scope.name))
    .map(({ name }) => name);
}

/** The least role that all of the scopes take. */
export function roleOf(scopes: string[], choices: KeyChoices): Role {
  const needed = choices.scopes.filter(({ name }) => scopes.includes(name)).map(({ role }) => role);
  return roles.findLast((role) => needed.includes(role)) ?? 'viewer';
}

/** What is missing, field → what to do; what else is wrong the server says. */
export function missing(draft: Draft, scopes: string[]): Record<string, string> {
  return {
    ...(scopes.length === 0 ? { scopes: 'Choose one at least.' } : {}),
    ...(draft.kind === 'personal' && draft.restricted && draft.chosen.length === 0
      ? { workspaces: 'Choose one at least.' }
      : {}),
  };
}

export function makeKey(slug: string, draft: Draft, scopes: ScopeName[]): Promise<MadeKey> {
  const key = {
    name: draft.name.trim(),
    scopes,
    expires: draft.expires === onDate ? draft.date : draft.expires,
  };
  return draft.kind === 'workspace'
    ? createWorkspaceKey(slug, { ...key, role: draft.role })
    : createOwnKey({ ...key, workspaces: draft.restricted ? draft.chosen : null });
}

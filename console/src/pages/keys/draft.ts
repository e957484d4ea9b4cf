/** The state of the form for a new key, and the checks that the server would also make. */
import {
  type CreatedKey,
  createOwnKey,
  createWorkspaceKey,
  type KeyChoices,
  type KeyKind,
} from '../../api/keys.ts';
import { type Role, roleAtLeast, roles, type Workspace } from '../../api/workspaces.ts';

/** This value among `expiries` selects the date of the other field. */
export const onDate = 'date';

export interface Draft {
  kind: KeyKind;
  name: string;
  scopes: string[];
  /** One of `90d`, `never` and so on, or `onDate`. */
  expires: string;
  date: string;
  /** A personal key is valid only in the chosen workspaces. */
  restricted: boolean;
  /** Slugs of workspaces. */
  chosen: string[];
  /** The role of a workspace key. */
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

/**
 * Gives the highest role whose scopes the key may get. A personal key's limit is the highest role that its user has
 * where the key is valid.
 */
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

/** Returns the scopes that are ticked and allowed. */
export function givenScopes(draft: Draft, choices: KeyChoices, reach: Role): ScopeName[] {
  return choices.scopes
    .filter((scope) => isGiven(scope, reach) && draft.scopes.includes(scope.name))
    .map(({ name }) => name);
}

/** Returns the lowest role that has all of the scopes. */
export function roleOf(scopes: string[], choices: KeyChoices): Role {
  const needed = choices.scopes.filter(({ name }) => scopes.includes(name)).map(({ role }) => role);
  return roles.findLast((role) => needed.includes(role)) ?? 'viewer';
}

/** Maps a missing field to what to do. The server reports all other mistakes. */
export function missing(draft: Draft, scopes: string[]): Record<string, string> {
  return {
    ...(scopes.length === 0 ? { scopes: 'Choose at least one.' } : {}),
    ...(draft.kind === 'personal' && draft.restricted && draft.chosen.length === 0
      ? { workspaces: 'Choose at least one.' }
      : {}),
  };
}

export function createKey(slug: string, draft: Draft, scopes: ScopeName[]): Promise<CreatedKey> {
  const key = {
    name: draft.name.trim(),
    scopes,
    expires: draft.expires === onDate ? draft.date : draft.expires,
  };
  return draft.kind === 'workspace'
    ? createWorkspaceKey(slug, { ...key, role: draft.role })
    : createOwnKey({ ...key, workspaces: draft.restricted ? draft.chosen : null });
}

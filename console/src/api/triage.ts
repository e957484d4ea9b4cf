/** What people do about vulnerabilities: decide, assign, take back, comment, split and merge. */
import type { Answer } from './client.ts';
import { call } from './http.ts';
import type { Comment } from './vulnerabilities.ts';

export const triageActions = ['accept', 'ignore', 'reject', 'confirm', 'reopen'] as const;
export type TriageAction = (typeof triageActions)[number];

/** With the version that was seen: the server refuses with 409 what has changed since. */
export interface NamedVersion {
  id: string;
  status_version?: string;
}

export interface Decision {
  action: TriageAction;
  reason?: string;
  resolution?: string;
  /** RFC 3339; of an acceptance. */
  until?: string;
}

export type Decided = Answer<'decideVulnerabilities'>['items'][number];
export type Assigned = Answer<'assignVulnerabilities'>['items'][number];

// What the server takes at once, all or none.
export const maxAtOnce = 500;

function pathOf(slug: string, rest: string): string {
  return `/manage/v1/${slug}/vulnerabilities${rest}`;
}

export async function decide(
  slug: string,
  decision: Decision,
  vulnerabilities: NamedVersion[],
): Promise<Decided[]> {
  const body = { ...decision, vulnerabilities };
  return (await call<{ items: Decided[] }>('POST', pathOf(slug, '/decisions'), { body })).items;
}

/** `me`, a user's id, or null for nobody. */
export async function assign(
  slug: string,
  assignee: string | null,
  vulnerabilities: NamedVersion[],
): Promise<Assigned[]> {
  const body = { assignee, vulnerabilities };
  return (await call<{ items: Assigned[] }>('POST', pathOf(slug, '/assignments'), { body })).items;
}

/** Takes back one's own last decision or assignment of each; all or none. */
export async function undo(slug: string, acted: Required<NamedVersion>[]): Promise<void> {
  const vulnerabilities = acted.map(({ id, status_version }) => ({ id, status_version }));
  await call('POST', pathOf(slug, '/undo'), { body: { vulnerabilities } });
}

export function addComment(slug: string, id: string, body: string): Promise<Comment> {
  return call('POST', pathOf(slug, `/${encodeURIComponent(id)}/comments`), { body: { body } });
}

export function deleteComment(slug: string, id: string, comment: string): Promise<undefined> {
  return call('DELETE', pathOf(slug, `/${encodeURIComponent(id)}/comments/${comment}`));
}

/** The others go into the one; gives the id of the one that stays. */
export function merge(slug: string, id: string, others: string[], reason: string): Promise<{ id: string }> {
  return call('POST', pathOf(slug, `/${encodeURIComponent(id)}/merge`), { body: { others, reason } });
}

/** Gives the id of the one that comes to be. */
export function split(
  slug: string,
  id: string,
  locations: string[],
  reason: string,
): Promise<{ id: string }> {
  return call('POST', pathOf(slug, `/${encodeURIComponent(id)}/split`), { body: { locations, reason } });
}

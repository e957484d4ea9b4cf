/** What people do about vulnerabilities: decide, assign, undo, comment, split and merge. */
import { type Answer, api, type RequestBody } from './client.ts';

export const triageActions = ['accept', 'ignore', 'reject', 'confirm', 'reopen'] as const;
export type TriageAction = (typeof triageActions)[number];

type DecisionBody = RequestBody<'decideVulnerabilities'>;
/** An id with the version that was seen. The server refuses with 409 what has changed since. */
export type NamedVersion = DecisionBody['vulnerabilities'][number];
export type Decision = Omit<DecisionBody, 'vulnerabilities'>;
export type Resolution = NonNullable<Decision['resolution']>;

export type Decided = Answer<'decideVulnerabilities'>['items'][number];
export type Assigned = Answer<'assignVulnerabilities'>['items'][number];

// The server takes at most this many at once, all or none.
export const maxAtOnce = 500;

export async function decide(
  slug: string,
  decision: Decision,
  vulnerabilities: NamedVersion[],
): Promise<Decided[]> {
  const body = { ...decision, vulnerabilities };
  return (await api.decideVulnerabilities({ path: { tenant_slug: slug }, body })).items;
}

/** `assignee` is `me`, a user's id, or null for nobody. */
export async function assign(
  slug: string,
  assignee: string | null,
  vulnerabilities: NamedVersion[],
): Promise<Assigned[]> {
  const body = { assignee, vulnerabilities };
  return (await api.assignVulnerabilities({ path: { tenant_slug: slug }, body })).items;
}

/** Undoes the caller's own last decision or assignment of each vulnerability; all or none. */
export async function undo(slug: string, acted: Required<NamedVersion>[]): Promise<void> {
  const vulnerabilities = acted.map(({ id, status_version }) => ({ id, status_version }));
  await api.undoVulnerabilities({ path: { tenant_slug: slug }, body: { vulnerabilities } });
}

export function addComment(slug: string, id: string, body: string) {
  return api.addComment({ path: { tenant_slug: slug, vulnerability: id }, body: { body } });
}

export function deleteComment(slug: string, id: string, comment: string) {
  return api.deleteComment({ path: { tenant_slug: slug, vulnerability: id, comment } });
}

/** Merges the others into the one, and gives the id of the one that stays. */
export function merge(slug: string, id: string, others: string[], reason: string) {
  const path = { tenant_slug: slug, vulnerability: id };
  return api.mergeVulnerabilities({ path, body: { others, reason } });
}

/** Gives the id of the new vulnerability. */
export function split(slug: string, id: string, locations: string[], reason: string) {
  const path = { tenant_slug: slug, vulnerability: id };
  return api.splitVulnerability({ path, body: { locations, reason } });
}

/** The actions on vulnerabilities: decide, assign, undo, split and merge. */
import { type Answer, api, type RequestBody } from './client.ts';

type DecisionBody = RequestBody<'decideVulnerabilities'>;
export type TriageAction = DecisionBody['action'];
/** An id with the version that the person has seen. The server refuses with 409 an object that has changed since. */
export type NamedVersion = DecisionBody['vulnerabilities'][number];
export type Decision = Omit<DecisionBody, 'vulnerabilities'>;
export type Resolution = NonNullable<Decision['resolution']>;

export type Decided = Answer<'decideVulnerabilities'>['items'][number];
export type Assigned = Answer<'assignVulnerabilities'>['items'][number];

/** People decide about at most this many at once. For more, a policy or an exception is the right tool. */
export const maxTargets = 5_000;

// The server takes at most this many in one request, all of them or none.
const atOnce = 500;

/**
 * The items that were changed. If an action takes several requests, a later one can fail after earlier ones have
 * succeeded.
 */
export interface Acted<Item> {
  items: Item[];
  /** Undefined means that all requests succeeded. */
  stoppedBy?: unknown;
}

/** Throws if no request succeeded. */
async function inParts<Item>(
  vulnerabilities: NamedVersion[],
  act: (part: NamedVersion[]) => Promise<{ items: Item[] }>,
): Promise<Acted<Item>> {
  const items: Item[] = [];
  for (let from = 0; from < vulnerabilities.length; from += atOnce) {
    try {
      items.push(...(await act(vulnerabilities.slice(from, from + atOnce))).items);
    } catch (error) {
      if (items.length === 0) throw error;
      return { items, stoppedBy: error };
    }
  }
  return { items };
}

export function decide(
  slug: string,
  decision: Decision,
  vulnerabilities: NamedVersion[],
): Promise<Acted<Decided>> {
  return inParts(vulnerabilities, (part) =>
    api.decideVulnerabilities({
      path: { tenant_slug: slug },
      body: { ...decision, vulnerabilities: part },
    }),
  );
}

/** `assignee` is `me`, a user's id, or null for nobody. */
export function assign(
  slug: string,
  assignee: string | null,
  vulnerabilities: NamedVersion[],
): Promise<Acted<Assigned>> {
  return inParts(vulnerabilities, (part) =>
    api.assignVulnerabilities({ path: { tenant_slug: slug }, body: { assignee, vulnerabilities: part } }),
  );
}

/** Undoes the caller's own last decision or assignment of each vulnerability. Throws if any was not undone. */
export async function undo(slug: string, acted: Required<NamedVersion>[]): Promise<void> {
  const versions = acted.map(({ id, status_version }) => ({ id, status_version }));
  const { stoppedBy } = await inParts<never>(versions, async (part) => {
    await api.undoVulnerabilities({
      path: { tenant_slug: slug },
      body: { vulnerabilities: part as Required<NamedVersion>[] },
    });
    return { items: [] };
  });
  if (stoppedBy !== undefined) throw stoppedBy;
}

/** Merges the others into the one, and returns the id of the one that stays. */
export function merge(slug: string, id: string, others: string[], reason: string) {
  const path = { tenant_slug: slug, vulnerability: id };
  return api.mergeVulnerabilities({ path, body: { others, reason } });
}

/** Returns the id of the new vulnerability. */
export function split(slug: string, id: string, locations: string[], reason: string) {
  const path = { tenant_slug: slug, vulnerability: id };
  return api.splitVulnerability({ path, body: { locations, reason } });
}

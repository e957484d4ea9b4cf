/**
 * The filters of the vulnerability list, from query parameters to what the reads need. Traits become a test on packed
 * states, and a repository or reference becomes a scope of counters. Assignee, sha, words and exploitable each start
 * from their own index.
 */

import { resolvePerson } from '../access/members/lookup.ts';
import type { Tx } from '../db/database.ts';
import { invalidFilterValue, validationFailed } from '../domain/errors.ts';
import {
  type Severity,
  type Source,
  type Status,
  severities,
  type Traits,
  types,
  type VulnerabilityType,
} from '../domain/packed-state.ts';
import { referenceCandidates } from '../domain/reference-name.ts';
import type { Principal } from '../http/principal.ts';
import { findNamedReference, getRepository } from '../inventory/repositories/service.ts';
import { wordsOf } from './search-words.ts';

export const sorts = ['severity', 'newest', 'oldest'] as const;
export type Sort = (typeof sorts)[number];

export interface ListQuery {
  repo?: string;
  ref?: string;
  sha?: string;
  state?: Status;
  source?: Source;
  confirmed?: 'yes' | 'no';
  triaged?: 'yes' | 'no';
  severity?: string[];
  type?: string[];
  assignee?: string;
  exploitable?: 'yes';
  q?: string;
  sort?: Sort;
}

/** The filters on traits. Each can be counted without its own filter. */
export const facets = ['state', 'severity', 'type', 'source', 'confirmed', 'triaged', 'assignee'] as const;
export type Facet = (typeof facets)[number];

/** The counters and the index that a list reads: the narrowest scope that covers its repository and reference. */
export type Scope =
  | { kind: 'tenant' }
  | { kind: 'repository'; repositoryId: string }
  | { kind: 'reference'; referenceId: string }
  | { kind: 'ref-name'; fullRefs: string[] }
  | { kind: 'default-branches' };

export interface ListFilter {
  /** Null means that the filters name a reference that does not exist, so the list is empty. */
  scope: Scope | null;
  allows: (traits: Traits) => boolean;
  /** The part of `allows` that each facet tests. */
  asks: Record<Facet, (traits: Traits) => boolean>;
  /** It is true if every packed state is allowed; then the plain order of time has its own index. */
  allowsAll: boolean;
  assigneeId: string | null;
  /** Only vulnerabilities that are known to be exploitable. */
  exploitable: boolean;
  /** A prefix of a commit in lower case. */
  sha: string | null;
  words: string[];
}

/** Throws 404 for an unknown repository and 422 for invalid values. */
export async function resolveFilter(tx: Tx, principal: Principal, query: ListQuery): Promise<ListFilter> {
  const severitySet = checkedSet<Severity>(query.severity, severities);
  const typeSet = checkedSet<VulnerabilityType>(query.type, types);
  const assignee = query.assignee === undefined ? null : await resolveAssignee(tx, principal, query.assignee);
  const words = query.q === undefined ? [] : checkedWords(query.q);
  const scope = await resolveScope(tx, query.repo, query.ref);
  const { state, source, confirmed, triaged } = query;
  const unassigned = assignee === 'unassigned';
  const asks: ListFilter['asks'] = {
    severity: (traits) => severitySet === null || severitySet.has(traits.severity),
    type: (traits) => typeSet === null || typeSet.has(traits.type),
    state: (traits) => state === undefined || traits.status === state,
    source: (traits) => source === undefined || traits.source === source,
    confirmed: (traits) => confirmed === undefined || traits.confirmed === (confirmed === 'yes'),
    triaged: (traits) => triaged === undefined || traits.triaged === (triaged === 'yes'),
    assignee: (traits) => !(unassigned && traits.assigned),
  };
  return {
    scope,
    allows: (traits) => facets.every((facet) => asks[facet](traits)),
    asks,
    allowsAll:
      !(severitySet || typeSet || state || source || confirmed || triaged || unassigned) &&
      words.length === 0,
    assigneeId: assignee === 'unassigned' ? null : assignee,
    exploitable: query.exploitable === 'yes',
    sha: query.sha?.toLowerCase() ?? null,
    words,
  };
}

function checkedSet<T extends string>(values: string[] | undefined, known: readonly T[]): Set<T> | null {
  if (values === undefined) return null;
  const unknown = values.filter((value) => !(known as readonly string[]).includes(value));
  if (unknown.length > 0) throw invalidFilterValue([...new Set(unknown)]);
  return new Set(values as T[]);
}

async function resolveScope(
  tx: Tx,
  repo: string | undefined,
  ref: string | undefined,
): Promise<Scope | null> {
  if (repo === undefined) {
    if (ref === undefined) return { kind: 'tenant' };
    return ref === 'HEAD'
      ? { kind: 'default-branches' }
      : { kind: 'ref-name', fullRefs: referenceCandidates(ref) };
  }
  const repository = await getRepository(tx, repo);
  if (ref === undefined) return { kind: 'repository', repositoryId: repository.id };
  const reference = await findNamedReference(tx, repository, ref);
  return reference ? { kind: 'reference', referenceId: reference.id } : null;
}

async function resolveAssignee(tx: Tx, principal: Principal, text: string): Promise<string | 'unassigned'> {
  return text === 'unassigned' ? text : (await resolvePerson(tx, principal, text, 'assignee')).id;
}

// Each word is its own search. A title that a person pastes has no more words.
const maxWords = 20;

function checkedWords(text: string): string[] {
  const words = wordsOf(text);
  const short = text.split(/\s+/).filter((word) => word !== '' && [...word].length < 3);
  if (words.length === 0 || short.length > 0) {
    throw validationFailed({ q: ['Must be words of three characters or more.'] });
  }
  if (words.length > maxWords) throw validationFailed({ q: [`Must not have more than ${maxWords} words.`] });
  return words;
}

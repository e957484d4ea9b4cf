/** Policy violations: the list of the workspace, one violation in full, and the decisions about them. */
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { referenceName } from '../reference-name.ts';
import { type Answer, api, type Query, type RequestBody } from './client.ts';
import { readAgain } from './queries.ts';
import { waitingKey } from './waiting.ts';

export type ViolationPage = Answer<'listAllPolicyViolations'>;
export type Violation = ViolationPage['items'][number];
/** The target is an empty list if the violation is about the repository itself. */
export type ViolationTarget = Violation['target'];
export type ViolationDetail = Answer<'getPolicyViolation'>;

export type ViolationRequest = Query<'listAllPolicyViolations'>;

const subject = 'violations';

/** Reads the violations, the soonest due first. */
export function violationsQuery(slug: string, request: ViolationRequest) {
  return queryOptions({
    queryKey: [subject, slug, 'list', request],
    queryFn: ({ signal }) =>
      api.listAllPolicyViolations({ path: { tenant_slug: slug }, query: request, signal }),
    placeholderData: keepPreviousData,
  });
}

export function violationQuery(slug: string, id: string) {
  return queryOptions({
    queryKey: [subject, slug, 'one', id],
    queryFn: ({ signal }) => api.getPolicyViolation({ path: { tenant_slug: slug, violation: id }, signal }),
  });
}

export type Gate = Answer<'getGate'>;
export type GateViolation = Gate['violations'][number];

interface GateSubject {
  repository: { id: string };
  reference: { ref: string; type: string };
  sha: string | null;
}

/** The keys of all gates, or of those of the given query, such as of a repository. */
export function gateKey(slug: string, query: Partial<Query<'getGate'>> = {}) {
  return [subject, slug, 'gate', query];
}

/** Reads why a reference passes or blocks; with a commit, the answer is about that commit. */
export function gateQuery(slug: string, { repository, reference, sha }: GateSubject) {
  const query = { repo: repository.id, ref: referenceName(reference), ...(sha === null ? {} : { sha }) };
  return queryOptions({
    queryKey: gateKey(slug, query),
    queryFn: ({ signal }) => api.getGate({ path: { tenant_slug: slug }, query, signal }),
  });
}

export type Decision = Omit<RequestBody<'decideViolations'>, 'violations' | 'action'> & {
  action: 'snooze' | 'wake';
};
/** `exception` is the exception that was requested instead, because the policy blocks. */
export type DecidedViolation = Answer<'decideViolations'>['items'][number];

// The server takes at most this many at once, all or none.
export const maxAtOnce = 500;

export async function decideViolations(
  slug: string,
  decision: Decision,
  ids: readonly string[],
): Promise<DecidedViolation[]> {
  const body = { ...decision, violations: ids.map((id) => ({ id })) };
  return (await api.decideViolations({ path: { tenant_slug: slug }, body })).items;
}

/** Undoes the person's own last snooze or wake of each. */
export async function undoDecision(slug: string, ids: readonly string[]): Promise<void> {
  const body = { action: 'undo' as const, violations: ids.map((id) => ({ id })) };
  await api.decideViolations({ path: { tenant_slug: slug }, body });
}

/**
 * Violations, exceptions and waiting tasks are read again at once. Everything else is read again when a page shows it.
 */
export function violationsChanged(queryClient: QueryClient, slug: string): Promise<void> {
  return readAgain(queryClient, slug, [subject, 'exceptions', waitingKey]);
}

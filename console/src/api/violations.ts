/** Policy violations: the list of the workspace, one in full, and what people do about them. */
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Answer } from './client.ts';
import { call } from './http.ts';

type OfRepository = Answer<'listPolicyViolations'>;

export type Violation = OfRepository['items'][number] & { repository: { id: string; full_name: string } };
/** An empty list where it is about the repository itself. */
export type ViolationTarget = Violation['target'];
export type ViolationDetail = Answer<'getPolicyViolation'>;

export interface ViolationPage {
  items: Violation[];
  summary: OfRepository['summary'];
  next_cursor: string | null;
}

export interface ViolationRequest {
  repo?: string | undefined;
  status?: string[] | undefined;
  enforcement?: string[] | undefined;
  policy?: string[] | undefined;
  target_type?: string[] | undefined;
  due?: string | undefined;
  snoozed?: string | undefined;
  blocking?: string | undefined;
  cursor?: string | undefined;
}

export const violationStatuses = ['open', 'pending_review', 'waived', 'resolved'] as const;
export const enforcementModes = ['block', 'warn', 'monitor', 'none'] as const;

const subject = 'violations';

function pathOf(slug: string, rest: string): string {
  return `/console/api/v1/${slug}/policy-violations${rest}`;
}

/** Soonest due first. */
export function violationsQuery(slug: string, request: ViolationRequest) {
  return queryOptions({
    queryKey: [subject, slug, 'list', request],
    queryFn: ({ signal }) =>
      call<ViolationPage>('GET', pathOf(slug, '/all'), { query: { ...request }, signal }),
    placeholderData: keepPreviousData,
  });
}

export function violationQuery(slug: string, id: string) {
  return queryOptions({
    queryKey: [subject, slug, 'one', id],
    queryFn: ({ signal }) =>
      call<ViolationDetail>('GET', pathOf(slug, `/${encodeURIComponent(id)}`), { signal }),
  });
}

export interface Decision {
  action: 'snooze' | 'wake';
  reason: string;
  /** RFC 3339, to snooze. */
  until?: string;
}

export interface DecidedViolation {
  id: string;
  snoozed: boolean;
  snoozed_until: string | null;
  /** What was asked for instead, because the policy blocks. */
  exception: { id: string; status: string } | null;
}

// What the server takes at once, all or none.
export const maxAtOnce = 500;

export async function decideViolations(
  slug: string,
  decision: Decision,
  ids: readonly string[],
): Promise<DecidedViolation[]> {
  const body = { ...decision, violations: ids.map((id) => ({ id })) };
  const path = `/manage/v1/${slug}/policy-violations/decisions`;
  return (await call<{ items: DecidedViolation[] }>('POST', path, { body })).items;
}

/** Violations and exceptions are read again at once; everything else when it is next looked at. */
export async function violationsChanged(queryClient: QueryClient, slug: string): Promise<void> {
  const own = [subject, 'exceptions'];
  await Promise.all([
    ...own.map((first) => queryClient.invalidateQueries({ queryKey: [first, slug] })),
    queryClient.invalidateQueries({
      predicate: ({ queryKey }) => !own.includes(String(queryKey[0])) && queryKey[1] === slug,
      refetchType: 'none',
    }),
  ]);
}

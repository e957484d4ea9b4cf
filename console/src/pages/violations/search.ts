/** The parameters in the address of the policy violations, and the API request that they become. */
import { queryValues } from '@merlon/client';
import type { ViolationRequest } from '../../api/violations.ts';
import { list, listSearchOf, matching, oneOf, someOf, text, yesNo } from '../../search.ts';
import { searchableTerms } from '../../search-terms.ts';

/** Asks for every status. Without any status, the page shows the active violations. */
export const anyStatus = 'any';
const unresolved = ['open', 'pending_review'] as const satisfies ViolationRequest['status'];

const values = queryValues.listAllPolicyViolations;

const read = listSearchOf<ViolationRequest>()({
  repo: text,
  status: someOf(...values.status, anyStatus),
  enforcement: someOf(...values.enforcement),
  policy: list,
  target_type: someOf(...values.target_type),
  due: oneOf(...values.due),
  snoozed: yesNo,
  blocking: yesNo,
  q: text,
  cursor: text,
  /** The violation in the panel. */
  v: matching(/^pvl_[0-9a-z]{1,40}$/),
});

export type ViolationSearch = ReturnType<typeof read>;

export function violationSearch(raw: Record<string, unknown>): ViolationSearch {
  const { status = unresolved, ...search } = read(raw);
  const named = status.filter((one) => one !== anyStatus);
  return { status: named.length > 0 ? named : [anyStatus], ...search };
}

/** True if the page shows every active violation, so that an empty list means that there is none. */
export function showsAllActive({ status = [], cursor: _, v: __, ...filters }: ViolationSearch): boolean {
  const shows = (one: (typeof unresolved)[number]) => status.includes(anyStatus) || status.includes(one);
  return Object.keys(filters).length === 0 && unresolved.every(shows);
}

export function requestOf({ v: _, status = [], q, ...search }: ViolationSearch): ViolationRequest {
  return {
    ...search,
    // A request without any status asks for every status.
    status: status.filter((one) => one !== anyStatus),
    q: q === undefined ? undefined : searchableTerms(q),
  };
}

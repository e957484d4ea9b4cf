/** The parameters in the address of the policy violations, and the API request that they become. */
import type { ViolationRequest } from '../../api/violations.ts';
import { list, matching, oneOf, searchOf, text, yesNo } from '../../search.ts';
import { searchableTerms } from '../../search-terms.ts';

/** Asks for every status. Without any status, the page shows the active violations. */
export const anyStatus = 'any';
const unresolved = ['open', 'pending_review'];

const read = searchOf({
  repo: text,
  status: list,
  enforcement: list,
  policy: list,
  target_type: list,
  due: oneOf('overdue', 'soon', 'later'),
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

export function requestOf({ v: _, status, q, ...search }: ViolationSearch): ViolationRequest {
  return {
    ...search,
    status: status?.includes(anyStatus) ? undefined : status,
    q: q === undefined ? undefined : searchableTerms(q),
  };
}

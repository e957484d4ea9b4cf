/** The parameters in the address of the exceptions. */
import { list, searchOf, text } from '../../search.ts';
import { searchableTerms } from '../../search-terms.ts';

export const exceptionSearch = searchOf({ status: list, repo: text, policy: list, q: text, cursor: text });

export type ExceptionSearch = ReturnType<typeof exceptionSearch>;

export function requestOf({ q, ...search }: ExceptionSearch) {
  return { ...search, q: q === undefined ? undefined : searchableTerms(q) };
}

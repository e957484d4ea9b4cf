/** The parameters in the address of the exceptions. */
import { queryValues } from '@merlon/client';
import type { ExceptionRequest } from '../../api/exceptions.ts';
import { list, listSearchOf, someOf, text } from '../../search.ts';
import { searchableTerms } from '../../search-terms.ts';

export const exceptionSearch = listSearchOf<ExceptionRequest>()({
  status: someOf(...queryValues.listExceptions.status),
  repo: text,
  policy: list,
  violation: text,
  q: text,
  cursor: text,
});

export type ExceptionSearch = ReturnType<typeof exceptionSearch>;

export function requestOf({ q, ...search }: ExceptionSearch): ExceptionRequest {
  return { ...search, q: q === undefined ? undefined : searchableTerms(q) };
}

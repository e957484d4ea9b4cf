/** The parameters in the address of the exceptions. */
import { list, searchOf, text } from '../../search.ts';

export const exceptionSearch = searchOf({ status: list, repo: text, policy: list, cursor: text });

export type ExceptionSearch = ReturnType<typeof exceptionSearch>;

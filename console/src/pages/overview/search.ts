/** The parameters in the address of the overview. */
import { scopes } from '../../scopes.ts';
import { oneOf, searchOf } from '../../search.ts';

/** Without a scope, what is open on tracked references counts. */
export const overviewSearch = searchOf({ scope: oneOf(...scopes) });

/** The parameters in the address of the overview. */
import { scopes } from '../../scopes.ts';
import { oneOf, searchOf } from '../../search.ts';

/** Without a scope, vulnerabilities that are open on tracked references count. */
export const overviewSearch = searchOf({ scope: oneOf(...scopes) });

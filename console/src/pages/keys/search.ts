import { list, oneOf, searchOf, text } from '../../search.ts';

export const keysSearch = searchOf({ kind: oneOf('personal', 'workspace'), status: list, key: text });

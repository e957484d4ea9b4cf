import { searchOf, text } from '../../search.ts';

export const repositorySearch = searchOf({ cursor: text });

import { list, searchOf, text } from '../../search.ts';

export const repositoriesSearch = searchOf({ org: text, source: list, cursor: text });

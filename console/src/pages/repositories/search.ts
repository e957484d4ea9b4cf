import { list, searchOf, text } from '../../search.ts';

export const repositoriesSearch = searchOf({ q: text, org: text, source: list, cursor: text });

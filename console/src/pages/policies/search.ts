import { searchOf, text } from '../../search.ts';

export const policiesSearch = searchOf({ q: text });

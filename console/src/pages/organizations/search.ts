import { searchOf, text } from '../../search.ts';

export const organizationsSearch = searchOf({ q: text, cursor: text });

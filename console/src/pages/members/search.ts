import { searchOf, text } from '../../search.ts';

export const membersSearch = searchOf({ q: text });

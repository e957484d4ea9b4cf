import { searchOf, text } from '../../search.ts';

export const organizationsSearch = searchOf({ cursor: text });

import { searchOf, text } from '../../search.ts';

export const signInSearch = searchOf({ next: text, error: text });

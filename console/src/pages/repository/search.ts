import { oneOf, searchOf, text } from '../../search.ts';

export const repositoryTabs = ['overview', 'references', 'policies', 'scans'] as const;

export const repositorySearch = searchOf({ tab: oneOf(...repositoryTabs), cursor: text });

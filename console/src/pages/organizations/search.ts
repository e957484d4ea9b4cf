import type { Query } from '../../api/client.ts';
import { listSearchOf, text } from '../../search.ts';

export const organizationsSearch = listSearchOf<Query<'listOrganizations'>>()({ q: text, cursor: text });

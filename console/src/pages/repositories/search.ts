import { type Query, queryValues } from '@merlon/client';
import { listSearchOf, someOf, text } from '../../search.ts';

export const repositoriesSearch = listSearchOf<Query<'listRepositories'>>()({
  q: text,
  org: text,
  source: someOf(...queryValues.listRepositories.source),
  cursor: text,
});

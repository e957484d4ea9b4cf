import type { Query } from '../../api/client.ts';
import { listSearchOf, matching, text } from '../../search.ts';

export const applicationsSearch = listSearchOf<Query<'listApplications'>>()({
  q: text,
  cursor: text,
  /** The application in the panel. */
  app: matching(/^app_[0-9a-z]{1,40}$/),
});

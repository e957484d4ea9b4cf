import { matching, searchOf, text } from '../../search.ts';

export const applicationsSearch = searchOf({
  q: text,
  cursor: text,
  /** The application in the panel. */
  app: matching(/^app_[0-9a-z]{1,40}$/),
});

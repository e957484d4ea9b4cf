import { searchOf, text } from '../../search.ts';

/** `since` and `until` are days in the reader's zone, both included, or exact times as the API takes them. */
export const auditSearch = searchOf({
  actor: text,
  action: text,
  target: text,
  since: text,
  until: text,
  cursor: text,
});

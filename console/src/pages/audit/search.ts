import { type Query, queryValues } from '@merlon/client';
import { listSearchOf, oneOf, text } from '../../search.ts';

/** `since` and `until` are days in the reader's zone, both included, or exact times as the API takes them. */
export const auditSearch = listSearchOf<Query<'listAudit'>>()({
  actor: text,
  action: oneOf(...queryValues.listAudit.action),
  target: text,
  since: text,
  until: text,
  cursor: text,
});

/** The parameters in the address of the notifications of the Cyber Resilience Act. */
import { type Query, queryValues } from '@merlon/client';
import { listSearchOf, oneOf, text } from '../../search.ts';

export const craSearch = listSearchOf<Query<'listCraNotifications'>>()({
  state: oneOf(...queryValues.listCraNotifications.state),
  application: text,
  cursor: text,
});
export type CraSearch = ReturnType<typeof craSearch>;

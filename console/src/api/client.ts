/**
 * The operations of the API over the console's own way of sending: `api.listMembers({ path: { tenant_slug: slug } })`.
 */
import { operationsOver } from '@merlon/client';
import { send } from './http.ts';

export { type Answer, addressOf, type Query, type RequestBody, requestOf } from '@merlon/client';

export const api = operationsOver(send);

/** Webhooks: the receivers of events, and the deliveries to them. */
import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from './client.ts';
import { endlessQuery } from './queries.ts';

export type Webhook = Answer<'listWebhooks'>['items'][number];
export type CreatedWebhook = Answer<'createWebhook'>;
export type WebhookFormat = Webhook['format'];
export type EventType = Webhook['types'][number];
/** The fields of the form. Repositories and applications are ids. */
export interface WebhookFields
  extends Pick<Webhook, 'name' | 'url' | 'types' | 'least_severity' | 'enabled'> {
  repositories: string[];
  applications: string[];
}
export type Delivery = Answer<'listWebhookDeliveries'>['items'][number];

export const webhooksKey = (slug: string) => ['webhooks', slug];

export function webhooksQuery(slug: string) {
  return queryOptions({
    queryKey: webhooksKey(slug),
    queryFn: ({ signal }) => api.listWebhooks({ path: { tenant_slug: slug }, signal }),
  });
}

/** A webhook of a chat for which no types are chosen gets those that the server chooses for people. */
export function createWebhook(slug: string, { types, ...fields }: WebhookFields & { format: WebhookFormat }) {
  const body = fields.format === 'standard' || types.length > 0 ? { ...fields, types } : fields;
  return api.createWebhook({ path: { tenant_slug: slug }, body });
}

export function changeWebhook(slug: string, webhook: string, fields: Partial<WebhookFields>) {
  return api.changeWebhook({ path: { tenant_slug: slug, webhook }, body: fields });
}

export const deliveriesKey = (slug: string, webhook: string) => ['webhook-deliveries', slug, webhook];

export function deliveriesQuery(slug: string, webhook: string, status: Delivery['status'] | undefined) {
  return endlessQuery([...deliveriesKey(slug, webhook), status], (cursor, signal) =>
    api.listWebhookDeliveries({ path: { tenant_slug: slug, webhook }, query: { status, cursor }, signal }),
  );
}

export function replayWebhook(slug: string, webhook: string, events: string[] | 'failed') {
  const body = events === 'failed' ? { failed: true } : { events };
  return api.replayWebhook({ path: { tenant_slug: slug, webhook }, body });
}

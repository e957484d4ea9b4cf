/** `/manage/v1/{tenant_slug}/webhooks`: admins make, change and delete webhooks, and look at their deliveries. */
import { Type } from 'typebox';
import { actorOf } from '../../access/audit/record.ts';
import { adminTx } from '../../access/members/lookup.ts';
import { tenantReadTx, tenantTx } from '../../db/database.ts';
import { invalidInput } from '../../domain/errors.ts';
import { principalOf, tenantIdOf } from '../../http/access.ts';
import { declareFilters, openPage, pageParameters } from '../../http/page.ts';
import { closedObject, list, namedObject, oneOf, page, paramsWith } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { outboundRules } from '../outbound/outbound-rules.ts';
import { deliveryStatuses, listDeliveries } from './delivery-store.ts';
import { NewWebhook, WebhookChange } from './webhook-input.ts';
import { deliveryItem, Webhook, WebhookDelivery, WebhookWithSecret, webhookItem } from './webhook-schema.ts';
import {
  changeWebhook,
  createWebhook,
  getWebhook,
  removeWebhook,
  replay,
  rotateSecret,
  showWebhooks,
  withDefaults,
} from './webhook-service.ts';

const tags = ['Webhooks'];
const access = { scopes: ['workspace:admin'], role: 'admin' } as const;
// A webhook reads all events, so a key must not make one: its scopes may be narrower than that.
const recentAccess = { session: 'recent', role: 'admin' } as const;

// The log has more, and a person names no more by hand.
const maxReplayed = 1_000;

const webhookParams = paramsWith({ webhook: 'Id of the webhook, whk_….' });

const deliveryFilters = declareFilters({
  status: { schema: oneOf(deliveryStatuses, 'Only deliveries with this status.') },
});

export function webhookRoutes(app: Server): void {
  const { db, config, cursors, secret } = app.deps;
  const rules = outboundRules(config, secret);

  app.get('/manage/v1/:tenant_slug/webhooks', {
    config: { access },
    schema: {
      operationId: 'listWebhooks',
      tags,
      summary: 'List the webhooks, newest first',
      response: { 200: list(Webhook) },
    },
    handler: async (request) => {
      const rows = await tenantReadTx(db, tenantIdOf(request), (tx) => showWebhooks(tx));
      return { items: rows.map(webhookItem) };
    },
  });

  app.post('/manage/v1/:tenant_slug/webhooks', {
    config: { access: recentAccess, conflicts: true },
    schema: {
      operationId: 'createWebhook',
      tags,
      summary:
        'Create a webhook, which sends the events from now on to an address, signed as Standard Webhooks says, or to a chat',
      body: NewWebhook,
      response: { 201: WebhookWithSecret },
    },
    handler: async (request, reply) => {
      const { secret: made, ...shown } = await adminTx(db, principalOf(request), (tx, actor) =>
        createWebhook(tx, actor, withDefaults(request.body), rules),
      );
      return reply.code(201).send({ webhook: webhookItem(shown), secret: made });
    },
  });

  app.patch('/manage/v1/:tenant_slug/webhooks/:webhook', {
    config: { access: recentAccess, conflicts: true },
    schema: {
      operationId: 'changeWebhook',
      tags,
      summary: 'Change a webhook; waiting events are sent at once',
      params: webhookParams,
      body: WebhookChange,
      response: { 200: Webhook },
    },
    handler: async (request) => {
      const changed = await adminTx(db, principalOf(request), (tx, actor) =>
        changeWebhook(tx, actor, request.params.webhook, request.body, rules),
      );
      return webhookItem(changed);
    },
  });

  app.post('/manage/v1/:tenant_slug/webhooks/:webhook/secret', {
    config: { access: recentAccess, conflicts: true },
    schema: {
      operationId: 'rotateWebhookSecret',
      tags,
      summary: 'Create a new signing secret; the previous one also signs for 24 hours',
      params: webhookParams,
      body: closedObject({}),
      response: { 201: WebhookWithSecret },
    },
    handler: async (request, reply) => {
      const { secret: made, ...shown } = await adminTx(db, principalOf(request), (tx, actor) =>
        rotateSecret(tx, actor, request.params.webhook, rules),
      );
      return reply.code(201).send({ webhook: webhookItem(shown), secret: made });
    },
  });

  app.delete('/manage/v1/:tenant_slug/webhooks/:webhook', {
    config: { access },
    schema: {
      operationId: 'deleteWebhook',
      tags,
      summary: 'Delete a webhook with the log of its deliveries',
      params: webhookParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const principal = principalOf(request);
      await tenantTx(db, principal.tenant.id, (tx) =>
        removeWebhook(tx, actorOf(principal), request.params.webhook),
      );
      return reply.code(204).send(null);
    },
  });

  app.get('/manage/v1/:tenant_slug/webhooks/:webhook/deliveries', {
    config: { access },
    schema: {
      operationId: 'listWebhookDeliveries',
      tags,
      summary: 'List the waiting and finished deliveries of a webhook, newest first',
      params: webhookParams,
      querystring: Type.Object({ ...deliveryFilters.parameters, ...pageParameters }),
      response: { 200: page(WebhookDelivery) },
    },
    handler: async (request) => {
      const tenantId = tenantIdOf(request);
      const { webhook } = request.params;
      const { status = null } = request.query;
      const opened = openPage(cursors, [tenantId, 'listWebhookDeliveries', webhook], request.query);
      const rows = await tenantReadTx(db, tenantId, async (tx) => {
        const { row } = await getWebhook(tx, webhook);
        return listDeliveries(tx, row.id, {
          status,
          before: opened.after && String(opened.after[0]),
          limit: opened.take,
        });
      });
      return opened.answer(rows, deliveryItem, ({ number }) => [number]);
    },
  });

  app.post('/manage/v1/:tenant_slug/webhooks/:webhook/replay', {
    config: { access },
    schema: {
      operationId: 'replayWebhook',
      tags,
      summary: 'Send events of the delivery log again: these, or all that have failed',
      params: webhookParams,
      body: closedObject({
        events: Type.Optional(
          Type.Array(Type.String({ maxLength: 64 }), {
            minItems: 1,
            maxItems: maxReplayed,
            description: 'Ids of events, evt_….',
          }),
        ),
        failed: Type.Optional(Type.Boolean({ description: 'Send all that have failed.' })),
      }),
      response: { 200: namedObject('ReplayedEvents', { replayed: Type.Integer() }) },
    },
    handler: async (request) => {
      const principal = principalOf(request);
      const { events, failed = false } = request.body;
      if ((events === undefined) !== failed) {
        throw invalidInput('Give events, or failed as true, and not both.', 'events');
      }
      const replayed = await tenantTx(db, principal.tenant.id, (tx) =>
        replay(tx, actorOf(principal), request.params.webhook, events ?? 'failed'),
      );
      return { replayed };
    },
  });
}

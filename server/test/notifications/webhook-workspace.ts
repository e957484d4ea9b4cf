/** A workspace for tests of webhooks, with a receiver, and a clock that moves without waiting. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach } from 'node:test';
import { importTx } from '../../src/db/database.ts';
import type { WebhookId } from '../../src/domain/ids.ts';
import type { EventObjectId, WorkspaceEvent, WorkspaceEventType } from '../../src/domain/workspace-event.ts';
import { networksOf } from '../../src/notifications/outbound/public-address.ts';
import type { DeliveryDependencies } from '../../src/notifications/webhooks/deliver.ts';
import { deliveryScheduler } from '../../src/notifications/webhooks/delivery-loop.ts';
import type { WebhookInput } from '../../src/notifications/webhooks/webhook-input.ts';
import { createWebhook, withDefaults } from '../../src/notifications/webhooks/webhook-service.ts';
import { blockCritical, createPolicyWorkspace } from '../policies/policy-workspace.ts';
import { signInAs } from '../support/session.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;

export const nameOf = (event: { data: object }): string => (event.data as { key: { name: string } }).key.name;

interface Stored {
  enabled: boolean;
  disabled_reason: string | null;
  failures: number;
  retry_at: Date | null;
  missed: string;
  leased_until: Date | null;
}

interface Logged {
  status: string;
  attempts: number;
  error: string | null;
  response_status: number | null;
}

interface CurrentReceiver {
  /** The time of the deliveries, in milliseconds. It moves without waiting. */
  clock: number;
  /** The receiver of the webhook `hook`. Both are created before each test. */
  receiver: Receiver;
  hook: { id: WebhookId; secret: string };
}

export async function createWebhookWorkspace() {
  const { server, tenant, people, apply, scan } = await createPolicyWorkspace({
    MERLON_WEBHOOK_NETWORKS: '127.0.0.0/8',
  });
  const { db, secret, owner } = server;
  const actor = { actorId: people.admin.user.id };
  const rules = { secret, allowed: networksOf(['127.0.0.0/8']), allowsHttp: true };
  await apply(blockCritical);
  const admin = await signInAs(server, people.admin.user.id);
  const current = { clock: Date.now() } as CurrentReceiver;

  const dependencies: DeliveryDependencies = {
    db,
    secret,
    post: { allowed: rules.allowed, usesSystemNames: true, timeoutMs: 1_000 },
    publicUrl: 'https://merlon.example',
    now: () => new Date(current.clock),
    random: () => 0.5,
  };

  beforeEach(async () => {
    current.clock = Date.now() + 1_000;
    current.receiver = await startReceiver();
    current.hook = await webhook({ url: current.receiver.url });
    current.receiver.secret = current.hook.secret;
  });
  afterEach(async () => {
    await current.receiver.close();
    await owner.query('delete from webhook');
  });

  async function webhook(
    input: Partial<WebhookInput>,
    tenantId = tenant.id,
  ): Promise<{ id: WebhookId; secret: string }> {
    const fields = withDefaults({ name: 'A receiver', url: '', ...input });
    const made = await importTx(db, tenantId, (tx) => createWebhook(tx, actor, fields, rules));
    return { id: made.row.id, secret: made.secret ?? '' };
  }

  /** Writes an event about an object. Its text is in the name of the key. */
  async function writeEvent(
    objectId: EventObjectId,
    name: string,
    type: WorkspaceEventType = 'key.created',
  ): Promise<void> {
    const event: WorkspaceEvent = {
      type,
      objectId,
      repositoryId: null,
      scanId: null,
      actorId: null,
      at: new Date(),
      data: { kind: 'workspace', name, expires_at: null },
    };
    await importTx(db, tenant.id, async (tx) => tx.changes.addEvent(event));
  }

  const namesReceived = (from = current.receiver): string[] =>
    from.received.map(({ event }) => nameOf(event));

  /** Delivers until nothing is due at the time of the clock. */
  async function deliver(more: Partial<DeliveryDependencies> = {}): Promise<void> {
    const scheduler = deliveryScheduler({ ...dependencies, ...more }, (error) => {
      throw error;
    });
    await scheduler.poll();
    await scheduler.idle();
  }

  /** Moves the clock in steps, and delivers after each step. */
  async function pass(ms: number, stepMs: number): Promise<void> {
    for (const end = current.clock + ms; current.clock < end; ) {
      current.clock += stepMs;
      await deliver();
    }
  }

  async function stored(id = current.hook.id): Promise<Stored> {
    const { rows } = await owner.query<Stored>('select * from webhook where id = $1', [id]);
    return rows[0] ?? assert.fail('no webhook');
  }

  async function log(id = current.hook.id): Promise<Logged[]> {
    const { rows } = await owner.query<Logged>(
      'select * from webhook_delivery where webhook_id = $1 order by number',
      [id],
    );
    return rows;
  }

  /** Returns the ids of all events of the workspace since the cursor, in order. */
  async function eventsSince(cursor: string): Promise<string[]> {
    const { text } = await admin.get(
      `/console/export/v1/acme/events?since=${encodeURIComponent(cursor)}&limit=5000`,
    );
    return text
      .trimEnd()
      .split('\n')
      .flatMap((line) => (JSON.parse(line) as { id?: string }).id ?? []);
  }

  async function cursorOfNow(): Promise<string> {
    const { text } = await admin.get('/console/export/v1/acme/events?since=latest');
    return JSON.parse(text).cursor;
  }

  return {
    server,
    tenant,
    scan,
    db,
    secret,
    owner,
    admin,
    current,
    dependencies,
    webhook,
    writeEvent,
    namesReceived,
    deliver,
    pass,
    stored,
    log,
    eventsSince,
    cursorOfNow,
  };
}

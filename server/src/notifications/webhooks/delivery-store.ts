/** SQL of the deliveries of webhooks: those that wait, and the log of those that are done. */
import { insertRows } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import type { EventId, WebhookId } from '../../domain/ids.ts';
import type { EventObjectId, WorkspaceEventType } from '../../domain/workspace-event.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface NewDelivery {
  number: number;
  event_id: EventId;
  type: string;
  object_id: EventObjectId;
}

// The log is for people who look for what went wrong, and for a replay of it. Nobody reads more than this.
const maxLogged = 10_000;

/** Adds deliveries that are due, and shortens the log of the webhook. */
export async function addDeliveries(
  tx: Tx,
  webhookId: WebhookId,
  rows: readonly NewDelivery[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  const pending = rows.map((row) => ({
    ...row,
    webhook_id: webhookId,
    status: 'pending',
    due_at: now,
    created_at: now,
  }));
  await insertRows(tx, 'webhook_delivery', pending, { conflict: 'do nothing' });
  const [oldest] = await tx.query<{ number: string }>(
    `select number from webhook_delivery where tenant_id = $1 and webhook_id = $2
      order by number desc offset ${maxLogged} limit 1`,
    [tx.tenantId, webhookId],
  );
  if (oldest !== undefined) {
    await tx.query(
      `delete from webhook_delivery
        where tenant_id = $1 and webhook_id = $2 and number <= $3 and status <> 'pending'`,
      [tx.tenantId, webhookId, oldest.number],
    );
  }
}

/**
 * Deletes the deliveries of events up to this number, which are not kept any more and cannot be sent. Those that wait
 * count as missed: if they stayed, each would take the one attempt by which a receiver that was away is found again.
 */
export async function deleteDeliveriesThrough(tx: Tx, number: number): Promise<void> {
  await tx.query(
    `update webhook w set missed = w.missed + d.waiting
       from (select webhook_id, count(*) as waiting from webhook_delivery
              where tenant_id = $1 and number <= $2 and status = 'pending' group by webhook_id) d
      where w.tenant_id = $1 and w.id = d.webhook_id`,
    [tx.tenantId, number],
  );
  await tx.query(
    `delete from webhook_delivery d using webhook w
      where w.tenant_id = $1 and d.tenant_id = $1 and d.webhook_id = w.id and d.number <= $2`,
    [tx.tenantId, number],
  );
}

// The oldest pending delivery of each object. A later event of the object waits for it.
const heads = `select distinct on (object_id) object_id, number, attempts, due_at, scheduled_at, last_attempt_at
    from webhook_delivery
  where tenant_id = $1 and webhook_id = $2 and status = 'pending' order by object_id, number`;

export interface DueDelivery {
  number: string;
  attempts: number;
  /** The end of its own wait, if it is due before that; else null. */
  scheduled_at: Date | null;
  /** False if it is sent only because another one is due. */
  is_due: boolean;
}

/**
 * The oldest pending delivery of each object, if it is due. Those that were tried last come last, so that what a
 * receiver refuses for good keeps nothing else waiting.
 */
export async function listDueDeliveries(
  tx: Tx,
  webhookId: WebhookId,
  now: Date,
  limit: number,
): Promise<DueDelivery[]> {
  return tx.query<DueDelivery>(
    `select h.number, h.attempts, h.scheduled_at, true as is_due from (${heads}) h
      where h.due_at <= $3 order by h.last_attempt_at nulls first, h.number limit $4`,
    [tx.tenantId, webhookId, now, limit],
  );
}

/** If one is due, all pending deliveries: a message is about all of them. Those of an object are in order. */
export async function listForMessage(
  tx: Tx,
  webhookId: WebhookId,
  now: Date,
  limit: number,
): Promise<DueDelivery[]> {
  const rows = await tx.query<DueDelivery>(
    `select d.number, d.attempts, d.scheduled_at, h.due_at <= $3 as is_due from (${heads}) h
       join webhook_delivery d on d.tenant_id = $1 and d.webhook_id = $2 and d.object_id = h.object_id
      where d.status = 'pending' order by is_due desc, d.number limit $4`,
    [tx.tenantId, webhookId, now, limit],
  );
  return rows[0]?.is_due ? rows : [];
}

/** When the next delivery is due; null if none waits. */
export async function findNextDue(tx: Tx, webhookId: WebhookId): Promise<Date | null> {
  const [row] = await tx.query<{ due_at: Date | null }>(`select min(h.due_at) as due_at from (${heads}) h`, [
    tx.tenantId,
    webhookId,
  ]);
  return row?.due_at ?? null;
}

/** The number of waiting deliveries of these webhooks. One without any is missing. */
export async function countPending(tx: Tx, webhookIds: readonly WebhookId[]): Promise<Map<string, number>> {
  const rows = await tx.query<{ webhook_id: WebhookId; count: number }>(
    `select webhook_id, count(*)::int as count from webhook_delivery
      where tenant_id = $1 and webhook_id = any($2::uuid[]) and status = 'pending' group by webhook_id`,
    [tx.tenantId, webhookIds],
  );
  return new Map(rows.map(({ webhook_id: id, count }) => [id, count]));
}

export interface AttemptResult {
  number: number;
  status: DeliveryStatus;
  attempts: number;
  due_at: Date;
  last_attempt_at: Date;
  response_status: number | null;
  error: string | null;
  duration_ms: number;
}

export async function writeAttempts(
  tx: Tx,
  webhookId: WebhookId,
  results: readonly AttemptResult[],
): Promise<void> {
  await tx.query(
    `update webhook_delivery d set status = k.status, attempts = k.attempts, due_at = k.due_at, scheduled_at = null,
            last_attempt_at = k.last_attempt_at, response_status = k.response_status, error = k.error,
            duration_ms = k.duration_ms
       from json_to_recordset($3::json) as k (number bigint, status text, attempts integer, due_at timestamptz,
              last_attempt_at timestamptz, response_status integer, error text, duration_ms integer)
      where d.tenant_id = $1 and d.webhook_id = $2 and d.number = k.number`,
    [tx.tenantId, webhookId, JSON.stringify(results)],
  );
}

/** Makes everything that waits due, because the receiver answers again or is another one. */
export async function makePendingDue(tx: Tx, webhookId: WebhookId, now: Date): Promise<void> {
  await tx.query(
    `update webhook_delivery set due_at = $3, scheduled_at = coalesce(scheduled_at, due_at)
      where tenant_id = $1 and webhook_id = $2 and status = 'pending' and due_at > $3`,
    [tx.tenantId, webhookId, now],
  );
}

export interface DeliveryRow {
  number: string;
  event_id: EventId;
  type: WorkspaceEventType;
  status: DeliveryStatus;
  attempts: number;
  due_at: Date;
  last_attempt_at: Date | null;
  response_status: number | null;
  error: string | null;
  duration_ms: number | null;
  created_at: Date;
}

/** Deliveries before the number `before`, newest first. */
export async function listDeliveries(
  tx: Tx,
  webhookId: WebhookId,
  { status, before, limit }: { status: DeliveryStatus | null; before: string | null; limit: number },
): Promise<DeliveryRow[]> {
  return tx.query<DeliveryRow>(
    `select number, event_id, type, status, attempts, due_at, last_attempt_at, response_status, error, duration_ms, created_at
       from webhook_delivery
      where tenant_id = $1 and webhook_id = $2 and ($3::text is null or status = $3)
        and ($4::bigint is null or number < $4)
      order by number desc limit $5`,
    [tx.tenantId, webhookId, status, before, limit],
  );
}

/** Makes these deliveries pending again, or all that have failed. Returns how many. */
export async function replayDeliveries(
  tx: Tx,
  webhookId: WebhookId,
  eventIds: readonly EventId[] | 'failed',
  now: Date,
): Promise<number> {
  const rows = await tx.query(
    `update webhook_delivery set status = 'pending', attempts = 0, due_at = $3
      where tenant_id = $1 and webhook_id = $2 and status <> 'pending'
        and (case when $4::uuid[] is null then status = 'failed' else event_id = any($4) end) returning 1`,
    [tx.tenantId, webhookId, now, eventIds === 'failed' ? null : eventIds],
  );
  return rows.length;
}

/** SQL of webhooks. */
import { changedNow, insertRows, updateRow } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import type { DueCondition } from '../../db/due-tenants.ts';
import type { ApplicationId, RepositoryId, WebhookId } from '../../domain/ids.ts';
import type { Severity } from '../../domain/packed-state.ts';
import type { WorkspaceEventType } from '../../domain/workspace-event.ts';

/** `standard` sends each event by itself; `slack` and `teams` send people one message about all that is new. */
export const webhookFormats = ['standard', 'slack', 'teams'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

export interface WebhookFilters {
  /** Empty: all. */
  types: WorkspaceEventType[];
  least_severity: Severity;
  /** Empty, with no application either: all. */
  repository_ids: RepositoryId[];
  application_ids: ApplicationId[];
}

export interface WebhookRow extends WebhookFilters {
  id: WebhookId;
  name: string;
  /** As it is shown; the address itself is in `sealed`. */
  url: string;
  format: WebhookFormat;
  sealed: Buffer;
  previous_secret_until: Date | null;
  enabled: boolean;
  disabled_reason: string | null;
  position: string;
  missed: string;
  failures: number;
  due_at: Date | null;
  retry_at: Date | null;
  last_delivered_at: Date | null;
  created_at: Date;
}

const columns = `id, name, url, format, sealed, previous_secret_until, types, least_severity, repository_ids, application_ids, enabled,
  disabled_reason, position, missed, failures, due_at, retry_at, last_delivered_at, created_at`;

/** All webhooks of the workspace, newest first. */
export async function listWebhooks(tx: Tx): Promise<WebhookRow[]> {
  return tx.query(`select ${columns} from webhook where tenant_id = $1 order by id desc`, [tx.tenantId]);
}

export async function findWebhook(tx: Tx, id: WebhookId): Promise<WebhookRow | undefined> {
  const [row] = await tx.query<WebhookRow>(
    `select ${columns} from webhook where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
  );
  return row;
}

/** Locks the webhook until the transaction ends. */
export async function lockWebhook(tx: Tx, id: WebhookId): Promise<WebhookRow | undefined> {
  const [row] = await tx.query<WebhookRow>(
    `select ${columns} from webhook where tenant_id = $1 and id = $2 for update`,
    [tx.tenantId, id],
  );
  return row;
}

export type WebhookFields = WebhookFilters & Pick<WebhookRow, 'name' | 'url' | 'sealed' | 'enabled'>;

export async function insertWebhook(
  tx: Tx,
  row: WebhookFields & { id: WebhookId; format: WebhookFormat; position: number; created_at: Date },
): Promise<void> {
  await insertRows(tx, 'webhook', [row]);
}

/** Sets all fields that a person may set, and ends the wait for a receiver that was away. */
export async function updateWebhook(
  tx: Tx,
  id: WebhookId,
  fields: WebhookFields & Pick<WebhookRow, 'disabled_reason'>,
): Promise<void> {
  const untried = { failures: 0, retry_at: null, next_message_at: null };
  await updateRow(tx, 'webhook', id, { ...fields, ...untried }, changedNow);
}

export async function updateSecrets(
  tx: Tx,
  id: WebhookId,
  { sealed, previousUntil }: { sealed: Buffer; previousUntil: Date },
): Promise<void> {
  await updateRow(tx, 'webhook', id, { sealed, previous_secret_until: previousUntil }, changedNow);
}

/** Deletes the webhook with its deliveries and gives its name; undefined if the workspace has no such webhook. */
export async function deleteWebhook(tx: Tx, id: WebhookId): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>(
    'delete from webhook where tenant_id = $1 and id = $2 returning name',
    [tx.tenantId, id],
  );
  return row?.name;
}

const mayBeSent = (at: string): string =>
  `(retry_at is null or retry_at <= ${at}) and (next_message_at is null or next_message_at <= ${at})`;
// A lease that was not given back is that of a process which has ended in the middle of a round.
const isDue = (tenant: string, at: string): string =>
  `w.tenant_id = ${tenant} and w.enabled and ${mayBeSent(at)}
     and (w.leased_until is null or w.leased_until <= ${at})
     and (w.due_at <= ${at} or w.leased_until <= ${at}
          or w.position < (select s.last_number from event_sequence s where s.tenant_id = ${tenant}))`;

/** True in SQL if a webhook of the workspace has something to send. */
export const webhooksDue: DueCondition = `exists (select 1 from webhook w where ${isDue('asked_tenant', 'asked_at')})`;

/** The webhooks with something to send. */
export async function listDueWebhooks(tx: Tx, now: Date): Promise<WebhookId[]> {
  const rows = await tx.query<{ id: WebhookId }>(
    `select w.id from webhook w where ${isDue('$1', '$2')} order by w.id`,
    [tx.tenantId, now],
  );
  return rows.map(({ id }) => id);
}

/** Takes the webhook for one process. Returns undefined if another one has it, or if it is not its time. */
export async function leaseWebhook(
  tx: Tx,
  id: WebhookId,
  now: Date,
  until: Date,
): Promise<WebhookRow | undefined> {
  const [row] = await tx.query<WebhookRow>(
    `update webhook set leased_until = $4
      where tenant_id = $1 and id = $2 and enabled and (leased_until is null or leased_until <= $3)
        and ${mayBeSent('$3')}
     returning ${columns}`,
    [tx.tenantId, id, now, until],
  );
  return row;
}

/** Locks the webhook if the lease until this time is still the one that holds it. */
export async function lockLeased(tx: Tx, id: WebhookId, until: Date): Promise<WebhookRow | undefined> {
  const [row] = await tx.query<WebhookRow>(
    `select ${columns} from webhook where tenant_id = $1 and id = $2 and leased_until = $3 for update`,
    [tx.tenantId, id, until],
  );
  return row;
}

/** Gives the webhook back, and stores when its next delivery is due. */
export async function releaseWebhook(tx: Tx, id: WebhookId, until: Date, dueAt: Date | null): Promise<void> {
  await tx.query(
    'update webhook set leased_until = null, due_at = $4 where tenant_id = $1 and id = $2 and leased_until = $3',
    [tx.tenantId, id, until, dueAt],
  );
}

/** Stores that all events up to this one are deliveries, or did not concern the webhook. */
export async function setPosition(
  tx: Tx,
  id: WebhookId,
  { position, missed }: { position: number; missed: number },
): Promise<void> {
  await tx.query('update webhook set position = $3, missed = missed + $4 where tenant_id = $1 and id = $2', [
    tx.tenantId,
    id,
    position,
    missed,
  ]);
}

/** Sends nothing before this time, also if something is due. */
export async function setNextMessageAt(tx: Tx, id: WebhookId, until: Date): Promise<void> {
  await updateRow(tx, 'webhook', id, { next_message_at: until });
}

export async function setDue(tx: Tx, id: WebhookId, dueAt: Date): Promise<void> {
  await updateRow(tx, 'webhook', id, { due_at: dueAt });
}

export interface Health {
  failures: number;
  /** Null if the receiver is not away. */
  retryAt: Date | null;
  /** Null if nothing was delivered. */
  deliveredAt: Date | null;
}

export async function setHealth(
  tx: Tx,
  id: WebhookId,
  { failures, retryAt, deliveredAt }: Health,
): Promise<void> {
  await tx.query(
    `update webhook set failures = $3, retry_at = $4, last_delivered_at = coalesce($5, last_delivered_at)
      where tenant_id = $1 and id = $2`,
    [tx.tenantId, id, failures, retryAt, deliveredAt],
  );
}

export async function disableWebhook(tx: Tx, id: WebhookId, reason: string): Promise<void> {
  await updateRow(tx, 'webhook', id, { enabled: false, disabled_reason: reason }, changedNow);
}

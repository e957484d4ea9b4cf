/**
 * Webhooks of a workspace: an admin, or the operator, says which receiver gets which events. The person who makes
 * one decides who reads the events of the workspace, so these functions are for admins alone.
 */

import { type Actor, recordAudit } from '../../access/audit/record.ts';
import { setHasWebhooks } from '../../access/workspaces/store.ts';
import { readClock } from '../../db/commit-watermark.ts';
import type { Tx } from '../../db/database.ts';
import { invalidInput, invalidTransition, orNotFound } from '../../domain/errors.ts';
import { type ApplicationId, formatId, getId, newId, parseId, type RepositoryId } from '../../domain/ids.ts';
import { checkedName } from '../../domain/plain-name.ts';
import { dayMs } from '../../domain/time.ts';
import { workspaceEventTypes } from '../../domain/workspace-event.ts';
import { readOutboxState } from '../../events/read-events.ts';
import { checkedScope, namesOfScopes, recordedScope } from '../filter-scope.ts';
import { checkedAddress, type OutboundRules } from '../outbound/outbound-rules.ts';
import { countPending, findNextDue, makePendingDue, replayDeliveries } from './delivery-store.ts';
import { maxUrlLength, type NewWebhook, type WebhookChange, type WebhookInput } from './webhook-input.ts';
import { newSecret, openSecrets, otherInstall, sealSecrets, type WebhookSecrets } from './webhook-secrets.ts';
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  setDue,
  updateSecrets,
  updateWebhook,
  type WebhookRow,
} from './webhook-store.ts';

/** A webhook without a filter. */
const everything = {
  format: 'standard',
  types: [],
  least_severity: 'unknown',
  repositories: [],
  applications: [],
  enabled: true,
} satisfies Partial<WebhookInput>;

/**
 * The filters of a chat for which an admin chooses none: people get what is new and severe, and what waits for a
 * person. A new violation is not among it, because it is about a vulnerability that is new itself.
 */
const chatDefaults = {
  types: [
    'vulnerability.opened',
    'vulnerability.reopened',
    'violation.due_soon',
    'violation.overdue',
    'exception.requested',
    'scan.failed',
    'scan.closing_held',
    'key.expiring',
  ],
  least_severity: 'high',
} satisfies Partial<WebhookInput>;

/** The webhook with the filters that its format has where none are chosen. */
export function withDefaults(input: NewWebhook): WebhookInput {
  const isForPeople = (input.format ?? everything.format) !== 'standard';
  return { ...everything, ...(isForPeople ? chatDefaults : {}), ...input };
}

// One receiver can pass events on to many. Each webhook reads all new events.
const maxWebhooks = 20;
/** The receiver has this time to learn the new secret. */
const rotationMs = dayMs;

export interface ShownWebhook {
  row: WebhookRow;
  waiting: number;
  /** The names of its repositories and applications, by id. */
  names: ReadonlyMap<string, string>;
}

/** All webhooks of the workspace, newest first, with what waits for them. */
export async function showWebhooks(tx: Tx): Promise<ShownWebhook[]> {
  return withNames(tx, await listWebhooks(tx));
}

async function withNames(tx: Tx, rows: WebhookRow[]): Promise<ShownWebhook[]> {
  const waiting = await countPending(
    tx,
    rows.map(({ id }) => id),
  );
  const names = await namesOfScopes(tx, rows);
  return rows.map((row) => ({ row, waiting: waiting.get(row.id) ?? 0, names }));
}

/** Throws 404 if the workspace has no such webhook. */
export async function getWebhook(tx: Tx, text: string): Promise<ShownWebhook> {
  const row = orNotFound(await findWebhook(tx, getId('webhook', text)));
  const [shown] = await withNames(tx, [row]);
  return orNotFound(shown);
}

/**
 * Makes a webhook that gets the events from now on, and gives its signing secret, which is not shown again; null for a
 * chat. Throws DomainError for a field that is wrong, and 409 if there are too many webhooks.
 */
export async function createWebhook(
  tx: Tx,
  actor: Actor,
  input: WebhookInput,
  rules: OutboundRules,
): Promise<ShownWebhook & { secret: string | null }> {
  const fields = await checkedFields(tx, input, rules);
  const { format } = input;
  await setHasWebhooks(tx);
  if ((await listWebhooks(tx)).length >= maxWebhooks) {
    throw invalidTransition(`The workspace has ${maxWebhooks} webhooks, which is the most: delete one.`);
  }
  const id = newId<'webhook'>();
  // Slack and Teams check no signature, so anyone who knows the address can write to it.
  const current = format === 'standard' ? newSecret() : null;
  const secrets: WebhookSecrets = { url: fields.url, current, previous: null };
  const { last } = await readOutboxState(tx);
  await insertWebhook(tx, {
    ...fields,
    url: shownUrl(fields.url),
    format,
    id,
    sealed: sealSecrets(secrets, tx.tenantId, id, rules.secret),
    position: last,
    created_at: new Date(),
  });
  const shown = await getWebhook(tx, formatId('webhook', id));
  await recordAudit(tx, actor, 'webhook.create', id, auditData(shown));
  return { ...shown, secret: current };
}

/**
 * Changes these fields. A webhook that is enabled, or has another address, begins at once with what waits. Throws
 * DomainError for a field that is wrong, and 404 if the workspace has no such webhook.
 */
export async function changeWebhook(
  tx: Tx,
  actor: Actor,
  text: string,
  input: WebhookChange,
  rules: OutboundRules,
): Promise<ShownWebhook> {
  const before = await lock(tx, text);
  const secrets = opened(tx, before, rules);
  const fields = await checkedFields(
    tx,
    {
      name: before.name,
      url: secrets.url,
      format: before.format,
      types: before.types,
      least_severity: before.least_severity,
      repositories: before.repository_ids.map((id) => formatId('repository', id)),
      applications: before.application_ids.map((id) => formatId('application', id)),
      enabled: before.enabled,
      ...input,
    },
    rules,
    { ...before, url: secrets.url },
  );
  const sealed = sealSecrets({ ...secrets, url: fields.url }, tx.tenantId, before.id, rules.secret);
  const isAsBefore = input.enabled === undefined;
  await updateWebhook(tx, before.id, {
    ...fields,
    url: shownUrl(fields.url),
    sealed,
    disabled_reason: isAsBefore ? before.disabled_reason : null,
  });
  await makePendingDue(tx, before.id, await readClock(tx));
  const dueAt = await findNextDue(tx, before.id);
  if (dueAt !== null) await setDue(tx, before.id, dueAt);
  const shown = await getWebhook(tx, text);
  await recordAudit(tx, actor, 'webhook.change', before.id, auditData(shown));
  return shown;
}

/**
 * Makes a new signing secret. The one before signs too for a day. Throws 404 if the workspace has no such webhook, and
 * 409 if it signs nothing.
 */
export async function rotateSecret(
  tx: Tx,
  actor: Actor,
  text: string,
  rules: OutboundRules,
): Promise<ShownWebhook & { secret: string }> {
  const row = await lock(tx, text);
  const before = opened(tx, row, rules);
  if (before.current === null) {
    throw invalidTransition('A webhook of a chat has no signing secret. Its address is its secret.');
  }
  const previousUntil = new Date(Date.now() + rotationMs);
  const current = newSecret();
  const secrets: WebhookSecrets = {
    url: before.url,
    current,
    previous: { secret: before.current, until: previousUntil.toISOString() },
  };
  const sealed = sealSecrets(secrets, tx.tenantId, row.id, rules.secret);
  await updateSecrets(tx, row.id, { sealed, previousUntil });
  await recordAudit(tx, actor, 'webhook.rotate_secret', row.id, { name: row.name });
  return { ...(await getWebhook(tx, text)), secret: current };
}

/** Deletes the webhook with its log. Throws 404 if the workspace has no such webhook. */
export async function removeWebhook(tx: Tx, actor: Actor, text: string): Promise<void> {
  const id = getId('webhook', text);
  const name = orNotFound(await deleteWebhook(tx, id));
  await recordAudit(tx, actor, 'webhook.delete', id, { name });
}

/**
 * Sends events again: these, or all that have failed. Returns how many; an event that is not in the log is none. Throws
 * 404 if the workspace has no such webhook.
 */
export async function replay(
  tx: Tx,
  actor: Actor,
  text: string,
  events: readonly string[] | 'failed',
): Promise<number> {
  const { id, name } = await lock(tx, text);
  const ids = events === 'failed' ? events : events.flatMap((event) => parseId('event', event) ?? []);
  const now = await readClock(tx);
  const count = await replayDeliveries(tx, id, ids, now);
  if (count > 0) await setDue(tx, id, now);
  await recordAudit(tx, actor, 'webhook.replay', id, { name, events: count });
  return count;
}

async function lock(tx: Tx, text: string): Promise<WebhookRow> {
  return orNotFound(await lockWebhook(tx, getId('webhook', text)));
}

function opened(tx: Tx, row: WebhookRow, { secret }: OutboundRules): WebhookSecrets {
  const secrets = openSecrets(row.sealed, tx.tenantId, row.id, secret);
  if (secrets === null) {
    throw invalidTransition(otherInstall);
  }
  return secrets;
}

function auditData({ row, names }: ShownWebhook): Record<string, unknown> {
  return {
    name: row.name,
    url: row.url,
    format: row.format,
    types: row.types,
    least_severity: row.least_severity,
    ...recordedScope(row, names),
    enabled: row.enabled,
  };
}

type Checked = Omit<WebhookInput, 'format' | 'repositories' | 'applications'> & {
  repository_ids: RepositoryId[];
  application_ids: ApplicationId[];
};

/**
 * `before` is what the webhook has already. Its ids may be of something that is not there any more, and the operator
 * may not allow its address any more: it can be renamed and disabled all the same, and each request checks the address.
 */
async function checkedFields(
  tx: Tx,
  input: WebhookInput,
  rules: OutboundRules,
  before: Pick<WebhookRow, 'repository_ids' | 'application_ids'> & { url: string | null } = {
    url: null,
    repository_ids: [],
    application_ids: [],
  },
): Promise<Checked> {
  const name = checkedName(input.name, 'name');
  const url = input.url === before.url ? input.url : checkedUrl(input.url, rules);
  const types = workspaceEventTypes.filter((type) => input.types.includes(type));
  return {
    name,
    url,
    types: types.length === workspaceEventTypes.length ? [] : types,
    least_severity: input.least_severity,
    ...(await checkedScope(tx, input, before)),
    enabled: input.enabled,
  };
}

// The path or the query often is a token, which is nobody's to read in a list, in the audit log or in a backup.
function shownUrl(text: string): string {
  const { origin, pathname, search } = new URL(text);
  return pathname === '/' && search === '' ? `${origin}/` : `${origin}/…`;
}

const urlRule = { example: 'https://receiver.example.com/merlon', maxLength: maxUrlLength };

function checkedUrl(text: string, rules: OutboundRules): string {
  // The shown address, with a part of it changed.
  if (text.includes('…')) throw invalidInput('Must be the whole address, with its path.', 'url');
  const url = checkedAddress(text, rules, urlRule);
  url.hash = '';
  return url.href;
}

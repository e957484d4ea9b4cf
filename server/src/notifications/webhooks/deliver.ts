/**
 * A round of deliveries to one webhook. The process takes the webhook by a lease, turns new events of the outbox into
 * deliveries, and sends what is due. It sends an event again if it dies between the answer and its note, so a receiver
 * knows doubles by `webhook-id`; it never skips one, and never sends a later event of an object before an earlier one.
 *
 * A webhook of a chat sends one message about everything that is due, so that a report with a hundred new
 * vulnerabilities is one message. Its events have the same rows, retries and log.
 */

import { findSlug } from '../../access/workspaces/store.ts';
import { type Database, importTx, type Tx } from '../../db/database.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import type { TenantId, WebhookId } from '../../domain/ids.ts';
import { type Severity, severities } from '../../domain/packed-state.ts';
import { minuteMs } from '../../domain/time.ts';
import { workspaceEventTypes } from '../../domain/workspace-event.ts';
import {
  listEventsByNumber,
  type OutboxEvent,
  readEvents,
  readOutboxState,
} from '../../events/read-events.ts';
import type { AttemptOutcome } from '../../metrics/metrics.ts';
import { showEvents } from '../feed/event-item.ts';
import { listRepositoryIdsOf } from '../filter-scope-store.ts';
import { chooseForLines, eventMessage } from '../messages/event-message.ts';
import { slackMessage } from '../messages/slack-message.ts';
import { teamsMessage } from '../messages/teams-message.ts';
import { type OutboundOptions, outboundPost } from '../outbound/outbound-request.ts';
import { attemptWaitsMs, jitter } from '../outbound/retries.ts';
import {
  type AttemptResult,
  addDeliveries,
  countPending,
  type DueDelivery,
  findNextDue,
  listDueDeliveries,
  listForMessage,
  makePendingDue,
  writeAttempts,
} from './delivery-store.ts';
import { openSecrets, otherInstall, requestHeaders, type WebhookSecrets } from './webhook-secrets.ts';
import {
  disableWebhook,
  leaseWebhook,
  lockLeased,
  releaseWebhook,
  setHealth,
  setNextMessageAt,
  setPosition,
  type WebhookFormat,
  type WebhookRow,
} from './webhook-store.ts';

export interface DeliveryDependencies {
  db: Database;
  secret: InstallSecret;
  post: OutboundOptions;
  /** The address of the console, for links in messages; null if it is unknown. */
  publicUrl: string | null;
  observe?: (outcome: AttemptOutcome) => void;
  /** The time of the database. */
  now: () => Date;
  /** From 0 to 1, for the jitter. */
  random?: () => number;
}

// After so many failures in a row the receiver counts as away, and one event at a time finds out whether it is back.
const failuresUntilBackoff = 3;
const firstBackoffMs = 30_000;
const maxBackoffMs = 30 * minuteMs;

// Requests that are open to one receiver at the same time.
const atOnce = 8;
// The events of a round. A webhook gives its slot to others after each.
const eventsInRound = 200;
// The events of a message. They are counted, and only a few of them are shown.
const eventsInMessage = 10_000;
// A person reads a few lines in a chat; the rest is on the page.
const linesInMessage = 5;
// A chat gets no further message in this time. What happens meanwhile is in the next one.
const messageIntervalMs = minuteMs;
// A round starts no request after this time.
const sendMs = 10_000;
// A lease covers a round with its last answer and the time of the database. The webhook of a process that was killed
// goes on with another one after that.
const leaseMs = 60_000;
// Further events stay in the outbox while so many wait.
const maxPending = 10_000;
// Events are small: the texts in them are bounded. Receivers often refuse bodies of a megabyte.
const maxBodyBytes = 256 * 1024;

/** Delivers what is due, up to the bounds of a round. Returns true if more is due. */
export async function deliverRound(
  dependencies: DeliveryDependencies,
  tenantId: TenantId,
  webhookId: WebhookId,
): Promise<boolean> {
  const { db, secret, now } = dependencies;
  const at = now();
  const until = new Date(at.getTime() + leaseMs);
  const round = await importTx(db, tenantId, async (tx) => {
    const webhook = await leaseWebhook(tx, webhookId, at, until);
    if (webhook === undefined) return null;
    const secrets = openSecrets(webhook.sealed, tenantId, webhookId, secret);
    if (secrets === null) {
      await disableWebhook(tx, webhookId, otherInstall);
      return null;
    }
    const isAllRead = await addNewEvents(tx, webhook, at);
    const due = await readDue(tx, webhook, at, dependencies.publicUrl);
    if (due.length === 0) await releaseWebhook(tx, webhookId, until, await findNextDue(tx, webhookId));
    return { webhook, secrets, due, isAllRead };
  });
  if (round === null) return false;
  if (round.due.length === 0) return !round.isAllRead;
  const sent = await sendAll(dependencies, round);
  return importTx(db, tenantId, async (tx) => {
    const webhook = await lockLeased(tx, webhookId, until);
    // The lease has ended, and another process sends these again.
    if (webhook === undefined) return false;
    const isSame = webhook.sealed.equals(round.webhook.sealed);
    return storeAttempts(tx, webhook, isSame ? sent : withoutFailures(sent, webhook, now()), {
      ...dependencies,
      until,
    });
  });
}

const isForPeople = ({ format }: Pick<WebhookRow, 'format'>): boolean => format !== 'standard';

const isBackingOff = ({ failures }: Pick<WebhookRow, 'failures'>): boolean =>
  failures >= failuresUntilBackoff;

/** Returns false if more events wait than were read. */
async function addNewEvents(tx: Tx, webhook: WebhookRow, now: Date): Promise<boolean> {
  const pending = (await countPending(tx, [webhook.id])).get(webhook.id) ?? 0;
  if (pending >= maxPending) return true;
  const { last, deleted } = await readOutboxState(tx);
  // Events end after their time, also while a webhook is disabled. The page of webhooks says how many it has missed.
  const position = Math.max(Number(webhook.position), deleted);
  const missed = position - Number(webhook.position);
  if (position >= last) {
    if (missed > 0) await setPosition(tx, webhook.id, { position, missed });
    return true;
  }
  const { events, through } = await readEvents(tx, position, last, {
    types: webhook.types.length > 0 ? webhook.types : workspaceEventTypes,
    limit: isForPeople(webhook) ? eventsInMessage : eventsInRound,
  });
  const repositories =
    webhook.repository_ids.length + webhook.application_ids.length === 0
      ? null
      : new Set([...webhook.repository_ids, ...(await listRepositoryIdsOf(tx, webhook.application_ids))]);
  await addDeliveries(
    tx,
    webhook.id,
    events
      .filter((event) => concerns(event, webhook.least_severity, repositories))
      .map(({ number, id, type, objectId }) => ({ number, event_id: id, type, object_id: objectId })),
    now,
  );
  await setPosition(tx, webhook.id, { position: through, missed });
  return through >= last;
}

// An event without a severity, such as of a key, passes a filter by severity. One that lowers the severity passes a
// filter that the severity before has passed, so that a receiver does not keep what is below it by now.
function concerns(event: OutboxEvent, least: Severity, repositories: ReadonlySet<string> | null): boolean {
  const { severity, previous } = event.data as { severity?: Severity; previous?: { severity?: Severity } };
  const isBelow = (one: Severity | undefined) =>
    one === undefined || severities.indexOf(one) < severities.indexOf(least);
  if (severity !== undefined && isBelow(severity) && isBelow(previous?.severity)) return false;
  return repositories === null || (event.repositoryId !== null && repositories.has(event.repositoryId));
}

/** A request with the deliveries that it ends. */
interface DueRequest {
  deliveries: DueDelivery[];
  /** The id of the event. */
  id: string;
  /** Null if the event is not kept any more. */
  body: string | null;
}

async function readDue(
  tx: Tx,
  webhook: WebhookRow,
  now: Date,
  publicUrl: string | null,
): Promise<DueRequest[]> {
  const due = isForPeople(webhook)
    ? await listForMessage(tx, webhook.id, now, eventsInMessage)
    : await listDueDeliveries(tx, webhook.id, now, isBackingOff(webhook) ? 1 : eventsInRound);
  if (due.length === 0) return [];
  const kept = await listEventsByNumber(
    tx,
    due.map(({ number }) => Number(number)),
  );
  const eventOf = new Map(kept.map((event) => [event.number, event]));
  const events = due.flatMap(({ number }) => eventOf.get(Number(number)) ?? []);
  const workspace = { id: tx.tenantId, slug: await findSlug(tx), publicUrl };
  const deliveryOf = new Map(due.map((delivery) => [Number(delivery.number), delivery]));
  const requests =
    webhook.format === 'standard'
      ? await requestsOf(tx, workspace, events)
      : await messageOf(tx, webhook.format, workspace, events);
  const ended = due.filter(({ number }) => !eventOf.has(Number(number)));
  return [
    ...requests.map(({ numbers, id, body }) => ({
      deliveries: numbers.flatMap((number) => deliveryOf.get(number) ?? []),
      id,
      body,
    })),
    ...ended.map((delivery) => ({ deliveries: [delivery], id: '', body: null })),
  ];
}

interface Workspace {
  id: TenantId;
  slug: string;
  publicUrl: string | null;
}

interface EventRequest {
  /** The numbers of the events that it is about. */
  numbers: number[];
  id: string;
  body: string;
}

/** A request for each event. */
async function requestsOf(tx: Tx, workspace: Workspace, events: OutboxEvent[]): Promise<EventRequest[]> {
  const items = await showEvents(tx, workspace, events);
  return events.map(({ number }, i) => ({
    numbers: [number],
    id: items[i]?.id ?? '',
    body: JSON.stringify(items[i]),
  }));
}

const writers = { slack: slackMessage, teams: teamsMessage } as const;

/** One request about all events, if there are any. */
async function messageOf(
  tx: Tx,
  format: Exclude<WebhookFormat, 'standard'>,
  workspace: Workspace,
  events: OutboxEvent[],
): Promise<EventRequest[]> {
  const items = await showEvents(tx, workspace, chooseForLines(events, linesInMessage));
  const [first] = items;
  if (first === undefined) return [];
  const message = writers[format](eventMessage(workspace, events, items));
  return [{ numbers: events.map(({ number }) => number), id: first.id, body: JSON.stringify(message) }];
}

interface Sent {
  results: AttemptResult[];
  /** Failed attempts since the last success. Refusals of single events alone do not make them enough for a backoff. */
  failures: number;
  /** Something was delivered. */
  hasDelivered: boolean;
  /** The receiver has answered 410. */
  isGone: boolean;
}

/** Sends until all are sent, the time of the round is over, or the receiver is away or gone. */
async function sendAll(
  dependencies: DeliveryDependencies,
  { webhook, secrets, due }: { webhook: WebhookRow; secrets: WebhookSecrets; due: DueRequest[] },
): Promise<Sent> {
  const { observe } = dependencies;
  const startedAt = performance.now();
  const sent: Sent = { results: [], failures: webhook.failures, hasDelivered: false, isGone: false };
  const waiting = due.values();
  const isStopping = (): boolean => dependencies.post.stopping?.aborted ?? false;
  const mayGoOn = (): boolean =>
    !sent.isGone &&
    !isStopping() &&
    performance.now() - startedAt < sendMs &&
    // The event that finds out whether a receiver is back is the only one of its round.
    (isBackingOff(webhook) || sent.failures < failuresUntilBackoff);
  const sender = async (): Promise<void> => {
    while (mayGoOn()) {
      const { value: request, done } = waiting.next();
      if (done) return;
      const { answer, results, outcome } = await attempt(dependencies, secrets, request);
      // A request that was ended by the end of the process is sent again, and is no failure of the receiver.
      if (isStopping() && answer.status === null) return;
      sent.results.push(...results);
      if (outcome === 'delivered') {
        sent.failures = 0;
        sent.hasDelivered = true;
      } else if (refusals.has(answer.status ?? 0)) {
        sent.failures = Math.min(sent.failures + 1, failuresUntilBackoff - 1);
      } else if (request.body !== null) sent.failures++;
      if (answer.status === gone) sent.isGone = true;
      observe?.(outcome);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  return sent;
}

const gone = 410;
// By these statuses (RFC 9110) a receiver that is there refuses this one event.
const refusals: ReadonlySet<number> = new Set([400, 409, 413, 415, 422]);

interface Attempt {
  answer: Answer;
  results: AttemptResult[];
  outcome: AttemptOutcome;
}

async function attempt(
  { post, now, random = Math.random }: DeliveryDependencies,
  secrets: WebhookSecrets,
  request: DueRequest,
): Promise<Attempt> {
  const startedAt = performance.now();
  const answer = await send(secrets, request, now(), post);
  const { status, error, isFinal } = answer;
  const isDelivered = status !== null && status >= 200 && status < 300;
  const duration = Math.round(performance.now() - startedAt);
  const factor = jitter(random);
  // The attempts of an event are spread over a day, also if a message about others had it too.
  const counted = isDelivered ? request.deliveries : request.deliveries.filter(({ is_due: isDue }) => isDue);
  const results = counted.map(({ number, attempts, scheduled_at: scheduledAt }): AttemptResult => {
    // An attempt before its time is one more: if it fails, the event has as many as before, at the same time.
    const isExtra = !isDelivered && !isFinal && scheduledAt !== null && scheduledAt > now();
    const wait = isFinal ? undefined : attemptWaitsMs[attempts];
    const isOver = !isExtra && wait === undefined && status !== gone;
    return {
      number: Number(number),
      attempts: attempts + Number(!isExtra),
      status: isDelivered ? 'delivered' : isOver ? 'failed' : 'pending',
      due_at: isExtra ? scheduledAt : new Date(now().getTime() + (wait ?? 0) * factor),
      last_attempt_at: now(),
      response_status: status,
      error,
      duration_ms: duration,
    };
  });
  const isRetried = results.some((result) => result.status === 'pending');
  return { answer, results, outcome: isDelivered ? 'delivered' : isRetried ? 'retried' : 'failed' };
}

interface Answer {
  /** Null without an answer. */
  status: number | null;
  error: string | null;
  /** Another attempt would end in the same way. */
  isFinal: boolean;
}

async function send(
  secrets: WebhookSecrets,
  { id, body }: DueRequest,
  at: Date,
  post: OutboundOptions,
): Promise<Answer> {
  if (body === null) return { status: null, error: 'the event is not kept any more', isFinal: true };
  if (Buffer.byteLength(body) > maxBodyBytes) {
    return { status: null, error: `the event is larger than ${maxBodyBytes / 1024} KiB`, isFinal: true };
  }
  try {
    const { status } = await outboundPost(secrets.url, requestHeaders(secrets, id, at, body), body, post);
    const isRedirect = status >= 300 && status < 400;
    return { status, error: isRedirect ? 'redirects are not followed' : null, isFinal: false };
  } catch (error) {
    return { status: null, error: (error as Error).message.slice(0, 500), isFinal: false };
  }
}

/**
 * The answers of an address that was changed meanwhile say nothing about the new one, so no event waits because of
 * them.
 */
function withoutFailures(sent: Sent, { failures }: WebhookRow, at: Date): Sent {
  const results = sent.results.map((result) =>
    result.status === 'pending' ? { ...result, due_at: at } : result,
  );
  return { ...sent, results, failures: Math.min(failures, sent.failures), isGone: false };
}

/** Stores what became of the attempts, and gives the webhook back. Returns true if more is due. */
async function storeAttempts(
  tx: Tx,
  webhook: WebhookRow,
  { results, failures: counted, hasDelivered, isGone }: Sent,
  { until, now, random = Math.random }: DeliveryDependencies & { until: Date },
): Promise<boolean> {
  const at = now();
  await writeAttempts(tx, webhook.id, results);
  const isBack = isBackingOff(webhook) && !isBackingOff({ failures: counted });
  if (isBack) await makePendingDue(tx, webhook.id, at);
  // Requests that were open at the same time have failed by the same fault, and count once.
  const failures = isBackingOff(webhook) ? counted : Math.min(counted, failuresUntilBackoff);
  const backoffMs = Math.min(
    maxBackoffMs,
    firstBackoffMs * 2 ** Math.min(10, failures - failuresUntilBackoff),
  );
  const retryAt = isBackingOff({ failures }) ? new Date(at.getTime() + backoffMs * jitter(random)) : null;
  await setHealth(tx, webhook.id, { failures, retryAt, deliveredAt: hasDelivered ? at : null });
  const isThrottled = hasDelivered && isForPeople(webhook);
  if (isThrottled) await setNextMessageAt(tx, webhook.id, new Date(at.getTime() + messageIntervalMs));
  if (isGone) await disableWebhook(tx, webhook.id, 'The receiver has answered 410 Gone.');
  const dueAt = await findNextDue(tx, webhook.id);
  await releaseWebhook(tx, webhook.id, until, dueAt);
  const { last } = await readOutboxState(tx);
  return (
    !isGone &&
    !isThrottled &&
    retryAt === null &&
    ((dueAt !== null && dueAt <= at) || Number(webhook.position) < last)
  );
}

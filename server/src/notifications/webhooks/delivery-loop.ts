/**
 * Schedules rounds for the webhooks with due deliveries. Each process that sweeps or may sweep polls for them; the
 * lease of a webhook decides which of them delivers.
 *
 * A round takes a slot for a few seconds, and a workspace has few slots, so slow receivers of one workspace do not keep
 * the events of others waiting.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import type { AttemptOutcome } from '../../metrics/metrics.ts';
import { outboundOptionsOf } from '../outbound/outbound-rules.ts';
import {
  findDue,
  type PollingLoop,
  type RoundFailed,
  RoundScheduler,
  startScheduler,
} from '../round-scheduler.ts';
import { type DeliveryDependencies, deliverRound } from './deliver.ts';
import { listDueWebhooks, webhooksDue } from './webhook-store.ts';

export interface DeliveryLoopDependencies {
  db: Database;
  secret: InstallSecret;
  config: Pick<Config, 'webhookNetworks' | 'publicUrl'>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  now: () => Date;
  observeDelivery?: ((outcome: AttemptOutcome) => void) | undefined;
}

// A round has up to eight open requests. A workspace with slow receivers has a few slots and not all of them.
const slots = 24;
const slotsPerWorkspace = 4;

/** Polls for due webhooks every two seconds. */
export function startDelivering({
  db,
  secret,
  config,
  log,
  now,
  observeDelivery,
}: DeliveryLoopDependencies): PollingLoop {
  const stopping = new AbortController();
  const dependencies: DeliveryDependencies = {
    db,
    secret,
    post: { ...outboundOptionsOf(config), stopping: stopping.signal },
    publicUrl: config.publicUrl,
    now,
    ...(observeDelivery === undefined ? {} : { observe: observeDelivery }),
  };
  const scheduler = deliveryScheduler(dependencies, (error, tenantId) =>
    log.warn({ err: error, tenantId }, 'webhook not delivered'),
  );
  return startScheduler(scheduler, stopping, (error) => log.warn({ err: error }, 'due webhooks not found'));
}

/** The webhooks that wait for a slot, and those that send. */
export function deliveryScheduler(
  dependencies: DeliveryDependencies,
  failed: RoundFailed = () => {},
): RoundScheduler<'webhook'> {
  const { db, now } = dependencies;
  return new RoundScheduler({
    slots,
    slotsPerWorkspace,
    find: findDue(db, { isDue: webhooksDue, among: 'has_webhooks', list: listDueWebhooks, now }),
    round: ({ tenantId, id }) => deliverRound(dependencies, tenantId, id),
    failed,
  });
}

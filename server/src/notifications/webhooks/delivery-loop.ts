/**
 * Finds the webhooks with something to send, and lets them send in turns. Each process that sweeps or may sweep looks;
 * the lease of a webhook decides which of them delivers.
 *
 * A webhook holds its place for one round of a few seconds, and a workspace holds few places, so slow receivers of one
 * workspace do not keep the events of others waiting.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import { findDue, type Looking, lookForTurns, Turns, type TurnsOptions } from '../turns.ts';
import { type AttemptOutcome, type DeliveryDependencies, deliverRound } from './deliver.ts';
import type { PostOptions } from './guarded-post.ts';
import { networksOf } from './public-address.ts';
import { listDueWebhooks, webhooksDue } from './webhook-store.ts';

export interface DeliveryLoopDependencies {
  db: Database;
  secret: InstallSecret;
  config: Pick<Config, 'webhookNetworks' | 'publicUrl'>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  observeDelivery?: ((outcome: AttemptOutcome) => void) | undefined;
}

// Each place has up to eight open requests. A workspace with slow receivers has a few places and not all of them.
const places = 24;
const placesOfWorkspace = 4;

export function postOptionsOf({ webhookNetworks }: Pick<Config, 'webhookNetworks'>): PostOptions {
  return { allowed: networksOf(webhookNetworks), usesSystemNames: webhookNetworks.length > 0 };
}

/** Looks for due webhooks every two seconds. */
export function startDelivering({
  db,
  secret,
  config,
  log,
  observeDelivery,
}: DeliveryLoopDependencies): Looking {
  const stopping = new AbortController();
  const dependencies: DeliveryDependencies = {
    db,
    secret,
    post: { ...postOptionsOf(config), stopping: stopping.signal },
    publicUrl: config.publicUrl,
    ...(observeDelivery === undefined ? {} : { observe: observeDelivery }),
  };
  const turns = deliveryTurns(dependencies, (error, tenantId) =>
    log.warn({ err: error, tenantId }, 'webhook not delivered'),
  );
  return lookForTurns(turns, stopping, (error) => log.warn({ err: error }, 'due webhooks not found'));
}

/** The webhooks that wait for their turn, and those that send. */
export function deliveryTurns(
  dependencies: DeliveryDependencies,
  failed: TurnsOptions['failed'] = () => {},
): Turns {
  const { db, now = () => new Date() } = dependencies;
  return new Turns({
    places,
    placesOfWorkspace,
    find: findDue(db, { isDue: webhooksDue, among: 'has_webhooks', list: listDueWebhooks, now }),
    round: ({ tenantId, id }) => deliverRound(dependencies, tenantId, id),
    failed,
  });
}

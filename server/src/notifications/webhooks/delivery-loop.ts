/**
 * Finds the webhooks with something to send, and lets them send in turns. Each process that sweeps or may sweep looks;
 * the lease of a webhook decides which of them delivers.
 *
 * A webhook holds its place for one round of a few seconds, and a workspace holds few places, so slow receivers of one
 * workspace do not keep the events of others waiting.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import { inWorker } from '../../db/connection-share.ts';
import { type Database, tenantReadTx } from '../../db/database.ts';
import { listDueTenants } from '../../db/due-tenants.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import type { TenantId } from '../../domain/ids.ts';
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

export interface Delivering {
  /** Takes no further webhook, ends open requests, and waits until this is noted. */
  stop(): Promise<void>;
}

// A person who waits for a message does not notice this time, and a workspace without webhooks costs nothing.
const lookMs = 2_000;
// Each place has up to eight open requests. A workspace with slow receivers has a few places and not all of them.
const places = 24;
const placesOfWorkspace = 4;

function postOptionsOf({ webhookNetworks }: Pick<Config, 'webhookNetworks'>): PostOptions {
  return { allowed: networksOf(webhookNetworks), usesSystemNames: webhookNetworks.length > 0 };
}

/** Looks for due webhooks every two seconds. */
export function startDelivering({
  db,
  secret,
  config,
  log,
  observeDelivery,
}: DeliveryLoopDependencies): Delivering {
  const stopping = new AbortController();
  const dependencies: DeliveryDependencies = {
    db,
    secret,
    post: { ...postOptionsOf(config), stopping: stopping.signal },
    publicUrl: config.publicUrl,
    ...(observeDelivery === undefined ? {} : { observe: observeDelivery }),
  };
  const turns = new DeliveryTurns(dependencies, (error, tenantId) =>
    log.warn({ err: error, tenantId }, 'webhook not delivered'),
  );
  let looking: Promise<void> | null = null;
  const timer = setInterval(() => {
    looking ??= inWorker(() => turns.look())
      .catch((error: unknown) => log.warn({ err: error }, 'due webhooks not found'))
      .finally(() => {
        looking = null;
      });
  }, lookMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await looking;
      await turns.stop();
    },
  };
}

interface Turn {
  tenantId: TenantId;
  webhookId: string;
}

/** The webhooks that wait for their turn, and those that send. */
export class DeliveryTurns {
  readonly #dependencies: DeliveryDependencies;
  readonly #failed: (error: unknown, tenantId: TenantId) => void;
  readonly #waiting = new Map<string, Turn>();
  readonly #running = new Map<string, { turn: Turn; round: Promise<void> }>();
  #isStopping = false;

  constructor(
    dependencies: DeliveryDependencies,
    failed: (error: unknown, tenantId: TenantId) => void = () => {},
  ) {
    this.#dependencies = dependencies;
    this.#failed = failed;
  }

  get isBusy(): boolean {
    return this.#waiting.size + this.#running.size > 0;
  }

  /** Gives each webhook with something to send a turn, unless it has one. */
  async look(): Promise<void> {
    const { db, now = () => new Date() } = this.#dependencies;
    for (const tenantId of await listDueTenants(db, [webhooksDue], now(), 'has_webhooks')) {
      const ids = await tenantReadTx(db, tenantId, (tx) => listDueWebhooks(tx, now()));
      for (const webhookId of ids) this.#add({ tenantId, webhookId });
    }
  }

  /** Resolves when no webhook has a turn any more. */
  async idle(): Promise<void> {
    while (this.isBusy) await Promise.all([...this.#running.values()].map(({ round }) => round));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#waiting.clear();
    await this.idle();
  }

  #add(turn: Turn): void {
    if (this.#isStopping || this.#running.has(turn.webhookId)) return;
    if (!this.#waiting.has(turn.webhookId)) this.#waiting.set(turn.webhookId, turn);
    this.#start();
  }

  #start(): void {
    for (const [id, turn] of this.#waiting) {
      if (this.#running.size >= places) return;
      if (this.#placesOf(turn.tenantId) >= placesOfWorkspace) continue;
      this.#waiting.delete(id);
      const round = inWorker(() => deliverRound(this.#dependencies, turn.tenantId, id))
        .catch((error: unknown) => {
          this.#failed(error, turn.tenantId);
          return false;
        })
        .then((isMoreDue) => {
          this.#running.delete(id);
          // At the end of the queue, so that others come first.
          if (isMoreDue) this.#add(turn);
          this.#start();
        });
      this.#running.set(id, { turn, round });
    }
  }

  #placesOf(tenantId: TenantId): number {
    return this.#running.values().reduce((sum, { turn }) => sum + Number(turn.tenantId === tenantId), 0);
  }
}

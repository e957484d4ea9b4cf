/** The three loops that tell others what has happened: webhooks, mails and issues. */

import type { Config } from '../config.ts';
import { startDatabaseClock } from '../db/database-clock.ts';
import { startSyncing } from './issues/sync-loop.ts';
import { startMailing } from './mail/mail-loop.ts';
import { type DeliveryLoopDependencies, startDelivering } from './webhooks/delivery-loop.ts';

export interface NotifyingDependencies extends Omit<DeliveryLoopDependencies, 'now' | 'config'> {
  config: Pick<Config, 'webhookNetworks' | 'publicUrl' | 'smtp'>;
}

/** Starts them by the clock of the database. They end after what is on its way. */
export function startNotifying(dependencies: NotifyingDependencies): { stop(): Promise<void> } {
  const clock = startDatabaseClock(dependencies.db, dependencies.log);
  const loops = [startDelivering, startMailing, startSyncing].map((start) =>
    start({ ...dependencies, now: clock.now }),
  );
  return {
    stop: async () => {
      clock.stop();
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

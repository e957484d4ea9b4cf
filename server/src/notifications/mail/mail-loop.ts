/** Finds the workspaces with mails to make or to send, one after the other. Each process that may sweep polls. */
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { listDueTenants } from '../../db/due-tenants.ts';
import { type PollingLoop, pollRegularly } from '../round-scheduler.ts';
import { type MailDependencies, mailRound } from './mail-round.ts';
import { mailsDue } from './mail-store.ts';
import { openMailer } from './mailer.ts';

interface MailLoopDependencies {
  db: Database;
  config: Pick<Config, 'smtp' | 'publicUrl'>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  now: () => Date;
}

// A person who is assigned something does not notice this time. Each poll asks every workspace.
const pollIntervalMs = 10_000;

/** Polls every ten seconds, and stops after the mail that is on its way. Without a mail server it does nothing. */
export function startMailing({ db, config, log, now }: MailLoopDependencies): PollingLoop {
  const { smtp, publicUrl } = config;
  if (smtp === null || publicUrl === null) return { stop: async () => {} };
  const stopping = new AbortController();
  const mailer = openMailer(smtp);
  const dependencies: MailDependencies = {
    db,
    mailer,
    publicUrl,
    failed: (error) => log.warn({ error }, 'mail not sent'),
    stopping: stopping.signal,
    now,
  };
  return pollRegularly(() => sendDueMails(dependencies, log), {
    everyMs: pollIntervalMs,
    stopping,
    failed: (error) => log.warn({ err: error }, 'due mails not found'),
    ended: () => mailer.close(),
  });
}

/** Sends what is due in all workspaces, a round of each in turn until none has more. */
export async function sendDueMails(
  dependencies: MailDependencies,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<void> {
  const { db, stopping, now } = dependencies;
  // The people of an isolation self-test are made up, and so are their addresses.
  for (let isMoreDue = true; isMoreDue; ) {
    isMoreDue = false;
    // Others that have become due meanwhile come before the next round of a workspace.
    for (const tenantId of await listDueTenants(db, mailsDue, now(), 'not canary')) {
      if (stopping?.aborted) return;
      const hasMore = await mailRound(dependencies, tenantId).catch((error: unknown) => {
        log.warn({ err: error, tenantId }, 'mails not sent');
        return false;
      });
      isMoreDue ||= hasMore;
    }
  }
}

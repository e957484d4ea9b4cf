/** The server as routes see it: typed by TypeBox, with the dependencies of their handlers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { InstallSecret } from '../db/install-secret.ts';
import type { LazyQueue } from '../jobs/queue.ts';
import type { Cursors } from './page.ts';
import type { SharedWaits } from './shared-wait.ts';

export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
> & { deps: ServerDependencies };

/** The dependencies of handlers. */
export interface ServerDependencies {
  config: Config;
  db: Database;
  queue: LazyQueue;
  secret: InstallSecret;
  cursors: Cursors;
  waits: SharedWaits;
  /**
   * True while the server drains before it stops: `/readyz` says that it is not ready, so that proxies send requests
   * elsewhere. Requests are still answered.
   */
  isDraining: boolean;
}

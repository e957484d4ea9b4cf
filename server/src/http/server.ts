/** The server as routes see it: typed by TypeBox, with what their handlers need. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { PgBoss } from 'pg-boss';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { InstallSecret } from '../install-secret.ts';
import type { Cursors } from './cursor.ts';

export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
> & { deps: ServerDependencies };

/** What handlers need. */
export interface ServerDependencies {
  config: Config;
  db: Database;
  boss: PgBoss;
  secret: InstallSecret;
  cursors: Cursors;
}

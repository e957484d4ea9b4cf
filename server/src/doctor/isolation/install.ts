/** The parts of an install that the self-test needs: the server in process, its database and its queue. */
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import type { Server } from '../../http/server.ts';
import type { LazyQueue } from '../../jobs/queue.ts';

export interface Install {
  app: Server;
  db: Database;
  secret: InstallSecret;
  config: Config;
  queue: LazyQueue;
}

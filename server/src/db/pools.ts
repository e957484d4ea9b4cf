/** The pools of connections of the running role. */
import pg from 'pg';
import { isCitus } from './citus.ts';
import { watchConnections } from './connection-watch.ts';
import { yieldProcessors } from './yield-processors.ts';

export interface Placement {
  /** True on Citus, where the rows of each workspace are on one of several nodes. */
  isDistributed: boolean;
}

export interface Pools {
  /** The pool for requests. */
  pool: pg.Pool;
  /** The pool for imports and the job queue, whose statements may take long. */
  importPool: pg.Pool;
  /** Dry runs of policies read much, so they have a pool of their own and take no connection from lists and uploads. */
  dryRunPool: pg.Pool;
  /** One connection for `/readyz`, so that a server whose connections are in use does not count as out of order. */
  readinessPool: pg.Pool;
  /** Null without a replica. */
  replicaPool: pg.Pool | null;
  /** The first connection finds it out. */
  placement: Placement;
  close(): Promise<void>;
}

export interface PoolOptions {
  /** The most connections of each pool. That of the replica has as many as `pool`. */
  most: Record<'pool' | 'importPool' | 'dryRunPool', number>;
  /** A connection for requests that is silent for this long is ended. */
  mostSilentSeconds: number;
  /** The client of the pools for requests: `pool` and that of the replica. */
  RequestClient: ClientClass;
  /** The address of the replica, as the same role. */
  replicaUrl: string | undefined;
  /** True if PostgreSQL, which must be on this machine, works for other processes first (`yield-processors.ts`). */
  yields: boolean;
  /** Called as a statement is sent. The function that it returns is called when the statement has ended. */
  traceStatement: ((text: string) => (error?: unknown) => void) | undefined;
}

/**
 * `url` is the running role's. Connections are made when needed. A bigint leaves the database as text, and a timestamp
 * as a Date of whole milliseconds; the application writes no finer ones, so that a sort key in a cursor is exact.
 */
export function openPools(url: string, options: PoolOptions): Pools {
  const placement: Placement = { isDistributed: false };
  let found: Promise<void> | null = null;
  const findPlacement = async (client: pg.ClientBase): Promise<void> => {
    placement.isDistributed = await isCitus(client);
  };
  const onConnect = async (client: pg.ClientBase): Promise<void> => {
    found ??= findPlacement(client).catch((error) => {
      found = null;
      throw error;
    });
    await found;
  };
  // Statements that are sent together travel together, and PostgreSQL works on them while this process is busy.
  const shared = {
    pipeline: true,
    connectionString: url,
    application_name: 'merlond',
    connectionTimeoutMillis: 10_000,
    // A firewall drops a connection that is silent for minutes.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // A pooler passes no other setting on, so other settings are set in each transaction, or belong to the role.
    options: '-c timezone=UTC',
    onConnect,
  };
  const { most, mostSilentSeconds, RequestClient, replicaUrl, traceStatement } = options;
  const poolOf = (settings: object, Client: ClientClass, max: number): pg.Pool => {
    const traced = traceStatement === undefined ? Client : tracedClient(Client, traceStatement);
    const pool = new pg.Pool({ ...settings, Client: traced, max } as pg.PoolConfig);
    // A connection that the server ends, idle or in use, must not end the process. Its statement fails, and the next
    // statement opens another connection.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  };
  const pool = poolOf(shared, RequestClient, most.pool);
  const importPool = poolOf(shared, pg.Client, most.importPool);
  const dryRunPool = poolOf(shared, pg.Client, most.dryRunPool);
  const readinessPool = poolOf(shared, pg.Client, 1);
  const own = [pool, importPool, dryRunPool, readinessPool];
  if (options.yields) for (const each of own) yieldWithConnections(each);
  const watch = watchConnections(shared);
  watch.add(pool, mostSilentSeconds);
  watch.add(importPool);
  watch.add(dryRunPool);
  watch.add(readinessPool, mostSilentSeconds);
  // The primary answers instead, so nobody waits long for a replica that is away.
  const atReplica = { ...shared, connectionString: replicaUrl, connectionTimeoutMillis: 1_000 };
  const replicaPool = replicaUrl === undefined ? null : poolOf(atReplica, RequestClient, most.pool);
  const replicaWatch = replicaPool && watchConnections(atReplica);
  if (replicaPool) replicaWatch?.add(replicaPool, mostSilentSeconds);
  return {
    pool,
    importPool,
    dryRunPool,
    readinessPool,
    replicaPool,
    placement,
    close: async () => {
      watch.stop();
      replicaWatch?.stop();
      await Promise.all([...own, ...(replicaPool ? [replicaPool] : [])].map((each) => each.end()));
    },
  };
}

function yieldWithConnections(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const ended = new AbortController();
    client.once('end', () => ended.abort());
    void yieldProcessors((client as unknown as ConnectedClient).processID, ended.signal);
  });
}

type ClientClass = typeof pg.Client;

/** The types of pg leave this out. */
interface ConnectedClient {
  /** PostgreSQL's process of the connection. */
  processID: number;
}

// Only a statement with a promise is traced. Streaming statements, and those of the pool itself, have none.
function tracedClient(
  Client: ClientClass,
  traceStatement: NonNullable<PoolOptions['traceStatement']>,
): ClientClass {
  return class extends Client {
    override query(...args: [never]): never {
      const [statement] = args as [string | { text?: string }];
      const text = typeof statement === 'string' ? statement : statement.text;
      const sent = super.query(...args) as unknown;
      if (text !== undefined && sent instanceof Promise) {
        const end = traceStatement(text);
        sent.then(() => end(), end);
      }
      return sent as never;
    }
  };
}

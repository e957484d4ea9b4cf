/**
 * The database at run time: the pools under the running role, and the transaction that carries a tenant. No other
 * module opens a connection or sets a tenant.
 *
 * A workspace's requests hold a third of a pool at most (`connection-share.ts`); the processes of a server divide the
 * pools (`pools.ts`). `work` must not open another transaction while it holds one, because it would wait for a share
 * that it holds itself. The one exception is `CheckStill` within `importTx`, which looks up the caller again after a
 * long wait for a lock. Keys, sessions and roles are read without a transaction of the workspace, by connections of the
 * other pool and a share of the caller. No holder of these waits long for the import: `lockTimeout` and
 * `statementSeconds` limit its statements.
 *
 * Every transaction sets its own tenant with SET LOCAL; row-level security shows rows of that tenant alone.
 */
import type { Socket } from 'node:net';
import pg from 'pg';
import { ChangeSet } from '../domain/change-set.ts';
import { isTenantId, isUuid, type TenantId, type UserId } from '../domain/ids.ts';
import { isConnectionLost } from './connection-errors.ts';
import { type CommonShare, ConnectionShare, commonShares, type Share } from './connection-share.ts';
import { deadlockDetected, failedTransaction, readOnlyDatabase } from './error-codes.ts';
import { openPools, type Placement, type PoolOptions, type Pools } from './pools.ts';
import { Replica, type ReplicaOptions } from './replica.ts';

/** A transaction without a tenant, which sees tables of the install only. */
export interface InstallTx {
  /** True on Citus, where the rows of each workspace are on one of several nodes. */
  readonly isDistributed: boolean;
  /** Sends a statement. `name` prepares a frequent statement once per connection. */
  query<Row>(text: string, values?: unknown[], name?: string): Promise<Row[]>;
}

/** Collects the parameters of a statement that is put together from parts, after the given ones. */
export class Parameters {
  readonly values: unknown[];

  constructor(...values: unknown[]) {
    this.values = values;
  }

  readonly add = (value: unknown): string => `$${this.values.push(value)}`;
}

/** A transaction that carries its tenant. Row-level security shows it the rows of this tenant alone. */
export interface Tx extends InstallTx {
  /** Every statement about tables of a tenant names it. */
  readonly tenantId: TenantId;
}

/** A transaction that only reads. */
export interface ReadTx extends Tx {
  /** The same transaction for its last statement; the commit is sent together with it. Any further statement throws. */
  readonly ending: Tx;
}

/** A transaction that may change vulnerabilities and violations. */
export interface ChangeTx extends Tx {
  /** The changes of the transaction. The commit steps process them before the commit. */
  readonly changes: ChangeSet;
}

/**
 * A step that runs before the commit of a workspace's transaction with changes: it evaluates policies, or writes
 * counters. `commit-steps.ts` lists all steps.
 */
export type CommitStep = (tx: ChangeTx) => Promise<void>;

export interface Database extends Omit<Pools, 'replicaPool'> {
  /** Null if lists are read from the primary like everything else. */
  replica: Replica | null;
  /** The share of each pool that one workspace may hold, and what the processes of a server share. */
  shares: Record<'pool' | 'importPool' | 'dryRunPool' | 'replica' | 'export', ConnectionShare> &
    Record<CommonShare, Share> & {
      /** The share of `pool` that one caller may hold outside any workspace: a user, or an address without a user. */
      caller: Share;
    };
  commitSteps: readonly CommitStep[];
}

// The import pool also serves the queue, changes of policies, merges, splits and series. These connections are for
// them.
const besideImports = 7;
// A dry run keeps a processor of the database busy, so only two workspaces have one at a time.
const maxDryRuns = 2;

/** The connections of a node for requests; a workspace may hold a third of them. */
export const defaultConnections = 16;

// A third of fewer connections would be less than one.
const leastConnections = 3;

export interface DatabaseOptions extends Partial<Pick<PoolOptions, 'yields' | 'traceStatement'>> {
  commitSteps: readonly CommitStep[];
  maxConnections?: number;
  workers?: number;
  /** The number of processes that divide the connections. */
  processes?: number;
  /** A replica that answers lists. */
  replica?: ReplicaOptions | undefined;
  /** The shares that the supervisor keeps for all processes. Without them this process is the only one. */
  common?: Record<CommonShare, Share>;
}

// pg writes each message by itself. Here all statements of one turn of the event loop are written together. Those of an
// import are large, so they leave at once, and the database works on one while the next is made.
class BatchingClient extends pg.Client {
  #isCorked = false;

  override query(...args: [never]): never {
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
    if (!this.#isCorked) {
      this.#isCorked = true;
      stream.cork();
      // A tick that a microtask requests comes after all microtasks.
      queueMicrotask(() =>
        process.nextTick(() => {
          this.#isCorked = false;
          stream.uncork();
        }),
      );
    }
    return super.query(...args) as never;
  }
}

/** Connections are made when needed. `url` is the running role's. */
export function openDatabase(url: string, options: DatabaseOptions): Database {
  const { processes = 1, workers = 1, common = commonShares(), replica } = options;
  const divided = (connections: number): number =>
    processes === 1 ? connections : Math.max(leastConnections, Math.ceil(connections / processes));
  const max = divided(options.maxConnections ?? defaultConnections);
  const maxBesideImports = divided(besideImports);
  const { replicaPool, ...pools } = openPools(url, {
    most: {
      pool: max,
      importPool: maxBesideImports + workers,
      dryRunPool: processes === 1 ? maxDryRuns : 1,
    },
    mostSilentSeconds: statementSeconds + answerSeconds,
    RequestClient: BatchingClient,
    replicaUrl: replica?.url,
    yields: options.yields === true,
    traceStatement: options.traceStatement,
  });
  return {
    ...pools,
    replica: replicaPool && replica ? new Replica(pools.pool, replicaPool, replica) : null,
    shares: {
      pool: new ConnectionShare(max / 3),
      importPool: new ConnectionShare(maxBesideImports / 3),
      dryRunPool: new ConnectionShare(1),
      replica: new ConnectionShare(max / 3),
      export: new ConnectionShare(maxExports, { resource: 'exports', maxWaiting: 0 }),
      caller: new ConnectionShare(max / 3, { holder: 'This caller' }),
      ...common,
    },
    commitSteps: options.commitSteps,
  };
}

// An open export holds a page of ids and rows for as long as its client reads, which is a megabyte. People and jobs of
// a workspace need few at once.
const maxExports = 50;
// A request that waits for the rows of an import holds a connection that others need, so it soon ends with 503.
const lockTimeout = '3s';
// A list that takes longer is a fault of the service: it ends with 503 and frees the connection.
const statementSeconds = 30;
// PostgreSQL ends the statement of a request earlier, with an error.
const answerSeconds = 5;
const statementTimeout = `statement_timeout = '${statementSeconds}s'`;

/**
 * Runs `work` as the tenant and commits. Any error rolls back and is thrown again. `work` must change nothing but the
 * database, because it runs again after a deadlock. Statements that `work` sends before its first await travel together
 * with the beginning of the transaction.
 */
export async function tenantTx<T>(
  db: Database,
  tenantId: TenantId,
  work: (tx: ChangeTx) => Promise<T>,
): Promise<T> {
  const settings = [tenantSetting(tenantId), `lock_timeout = '${lockTimeout}'`, statementTimeout];
  return transaction(db, () => lease(db, 'pool', tenantId), settings, thenCommitSteps(db, tenantId, work));
}

/** Runs `work` as the tenant, read only; the result does not wait for the commit. */
export async function tenantReadTx<T>(
  db: Database,
  tenantId: TenantId,
  work: (tx: ReadTx) => Promise<T>,
): Promise<T> {
  return readTransaction(db, () => lease(db, 'pool', tenantId), tenantId, statementTimeout, work);
}

/**
 * Runs `work` as the tenant, read only, to check whether the caller may enter the workspace. It counts against the
 * caller's share, so that a stranger takes no connections of the workspace.
 */
export async function callerReadTx<T>(
  db: Database,
  caller: string,
  tenantId: TenantId,
  work: (tx: ReadTx) => Promise<T>,
): Promise<T> {
  return readTransaction(
    db,
    () => leaseOf(db.shares.caller, caller, db.pool),
    tenantId,
    statementTimeout,
    work,
  );
}

/**
 * Runs `work` as the tenant, read only, at the replica if there is one that has all that the primary has, else at the
 * primary. It is for lists, counts and the overview, which read much. `work` runs again at the primary if the replica
 * fails, so it must do nothing but read.
 */
export async function listReadTx<T>(
  db: Database,
  tenantId: TenantId,
  work: (tx: ReadTx) => Promise<T>,
): Promise<T> {
  const { replica } = db;
  // A node that is not the coordinator writes too, and only the position of the coordinator is known.
  if (replica !== null && !db.placement.isDistributed && (await replica.isCurrent())) {
    const connect = () => leaseOf(db.shares.replica, tenantId, replica.pool);
    try {
      return await readTransaction(db, connect, tenantId, statementTimeout, work);
    } catch (error) {
      if (!replica.hasFailed(error)) throw error;
    }
  }
  return tenantReadTx(db, tenantId, work);
}

/**
 * Runs `work` as the tenant, read only, for a search by words. A workspace has a few searches at once, and the others
 * wait without a connection.
 */
export async function searchTx<T>(
  db: Database,
  tenantId: TenantId,
  work: (tx: ReadTx) => Promise<T>,
): Promise<T> {
  return oneOfFewSearches(db, tenantId, () => tenantReadTx(db, tenantId, work));
}

/** Runs a search as `searchTx`, for a list: at the replica as `listReadTx`. */
export async function listSearchTx<T>(
  db: Database,
  tenantId: TenantId,
  work: (tx: ReadTx) => Promise<T>,
): Promise<T> {
  return oneOfFewSearches(db, tenantId, () => listReadTx(db, tenantId, work));
}

async function oneOfFewSearches<T>(db: Database, tenantId: TenantId, search: () => Promise<T>): Promise<T> {
  const giveBack = await db.shares.search.take(tenantId);
  try {
    return await search();
  } finally {
    giveBack();
  }
}

/** Runs `work` as the tenant, read only, for a dry run. A statement past `timeoutMs` ends with `queryCanceled`. */
export async function dryRunTx<T>(
  db: Database,
  tenantId: TenantId,
  timeoutMs: number,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const timeout = `statement_timeout = ${Math.max(1, Math.floor(timeoutMs))}`;
  return readTransaction(db, () => lease(db, 'dryRunPool', tenantId), tenantId, timeout, work);
}

async function readTransaction<T>(
  { placement }: Database,
  connect: () => Promise<Lease>,
  tenantId: TenantId,
  timeout: string,
  work: (tx: ReadTx) => Promise<T>,
): Promise<T> {
  const client = await connect();
  const { isDistributed } = placement;
  const settings = [tenantSetting(tenantId), timeout];
  const begun = begin(client, 'begin isolation level repeatable read read only', settings, placement);
  let ended: Promise<unknown> | undefined;
  const { query, end } = txOf(client);
  const tx: Tx = { isDistributed, tenantId, query };
  const ending: Tx = {
    isDistributed,
    tenantId,
    query: (...statement) => {
      const rows = query(...statement);
      end();
      ended = client.query('commit');
      ended.catch(() => {});
      return rows as never;
    },
  };
  try {
    const [result] = await Promise.all([work({ ...tx, ending }), begun]);
    return result;
  } finally {
    end();
    await endRead(client, begun, ended ?? client.query('commit'));
  }
}

/** Runs `work` as the tenant, for an import: it has its own pool and no lock timeout. */
export async function importTx<T>(
  db: Database,
  tenantId: TenantId,
  work: (tx: ChangeTx) => Promise<T>,
): Promise<T> {
  const connect = () => lease(db, 'importPool', tenantId);
  return transaction(db, connect, [tenantSetting(tenantId)], thenCommitSteps(db, tenantId, work));
}

/**
 * Runs `work` and the commit steps inside `tx`, with a change set of their own, and rolls them back. The result shows
 * the effect of a commit.
 */
export async function rehearse<T>(db: Database, tx: Tx, work: (tx: ChangeTx) => Promise<T>): Promise<T> {
  await tx.query('savepoint rehearsal');
  const result = await thenCommitSteps(db, tx.tenantId, work)(tx);
  await tx.query('rollback to savepoint rehearsal');
  return result;
}

function thenCommitSteps<T>(
  db: Database,
  tenantId: TenantId,
  work: (tx: ChangeTx) => Promise<T>,
): (tx: InstallTx) => Promise<T> {
  return async (installTx) => {
    const tx = { ...installTx, tenantId, changes: new ChangeSet() };
    const result = await work(tx);
    if (!tx.changes.isEmpty) for (const step of db.commitSteps) await step(tx);
    if (!tx.changes.isEmpty) throw new Error('no commit step has dealt with the changes of a transaction');
    return result;
  };
}

/**
 * Runs `work` without a tenant, so it sees tables of the install only. With `userId`, it also sees the memberships of
 * that user, and the connection counts against that user's share.
 */
export async function installTx<T>(
  db: Database,
  work: (tx: InstallTx) => Promise<T>,
  userId?: UserId,
): Promise<T> {
  const user = userId === undefined ? [] : [userSetting(userId)];
  const connect = () =>
    userId === undefined ? db.pool.connect() : leaseOf(db.shares.caller, userId, db.pool);
  return transaction(db, connect, [statementTimeout, ...user], work);
}

/** Lets the statements of the transaction take long. An import of a large file takes longer than a request may. */
export async function allowLongStatements(tx: InstallTx): Promise<void> {
  await tx.query('set local statement_timeout = 0');
}

/**
 * Switches the transaction to this tenant, for an action that covers several workspaces. Returns the transaction with
 * the tenant, which is valid until the next switch.
 */
export function switchTenant(tx: InstallTx, tenantId: TenantId): Tx {
  // The setting is sent together with the statement that follows. If it fails, that statement fails too.
  tx.query(`set local ${tenantSetting(tenantId)}`).catch(() => {});
  return { ...tx, tenantId };
}

/**
 * Gives the transaction of a connection outside the pools its tenant. Row-level security applies to the owner too, on
 * Citus on every node, to which only the running role sends its settings anyway.
 */
export async function setTenant(client: Pick<pg.ClientBase, 'query'>, tenantId: TenantId): Promise<void> {
  await client.query("set local citus.propagate_set_commands = 'local'");
  await client.query(`set local ${tenantSetting(tenantId)}`);
}

/** A connection that its holder must release. */
type Lease = Pick<pg.PoolClient, 'query' | 'release'>;

async function lease(
  db: Database,
  pool: 'pool' | 'importPool' | 'dryRunPool',
  tenantId: TenantId,
): Promise<Lease> {
  return leaseOf(db.shares[pool], tenantId, db[pool]);
}

async function leaseOf(share: Share, holder: string, pool: pg.Pool): Promise<Lease> {
  const giveBack = await share.take(holder);
  try {
    const client = await pool.connect();
    return {
      query: client.query.bind(client),
      release: (error) => {
        client.release(error);
        giveBack();
      },
    };
  } catch (error) {
    giveBack();
    throw error;
  }
}

// A deadlock ends one of two correct transactions, and the next attempt normally succeeds. Locks are taken in order
// wherever the order is known. For the search terms and artifacts of two reports it is not known.
const maxAttempts = 4;

async function transaction<T>(
  { placement }: Database,
  connect: () => Promise<Lease>,
  settings: string[],
  work: (tx: InstallTx) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptTransaction(await connect(), placement, settings, work);
    } catch (error) {
      if ((error as { code?: string }).code !== deadlockDetected || attempt === maxAttempts) throw error;
    }
  }
}

const unansweredCommits = new WeakSet<Error>();

/**
 * True for the error of a commit that got no answer: the database may have committed the transaction, or may still do.
 */
export function isUnansweredCommit(error: unknown): boolean {
  return unansweredCommits.has(error as Error);
}

async function attemptTransaction<T>(
  client: Lease,
  placement: Placement,
  settings: string[],
  work: (tx: InstallTx) => Promise<T>,
): Promise<T> {
  let broken: Error | undefined;
  const { query, end } = txOf(client);
  try {
    const begun = begin(client, 'begin', settings, placement);
    begun.catch(() => {});
    const result = await work({ isDistributed: placement.isDistributed, query });
    end();
    await begun;
    await client.query('commit').catch((error: Error) => {
      if (isConnectionLost(error)) unansweredCommits.add(error);
      throw error;
    });
    return result;
  } catch (error) {
    end();
    if ((error as { code?: string }).code === readOnlyDatabase) broken = error as Error;
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Begins a transaction with settings of its own. Citus repeats the text of a SET LOCAL on each node that the
 * transaction reaches, so there each is a statement of its own.
 */
async function begin(
  client: Lease,
  statement: string,
  settings: string[],
  { isDistributed }: Placement,
): Promise<void> {
  const statements = [statement, ...settings.map((setting) => `set local ${setting}`)];
  await (isDistributed
    ? Promise.all(statements.map((text) => client.query(text)))
    : client.query(statements.join('; ')));
}

// The commit of a read can fail only with its connection, which the pool then drops.
async function endRead(client: Lease, begun: Promise<unknown>, ended: Promise<unknown>): Promise<void> {
  const failed = await begun.then(
    () => undefined,
    (error: Error) => error,
  );
  if (failed) {
    await ended.catch(() => {});
    client.release(failed);
  } else {
    ended.then(
      () => client.release(),
      (error: Error) => client.release(error),
    );
  }
}

/**
 * After `end`, the transaction throws at any further statement, which would reach the next user of the connection.
 * Statements that were sent together with a failed one throw its error too: PostgreSQL's own for them does not say why
 * the transaction has failed.
 */
function txOf(client: Lease): Pick<InstallTx, 'query'> & { end: () => void } {
  let hasEnded = false;
  let failure: unknown;
  return {
    end: () => {
      hasEnded = true;
    },
    query: async <Row>(text: string, values: unknown[] = [], name?: string): Promise<Row[]> => {
      if (hasEnded) throw new Error('the transaction has had its last statement');
      try {
        const result = await client.query(name === undefined ? { text, values } : { name, text, values });
        return result.rows as Row[];
      } catch (error) {
        if (failure === undefined || (error as { code?: string }).code !== failedTransaction) failure = error;
        throw failure;
      }
    },
  };
}

// SET LOCAL takes no parameter, so the id is a literal in it and must have its form.
function tenantSetting(tenantId: TenantId): string {
  if (!isTenantId(tenantId)) throw new TypeError('not the key of a workspace');
  return `merlon.tenant_id = '${tenantId}'`;
}

function userSetting(userId: UserId): string {
  if (!isUuid(userId)) throw new TypeError('not a UUID');
  return `merlon.user_id = '${userId}'`;
}

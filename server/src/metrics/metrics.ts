/**
 * The metrics of one process: its own counts, and values that it reads from its pools and from the database at each
 * scrape. No label holds a path, an id or any other value of a caller, so the number of labels is bounded.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type pg from 'pg';
import type { Registry } from 'prom-client';
import type { ConnectionShare } from '../db/connection-share.ts';
import type { Database } from '../db/database.ts';
import type { Replica } from '../db/replica.ts';
import { databaseMetrics } from './database-metrics.ts';
import type { Snapshot } from './snapshot.ts';

export interface EndedRequest {
  method: string;
  /** The template of the route, never the path. */
  route: string;
  status: number;
  seconds: number;
  /** The slug of the workspace; null outside any. */
  workspace: string | null;
}

export const importOutcomes = ['completed', 'failed', 'retried'] as const;
export type ImportOutcome = (typeof importOutcomes)[number];

/** The result of an attempt: `retried` if the event waits for another one, `failed` if that was the last. */
export const attemptOutcomes = ['delivered', 'retried', 'failed'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

export interface Metrics {
  requestStarted(): void;
  requestEnded(request: EndedRequest): void;
  /** `code` is an error code of the catalogue. */
  requestRefused(code: string): void;
  /** Observes one import. */
  observeImport(): { step(name: string): void; end: (outcome: ImportOutcome) => void };
  deliveryEnded: (outcome: AttemptOutcome) => void;
  /** With `withDatabase`, the snapshot includes metrics that are the same for all processes on the database. */
  snapshot(withDatabase: boolean): Promise<Snapshot>;
}

interface Options {
  db: Database;
  /** The role of the process: `requests`, `imports`, or both. */
  role: string;
  countsWorkspaces: boolean;
}

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const importBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900];

// A process counts only the first workspaces that it sees, up to this number.
const maxWorkspaces = 1_000;

/** The library is loaded here, so that it takes no memory if metrics are off. */
export async function openMetrics({ db, role, countsWorkspaces }: Options): Promise<Metrics> {
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  const database = await databaseMetrics(db);

  const requests = new Counter({
    name: 'merlon_http_requests_total',
    help: 'Requests by method, template of the route and status; 499: the sender hung up.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'merlon_http_request_duration_seconds',
    help: 'Time to the end of the answer.',
    labelNames: ['method', 'route'],
    buckets: requestBuckets,
    registers,
  });
  const inFlight = new Gauge({
    name: 'merlon_http_requests_in_flight',
    help: 'Requests that are being answered.',
    registers,
  });
  const refusals = new Counter({
    name: 'merlon_http_refusals_total',
    help: 'Answers with an error, by its code, such as RATE_LIMIT_EXCEEDED or AUTHENTICATION_REQUIRED.',
    labelNames: ['code'],
    registers,
  });
  const imports = new Counter({
    name: 'merlon_imports_total',
    help: 'Reports that were worked on, by outcome: completed, failed by the report, or retried after another error.',
    labelNames: ['outcome'],
    registers,
  });
  // Prometheus sees no increase from a count that is not there to 1.
  for (const outcome of importOutcomes) imports.inc({ outcome }, 0);
  const steps = new Histogram({
    name: 'merlon_import_step_duration_seconds',
    help: 'Time of the steps of an import.',
    labelNames: ['step'],
    buckets: importBuckets,
    registers,
  });
  const deliveries = new Counter({
    name: 'merlon_webhook_attempts_total',
    help: 'Attempts to deliver an event to a webhook, by outcome: delivered, retried later, or failed for good.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of attemptOutcomes) deliveries.inc({ outcome }, 0);
  const ofWorkspaces = countsWorkspaces
    ? new Counter({
        name: workspaceMetric,
        help: 'Requests of the workspaces with the most requests.',
        labelNames: ['workspace'],
        registers,
      })
    : null;
  const workspaces = new Set<string>();
  addPoolMetrics(db, Gauge, registers);
  if (db.replica !== null) addReplicaMetrics(db.replica, Counter, registers);
  addProcessMetrics(role, Gauge, registers);

  return {
    requestStarted: () => inFlight.inc(),
    requestEnded: ({ method, route, status, seconds: time, workspace }) => {
      inFlight.dec();
      requests.inc({ method, route, status });
      seconds.observe({ method, route }, time);
      if (ofWorkspaces === null || workspace === null) return;
      if (workspaces.size < maxWorkspaces) workspaces.add(workspace);
      if (workspaces.has(workspace)) ofWorkspaces.inc({ workspace });
    },
    requestRefused: (code) => refusals.inc({ code }),
    observeImport: () => {
      let current: { name: string; startedAt: number } | null = null;
      const step = (name: string | null): void => {
        if (current?.name === name) return;
        const now = performance.now();
        if (current !== null) steps.observe({ step: current.name }, (now - current.startedAt) / 1000);
        current = name === null ? null : { name, startedAt: now };
      };
      return {
        step,
        end: (outcome) => {
          step(null);
          imports.inc({ outcome });
        },
      };
    },
    deliveryEnded: (outcome) => deliveries.inc({ outcome }),
    snapshot: async (withDatabase) => {
      const own = await registry.getMetricsAsJSON();
      return withDatabase ? [...own, ...(await database.read())] : own;
    },
  };
}

/** The one metric with names of workspaces. */
export const workspaceMetric = 'merlon_workspace_requests_total';

type GaugeClass = typeof import('prom-client').Gauge;

interface PoolEntry {
  name: string;
  pool: pg.Pool;
  share: ConnectionShare;
}

function poolsOf({ pool, importPool, dryRunPool, replica, shares }: Database): PoolEntry[] {
  return [
    { name: 'requests', pool, share: shares.pool },
    { name: 'imports', pool: importPool, share: shares.importPool },
    { name: 'dry_runs', pool: dryRunPool, share: shares.dryRunPool },
    ...(replica === null ? [] : [{ name: 'replica', pool: replica.pool, share: shares.replica }]),
  ];
}

function addPoolMetrics(db: Database, Gauge: GaugeClass, registers: Registry[]): void {
  const pools = poolsOf(db);
  new Gauge({
    name: 'merlon_pool_connections',
    help: 'Connections to PostgreSQL, by pool and state: in_use or idle.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const { name, pool } of pools) {
        this.set({ pool: name, state: 'in_use' }, pool.totalCount - pool.idleCount);
        this.set({ pool: name, state: 'idle' }, pool.idleCount);
      }
    },
  });
  new Gauge({
    name: 'merlon_pool_connections_max',
    help: 'The most connections that a pool may have.',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const { name, pool } of pools) this.set({ pool: name }, pool.options.max);
    },
  });
  new Gauge({
    name: 'merlon_pool_waiting',
    help: 'Requests that wait for a connection, or for the share of their workspace.',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const { name, pool, share } of pools) {
        this.set({ pool: name }, pool.waitingCount + share.waiting);
      }
    },
  });
}

function addReplicaMetrics(
  replica: Replica,
  Counter: typeof import('prom-client').Counter,
  registers: Registry[],
): void {
  new Counter({
    name: 'merlon_list_reads_total',
    help: 'Reads of lists: from the replica, or from the primary because the replica was behind or away.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(replica.reads)) this.inc({ outcome }, count);
    },
  });
}

function addProcessMetrics(role: string, Gauge: GaugeClass, registers: Registry[]): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  new Gauge({
    name: 'merlon_processes',
    help: 'Processes that have answered this scrape.',
    labelNames: ['role'],
    registers,
    collect() {
      this.set({ role }, 1);
    },
  });
  new Gauge({
    name: 'merlon_process_resident_bytes',
    help: 'Memory of the processes of a role.',
    labelNames: ['role'],
    registers,
    collect() {
      this.set({ role }, process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: 'merlon_event_loop_delay_seconds',
    help: 'The longest delay of the event loop since the last scrape, of the slowest process of a role.',
    labelNames: ['role'],
    aggregator: 'max',
    registers,
    collect() {
      this.set({ role }, delay.max / 1e9);
      delay.reset();
    },
  });
}

/** Metrics that are the same for all processes on a database, so one process reads them for a scrape. */
import type { Gauge } from 'prom-client';
import { type Database, type InstallTx, installTx, switchTenant } from '../db/database.ts';
import { importQueue, policyQueue, queueSchema } from '../db/queue-tables.ts';
import type { TenantId } from '../domain/ids.ts';
import { maxEventsInBatch } from '../domain/workspace-event.ts';
import type { Snapshot } from './snapshot.ts';

// A scrape has ten seconds by default. A database that takes longer than this counts as down.
const maxReadMs = 4_000;

// Waiting reports are counted within each workspace. A scrape must stay cheap even if very many reports wait.
const maxWorkspaces = 200;

export interface DatabaseMetrics {
  /** Reports that the database is down if it does not answer. */
  read(): Promise<Snapshot>;
}

export async function databaseMetrics(db: Database): Promise<DatabaseMetrics> {
  const { Gauge, Registry } = await import('prom-client');
  const registry = new Registry();
  const gauge = (name: string, help: string, labelNames: string[] = []): Gauge =>
    new Gauge({ name: `merlon_${name}`, help, labelNames, registers: [registry] });
  const isUp = gauge('database_up', '1 if the database has answered this scrape.');
  const gauges: Gauges = {
    size: gauge('database_size_bytes', 'Size of the database.'),
    jobs: gauge('jobs', 'Jobs in the queue: at most one of a workspace waits.', ['queue', 'state']),
    jobAge: gauge('jobs_oldest_seconds', 'Age of the oldest job that waits.', ['queue']),
    reports: gauge(
      'reports_waiting',
      'Reports that wait, of the 200 workspaces that have waited the longest.',
    ),
    reportBytes: gauge('reports_waiting_bytes', 'Their size, decompressed.'),
    reportAge: gauge('reports_waiting_oldest_seconds', 'Time since the oldest of them came.'),
    deliveries: gauge(
      'webhook_events_waiting',
      'Events on their way to enabled webhooks, of 200 workspaces that have webhooks.',
    ),
    deliveryAge: gauge(
      'webhook_events_waiting_oldest_seconds',
      'Age of the oldest of them, or of an event that no process has taken up yet.',
    ),
    sweptAt: gauge('sweep_timestamp_seconds', 'When the last sweep of all workspaces ended.'),
    sweepTime: gauge('sweep_duration_seconds', 'Time of the last sweep.'),
    sweepWorkspaces: gauge('sweep_workspaces', 'Workspaces in which the last sweep had something to do.'),
    sweepFailed: gauge('sweep_workspaces_failed', 'Those of them in which a part of it has failed.'),
    intelPublished: gauge('intel_published_timestamp_seconds', 'When the loaded release was published.', [
      'feed',
    ]),
    intelImported: gauge('intel_imported_timestamp_seconds', 'When it was loaded.', ['feed']),
    osvChanged: gauge(
      'osv_changed_timestamp_seconds',
      'The newest change of the loaded advisories of an ecosystem that often has changes.',
      ['ecosystem'],
    ),
  };
  return {
    read: async () => {
      registry.resetMetrics();
      const result = await Promise.race([
        installTx(db, (tx) => setGauges(tx, gauges)).then(
          () => true,
          () => false,
        ),
        new Promise<false>((resolve) => setTimeout(() => resolve(false), maxReadMs).unref()),
      ]);
      isUp.set(Number(result));
      const all = await registry.getMetricsAsJSON();
      return result ? all : all.filter(({ name }) => name === 'merlon_database_up');
    },
  };
}

type Gauges = Record<
  | 'size'
  | 'jobs'
  | 'jobAge'
  | 'reports'
  | 'reportBytes'
  | 'reportAge'
  | 'deliveries'
  | 'deliveryAge'
  | 'sweptAt'
  | 'sweepTime'
  | 'sweepWorkspaces'
  | 'sweepFailed'
  | 'intelPublished'
  | 'intelImported'
  | 'osvChanged',
  Gauge
>;

const queues = { imports: importQueue, policies: policyQueue };

async function setGauges(tx: InstallTx, gauges: Gauges): Promise<void> {
  await tx.query(`set local statement_timeout = ${maxReadMs}`);
  const [size] = await tx.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes');
  gauges.size.set(Number(size?.bytes));
  for (const [queue, name] of Object.entries(queues)) {
    const [jobs] = await tx.query<{ waiting: number; active: number; age: number }>(
      `select count(*) filter (where state < 'active')::int as waiting,
              count(*) filter (where state = 'active')::int as active,
              coalesce(extract(epoch from now() - min(created_on) filter (where state < 'active')), 0)::float8 as age
         from ${queueSchema}.job where name = $1 and state <= 'active'`,
      [name],
    );
    gauges.jobs.set({ queue, state: 'waiting' }, jobs?.waiting ?? 0);
    gauges.jobs.set({ queue, state: 'active' }, jobs?.active ?? 0);
    gauges.jobAge.set({ queue }, jobs?.age ?? 0);
  }
  const [sweep] = await tx.query<{ at: number; ms: number; workspaces: number; failed: number }>(
    `select extract(epoch from swept_at)::float8 as at, swept_ms as ms, workspaces_due as workspaces,
            coalesce(workspaces_failed, 0) as failed
       from sweep_lead where swept_at is not null`,
  );
  if (sweep) {
    gauges.sweptAt.set(sweep.at);
    gauges.sweepTime.set(sweep.ms / 1000);
    gauges.sweepWorkspaces.set(sweep.workspaces);
    gauges.sweepFailed.set(sweep.failed);
  }
  const feeds = await tx.query<{ feed: string; published: number; imported: number }>(
    `select name as feed, extract(epoch from published_at)::float8 as published,
            extract(epoch from imported_at)::float8 as imported from intel_feed`,
  );
  for (const { feed, published, imported } of feeds) {
    gauges.intelPublished.set({ feed }, published);
    gauges.intelImported.set({ feed }, imported);
  }
  const ecosystems = await tx.query<{ ecosystem: string; changed: number }>(
    'select name as ecosystem, extract(epoch from newest_at)::float8 as changed from osv_ecosystem',
  );
  for (const { ecosystem, changed } of ecosystems) gauges.osvChanged.set({ ecosystem }, changed);
  const waiting = await readWaitingReports(tx);
  gauges.reports.set(waiting.reports);
  gauges.reportBytes.set(waiting.bytes);
  gauges.reportAge.set(waiting.age);
  const deliveries = await readWaitingDeliveries(tx);
  gauges.deliveries.set(deliveries.events);
  gauges.deliveryAge.set(deliveries.age);
}

export interface WaitingReports {
  reports: number;
  bytes: number;
  /** Age in seconds of the oldest waiting report. */
  age: number;
}

/** A workspace with waiting reports has a job. Each workspace is read as its own tenant, all in one round trip. */
export async function readWaitingReports(tx: InstallTx): Promise<WaitingReports> {
  const tenants = await tx.query<{ id: TenantId }>(
    `select data ->> 'tenantId' as id from ${queueSchema}.job
      where name = $1 and state <= 'active' group by 1 order by min(created_on) limit ${maxWorkspaces}`,
    [importQueue],
  );
  const answers = await Promise.all(
    tenants.map(({ id }) =>
      switchTenant(tx, id).query<WaitingReports>(
        `select count(*)::int as reports, coalesce(sum(report_bytes), 0)::float8 as bytes,
                coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as age
           from scan where tenant_id = $1 and status = 'queued'`,
        [id],
      ),
    ),
  );
  const all = answers.flat();
  return {
    reports: all.reduce((sum, { reports }) => sum + reports, 0),
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    age: Math.max(0, ...all.map(({ age }) => age)),
  };
}

/**
 * Events that wait for a receiver, and the age of the oldest, also of one that no process has taken up, as if none
 * delivers. Each workspace is read as its own tenant, all in one round trip.
 */
async function readWaitingDeliveries(tx: InstallTx): Promise<{ events: number; age: number }> {
  const tenants = await tx.query<{ id: TenantId }>(
    `select id from tenant where deleted_at is null and has_webhooks order by id limit ${maxWorkspaces}`,
  );
  const answers = await Promise.all(
    tenants.map(({ id }) =>
      switchTenant(tx, id).query<{ events: number; age: number }>(
        `select coalesce(sum(d.count), 0)::int as events,
                coalesce(extract(epoch from now() - least(min(d.oldest), min(b.created_at))), 0)::float8 as age
           from webhook w
          cross join lateral (select count(*) as count, min(created_at) as oldest from webhook_delivery
                where tenant_id = $1 and webhook_id = w.id and status = 'pending') d
           left join lateral (select created_at from event_batch
                where tenant_id = $1 and first_number > w.position - ${maxEventsInBatch} and last_number > w.position
                order by first_number limit 1) b on true
          where w.tenant_id = $1 and w.enabled`,
        [id],
      ),
    ),
  );
  const all = answers.flat();
  return {
    events: all.reduce((sum, { events }) => sum + events, 0),
    age: Math.max(0, ...all.map(({ age }) => age)),
  };
}

/** The metrics of a long-running process, if they are configured. */
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { ProcessDependencies } from '../ingest/import/process-scan.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Snapshot } from '../metrics/snapshot.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { refusedPort } from './listening.ts';
import { say } from './output.ts';

/** Loads the code of metrics only if they are on. */
export async function metricsOf({ metrics }: Config, db: Database, role: string): Promise<Metrics | null> {
  if (metrics === null) return null;
  const { openMetrics } = await import('../metrics/metrics.ts');
  return openMetrics({ db, role, countsWorkspaces: metrics.workspaces > 0 });
}

/** Observes imports for metrics and traces; undefined if both are off. */
export function importObserver(
  metrics: Metrics | null,
  tracing: Tracing | null,
): ProcessDependencies['observeImport'] {
  const sources = [metrics, tracing].filter((source) => source !== null);
  if (sources.length === 0) return undefined;
  return () => {
    const observers = sources.map((source) => source.observeImport());
    return {
      step: (name) => {
        for (const observer of observers) observer.step(name);
      },
      end: (outcome) => {
        for (const observer of observers) observer.end(outcome);
      },
    };
  };
}

/** Returns the function that collects the metrics for a scrape of this process alone. */
export function collectOf(metrics: Metrics | null): () => Promise<Snapshot[]> {
  return async () => (metrics === null ? [] : [await metrics.snapshot(true)]);
}

/** Listens for scrapes if the configuration says so. Throws CommandError if the port is not available. */
export async function listenForMetrics(
  { metrics }: Config,
  collect: () => Promise<Snapshot[]>,
): Promise<{ close(): Promise<void> }> {
  if (metrics === null) return { close: async () => {} };
  const { listenForScrapes } = await import('../metrics/listener.ts');
  const { port, host } = metrics;
  const listener = await listenForScrapes(metrics, collect).catch((error) => {
    throw refusedPort(error, { port, host }, 'MERLON_METRICS_PORT');
  });
  say(`Metrics at ${listener.url}`);
  return listener;
}

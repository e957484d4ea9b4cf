/** Turns the snapshots of several processes into one text for Prometheus. */
import { workspaceMetric } from './metrics.ts';
import type { Snapshot } from './snapshot.ts';

export interface Exposition {
  contentType: string;
  text: string;
}

/** Shows at most `workspaces` workspaces: those with the most requests. */
export async function expose(snapshots: Snapshot[], workspaces: number): Promise<Exposition> {
  const all = await sum(snapshots);
  const registry = await aggregated([
    all.map((metric) =>
      metric.name === workspaceMetric
        ? { ...metric, values: metric.values.toSorted((a, b) => b.value - a.value).slice(0, workspaces) }
        : metric,
    ),
  ]);
  return { contentType: registry.contentType, text: await registry.metrics() };
}

/** The counts of processes that have ended, as one snapshot. Their gauges no longer count. */
export async function sumSnapshots(snapshots: Snapshot[]): Promise<Snapshot> {
  return (await sum(snapshots)).filter(isCount);
}

// The library writes its types as text, but declares them as numbers.
export const isCount = ({ type }: Snapshot[number]): boolean =>
  ['counter', 'histogram'].includes(String(type));

async function sum(snapshots: Snapshot[]): Promise<Snapshot> {
  return (await aggregated(snapshots)).getMetricsAsJSON();
}

async function aggregated(snapshots: Snapshot[]) {
  const { AggregatorRegistry } = await import('prom-client');
  return AggregatorRegistry.aggregate(snapshots);
}

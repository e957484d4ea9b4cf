import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** The metrics of a process at one moment, which may travel to another process. */
export type Snapshot = MetricObjectWithValues<MetricValue<string>>[];

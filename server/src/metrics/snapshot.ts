import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** The metrics of a process at one moment. They can be sent to another process. */
export type Snapshot = MetricObjectWithValues<MetricValue<string>>[];

/** The yardstick for reading a report: `JSON.parse` of its bytes. */
import { medianOf } from './row.ts';

/** Returns the median of three times, in milliseconds. */
export function timeJsonParse(bytes: Buffer): number {
  const times = [1, 2, 3].map(() => {
    const started = performance.now();
    JSON.parse(bytes.toString());
    return performance.now() - started;
  });
  return Math.max(1, Math.round(medianOf(times)));
}

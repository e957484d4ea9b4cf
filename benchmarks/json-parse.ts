/** The yardstick of reading: `JSON.parse` of the bytes of a report. */
import { medianOf } from './row.ts';

/** The median of three. */
export function timeJsonParse(bytes: Buffer): number {
  const times = [1, 2, 3].map(() => {
    const started = performance.now();
    JSON.parse(bytes.toString());
    return performance.now() - started;
  });
  return Math.max(1, Math.round(medianOf(times)));
}

/** The size limits of a report that is received. */
import type { Config } from '../../config.ts';

export interface ReceiveLimits {
  maxBytes: number;
  maxInflatedBytes: number;
  /** The largest ratio of decompressed size to compressed size. */
  maxRatio: number;
}

export function receiveLimits(config: Config): ReceiveLimits {
  const mb = 1024 * 1024;
  return {
    maxBytes: config.maxUploadMb * mb,
    maxInflatedBytes: config.maxInflatedMb * mb,
    maxRatio: config.maxInflationRatio,
  };
}

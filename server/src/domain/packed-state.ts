/**
 * The enumerations of a vulnerability and their packing into one small integer, the bucket.
 *
 * The bucket is the key of the counters and the second column of every list index, so the numbers here are
 * stored: a value may be added at the end of its list, never moved or removed. Severity stands in the highest
 * bits, so that buckets order by severity first.
 */

/** By rising rank: the position is the stored number. */
export const severities = ['unknown', 'info', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof severities)[number];

export const types = [
  'other',
  'dependency',
  'sast',
  'secret',
  'iac',
  'container',
  'dast',
  'license',
  'malware',
] as const;
export type VulnerabilityType = (typeof types)[number];

export const statuses = ['open', 'fixed', 'accepted', 'ignored', 'rejected'] as const;
export type Status = (typeof statuses)[number];

export const sources = ['current', 'git_history'] as const;
export type Source = (typeof sources)[number];

export interface Traits {
  severity: Severity;
  type: VulnerabilityType;
  status: Status;
  source: Source;
  confirmed: boolean;
  triaged: boolean;
  assigned: boolean;
}

// severity 3 bits | type 4 | status 3 | source 1 | confirmed 1 | triaged 1 | assigned 1 = 14 bits: a smallint.
const severityShift = 11;
const typeShift = 7;
const statusShift = 4;
const sourceBit = 8;
const confirmedBit = 4;
const triagedBit = 2;
const assignedBit = 1;

export function packBucket(traits: Traits): number {
  return (
    (severities.indexOf(traits.severity) << severityShift) |
    (types.indexOf(traits.type) << typeShift) |
    (statuses.indexOf(traits.status) << statusShift) |
    (traits.source === 'git_history' ? sourceBit : 0) |
    (traits.confirmed ? confirmedBit : 0) |
    (traits.triaged ? triagedBit : 0) |
    (traits.assigned ? assignedBit : 0)
  );
}

/** The severity's rank in a bucket, 0 (unknown) to 5 (critical): what the sort by severity goes by. */
export function severityRank(bucket: number): number {
  return bucket >> severityShift;
}

/** In SQL: the rank of a column's bucket. */
export function sqlSeverityRank(column: string): string {
  return `(${column} >> ${severityShift})`;
}

/** In SQL: whether a column's bucket is that of an open one. */
export function sqlIsOpen(column: string): string {
  return `(${column} >> ${statusShift} & 7) = ${statuses.indexOf('open')}`;
}

/** Throws on a number that `packBucket` cannot have made. */
export function unpackBucket(bucket: number): Traits {
  const severity = severities[severityRank(bucket)];
  const type = types[(bucket >> typeShift) & 15];
  const status = statuses[(bucket >> statusShift) & 7];
  if (severity === undefined || type === undefined || status === undefined) {
    throw new RangeError(`not a bucket: ${bucket}`);
  }
  return {
    severity,
    type,
    status,
    source: bucket & sourceBit ? 'git_history' : 'current',
    confirmed: (bucket & confirmedBit) !== 0,
    triaged: (bucket & triagedBit) !== 0,
    assigned: (bucket & assignedBit) !== 0,
  };
}

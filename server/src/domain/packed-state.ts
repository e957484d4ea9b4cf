/**
 * The enumerations of a vulnerability and their packing into one small integer, the packed state.
 *
 * The packed state is the key of the counters and the second column of every list index, so the numbers here are
 * stored. A value may be added at the end of its list, but never moved or removed. Severity has the highest bits, so
 * that packed states sort by severity first.
 */

/** Severities by rising rank; the database stores the position in this list. */
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

export function packState(traits: Traits): number {
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

/** The rank of the severity in a packed state, 0 (unknown) to 5 (critical), for sorting by severity. */
export function severityRank(packedState: number): number {
  return packedState >> severityShift;
}

/** In SQL: the severity rank of a column of packed states. */
export function sqlSeverityRank(column: string): string {
  return `(${column} >> ${severityShift})`;
}

// Severities as text would sort by the alphabet, so SQL compares their positions in this array.
const sqlSeverities = `'{${severities.join(',')}}'::text[]`;

/** In SQL: the highest severity of the rows of a group. */
export function sqlHighestSeverity(column: string): string {
  return `(${sqlSeverities})[max(array_position(${sqlSeverities}, ${column}::text))]`;
}

/** In SQL: the higher severity of two columns. */
export function sqlHigherSeverity(a: string, b: string): string {
  const rank = (column: string): string => `array_position(${sqlSeverities}, ${column}::text)`;
  return `case when ${rank(a)} >= ${rank(b)} then ${a} else ${b} end`;
}

/** In SQL: the severity of a column of packed states, as text. */
export function sqlSeverity(column: string): string {
  return `(${sqlSeverities})[${sqlSeverityRank(column)} + 1]`;
}

/** In SQL: the type of a column of packed states, as its position in `types`. */
export function sqlTypeNumber(column: string): string {
  return `(${column} >> ${typeShift} & 15)`;
}

/** In SQL: the source of a column of packed states, as its position in `sources`. */
export function sqlSourceNumber(column: string): string {
  return `(${column} & ${sourceBit}) / ${sourceBit}`;
}

export function sqlIsConfirmed(column: string): string {
  return `(${column} & ${confirmedBit} <> 0)`;
}

export function sqlIsTriaged(column: string): string {
  return `(${column} & ${triagedBit} <> 0)`;
}

/** In SQL: whether the status of a column of packed states is one of these. */
export function sqlStatusIn(column: string, ...of: Status[]): string {
  return `(${column} >> ${statusShift} & 7) in (${of.map((status) => statuses.indexOf(status)).join(', ')})`;
}

/** In SQL: whether the status of a column of packed states is open. */
export function sqlIsOpen(column: string): string {
  return sqlStatusIn(column, 'open');
}

/** Throws RangeError for a number that `packState` cannot have made. */
export function unpackState(packedState: number): Traits {
  const severity = severities[severityRank(packedState)];
  const type = types[(packedState >> typeShift) & 15];
  const status = statuses[(packedState >> statusShift) & 7];
  if (severity === undefined || type === undefined || status === undefined) {
    throw new RangeError(`not a packed state: ${packedState}`);
  }
  return {
    severity,
    type,
    status,
    source: packedState & sourceBit ? 'git_history' : 'current',
    confirmed: (packedState & confirmedBit) !== 0,
    triaged: (packedState & triagedBit) !== 0,
    assigned: (packedState & assignedBit) !== 0,
  };
}
